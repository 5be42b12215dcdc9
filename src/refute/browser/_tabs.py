"""The tabs of a session: which are open, which is in front, which is gone."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import playwright.async_api as pw

from refute._errors import BrowserError, BrowserGone, BrowserTimeout, NavigationError, PageCrashed
from refute.browser._deadline import within
from refute.browser._devtools import devtools
from refute.browser._dialogs import Dialogs
from refute.browser._downloads import Downloads
from refute.browser._engine import says_crashed
from refute.browser._events import Events
from refute.browser._observation import Tab
from refute.browser._traffic import ABORTED, Traffic

BLANK = "about:blank"
WAYS_BACK = 3
"""How often a tab is asked to go back before it is emptied."""
LEAVE = 10.0
"""Seconds for a tab to leave what it may not show."""


class Tabs:
    """Open tabs in order of opening; the newest becomes the active one, as it does for a user.

    A tab has a number, which is given to no other one, and which it keeps when its page is replaced after a crash.
    """

    def __init__(self, context: pw.BrowserContext, events: Events, dialogs: Dialogs, downloads: Downloads) -> None:
        self._context = context
        self._events = events
        self._dialogs = dialogs
        self._downloads = downloads
        self.traffic = Traffic(context, events)
        self._pages: dict[int, pw.Page] = {}
        self._last = 0
        self._active: pw.Page | None = None
        self._crashed: set[pw.Page] = set()
        self._titles: dict[pw.Page, str] = {}
        self._mute: set[pw.Page] = set()
        self._leaving: dict[pw.Page, asyncio.Event] = {}
        self._replacing = 0
        self._new = asyncio.Event()
        self._gone = False
        context.on("page", self._opened)
        context.on("close", self._context_closed)

    @property
    def active(self) -> pw.Page:
        """The tab in front. Raises `PageCrashed` when its process is gone, `BrowserGone` when the whole browser is."""
        self.check()
        if self._active is None or self._active.is_closed():
            raise PageCrashed("there is no open tab left")
        if self._active in self._crashed:
            raise PageCrashed(f"the page {self._active.url} crashed")
        return self._active

    def check(self) -> None:
        """Raises `BrowserGone` when the browser, or this session's part of it, is gone."""
        browser = self._context.browser
        if self._gone or (browser is not None and not browser.is_connected()):
            raise BrowserGone("the browser of this session is gone: it was closed, killed or ran out of memory")

    @property
    def url(self) -> str:
        """The address of the active tab, be it alive or not."""
        return self._active.url if self._active is not None else ""

    @property
    def crashed(self) -> bool:
        """Whether the process of the active tab is gone, or no tab is left."""
        return self._active is None or self._active in self._crashed or self._active.is_closed()

    @property
    def count(self) -> int:
        """Number of open tabs."""
        return len(self._pages)

    def find(self, number: int) -> pw.Page | None:
        """The open tab with this number, or None."""
        return self._pages.get(number)

    def known(self, number: int) -> bool:
        """Whether a tab ever had this number."""
        return 1 <= number <= self._last

    def leave(self, page: pw.Page) -> None:
        """A tab arrived where the policy does not allow it; `turn_back` follows. Until then it is not looked at."""
        self._leaving.setdefault(page, asyncio.Event())

    async def at_home(self, page: pw.Page) -> bool:
        """Whether `page` was where it may be; waits for its way back, and is False after one."""
        back = self._leaving.get(page)
        if back is not None:
            await back.wait()
        return back is None

    async def turn_back(self, page: pw.Page) -> None:
        """A tab arrived where the policy does not allow it, unasked: take it back to where it came from.

        A tab that does not go back, however often it is asked, is emptied: the page that it shows may not be seen.
        """
        away = page.url
        self.traffic.refused(away, document=True)
        try:
            for _ in range(WAYS_BACK):
                with suppress(pw.Error, BrowserTimeout):  # a navigation that ends just now takes this one with it
                    await self._go_back(page)
                if page.url != away or page.is_closed():
                    return
            with suppress(pw.Error, BrowserTimeout):
                await within(LEAVE, page.goto(BLANK, timeout=0), what="leaving a page")
        finally:
            self._leaving.pop(page, asyncio.Event()).set()

    async def _go_back(self, page: pw.Page) -> None:
        if await has_entry(page, -1):
            await within(LEAVE, page.go_back(wait_until="commit", timeout=0), what="going back")
        elif self.count > 1:
            await self.close(page)
        else:
            await within(LEAVE, page.goto(BLANK, timeout=0), what="leaving a page")

    def destination(self, page: pw.Page) -> str:
        """The address that `page` is on its way to; empty when it is at home."""
        return page.url if page in self._leaving else self.traffic.destination(page)

    async def listing(self, title: str) -> tuple[Tab, ...]:
        """All open tabs; `title` is that of the active one."""
        if self._active is not None:
            self._titles[self._active] = title
        others = [p for p in self._pages.values() if p is not self._active]
        await asyncio.gather(*(self._read_title(page) for page in others))
        return self.known_listing()

    def known_listing(self) -> tuple[Tab, ...]:
        """The same without asking the pages: titles as last seen."""
        shown = self._events.shown
        return tuple(
            Tab(number=n, title=shown(self._titles.get(p, "")), url=shown(p.url), active=p is self._active)
            for n, p in self._pages.items()
        )

    async def _read_title(self, page: pw.Page) -> None:
        if page in self._crashed or page in self._mute:
            return
        try:
            self._titles[page] = await within(0.5, page.title(), what="a tab")
        except pw.Error:
            return
        except BrowserTimeout:
            self._mute.add(page)  # not asked again before it goes somewhere else

    async def wait_for_new(self, count: int, *, seconds: float = 2.0) -> None:
        """Wait until more than `count` tabs are open, or for `seconds`: a link's new tab is announced a little late."""
        self._new.clear()
        if self.count <= count:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._new.wait(), seconds)

    async def open(self) -> pw.Page:
        """A new, empty tab, in front. Raises `BrowserGone`, `BrowserTimeout` or `BrowserError`."""
        try:
            return await within(20, self._context.new_page(), what="a new tab")
        except pw.Error as error:
            self.check()
            raise BrowserError(f"no new tab: {reason_of(error)}") from error

    async def focus(self, page: pw.Page) -> None:
        """Bring `page` to the front."""
        self._active = page
        await within(5, page.bring_to_front(), what="bringing a tab to the front")

    async def close(self, page: pw.Page) -> None:
        """Close `page`; if it was in front, the one opened before it comes back."""
        await within(10, page.close(), what="closing a tab")
        if self._active is not None and not self._active.is_closed():
            await within(5, self._active.bring_to_front(), what="bringing a tab to the front")

    async def stop(self, page: pw.Page) -> None:
        """Give up on where `page` is on its way to."""
        with suppress(pw.Error, BrowserTimeout):
            await devtools(page, "Page.stopLoading", seconds=2)

    async def replace(self) -> pw.Page:
        """An empty page in the place of the active one, which crashed, hung or closed itself as the last one."""
        old = self._active
        number = next((n for n, p in self._pages.items() if p is old), None)
        self._replacing += 1
        try:
            page = await self.open()
        finally:
            self._replacing -= 1
        if number is not None:
            self._pages = {n: page if n == number else p for n, p in self._pages.items() if p is not page}
        if old is not None and not old.is_closed():
            with suppress(pw.Error, BrowserTimeout):
                await within(5, old.close(), what="closing a tab")
        return page

    # ---- what Playwright tells

    def _opened(self, page: pw.Page) -> None:
        self._last += 1
        self._pages[self._last] = page
        self._active = page
        self._new.set()
        if self._last > 1 and not self._replacing:
            self._events.note("tab_opened", page.url)
        page.on("dialog", self._dialogs.meet)
        page.on("dialogclosed", self._dialogs.closed)
        page.on("download", self._downloads.begin)
        page.on("close", self._closed)
        page.on("crash", self._crash)
        page.on("pageerror", lambda error: self._events.note("console_error", error.message.splitlines()[0]))
        page.on("framenavigated", self._arrived)

    def _closed(self, page: pw.Page) -> None:
        self.traffic.forget(page)
        self._dialogs.forget(page)
        if page not in self._pages.values():
            return  # it was replaced
        self._pages = {n: p for n, p in self._pages.items() if p is not page}
        self._events.note("tab_closed", page.url)
        if page is self._active and self._pages:
            self._active = list(self._pages.values())[-1]

    def _crash(self, page: pw.Page) -> None:
        self._crashed.add(page)
        self.traffic.forget(page)
        self._dialogs.forget(page)

    def _arrived(self, frame: pw.Frame) -> None:
        self.traffic.arrived(frame)
        if frame.parent_frame is None:
            self._mute.discard(frame.page)

    def _context_closed(self, _: pw.BrowserContext) -> None:
        self._gone = True


