"""What the tabs of a session load: navigations under way, arrived and failed, and requests of scripts.

All of it is told by the browser, so that no page can falsify it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import playwright.async_api as pw

from refute.browser._events import Events

ABORTED = "net::ERR_ABORTED"
AWAITED = frozenset({"document", "fetch", "xhr", "script"})
"""Kinds of requests whose replies may change what is seen."""
FIRST_ERROR = 400
"""HTTP status codes from here on say that something went wrong."""


@dataclass(frozen=True, kw_only=True)
class FailedNavigation:
    """An address that a tab was on its way to and did not reach."""

    url: str
    reason: str
    refused: bool = False
    """The session's policy does not allow its host."""


@dataclass(frozen=True, kw_only=True)
class Landing:
    """The last document of a tab: how the server answered."""

    url: str
    status: int
    words: str
    posted: bool
    """The request sent a form, or whatever else was no GET."""

    @property
    def failed(self) -> bool:
        """The server says that this is no page, or an error."""
        return self.status >= FIRST_ERROR

    def __str__(self) -> str:
        return f"{self.url} answered {self.status} {self.words}".strip()


class Traffic:
    """The requests of one session's context."""

    def __init__(self, context: pw.BrowserContext, events: Events) -> None:
        self._events = events
        self._underway: dict[pw.Request, float] = {}
        self._landings: dict[pw.Page, Landing] = {}
        self._arrivals: dict[pw.Page, int] = {}
        self.failed: FailedNavigation | None = None
        """The last navigation of a tab's main frame that failed; whoever acts clears it first."""
        context.on("request", self._request)
        context.on("response", self._response)
        context.on("requestfinished", self._finished)
        context.on("requestfailed", self._request_failed)

    def arrivals(self, page: pw.Page) -> int:
        """Number of documents that arrived in `page`, so that two looks can be compared."""
        return self._arrivals.get(page, 0)

    def landing(self, page: pw.Page) -> Landing | None:
        """How the server answered with the document that `page` shows; None for what came from no server."""
        return self._landings.get(page)

    def status(self, page: pw.Page) -> int:
        """The HTTP status of that document; 0 for what came from no server."""
        landing = self._landings.get(page)
        return landing.status if landing is not None else 0

    def destination(self, page: pw.Page) -> str:
        """The address that `page` is on its way to; empty when it is at home."""
        return next((r.url for r in self._underway if r.is_navigation_request() and frame_of(r) is page.main_frame), "")

    def busy(self, page: pw.Page, *, since: float) -> bool:
        """Whether `page` waits for a reply to something that it asked for at or after `since` (the loop's time)."""
        return any(begun >= since and _page_of(r) is page for r, begun in self._underway.items())

    def refused(self, what: str, *, document: bool = False) -> None:
        """The session's policy turned a request down; `document`: one for a tab, so that an action failed."""
        reason = "not allowed in this session"
        if document:
            self.failed = FailedNavigation(url=what, reason=reason, refused=True)
        self._events.note("denied", f"{what}: {reason}")

    def arrived(self, frame: pw.Frame) -> None:
        """A frame shows another document; what its last one asked for is of no interest any more."""
        self._underway = {r: begun for r, begun in self._underway.items() if frame_of(r) is not frame}
        if frame.parent_frame is None:
            self._arrivals[frame.page] = self.arrivals(frame.page) + 1

    def forget(self, page: pw.Page) -> None:
        """`page` is gone."""
        self._underway = {r: begun for r, begun in self._underway.items() if _page_of(r) not in (page, None)}
        self._landings.pop(page, None)
        self._arrivals.pop(page, None)

    # ---- what Playwright tells

    def _request(self, request: pw.Request) -> None:
        if request.resource_type in AWAITED and frame_of(request) is not None:
            self._underway[request] = asyncio.get_running_loop().time()

    def _response(self, response: pw.Response) -> None:
        request = response.request
        if not _is_tab(request):
            return
        page = _page_of(request)
        if page is not None:
            landing = Landing(
                url=response.url, status=response.status, words=response.status_text, posted=request.method != "GET"
            )
            self._landings[page] = landing
            if landing.failed:
                self._events.note("http_error", str(landing))

    def _finished(self, request: pw.Request) -> None:
        self._underway.pop(request, None)

    def _request_failed(self, request: pw.Request) -> None:
        self._underway.pop(request, None)
        if not _is_tab(request) or request.failure == ABORTED:
            return
        self.failed = FailedNavigation(url=request.url, reason=request.failure or "no reason given")
        self._events.note("request_failed", f"{request.url}: {self.failed.reason}")


def frame_of(request: pw.Request) -> pw.Frame | None:
    """The frame that asks; None for workers, and for a new tab whose frame is not known yet."""
    try:
        return request.frame
    except pw.Error:
        return None


def _page_of(request: pw.Request) -> pw.Page | None:
    frame = frame_of(request)
    return frame.page if frame is not None else None


def _is_tab(request: pw.Request) -> bool:
    """Whether a tab itself is to go elsewhere, and not a frame in it."""
    frame = frame_of(request)
    return frame is not None and frame.parent_frame is None and request.is_navigation_request()
