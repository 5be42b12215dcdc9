"""The gate: holds every document on its way into a tab until the policy of its session has been asked.

It stands at the browser and not at a page, and so sees what a page's own interception misses: each hop of a redirect,
and the first request of a tab that has only just opened. What never asks the network (``blob:``, a page that was
fetched ahead) is seen on arrival, and the tab is taken back at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import playwright.async_api as pw

from refute._errors import BrowserTimeout
from refute.browser._deadline import within
from refute.browser._devtools import devtools
from refute.browser._policy import Policy
from refute.browser._tabs import Tabs

DOCUMENTS = {"patterns": [{"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}]}
PATIENCE = 5.0
MOST_FRAMES = 10_000
NO_TARGET = "No target with given id"


@dataclass(frozen=True, kw_only=True)
class _Guarded:
    policy: Policy
    tabs: Tabs


class Gate:
    """One for each running browser; sessions without a policy pass."""

    def __init__(self, link: Any) -> None:
        self._link = link  # a session of the DevTools protocol; its replies are untyped
        self._guarded: dict[str, _Guarded] = {}
        self._contexts: dict[str, str] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, browser: pw.Browser) -> Gate:
        """Have `browser` hold its documents from now on."""
        gate = cls(await within(PATIENCE, browser.new_browser_cdp_session(), what="the gate"))
        gate._link.on("Fetch.requestPaused", gate._paused)
        await within(PATIENCE, gate._link.send("Fetch.enable", DOCUMENTS), what="the gate")
        return gate

    async def guard(self, page: pw.Page, policy: Policy, tabs: Tabs) -> None:
        """Hold the documents of `page` and of every tab of its context to `policy`, until the context is closed."""
        name = str((await devtools(page, "Target.getTargetInfo"))["targetInfo"]["browserContextId"])
        self._guarded[name] = _Guarded(policy=policy, tabs=tabs)

        def arrived(frame: pw.Frame) -> None:
            if frame.parent_frame is None and not policy.allows_page(frame.url):
                tabs.leave(frame.page)  # at once: nothing may look at it in between
                self._begin(tabs.turn_back(frame.page))

        def watch(opened: pw.Page) -> None:
            opened.on("framenavigated", arrived)
            arrived(opened.main_frame)

        def forget(_: pw.BrowserContext) -> None:
            self._guarded.pop(name, None)

        page.on("framenavigated", arrived)
        page.context.on("page", watch)
        page.context.on("close", forget)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _paused(self, event: dict[str, Any]) -> None:
        self._begin(self._decide(event))

    async def _decide(self, event: dict[str, Any]) -> None:
        """Let one request go, or end it. A request that is gone meanwhile, with its tab, is no error."""
        url, request = str(event["request"]["url"]), event["requestId"]
        with suppress(pw.Error, BrowserTimeout):
            try:
                guarded = self._guarded.get(await self._context_of(str(event["frameId"])))
            except (pw.Error, BrowserTimeout):  # whose it is cannot be found out, so it goes nowhere
                await self._send("Fetch.failRequest", requestId=request, errorReason="TimedOut")
                return
            if guarded is None or guarded.policy.allows_page(url):
                await self._send("Fetch.continueRequest", requestId=request)
                return
            guarded.tabs.traffic.refused(url, document=True)
            # an aborted navigation leaves the tab where it is, any other error replaces the page
            await self._send("Fetch.failRequest", requestId=request, errorReason="Aborted")

    async def _context_of(self, frame: str) -> str:
        """The context of the tab whose main frame this is; empty for frames inside a page, which are no targets.

        Raises `BrowserTimeout`, or Playwright's error when the browser does not say.
        """
        if frame not in self._contexts:
            try:
                target = (await self._send("Target.getTargetInfo", targetId=frame))["targetInfo"]
            except pw.Error as error:
                if NO_TARGET not in error.message:
                    raise
                return ""
            if len(self._contexts) >= MOST_FRAMES:
                self._contexts.clear()
            self._contexts[frame] = str(target["browserContextId"]) if target["type"] != "iframe" else ""
        return self._contexts[frame]

    async def _send(self, method: str, **parameters: object) -> dict[str, Any]:
        return await within(PATIENCE, self._link.send(method, parameters), what=method)
