"""The browser room against BrowserGym: speed and memory, in one run on one machine."""

from refute.suites.environment._rows import EnvironmentTable, Row
from refute.suites.environment._table import ROWS, environment_table

__all__ = ["ROWS", "EnvironmentTable", "Row", "environment_table"]
