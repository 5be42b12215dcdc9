"""The host: one Chromium of this process, which every session shares."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, cast

import playwright.async_api as pw

from refute._errors import BrowserError, BrowserTimeout, UserError
from refute.browser._deadline import Deadlines, within
from refute.browser._dialogs import DialogPolicy, Dialogs
from refute.browser._downloads import LARGEST, Downloads
from refute.browser._engine import Engine
from refute.browser._events import Events
from refute.browser._find import find_chromium
from refute.browser._flags import environment, flags, left_alone
from refute.browser._gate import Gate
from refute.browser._observation import Extent, Form
from refute.browser._policy import Policy
from refute.browser._proxy import Proxy
from refute.browser._redactor import Redactor
from refute.browser._secrets import Secrets
from refute.browser._session import Session
from refute.browser._tabs import Tabs

START = 60.0
"""Seconds that Playwright, or a Chromium, may take to start."""


async def _close(context: pw.BrowserContext) -> None:
    with contextlib.suppress(pw.Error, BrowserTimeout):
        await within(10, context.close(), what="closing the session")


async def _answers(browser: pw.Browser) -> bool:
    """Whether `browser` is there: the driver may have gone down with it, and then nobody tells."""
    if not browser.is_connected():
        return False
    try:
        devtools = await within(START, browser.new_browser_cdp_session(), what="the browser")
        await within(START, devtools.detach(), what="the browser")
    except (pw.Error, BrowserTimeout):
        return False
    return True


class BrowserHost:
    """Starts Chromium on entry and ends it on exit::

        async with BrowserHost(loopback_only=True) as host:
            async with await host.session() as session:
                await session.goto("http://127.0.0.1:8000/")

    `loopback_only`: no page reaches another machine, by whatever way. `headless`: without a window. `program`: this
    Chromium and no other; None = look for one (see `find_chromium`). `direct_answers`: try the walker's fast channel,
    which Playwright does not document, before the slower one (see `_engine`).
    """

    def __init__(
        self,
        *,
        loopback_only: bool = False,
        headless: bool = True,
        program: Path | None = None,
        direct_answers: bool = True,
    ) -> None:
        self._loopback_only = loopback_only
        self._headless = headless
        self._program = program
        self._playwright: pw.Playwright | None = None
        self._browser: pw.Browser | None = None
        self._engine = Engine(direct=direct_answers)
        self._starting = asyncio.Lock()
        self._gate: Gate | None = None

    @property
    def version(self) -> str:
        """Name and version, e.g. ``Chromium 140.0.1.2``. Raises `BrowserError` when none runs."""
        if self._browser is None:
            raise BrowserError("the browser is not running: use `async with BrowserHost()`")
        return f"Chromium {self._browser.version}"

    @property
    def answers_directly(self) -> bool:
        """Whether the walker's answers come back on the fast channel."""
        return not self._engine.by_attribute

    async def __aenter__(self) -> BrowserHost:
        await self._start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _start(self) -> pw.Browser:
        with left_alone():
            self._playwright = await within(START, pw.async_playwright().start(), what="Playwright")
        try:
            await self._engine.register(self._playwright)
            return await self._launch()
        except BaseException:
            await self.close()
            raise

    async def _running(self, *, instead_of: pw.Browser | None = None) -> pw.Browser:
        """The browser; one that went down is started again, once for all who ask.

        `instead_of`: that one failed. Its driver may have gone down with it, and then nobody tells.
        """
        async with self._starting:
            browser = self._browser
            gone = browser is None or not browser.is_connected()
            if browser is not None and not gone and (browser is not instead_of or await _answers(browser)):
                return browser
            await self.close()
            return await self._start()

    async def _launch(self) -> pw.Browser:
        if self._playwright is None:
            raise BrowserError("the browser is not running: use `async with BrowserHost()`")
        options = self._options(self._playwright)
        program = options["executable_path"]
        launch = self._playwright.chromium.launch(**options)
        self._gate = None
        try:
            self._browser = await within(START, launch, what=f"starting {program}")
            page = await within(START, self._browser.new_page(), what="the first page")
            await self._engine.check(page)
            await within(5, page.close(), what="closing the first page")
        except pw.Error as error:
            raise BrowserError(f"{program} does not start: {error.message.splitlines()[0]}") from error
        return self._browser

    async def session(
        self,
        storage_state: dict[str, Any] | None = None,
        *,
        viewport: tuple[int, int] = (1280, 720),
        form: Form = "compact",
        extent: Extent = "viewport",
        policy: Policy | None = None,
        secrets: Secrets | None = None,
        dialogs: DialogPolicy = "hold",
        downloads: Path | None = None,
        largest_download: int = LARGEST,
        uploads: Iterable[Path] = (),
        deadlines: Deadlines | None = None,
        devtools_port: int | None = None,
    ) -> Session:
        """A fresh context with one empty tab; a browser that went down is started again first.

        `storage_state`: cookies to begin with, in Playwright's form. `viewport`: width and height in CSS pixels.
        `form` and `extent`: how observations are written, and how much of a page they hold. `policy`: what its tabs and
        pages may reach (None = all that the host lets through). `secrets`: values that are typed for the agent and
        shown to nobody. `dialogs`: what is done with confirm and prompt (see `_dialogs`). `downloads`: the folder that
        files are kept in, made when the first one comes (None = a folder that goes with the session); larger ones than
        `largest_download` bytes are not. `uploads`: the files that may be uploaded, by name. `devtools_port`: a free
        port; the session then is the profile of a browser of its own, which ends with it; DevTools answer there, to
        every program of this machine, so it takes no `policy` and no `secrets`, and no `storage_state` either. Raises
        `BrowserError`, `BrowserTimeout`, `UserError` (of `uploads`, or of what does not go together).
        """
        if devtools_port is not None and (policy is not None or secrets is not None):
            raise UserError("a session with an open DevTools port cannot keep to a policy, and keeps no secret")
        if devtools_port is not None and storage_state is not None:
            raise UserError("a session with an open DevTools port starts with a new profile: it takes no storage state")
        deadlines = deadlines or Deadlines()
        events = Events()
        kept = Downloads(
            events, folder=downloads, uploads=uploads, seconds=deadlines.download, largest=largest_download
        )
        async with AsyncExitStack() as resources:
            resources.push_async_callback(kept.close)
            proxy = await Proxy.open(policy) if policy is not None and not policy.embeds else None
            if proxy is not None:
                resources.push_async_callback(proxy.close)
            if devtools_port is not None:
                opening = self._own_browser(devtools_port, viewport)
            else:
                opening = self._context(viewport, storage_state, proxy)
            try:
                context = await opening
                resources.push_async_callback(_close, context)
                asked = Dialogs(events, dialogs)
                tabs = Tabs(context, events, asked, kept)
                await within(5, context.add_init_script(self._engine.page_script), what="a new session")
                empty = list(context.pages)
                page = await within(20, context.new_page(), what="a new tab")
                for other in empty:
                    await within(5, other.close(), what="closing an empty tab")
                if policy is not None:
                    gate = await self._open_gate(context.browser)
                    await gate.guard(page, policy, tabs)
            except pw.Error as error:
                raise BrowserError(f"no new session: {error.message.splitlines()[0]}") from error
            if proxy is not None:
                proxy.on_refused = tabs.traffic.refused
            return Session(
                context,
                self._engine,
                tabs=tabs,
                events=events,
                dialogs=asked,
                downloads=kept,
                deadlines=deadlines,
                redactor=Redactor(secrets or Secrets()),
                form=form,
                extent=extent,
                resources=resources.pop_all(),
            )

    async def _open_gate(self, browser: pw.Browser | None) -> Gate:
        if browser is None:
            raise BrowserError("a browser of a session's own cannot keep to a policy")
        async with self._starting:
            if self._gate is None:
                self._gate = await Gate.open(browser)
            return self._gate

    async def _context(
        self, viewport: tuple[int, int], storage_state: dict[str, Any] | None, proxy: Proxy | None
    ) -> pw.BrowserContext:
        """A context in the shared browser."""

        async def of(browser: pw.Browser) -> pw.BrowserContext:
            opening = browser.new_context(
                viewport={"width": viewport[0], "height": viewport[1]},
                storage_state=cast("pw.StorageState | None", storage_state),
                service_workers="block",  # they would outlive the page that the policy was asked for
                accept_downloads=True,
                proxy={"server": proxy.address} if proxy is not None else None,
            )
            return await within(20, opening, what="a new session")

        browser = await self._running()
        try:
            return await of(browser)
        except (pw.Error, BrowserTimeout):
            another = await self._running(instead_of=browser)
            if another is browser:
                raise
            return await of(another)

    async def _own_browser(self, port: int, viewport: tuple[int, int]) -> pw.BrowserContext:
        """The profile of a new browser with an open DevTools port."""
        await self._running()
        if self._playwright is None:
            raise BrowserError("the browser is not running: use `async with BrowserHost()`")
        devtools = (f"--remote-debugging-port={port}", "--remote-debugging-address=127.0.0.1")
        opening = self._playwright.chromium.launch_persistent_context(
            "",  # a folder of its own, removed at the end
            viewport={"width": viewport[0], "height": viewport[1]},
            service_workers="block",
            accept_downloads=True,
            **self._options(self._playwright, *devtools),
        )
        return await within(START, opening, what="a new session")

    def _options(self, playwright: pw.Playwright, *args: str) -> dict[str, Any]:
        """What every Chromium of this host is started with; Ctrl-C ends none of them (see `left_alone`)."""
        return {
            "args": [*flags(loopback_only=self._loopback_only), *args],
            "executable_path": self._program
            or find_chromium(playwright.chromium.executable_path, window=not self._headless),
            "headless": self._headless,
            "chromium_sandbox": os.geteuid() != 0,
            "env": environment(),
            "handle_sigint": False,
            "handle_sigterm": False,
        }

    async def close(self) -> None:
        """End Chromium; what is gone already is no error."""
        browser, playwright = self._browser, self._playwright
        self._browser = self._playwright = None
        try:
            if browser is not None:
                with contextlib.suppress(pw.Error, BrowserTimeout):
                    await within(20, browser.close(), what="closing the browser")
        finally:
            if playwright is not None:
                with contextlib.suppress(pw.Error, BrowserTimeout, ConnectionError):
                    await within(20, playwright.stop(), what="closing Playwright")
