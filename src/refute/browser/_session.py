"""A session: a fresh browser context, its tabs, and the loop of acting, settling and observing."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import playwright.async_api as pw

from refute._errors import BrowserError, BrowserGone, BrowserTimeout
from refute.browser._act import NAVIGATION, Actor
from refute.browser._action import Action, Done, Infeasible, Note, Wait
from refute.browser._deadline import within
from refute.browser._devtools import devtools
from refute.browser._engine import Engine, Interrupted
from refute.browser._observation import Cause, Observation, Outcome
from refute.browser._observe import Look, Observer, digest_of
from refute.browser._settle import settle
from refute.browser._tabs import Tabs, error_page, open_address

TRIES = 4


class Session:
    """One user's browser: cookies and tabs of its own. Made by `BrowserHost.session`; an async context manager."""

    def __init__(self, context: pw.BrowserContext, engine: Engine, tabs: Tabs) -> None:
        self._context = context
        self._engine = engine
        self._tabs = tabs
        self._observer = Observer(engine)
        self._actor = Actor(engine, tabs, self._observer)
        self._digest = ""

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def url(self) -> str:
        """The address of the active tab."""
        return self._tabs.url

    async def goto(self, url: str) -> None:
        """Open `url` in the active tab and let it settle; for the harness, which may open any address.

        Raises `NavigationError`, `BrowserTimeout`, `PageCrashed`.
        """
        await open_address(self._tabs.active, url, seconds=NAVIGATION)
        await self.settle()

    async def check(self) -> None:
        """Raise `BrowserGone` when the browser that holds this session does not answer any more."""
        try:
            await within(20, self._context.cookies(), what="the browser")
        except (pw.Error, BrowserTimeout) as error:
            raise BrowserGone("the browser went down, or hangs, while the session was open") from error

    async def settle(self) -> bool:
        """Wait until the active tab is at rest; False when it was left restless."""
        return await settle(self._engine, self._tabs)

    async def observe(self) -> Observation:
        """The active tab as it is now; repeated after settling when a navigation comes in between.

        Raises `BrowserTimeout` when the page does not answer or keeps navigating, `PageCrashed`.
        """
        for _ in range(TRIES):
            page, arrivals = self._tabs.active, self._tabs.arrivals
            try:
                look = await self._observer.look(page)
            except Interrupted:
                await self.settle()
                continue
            if self._tabs.arrivals == arrivals and self._tabs.active is page:
                return await self._observation(page, look)
            await self.settle()
        raise BrowserTimeout(f"the page {self._tabs.active.url} kept changing its address while it was read")

    async def _observation(self, page: pw.Page, look: Look) -> Observation:
        text = "\n".join(look.lines)
        at, most = look.main.scroll
        observation = Observation(
            url=page.url,
            title=look.main.title,
            text=text,
            elements=look.elements,
            tabs=await self._tabs.listing(),
            events=self._tabs.take_events(),
            digest=digest_of(page.url, text),
            above=look.main.above,
            below=look.main.below,
            scroll_y=at,
            scroll_max=most,
        )
        self._digest = observation.digest
        return observation

    async def act(self, action: Action) -> Outcome:
        """Carry out `action` and let the page settle. `note`, `done`, `infeasible` and `wait` leave the page alone.

        What a page or an agent does wrong is an outcome, not an error. `changed` is left at its default: `step` knows.
        """
        if isinstance(action, Note | Done | Infeasible):
            return Outcome()
        if isinstance(action, Wait):
            await asyncio.sleep(action.seconds)
            return Outcome()
        self._tabs.failed = None
        outcome = await self._actor.perform(action)
        await self.settle()
        if self._tabs.crashed:
            return Outcome(ok=False, cause=Cause.CRASHED, detail=f"the page {self._tabs.url} crashed")
        failed = self._tabs.failed
        if failed is None or not outcome.ok:
            return outcome
        if not failed.refused:
            await error_page(self._tabs.active)
            await self.settle()
        cause = Cause.BLOCKED if failed.refused else Cause.NAVIGATION
        hint = "Stay on the site that the goal is about." if failed.refused else "Check the address, or go back."
        return Outcome(ok=False, cause=cause, detail=f"{failed.url} cannot be opened: {failed.reason}", hint=hint)

    async def step(self, action: Action) -> tuple[Outcome, Observation]:
        """Act, settle, observe; `changed` says whether the observation differs from the last one.

        Raises what `observe` raises.
        """
        before = self._digest
        outcome = await self.act(action)
        observation = await self.observe()
        return outcome.model_copy(update={"changed": observation.digest != before}), observation

    async def screenshot(self) -> bytes:
        """The visible part of the active tab as JPEG (quality 70). Raises `BrowserError` or one of its kinds."""
        page = self._tabs.active
        try:
            shot = await devtools(page, "Page.captureScreenshot", format="jpeg", quality=70, optimizeForSpeed=True)
        except pw.Error as error:
            raise BrowserError(f"no screenshot of {page.url}: {error.message.splitlines()[0]}") from error
        return base64.b64decode(str(shot["data"]))

    async def storage_state(self) -> dict[str, Any]:
        """Cookies and local storage, in Playwright's form, to start another session with."""
        state = await within(10, self._context.storage_state(), what="the cookies")
        return dict(state)

    async def close(self) -> None:
        """Close all tabs and forget the cookies; a browser that is gone already is no error."""
        try:
            await within(10, self._context.close(), what="closing the session")
        except (pw.Error, BrowserTimeout):
            return
