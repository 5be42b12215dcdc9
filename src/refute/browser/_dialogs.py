"""Dialogs of pages: alert, confirm, prompt, beforeunload.

An open dialog stops every other call on its page. `alert` and `beforeunload` are accepted at once. `confirm` and
`prompt` are decisions, which are the agent's to make: they are held open, whatever waits for the page is given up
(`unless_open`), and the session shows the page as it was last seen, with the dialog above it, until it is answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Literal, TypeVar

import playwright.async_api as pw

from refute._errors import BrowserTimeout
from refute.browser._deadline import within
from refute.browser._events import Events

T = TypeVar("T")
DialogPolicy = Literal["hold", "accept", "dismiss"]
"""What is done with `confirm` and `prompt`: left to the agent, or answered at once."""


class DialogOpened(Exception):
    """A dialog came up, and the page answers nothing before it is closed."""


class Dialogs:
    """The dialogs of one session, in the order in which they came up."""

    def __init__(self, events: Events, policy: DialogPolicy = "hold") -> None:
        self._events = events
        self._policy = policy
        self._open: list[pw.Dialog] = []
        self._came = asyncio.Event()

    @property
    def open(self) -> pw.Dialog | None:
        """The dialog that waits for an answer, or None."""
        return self._open[0] if self._open else None

    async def meet(self, dialog: pw.Dialog) -> None:
        """A page shows `dialog`."""
        line = describe(dialog)
        if dialog.type not in ("alert", "beforeunload") and self._policy == "hold":
            self._open.append(dialog)
            self._came.set()
            self._events.note("dialog", f"{line}: waits for an answer")
            return
        accept = self._policy != "dismiss" or dialog.type in ("alert", "beforeunload")
        if dialog.type != "beforeunload":
            self._events.note("dialog", f"{line}: {'accepted' if accept else 'dismissed'}")
        await _close(dialog, accept=accept)

    async def answer(self, *, accept: bool, text: str | None = None) -> bool:
        """Close the open dialog; False when there is none any more."""
        if not self._open:
            return False
        dialog = self._open[0]
        self._keep(self._open[1:])
        return await _close(dialog, accept=accept, text=text)

    async def dismiss_all(self) -> None:
        """Close whatever is open: the harness goes elsewhere."""
        while self._open:
            await self.answer(accept=False)

    def closed(self, dialog: pw.Dialog) -> None:
        """A dialog is gone, answered or not: its page may have gone elsewhere."""
        self._keep([d for d in self._open if d is not dialog])

    def forget(self, page: pw.Page) -> None:
        """`page` is gone, and its dialogs with it."""
        self._keep([d for d in self._open if d.page is not page])

    def _keep(self, dialogs: list[pw.Dialog]) -> None:
        self._open = dialogs
        if not self._open:
            self._came.clear()

    async def unless_open(self, call: Awaitable[T]) -> T:
        """The result of `call`, which is given up as soon as a dialog is open. Raises `DialogOpened`."""
        task, came = asyncio.ensure_future(call), asyncio.ensure_future(self._came.wait())
        try:
            await asyncio.wait({task, came}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise DialogOpened
        finally:
            task.cancel()
            came.cancel()
            await asyncio.gather(task, came, return_exceptions=True)


async def _close(dialog: pw.Dialog, *, accept: bool, text: str | None = None) -> bool:
    call = dialog.accept(dialog.default_value if text is None else text) if accept else dialog.dismiss()
    try:
        await within(5, call, what="a dialog")
    except (pw.Error, BrowserTimeout):
        return False  # the page went away, and the dialog with it
    return True


def describe(dialog: pw.Dialog) -> str:
    """One line: what kind of dialog, what it says and, for a prompt, what it suggests."""
    suggests = (
        f' (suggests "{_line(dialog.default_value)}")' if dialog.type == "prompt" and dialog.default_value else ""
    )
    return f'{dialog.type} "{_line(dialog.message)}"{suggests}'


def _line(text: str) -> str:
    return " ".join(text.split()).replace('"', "'")[:200]
