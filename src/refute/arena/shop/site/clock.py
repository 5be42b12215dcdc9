"""The shop's calendar: it is always the same day here, so that a page says the same whenever it is opened."""

import datetime
import time

OPENING = datetime.datetime(2026, 6, 15, 9, 0, tzinfo=datetime.UTC)
"""The moment at which every instance starts."""

_started = time.monotonic()


def frozen():
    """The opening moment, for building: equal rows at each build."""
    return OPENING


def running():
    """The opening moment plus the time since this process started, for serving."""
    return OPENING + datetime.timedelta(seconds=time.monotonic() - _started)


def install(now):
    """Make Django and Oscar read `now`; must run before their models are imported."""
    from django.utils import timezone

    timezone.now = now
