"""The version, where every room can read it without importing the front door."""

__version__ = "0.1.0"
