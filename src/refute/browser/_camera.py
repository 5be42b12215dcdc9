"""Pictures of the active tab: with numbers on it, without secrets, and what there is while a dialog is open."""

from __future__ import annotations

from collections.abc import Sequence

import playwright.async_api as pw

from refute._errors import BrowserError
from refute.browser._dialogs import DialogOpened, Dialogs, describe
from refute.browser._engine import Engine
from refute.browser._observation import Box
from refute.browser._observe import Observer
from refute.browser._picture import blank, with_dialog
from refute.browser._redactor import Redactor
from refute.browser._screenshot import ImageFormat, picture_of
from refute.browser._sight import Sight
from refute.browser._sightings import EVERYTHING, sightings
from refute.browser._tabs import Tabs


class Camera:
    """Takes the pictures of one session, and keeps the last one. What `take` does: `Session.screenshot`."""

    def __init__(
        self, engine: Engine, tabs: Tabs, observer: Observer, sight: Sight, dialogs: Dialogs, redactor: Redactor
    ) -> None:
        self._engine = engine
        self._tabs = tabs
        self._observer = observer
        self._sight = sight
        self._dialogs = dialogs
        self._redactor = redactor
        self._last = b""

    async def take(self, marks: bool, mask: Sequence[Box], image: ImageFormat) -> bytes:
        """A picture; while a dialog is open, the last one with the dialog drawn on it."""
        try:
            self._last = await self._dialogs.unless_open(self._shoot(marks, mask, image))
        except DialogOpened:
            dialog = self._dialogs.open
            picture = self._last or blank()
            return with_dialog(picture, self._redactor.text(describe(dialog))) if dialog else picture
        return self._last

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
