"""Wait until a page has come to rest after an action.

At rest = the document is there, nothing in it changed for a short while, no short timer and no young request of its
scripts is under way, and the tab is not on its way elsewhere. Timers and requests are reported by a script in the
page's own world (js/page.js). A page can break that script, but not the question, which is asked in the isolated world:
where timers are not seen, the page has to be quiet for long enough to show what they do. Requests are also known from
the browser. Pages that never rest (clocks, streams) are left after a cap.
"""

from __future__ import annotations

import asyncio

import playwright.async_api as pw

from refute._errors import BrowserTimeout, PageCrashed
from refute.browser._deadline import Deadlines
from refute.browser._dialogs import DialogOpened, Dialogs
from refute.browser._downloads import Downloads
from refute.browser._engine import Engine, Interrupted, Pulse
from refute.browser._tabs import Tabs

QUIET_MS = 30.0
BLIND_MS = 500.0
"""The same for a page whose timers cannot be seen."""
PAUSE = 0.015
DOWNLOAD = 3.0
"""Seconds to wait for downloads under way; longer ones are reported when they end."""
ANSWER = 2.0
"""Seconds for a page to say how it is."""


class Rest:
    """Waits for the active tab of one session, its dialogs and its downloads included."""

    def __init__(
        self, engine: Engine, tabs: Tabs, dialogs: Dialogs, downloads: Downloads, deadlines: Deadlines
    ) -> None:
        self._engine = engine
        self._tabs = tabs
        self._dialogs = dialogs
        self._downloads = downloads
        self._deadlines = deadlines

    async def wait(self, *, since: float | None = None, inside: pw.Frame | None = None) -> bool:
        """As `settle`; also False when a dialog opens meanwhile, which ends the wait."""
        rest = settle(self._engine, self._tabs, self._deadlines, since=since, inside=inside)
        try:
            return await self._dialogs.unless_open(rest)
        except DialogOpened:
            return False
        finally:
            await self._downloads.rest(DOWNLOAD)


async def settle(
    engine: Engine, tabs: Tabs, deadlines: Deadlines, *, since: float | None = None, inside: pw.Frame | None = None
) -> bool:
    """Wait for rest; False when the page was left restless. Raises `BrowserGone`.

    `since` (the loop's time): when the action began; what the page asked for from then on is waited for. `inside`: a
    frame that was acted in, whose rest counts too. `deadlines.rest` bounds the wait in one document,
    `deadlines.rest_in_all` all of it, navigations included.
    """
    loop = asyncio.get_running_loop()
    begun, count = loop.time(), tabs.count
    since = begun if since is None else since
    end, restless = begun + deadlines.rest_in_all, begun + deadlines.rest
    document: float | None = None
    while loop.time() < end:
        try:
            page = tabs.active
            pulse = None if tabs.destination(page) else await _pulse(engine, page, inside)
        except Interrupted:
            pulse = None  # the document went away: look at the one that follows
            tabs.check()
        except BrowserTimeout:
            return False
        except PageCrashed:
            return True  # nothing will change any more; whoever looks next says so
        else:
            if pulse is not None and pulse.opened:
                await tabs.wait_for_new(count)  # and go on in the new tab
                count = tabs.count
                continue
            if pulse is not None and pulse.born != document:
                document, restless = pulse.born, loop.time() + deadlines.rest
            if pulse is not None and not pulse.loading:
                wanted = QUIET_MS if pulse.sound else BLIND_MS
                waited = (loop.time() - begun) * 1000  # what an action sets off may take a moment to show
                if min(pulse.quiet, waited) >= wanted and not tabs.traffic.busy(page, since=since):
                    return True
                if loop.time() > restless:
                    return False
        await asyncio.sleep(PAUSE)
    return False


async def _pulse(engine: Engine, page: pw.Page, inside: pw.Frame | None) -> Pulse:
    """How the page is; the frame inside it may only make it more restless."""
    pulse = await engine.ask(page.main_frame, Pulse, {"do": "pulse"}, seconds=ANSWER)
    if inside is None or inside is page.main_frame or inside.is_detached() or inside.page is not page:
        return pulse
    try:
        inner = await engine.ask(inside, Pulse, {"do": "pulse"}, seconds=ANSWER)
    except (Interrupted, BrowserTimeout):
        return pulse
    return pulse.model_copy(update={"quiet": min(pulse.quiet, inner.quiet), "sound": pulse.sound and inner.sound})
