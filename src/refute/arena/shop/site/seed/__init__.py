"""What is in the shop on opening day: the same rows at each build."""
