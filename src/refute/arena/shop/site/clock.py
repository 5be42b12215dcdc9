"""The shop's calendar: it is always the same day here, so that a page says the same whenever it is opened."""

import datetime
import os
import time
from pathlib import Path

OPENING = datetime.datetime(2026, 6, 15, 9, 0, tzinfo=datetime.UTC)
"""The moment at which every instance starts."""

_OPENED = Path(os.environ["SHOP_DATA"]) / "opened"
"""At each reset the launcher writes into it what this machine's steady clock says."""


def frozen():
    """The opening moment, for building: equal rows at each build."""
    return OPENING


def running():
    """The opening moment plus the time since the last reset, for serving: every episode starts at the same moment."""
    opened = float(_OPENED.read_text(encoding="ascii"))
    return OPENING + datetime.timedelta(seconds=max(0.0, time.monotonic() - opened))


def install(now):
    """Make Django and Oscar read `now`; must run before their models are imported."""
    from django.utils import timezone

    timezone.now = now
