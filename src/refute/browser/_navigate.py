"""Actions on pages and tabs as a whole: addresses, history, tabs."""

from __future__ import annotations

from collections.abc import Awaitable
from urllib.parse import urljoin, urlsplit

import playwright.async_api as pw

from refute._errors import BrowserTimeout, NavigationError
from refute.browser._action import CloseTab, FocusTab, Goto, NewTab
from refute.browser._deadline import Deadlines, within
from refute.browser._outcome import Cause
from refute.browser._refused import Refused
from refute.browser._tabs import Tabs, has_entry, open_address

CHECK = "Check the address, or go back."


class Navigator:
    """Moves the tabs of one session. A failed navigation is on the record of `Tabs.traffic`, with its reason."""

    def __init__(self, tabs: Tabs, deadlines: Deadlines) -> None:
        self._tabs = tabs
        self._seconds = deadlines.navigation

    async def goto(self, action: Goto) -> str:
        """Open an address."""
        page = self._tabs.active
        return await self._open(page, self._address(action.url))

    async def new_tab(self, action: NewTab) -> str:
        """Open a tab, with an address or empty."""
        url = self._address(action.url) if action.url else ""
        page = await self._tabs.open()
        return await self._open(page, url) if url else ""

    async def back(self) -> str:
        """One step back; in a tab that has no earlier page, back to the tab before it."""
        page = self._tabs.active
        if await has_entry(page, -1):
            await self._walk(page.go_back(wait_until="domcontentloaded", timeout=self._seconds * 1000), "going back")
            return self._refuse_error(page)
        if self._tabs.count > 1:
            await self._tabs.close(page)
            return "this tab had no earlier page: it was closed, and the tab before it is in front"
        raise Refused(Cause.INVALID, "there is no earlier page to go back to")

    async def forward(self) -> str:
        """One step forward."""
        page = self._tabs.active
        if not await has_entry(page, 1):
            raise Refused(Cause.INVALID, "there is no later page to go forward to")
        await self._walk(page.go_forward(wait_until="domcontentloaded", timeout=self._seconds * 1000), "going forward")
        return self._refuse_error(page)

    async def reload(self) -> str:
        """Load the page anew; what answered a sent form is opened by its address, so that nothing is sent twice."""
        page = self._tabs.active
        landing = self._tabs.traffic.landing(page)
        if landing is not None and landing.posted:
            return await self._open(page, page.url) or "the form behind this page was not sent again"
        await self._walk(page.reload(wait_until="domcontentloaded", timeout=self._seconds * 1000), "reloading")
        return self._refuse_error(page)

    async def focus_tab(self, action: FocusTab) -> str:
        """Bring a tab to the front."""
        await self._tabs.focus(self._tab(action.tab))
        return ""

    async def close_tab(self, action: CloseTab) -> str:
        """Close a tab, but never the last one."""
        page = self._tabs.active if action.tab is None else self._tab(action.tab)
        if self._tabs.count == 1:
            raise Refused(Cause.INVALID, "this is the only tab", "Open another address in it instead.")
        await self._tabs.close(page)
        return ""

    def _tab(self, number: int) -> pw.Page:
        page = self._tabs.find(number)
        if page is not None:
            return page
        open_tabs = ", ".join(str(tab.number) for tab in self._tabs.known_listing())
        if self._tabs.known(number):
            raise Refused(Cause.STALE, f"tab {number} is closed", f"Open are: {open_tabs}.")
        raise Refused(Cause.MISSING, f"there is no tab {number}", f"Open are: {open_tabs}.")

    def _address(self, text: str) -> str:
        url = urljoin(self._tabs.url, text.strip())
        if urlsplit(url).scheme not in ("http", "https"):
            hint = "Give a full address that starts with http:// or https://."
            raise Refused(Cause.BLOCKED, f"{text!r} is not an address of a web page", hint)
        return url

    async def _open(self, page: pw.Page, url: str) -> str:
        try:
            await open_address(page, url, seconds=self._seconds)
        except NavigationError as error:
            if self._tabs.traffic.failed is None:
                raise Refused(Cause.NAVIGATION, str(error), CHECK) from error
            return ""
        return self._refuse_error(page)

    async def _walk(self, call: Awaitable[object], what: str) -> None:
        try:
            await within(self._seconds + 2, call, what=what)
        except pw.TimeoutError:
            raise BrowserTimeout(f"{what} took longer than {self._seconds:g} s") from None

    def _refuse_error(self, page: pw.Page) -> str:
        """Raises `Refused` when the server answered with an error; its page is shown all the same."""
        landing = self._tabs.traffic.landing(page)
        if landing is not None and landing.failed:
            raise Refused(Cause.NAVIGATION, str(landing), CHECK)
        return ""
