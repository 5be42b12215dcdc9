"""The tabs of a session, and what happens in them unasked: dialogs, new tabs, downloads, errors, navigations."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

import playwright.async_api as pw

from refute._errors import BrowserTimeout, NavigationError, PageCrashed
from refute.browser._deadline import within
from refute.browser._engine import says_crashed
from refute.browser._observation import PageEvent, Tab

MOST_EVENTS = 20
ABORTED = "net::ERR_ABORTED"


@dataclass(frozen=True, kw_only=True)
class FailedNavigation:
    """An address that a tab was on its way to and did not reach."""

    url: str
    reason: str
    refused: bool = False
    """The session's policy does not allow its host."""


class Tabs:
    """Open tabs in order of opening; the newest becomes the active one, as it does for a user."""

    def __init__(self, context: pw.BrowserContext) -> None:
        self._context = context
        self._pages: list[pw.Page] = []
        self._active: pw.Page | None = None
        self._events: list[PageEvent] = []
        self._crashed: set[pw.Page] = set()
        self._underway: set[pw.Request] = set()
        self._first = True
        self._new = asyncio.Event()
        self.arrivals = 0
        """Number of navigations that arrived in the active tab, so that two looks can be compared."""
        self.failed: FailedNavigation | None = None
        """The last navigation of a tab's main frame that failed; whoever acts clears it first."""
        context.on("page", self._opened)

    @property
    def active(self) -> pw.Page:
        """The tab in front. Raises `PageCrashed` when its process is gone."""
        if self._active is None or self._active.is_closed():
            raise PageCrashed("there is no open tab left")
        if self._active in self._crashed:
            raise PageCrashed(f"the page {self._active.url} crashed")
        return self._active

    @property
    def url(self) -> str:
        """The address of the active tab, be it alive or not."""
        return self._active.url if self._active is not None else ""

    @property
    def crashed(self) -> bool:
        """Whether the process of the active tab is gone."""
        return self._active in self._crashed

    @property
    def count(self) -> int:
        """Number of open tabs."""
        return len(self._pages)

    @property
    def navigating(self) -> bool:
        """Whether the active tab is on its way to another document."""
        return any(self._page_of(r) is self._active for r in self._underway)

    def note(self, kind: str, text: str = "") -> None:
        """Report something to the next observation; repetitions and floods are cut."""
        event = PageEvent(type=kind, text=text[:300])
        if len(self._events) < MOST_EVENTS and event not in self._events:
            self._events.append(event)

    def refused(self, request: pw.Request) -> None:
        """The session's policy turned a request down."""
        reason = "not allowed in this session"
        if request.is_navigation_request() and self._page_of(request) is not None:
            self.failed = FailedNavigation(url=request.url, reason=reason, refused=True)
        self.note("request_failed", f"{request.url}: {reason}")

    def take_events(self) -> tuple[PageEvent, ...]:
        """What happened since the last time."""
        events, self._events = tuple(self._events), []
        return events

    async def listing(self) -> tuple[Tab, ...]:
        """All open tabs."""
        return tuple([Tab(title=await _title(p), url=p.url, active=p is self._active) for p in list(self._pages)])

    async def wait_for_new(self, count: int, *, seconds: float = 2.0) -> None:
        """Wait until more than `count` tabs are open, or for `seconds`: a link's new tab is announced a little late."""
        self._new.clear()
        if self.count <= count:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._new.wait(), seconds)

    async def close_active(self) -> None:
        """Close the tab in front; the one opened before it comes back."""
        await within(5, self.active.close(), what="closing a tab")
        await within(5, self.active.bring_to_front(), what="bringing a tab to the front")

    # ---- what Playwright tells

    def _opened(self, page: pw.Page) -> None:
        self._pages.append(page)
        self._active = page
        self._new.set()
        if not self._first:
            self.note("tab_opened", page.url)
        self._first = False
        page.on("dialog", self._dialog)
        page.on("download", lambda d: self.note("download", d.suggested_filename))
        page.on("close", self._closed)
        page.on("crash", self._crash)
        page.on("pageerror", lambda error: self.note("console_error", error.message.splitlines()[0]))
        page.on("framenavigated", self._arrived)
        page.on("request", self._request)
        page.on("requestfinished", self._request_finished)
        page.on("requestfailed", self._request_failed)

    async def _dialog(self, dialog: pw.Dialog) -> None:
        """Answer at once: an open dialog blocks every other call on the page."""
        if dialog.type != "beforeunload":
            self.note("dialog", f"{dialog.type} {dialog.message!r}: accepted")
        try:
            await dialog.accept(dialog.default_value)
        except pw.Error:
            return  # the page went away, and the dialog with it

    def _closed(self, page: pw.Page) -> None:
        self._pages = [p for p in self._pages if p is not page]
        self.note("tab_closed", page.url)
        if page is self._active and self._pages:
            self._active = self._pages[-1]

    def _crash(self, page: pw.Page) -> None:
        self._crashed.add(page)
        self.note("crashed", page.url)

    def _arrived(self, frame: pw.Frame) -> None:
        if frame.page is self._active and frame is frame.page.main_frame:
            self.arrivals += 1
        self._underway = {r for r in self._underway if self._frame_of(r) is not frame}

    def _request(self, request: pw.Request) -> None:
        if request.is_navigation_request() and self._page_of(request) is not None:
            self._underway.add(request)

    def _request_finished(self, request: pw.Request) -> None:
        self._underway.discard(request)

    def _request_failed(self, request: pw.Request) -> None:
        self._underway.discard(request)
        page = self._page_of(request)
        if page is None or not request.is_navigation_request() or request.failure == ABORTED:
            return
        self.failed = FailedNavigation(url=request.url, reason=request.failure or "no reason given")
        self.note("request_failed", f"{request.url}: {self.failed.reason}")

    def _page_of(self, request: pw.Request) -> pw.Page | None:
        """The tab whose main frame asks; None for requests of other frames and of workers."""
        frame = self._frame_of(request)
        return frame.page if frame is not None and frame.parent_frame is None else None

    @staticmethod
    def _frame_of(request: pw.Request) -> pw.Frame | None:
        try:
            return request.frame
        except pw.Error:
            return None  # a new tab's first request comes before its frame


async def _title(page: pw.Page) -> str:
    try:
        return await within(1, page.title(), what="a tab")
    except (pw.Error, BrowserTimeout):
        return ""


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
