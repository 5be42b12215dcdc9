"""An action from its beginning to its end: carried out, waited for, and judged by what came of it."""

from __future__ import annotations

import asyncio

from refute.browser._act import Actor
from refute.browser._action import Action, AnswerDialog, OffPage, Wait
from refute.browser._dialogs import DialogOpened, Dialogs, describe
from refute.browser._outcome import Cause, Outcome
from refute.browser._refused import TRY_AGAIN, Refused, dialog_first, page_crashed
from refute.browser._settle import Rest
from refute.browser._tabs import Tabs, error_page


class Performer:
    """Performs the actions of one session. What a page or an agent does wrong is an outcome, not an error."""

    def __init__(self, tabs: Tabs, dialogs: Dialogs, actor: Actor, rest: Rest) -> None:
        self._tabs = tabs
        self._dialogs = dialogs
        self._actor = actor
        self._rest = rest

    async def perform(self, action: Action) -> Outcome:
        """Carry out `action` and let the page settle. Raises `BrowserGone`."""
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
        await self._rest.wait(since=began, inside=self._actor.frame)
        return await self._judged(outcome)

    async def _answer(self, action: AnswerDialog) -> Outcome:
        began = asyncio.get_running_loop().time()
        if self._dialogs.open is None:
            return Refused(Cause.MISSING, "no dialog is open").outcome
        self._tabs.traffic.failed = None
        if not await self._dialogs.answer(accept=action.accept, text=action.text):
            return Refused(Cause.STALE, "the dialog was gone already, and its page with it").outcome
        await self._rest.wait(since=began)
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
            await self._rest.wait()
        cause = Cause.BLOCKED if failed.refused else Cause.NAVIGATION
        hint = "Stay on the site that the goal is about." if failed.refused else "Check the address, or go back."
        return Refused(cause, f"{failed.url} cannot be opened: {failed.reason}", hint).outcome

    async def _late(self) -> str:
        """The address that the tab is still on its way to after settling, and stays away from now on."""
        if self._tabs.crashed or self._dialogs.open is not None:
            return ""
        page = self._tabs.active
        destination = self._tabs.traffic.destination(page)
        if destination:
            await self._tabs.stop(page)
        return destination
