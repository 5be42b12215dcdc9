"""What a session sees: the active tab as an observation, read again when it goes elsewhere meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import playwright.async_api as pw

from refute._errors import BrowserTimeout, PageCrashed
from refute.browser._deadline import Deadlines, within
from refute.browser._dialogs import describe
from refute.browser._engine import Canary, Engine, Interrupted
from refute.browser._events import Events
from refute.browser._observation import Extent, Form, Observation
from refute.browser._observe import Look, Observer, digest_of
from refute.browser._redactor import Redactor
from refute.browser._tabs import Tabs

TRIES = 4
ALIVE = 2.0
"""Seconds for a page to give any answer before it counts as hung."""


class Hung(BrowserTimeout):
    """The page does not answer."""


class Sight:
    """Reads the active tab of one session, and remembers the last page that was read. No secret is in what it says."""

    def __init__(
        self,
        engine: Engine,
        tabs: Tabs,
        observer: Observer,
        events: Events,
        redactor: Redactor,
        *,
        settle: Callable[[], Awaitable[bool]],
        deadlines: Deadlines,
        form: Form,
        extent: Extent,
    ) -> None:
        self._engine = engine
        self._tabs = tabs
        self._observer = observer
        self._events = events
        self._redactor = redactor
        self._settle = settle
        self._deadlines = deadlines
        self._form: Form = form
        self._extent: Extent = extent
        self._page: Observation | None = None
        self.digest = ""
        """That of the last observation."""

    async def view(self) -> Observation:
        """The active tab as it is now. Raises `Hung`, `PageCrashed`, or `BrowserTimeout` when it keeps navigating."""
        page, look = await self.look()
        return await self._observation(page, look)

    async def look(self) -> tuple[pw.Page, Look]:
        """The active tab, and what was seen in it; raises what `view` raises."""
        for _ in range(TRIES):
            page = self._tabs.active
            arrivals = self._tabs.traffic.arrivals(page)
            try:
                looking = self._observer.look(page, form=self._form, extent=self._extent)
                look = await within(self._deadlines.look, looking, what=f"the page {page.url}")
            except Interrupted:
                await self._settle()
                continue
            except BrowserTimeout as error:
                if not await self._answers(page):
                    raise Hung(f"the page {page.url} does not answer any more") from error
                continue  # frames held it up: those that did not answer are not waited for so long again
            if not await self._tabs.at_home(page):
                continue
            if self._tabs.traffic.arrivals(page) == arrivals and self._tabs.active is page:
                return page, look
            await self._settle()
        raise BrowserTimeout(f"the page {self._tabs.active.url} kept changing while it was read")

    async def _answers(self, page: pw.Page) -> bool:
        """Whether the page's main frame answers anything at all."""
        try:
            await self._engine.ask(page.main_frame, Canary, {"do": "canary"}, seconds=ALIVE)
        except BrowserTimeout:
            return False
        except (Interrupted, PageCrashed):
            return True  # it goes elsewhere, or is gone: the next look says which
        return True

    async def _observation(self, page: pw.Page, look: Look) -> Observation:
        redactor = self._redactor
        url = redactor.text(page.url)
        at, most = look.main.scroll
        observation = Observation(
            url=url,
            title=redactor.text(look.main.title),
            text=redactor.page(look.text, look.elements),
            elements=redactor.elements(look.elements),
            tabs=await self._tabs.listing(look.main.title),
            events=self._events.take(),
            status=self._tabs.traffic.status(page),
            digest=digest_of(url, redactor.page(look.canon, look.elements)),
            form=self._form,
            extent=self._extent,
            above=look.main.above,
            below=look.main.below,
            scroll_y=at,
            scroll_max=most,
        )
        self.digest = observation.digest
        self._page = observation
        return observation

    def behind_dialog(self, dialog: pw.Dialog | None) -> Observation:
        """What can be seen while a dialog is open: the page answers nothing, so it is the page as last seen."""
        url, seen = self._redactor.text(self._tabs.url), self._page
        page = seen if seen is not None and seen.url == url else Observation(url=url)
        said = self._redactor.text(describe(dialog)) if dialog else ""
        line = f"open dialog: {said}. Nothing else can be done before it is answered." if dialog else ""
        text = f"{line}\n{page.text}".strip()
        self.digest = digest_of(url, text)
        return page.model_copy(
            update={
                "text": text,
                "tabs": self._tabs.known_listing(),
                "events": self._events.take(),
                "digest": self.digest,
            }
        )
