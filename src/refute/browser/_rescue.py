"""An observation whatever became of the page: behind a dialog, and opened again after a crash or a hang."""

from __future__ import annotations

from refute._errors import BrowserTimeout, NavigationError, PageCrashed
from refute.browser._deadline import Deadlines
from refute.browser._dialogs import DialogOpened, Dialogs
from refute.browser._events import Events
from refute.browser._observation import Observation
from refute.browser._settle import Rest
from refute.browser._sight import Hung, Sight
from refute.browser._tabs import Tabs, open_address


class Rescue:
    """Observes the active tab of one session, and puts a page in the place of one that was lost."""

    def __init__(
        self, tabs: Tabs, dialogs: Dialogs, events: Events, sight: Sight, rest: Rest, deadlines: Deadlines
    ) -> None:
        self._tabs = tabs
        self._dialogs = dialogs
        self._events = events
        self._sight = sight
        self._rest = rest
        self._deadlines = deadlines

    async def observe(self) -> Observation:
        """The active tab. Raises `BrowserGone`, or `BrowserTimeout` when the page keeps navigating."""
        self._tabs.check()
        try:
            if self._tabs.crashed:
                await self._open_again("crashed")
            return await self._view()
        except (PageCrashed, Hung) as error:
            await self._open_again("hung" if isinstance(error, Hung) else "crashed")
        try:
            return await self._view()
        except (PageCrashed, Hung):
            await self._give_page_up()
        return await self._sight.view()

    async def _view(self) -> Observation:
        try:
            return await self._dialogs.unless_open(self._sight.view())
        except DialogOpened:
            return self._sight.behind_dialog(self._dialogs.open)

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
        await self._rest.wait()

    async def _give_page_up(self) -> None:
        """A page that is lost again as soon as it is opened: an empty tab takes its place."""
        url = self._tabs.url
        await self._tabs.replace()
        self._events.note("crashed", f"{url}: lost again, and given up; the tab is empty now")
