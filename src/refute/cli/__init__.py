"""The command line: thin commands over the rooms below."""

from refute.cli._main import main

__all__ = ["main"]
