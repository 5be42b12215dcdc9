"""A session: a fresh browser context, its tabs, and the loop of acting, settling and observing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import AsyncExitStack
from typing import Any, TypeVar

import playwright.async_api as pw

from refute._errors import BrowserError, BrowserGone, BrowserTimeout, NavigationError, PageCrashed
from refute.browser._act import Actor
from refute.browser._action import Action, AnswerDialog, OffPage, Wait
from refute.browser._ahead import Ahead
from refute.browser._deadline import Deadlines, within
from refute.browser._dialogs import DialogOpened, Dialogs, describe
from refute.browser._downloads import Downloads
from refute.browser._engine import Engine
from refute.browser._events import Events
from refute.browser._observation import Box, Extent, Form, Observation
from refute.browser._observe import Observer
from refute.browser._outcome import Cause, Outcome, SavedFile
from refute.browser._picture import blank, with_dialog
from refute.browser._redactor import Redactor
from refute.browser._refused import TRY_AGAIN, Refused, dialog_first, page_crashed
from refute.browser._screenshot import ImageFormat, picture_of
from refute.browser._settle import settle
from refute.browser._sight import Hung, Sight
from refute.browser._sightings import EVERYTHING, sightings
from refute.browser._tabs import Tabs, error_page, open_address

T = TypeVar("T")
DOWNLOAD = 3.0
"""Seconds that an observation waits for downloads under way; longer ones are reported when they end."""


class Session:
    """One user's browser: cookies and tabs of its own. Made by `BrowserHost.session`; an async context manager.

    Every method raises `BrowserGone` once the whole browser is gone. `form` and `extent`: how its observations are
    written, and how much of a page they hold. No text that leaves it holds a secret, and no picture shows one.
    """

    def __init__(
        self,
        context: pw.BrowserContext,
        engine: Engine,
        *,
        tabs: Tabs,
        events: Events,
        dialogs: Dialogs,
        downloads: Downloads,
        deadlines: Deadlines,
        redactor: Redactor,
        form: Form,
        extent: Extent,
        resources: AsyncExitStack,
    ) -> None:
        self._context = context
        self._engine = engine
        self._tabs = tabs
        self._events = events
        self._dialogs = dialogs
        self._downloads = downloads
        self._deadlines = deadlines
        self._ahead = Ahead(engine, context)
        self._observer = Observer(engine)
        self._redactor = redactor
        self._resources = resources
        events.shown = redactor.text
        self._actor = Actor(engine, tabs, self._observer, downloads, deadlines, redactor)
        self._picture = b""
        self._sight = Sight(
            engine,
            tabs,
            self._observer,
            events,
            redactor,
            settle=self._settle,
            deadlines=deadlines,
            form=form,
            extent=extent,
        )

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def url(self) -> str:
        """The address of the active tab."""
        return self._redactor.text(self._tabs.url)

    @property
    def downloads(self) -> tuple[SavedFile, ...]:
        """The downloads that were kept, in the order in which they ended."""
        return tuple(self._downloads.saved)

    @property
    def dialog_open(self) -> bool:
        """Whether a dialog waits for an answer; the page answers nothing until it is closed."""
        return self._dialogs.open is not None

    async def dismiss_dialogs(self) -> None:
        """Dismiss every dialog that waits for an answer; for the harness, which does not ask the agent."""
        await self._dialogs.dismiss_all()

    async def goto(self, url: str) -> None:
        """Open `url` in the active tab and let it settle; for the harness: a policy of the session binds it too.

        An open dialog is dismissed first. Raises `NavigationError`, `BrowserTimeout`, `PageCrashed`.
        """
        with self._redactor.errors():
            await self.dismiss_dialogs()
            try:
                call = open_address(self._tabs.active, url, seconds=self._deadlines.navigation)
                await self._dialogs.unless_open(call)
            except DialogOpened:
                return
            await self.settle()

    async def check(self) -> None:
        """Raise `BrowserGone` when the browser that holds this session does not answer any more."""
        try:
            await within(20, self._context.cookies(), what="the browser")
        except (pw.Error, BrowserTimeout) as error:
            raise BrowserGone("the browser went down, or hangs, while the session was open") from error

    async def settle(self) -> bool:
        """Wait until the active tab is at rest; False when it was left restless."""
        return await self._settle()

    async def _settle(self, *, since: float | None = None, inside: pw.Frame | None = None) -> bool:
        rest = settle(self._engine, self._tabs, self._deadlines, since=since, inside=inside)
        try:
            return await self._dialogs.unless_open(rest)
        except DialogOpened:
            return False
        finally:
            await self._downloads.rest(DOWNLOAD)

    # ---- observing

    async def observe(self) -> Observation:
        """The active tab as it is now; repeated after settling when a navigation comes in between.

        While a dialog is open: the page as last seen, below a line that says so. A page that crashed or hung is opened
        again at its address, and an event says so. Raises `BrowserTimeout` when the page keeps navigating.
        """
        with self._redactor.errors():
            self._tabs.check()
            return await self._observe()

    async def _observe(self) -> Observation:
        try:
            if self._tabs.crashed:
                await self._open_again("crashed")
            return await self._dialogs.unless_open(self._sight.view())
        except DialogOpened:
            return self._sight.behind_dialog(self._dialogs.open)
        except (PageCrashed, Hung) as error:
            await self._open_again("hung" if isinstance(error, Hung) else "crashed")
        try:
            return await self._dialogs.unless_open(self._sight.view())
        except DialogOpened:
            return self._sight.behind_dialog(self._dialogs.open)
        except (PageCrashed, Hung):
            await self._give_page_up()
        return await self._sight.view()

    async def screenshot(self, *, marks: bool = False, mask: Sequence[Box] = (), image: ImageFormat = "jpeg") -> bytes:
        """The visible part of the active tab as a picture. Where a secret can be read, it is painted over.

        If such places keep moving while the picture is taken, all of it is.

        `marks`: the numbers of the elements in view are drawn on it (set of marks); the page is looked at once more, so
        that they sit where the elements are. `mask`: further boxes to paint over. `image`: jpeg (quality 70) or png.
        While a dialog is open: the last picture as jpeg, with the dialog drawn on it. Raises `BrowserError` or one of
        its kinds.
        """
        with self._redactor.errors():
            try:
                self._picture = await self._dialogs.unless_open(self._shoot(marks, mask, image))
            except DialogOpened:
                dialog = self._dialogs.open
                picture = self._picture or blank()
                return with_dialog(picture, self._redactor.text(describe(dialog))) if dialog else picture
            return self._picture

    async def _shoot(self, marks: bool, mask: Sequence[Box], image: ImageFormat) -> bytes:
        page = self._tabs.active
        elements = (await self._sight.look())[1].elements if marks else ()
        try:
            hidden = await self._sightings(page)
            for _ in range(2):
                picture = await picture_of(page, elements=elements, mask=[*mask, *hidden], image=image)
                later = await self._sightings(page)
                if later == hidden:
                    return picture
                hidden = later  # what is to be hidden moved meanwhile, and may be seen in the picture
            return await picture_of(page, mask=[EVERYTHING], image=image)
        except BrowserError:
            self._tabs.check()
            raise

    async def _sightings(self, page: pw.Page) -> list[Box]:
        return await sightings(page, self._engine, self._observer, self._redactor)

    # ---- acting

    async def act(self, action: Action) -> Outcome:
        """Carry out `action` and let the page settle. `note`, `send_message`, `wait` and the like leave it alone.

        What a page or an agent does wrong is an outcome, not an error. `changed` is left at its default: `step` knows.
        """
        with self._redactor.errors():
            return self._redactor.outcome(await self._act(action))

    async def _act(self, action: Action) -> Outcome:
        self._tabs.check()
        if isinstance(action, OffPage):
            if isinstance(action, Wait):
                await asyncio.sleep(action.seconds)
            return Outcome()
        if isinstance(action, AnswerDialog):
            return await self._answer(action)
        dialog = self._dialogs.open
        if dialog is not None:
            return dialog_first(describe(dialog))
        if self._tabs.crashed:
            return page_crashed(self._tabs.url)
        began = asyncio.get_running_loop().time()
        self._tabs.traffic.failed = None
        try:
            outcome = await self._dialogs.unless_open(self._actor.perform(action))
        except DialogOpened:
            return Outcome(detail="it opened a dialog, which waits for an answer")
        await self._settle(since=began, inside=self._actor.frame)
        return await self._judged(outcome)

    async def _late(self) -> str:
        """The address that the tab is still on its way to after settling, and stays away from now on."""
        if self._tabs.crashed or self._dialogs.open is not None:
            return ""
        page = self._tabs.active
        destination = self._tabs.traffic.destination(page)
        if destination:
            await self._tabs.stop(page)
        return destination

    async def _answer(self, action: AnswerDialog) -> Outcome:
        began = asyncio.get_running_loop().time()
        if self._dialogs.open is None:
            return Refused(Cause.MISSING, "no dialog is open").outcome
        self._tabs.traffic.failed = None
        if not await self._dialogs.answer(accept=action.accept, text=action.text):
            return Refused(Cause.STALE, "the dialog was gone already, and its page with it").outcome
        await self._settle(since=began)
        return await self._judged(Outcome())

    async def _judged(self, outcome: Outcome) -> Outcome:
        """`outcome`, unless what came after it says more: a crash, or an address that was not reached."""
        late = await self._late()
        if self._tabs.crashed:
            return page_crashed(self._tabs.url)
        if late and outcome.ok:
            return Refused(Cause.TIMEOUT, f"{late} did not arrive in time", TRY_AGAIN).outcome
        failed = self._tabs.traffic.failed
        if failed is None or not outcome.ok:
            return outcome
        if not failed.refused:
            await error_page(self._tabs.active)
            await self._settle()
        cause = Cause.BLOCKED if failed.refused else Cause.NAVIGATION
        hint = "Stay on the site that the goal is about." if failed.refused else "Check the address, or go back."
        return Refused(cause, f"{failed.url} cannot be opened: {failed.reason}", hint).outcome

    async def step(self, action: Action) -> tuple[Outcome, Observation]:
        """Act, settle, observe; `changed` says whether the observation differs from the last one.

        Raises what `observe` raises.
        """
        before = self._sight.digest
        outcome = await self.act(action)
        observation = await self.observe()
        return outcome.model_copy(update={"changed": observation.digest != before}), observation

    async def add_script(self, script: str) -> None:
        """Run `script` in the own world of every page from now on, before the page's scripts; for the harness."""
        await within(5, self._context.add_init_script(script), what="a script for all pages")

    async def evaluate(self, script: str, argument: object = None, *, seconds: float = 10.0) -> Any:
        """What the function `script` returns in the page's own world; for scripts of the harness, never of an agent.

        Raises `BrowserError` when it fails there, `BrowserTimeout`, `PageCrashed`.
        """
        page = self._tabs.active
        try:
            return await within(seconds, page.evaluate(script, argument), what=f"a script in {page.url}")
        except pw.Error as error:
            raise BrowserError(f"a script failed in {page.url}: {error.message.splitlines()[0]}") from error

    # ---- when a page is lost

    async def _open_again(self, how: str) -> None:
        """Put a fresh page in the place of one that crashed or hung, at its last address."""
        url = self._tabs.url
        page = await self._tabs.replace()
        if not url.startswith(("http:", "https:")):
            self._events.note(how, f"{url}: the tab is empty now")
            return
        self._events.note(how, f"{url}: opened again; what was typed and not sent is lost")
        try:
            await self._dialogs.unless_open(open_address(page, url, seconds=self._deadlines.navigation))
        except (DialogOpened, NavigationError, BrowserTimeout, PageCrashed):
            return  # whoever looks next says how it is
        await self._settle()

    async def _give_page_up(self) -> None:
        """A page that is lost again as soon as it is opened: an empty tab takes its place."""
        url = self._tabs.url
        await self._tabs.replace()
        self._events.note("crashed", f"{url}: lost again, and given up; the tab is empty now")

    async def storage_state(self) -> dict[str, Any]:
        """Cookies and local storage, in Playwright's form, to start another session with."""
        return dict(await self._of_context(self._context.storage_state()))

    async def _of_context(self, call: Awaitable[T]) -> T:
        try:
            return await within(10, call, what="the cookies")
        except pw.Error:
            self._tabs.check()
            raise

    async def close(self) -> None:
        """Close all tabs and forget the cookies; a browser that is gone already is no error."""
        async with self._resources:
            await self._ahead.close()
