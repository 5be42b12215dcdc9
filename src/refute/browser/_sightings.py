"""Where on a page a secret can be read, so that a picture of it can be painted over there."""

from __future__ import annotations

from collections.abc import Iterable

import playwright.async_api as pw

from refute._errors import BrowserError
from refute.browser._deadline import within
from refute.browser._engine import SIGHTINGS, Engine, Interrupted, Sighted
from refute.browser._observation import Box
from refute.browser._observe import Observer
from refute.browser._redactor import Redactor

LOOK = 3.0
EVERYTHING: Box = (0, 0, 100_000, 100_000)


async def sightings(page: pw.Page, engine: Engine, observer: Observer, redactor: Redactor) -> list[Box]:
    """Boxes in CSS pixels of the page's viewport: fields that a secret was typed into, and text that holds one.

    A frame in which there is one, or that does not answer, is one box. So is the page, if it cannot be asked.
    """
    if not redactor.secrets:
        return []
    try:
        boxes = await _read_in(page.main_frame, engine, redactor.secrets.spellings)
        boxes += [box for number in redactor.fields if (box := await _field(page, engine, observer, number))]
        boxes += [box for frame in page.main_frame.child_frames if (box := await _frame(frame, engine, redactor))]
    except (pw.Error, BrowserError, Interrupted):
        return [EVERYTHING]
    return boxes


async def _read_in(frame: pw.Frame, engine: Engine, values: Iterable[str]) -> list[Box]:
    answer = await engine.ask(frame, Sighted, {"values": list(values)}, seconds=LOOK, engine=SIGHTINGS)
    return [(int(left), int(top), int(width) + 1, int(height) + 1) for left, top, width, height in answer.boxes]


async def _field(page: pw.Page, engine: Engine, observer: Observer, number: int) -> Box | None:
    frame = observer.frame_of(number)
    if frame is None or frame.page is not page:
        return None
    locator = engine.locate(frame, number)
    if not await within(LOOK, locator.count(), what="a field"):
        return None
    return _box(await within(LOOK, locator.bounding_box(timeout=1000 * LOOK), what="a field"))


async def _frame(frame: pw.Frame, engine: Engine, redactor: Redactor) -> Box | None:
    """The whole of a frame of the page, if there is a secret in it, or in a frame inside it."""
    if not await _shows(frame, engine, redactor) or frame.is_detached():
        return None
    handle = await within(LOOK, frame.frame_element(), what="a frame")
    return _box(await within(LOOK, handle.bounding_box(), what="a frame"))


async def _shows(frame: pw.Frame, engine: Engine, redactor: Redactor) -> bool:
    try:
        if await _read_in(frame, engine, redactor.secrets.spellings):
            return True
    except (BrowserError, Interrupted):
        return True
    return any([await _shows(inner, engine, redactor) for inner in frame.child_frames])


def _box(found: pw.FloatRect | None) -> Box | None:
    if found is None:
        return None
    return int(found["x"]), int(found["y"]), int(found["width"]) + 1, int(found["height"]) + 1