async def has_entry(page: pw.Page, step: int) -> bool:
    """Whether the tab's history holds a page there; the empty page that every tab starts with is none."""
    history = await devtools(page, "Page.getNavigationHistory")
    index = int(history["currentIndex"]) + step
    entries = history["entries"]
    return 0 <= index < len(entries) and str(entries[index]["url"]) != BLANK


async def open_address(page: pw.Page, url: str, *, seconds: float) -> None:
    """Go to `url` and wait for its document. Raises `NavigationError` or `BrowserTimeout`; a download is no error."""
    what = f"opening {url}"
    try:
        await within(seconds + 2, page.goto(url, wait_until="domcontentloaded", timeout=seconds * 1000), what=what)
    except pw.TimeoutError:
        raise BrowserTimeout(f"{what} took longer than {seconds:g} s") from None
    except pw.Error as error:
        if "Download is starting" in error.message:
            return
        if says_crashed(error):
            raise PageCrashed(f"{what}: the page crashed") from error
        if ABORTED not in error.message:
            await error_page(page)
        raise NavigationError(f"{url} cannot be opened: {reason_of(error)}") from error


async def error_page(page: pw.Page) -> None:
    """Wait for the page that Chromium shows for a failed navigation; it would interrupt the next one."""
    with suppress(pw.Error):
        await page.wait_for_url(lambda url: url.startswith("chrome-error:"), wait_until="commit", timeout=2000)


def reason_of(error: pw.Error) -> str:
    """The first line of a Playwright error, without the call's name and the address."""
    line = error.message.splitlines()[0] if error.message else "no reason given"
    return line.split(": ", 1)[-1].split(" at ", 1)[0]
