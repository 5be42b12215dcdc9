"""For all tests."""

from hypothesis import settings

# How long an example takes says something of the machine's load, and nothing of the code.
settings.register_profile("refute", deadline=None)
settings.load_profile("refute")
