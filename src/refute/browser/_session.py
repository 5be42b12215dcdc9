"""A session: a fresh browser context, its tabs, and the loop of acting, settling and observing."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from contextlib import AsyncExitStack
from typing import Any, TypeVar

import playwright.async_api as pw

from refute._errors import BrowserError, BrowserGone, BrowserTimeout
from refute.browser._act import Actor
from refute.browser._action import Action
from refute.browser._ahead import Ahead
from refute.browser._camera import Camera
from refute.browser._deadline import Deadlines, within
from refute.browser._dialogs import DialogOpened, Dialogs
from refute.browser._downloads import Downloads
from refute.browser._engine import Engine
from refute.browser._events import Events
from refute.browser._observation import Box, Extent, Form, Observation
from refute.browser._observe import Observer
from refute.browser._outcome import Outcome, SavedFile
from refute.browser._perform import Performer
from refute.browser._redactor import Redactor
from refute.browser._rescue import Rescue
from refute.browser._screenshot import ImageFormat
from refute.browser._settle import Rest
from refute.browser._sight import Sight
from refute.browser._tabs import Tabs, open_address

T = TypeVar("T")


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
        self._rest = Rest(engine, tabs, dialogs, downloads, deadlines)
        self._sight = Sight(
            engine,
            tabs,
            self._observer,
            events,
            redactor,
            settle=self._rest.wait,
            deadlines=deadlines,
            form=form,
            extent=extent,
        )
        self._rescue = Rescue(tabs, dialogs, events, self._sight, self._rest, deadlines)
        self._camera = Camera(engine, tabs, self._observer, self._sight, dialogs, redactor)
        actor = Actor(engine, tabs, self._observer, downloads, deadlines, redactor)
        self._performer = Performer(tabs, dialogs, actor, self._rest)

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
        return await self._rest.wait()

    # ---- observing

    async def observe(self) -> Observation:
        """The active tab as it is now; repeated after settling when a navigation comes in between.

        While a dialog is open: the page as last seen, below a line that says so. A page that crashed or hung is opened
        again at its address, and an event says so. Raises `BrowserTimeout` when the page keeps navigating.
        """
        with self._redactor.errors():
            return await self._rescue.observe()

    async def screenshot(self, *, marks: bool = False, mask: Sequence[Box] = (), image: ImageFormat = "jpeg") -> bytes:
        """The visible part of the active tab as a picture. Where a secret can be read, it is painted over.

        If such places keep moving while the picture is taken, all of it is.

        `marks`: the numbers of the elements in view are drawn on it (set of marks); the page is looked at once more, so
        that they sit where the elements are. `mask`: further boxes to paint over. `image`: jpeg (quality 70) or png.
        While a dialog is open: the last picture as jpeg, with the dialog drawn on it. Raises `BrowserError` or one of
        its kinds.
        """
        with self._redactor.errors():
            return await self._camera.take(marks, mask, image)

    # ---- acting

    async def act(self, action: Action) -> Outcome:
        """Carry out `action` and let the page settle. `note`, `send_message`, `wait` and the like leave it alone.

        What a page or an agent does wrong is an outcome, not an error. `changed` is left at its default: `step` knows.
        """
        with self._redactor.errors():
            return self._redactor.outcome(await self._performer.perform(action))

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
