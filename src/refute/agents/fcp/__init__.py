"""The falsifiable-commitment agent: every plan step says what would prove it wrong (fcpagent §4 and §5)."""
