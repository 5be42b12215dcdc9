"""Wait until a page has come to rest after an action.

At rest = the document is there, nothing in it changed for a short while, no short timer and no request of its scripts
is under way, and the tab is not on its way elsewhere. Pages that never rest (clocks, polling) are left after a cap.
"""

from __future__ import annotations

import asyncio

from refute._errors import BrowserTimeout, PageCrashed
from refute.browser._engine import Engine, Interrupted, Pulse
from refute.browser._tabs import Tabs

QUIET_MS = 30.0
CAP = 1.5
LONGEST = 15.0
PAUSE = 0.015


async def settle(engine: Engine, tabs: Tabs, *, cap: float = CAP, longest: float = LONGEST) -> bool:
    """Wait for rest; False when the page was left restless.

    `cap` (seconds) bounds the wait in one document, `longest` all of it, navigations included.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + longest
    begun, count = loop.time(), tabs.count
    restless = begun + cap
    document: float | None = None
    while loop.time() < end:
        if not tabs.navigating:
            try:
                pulse = await engine.ask(tabs.active.main_frame, Pulse, {"do": "pulse"}, seconds=2)
            except Interrupted:
                pulse = None  # the document went away: look at the one that follows
            except BrowserTimeout:
                return False
            except PageCrashed:
                return True  # nothing will change any more; whoever looks next says so
            if pulse is not None and pulse.opened:
                await tabs.wait_for_new(count)  # and go on in the new tab
                continue
            if pulse is not None and pulse.born != document:
                document, restless = pulse.born, loop.time() + cap
            if pulse is not None and not pulse.loading:
                since = (loop.time() - begun) * 1000  # what an action sets off may take a moment to show
                if min(pulse.quiet, since) >= QUIET_MS:
                    return True
                if loop.time() > restless:
                    return False
        await asyncio.sleep(PAUSE)
    return False
