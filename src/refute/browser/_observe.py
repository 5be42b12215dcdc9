"""Turn what the walker saw in each frame into one observation, and remember which frame each number belongs to."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

import playwright.async_api as pw

from refute._errors import BrowserError, BrowserTimeout
from refute.browser._deadline import within
from refute.browser._engine import Engine, Interrupted, Seen, SubFrame
from refute.browser._observation import Element

DEEPEST = 4
PAGE, FRAME, IMPATIENT = 10.0, 3.0, 0.3
"""Seconds given to a page, to a frame in it, and to a frame that did not answer the last time."""
LOST = 10_000
NUMBER = re.compile(r"\[\d+\]")


@dataclass(frozen=True, kw_only=True)
class Look:
    """The visible part of a page and of the frames in it."""

    lines: tuple[str, ...]
    elements: tuple[Element, ...]
    main: Seen


class Observer:
    """Looks at pages of one session; the numbers it hands out are never used twice in it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._next = 1
        self._owners: dict[int, pw.Frame] = {}
        self._silent: dict[pw.Frame, str] = {}
        self._inner: dict[tuple[pw.Frame, int], pw.Frame] = {}

    def frame_of(self, number: int) -> pw.Frame | None:
        """The frame that the element with this number was seen in; None when there was none, or the frame is gone."""
        frame = self._owners.get(number)
        return None if frame is None or frame.is_detached() else frame

    async def content_of(self, number: int) -> pw.Frame | None:
        """The document inside the frame element with this number; None when it is no frame, or gone."""
        frame = self.frame_of(number)
        return None if frame is None else await self._content(frame, number)

    async def look(self, page: pw.Page) -> Look:
        """Look at `page`. Raises `Interrupted`, `BrowserTimeout` or `PageCrashed`, by its main frame only."""
        main = await self._see(page.main_frame, {})
        elements = list(main.elements)
        lines = await self._compose(page.main_frame, main, (0.0, 0.0), elements, depth=1)
        return Look(lines=tuple(lines), elements=tuple(elements), main=main)

    async def _see(self, frame: pw.Frame, options: dict[str, object], *, seconds: float = PAGE) -> Seen:
        command = {"do": "observe", "next": self._next, **options}
        try:
            seen = await self._engine.ask(frame, Seen, command, seconds=seconds)
        except (Interrupted, BrowserError):
            self._next += LOST  # numbers may have been given out in there that we never heard of
            raise
        self._next = max(self._next, seen.next)
        self._owners.update({e.id: frame for e in seen.elements})
        return seen

    async def _compose(
        self, frame: pw.Frame, seen: Seen, corner: tuple[float, float], elements: list[Element], *, depth: int
    ) -> list[str]:
        """The lines of a frame, those of the frames inside it included; their elements join `elements`."""
        lines: list[str] = []
        places = {sub.line: sub for sub in seen.frames}
        for index, line in enumerate(seen.lines):
            lines.append(line)
            sub = places.get(index)
            if sub is not None and depth < DEEPEST:
                inner = await self._inside(frame, sub, corner, elements, depth=depth)
                lines += [" " * sub.depth + text for text in inner]
        return lines

    async def _inside(
        self, frame: pw.Frame, sub: SubFrame, corner: tuple[float, float], elements: list[Element], *, depth: int
    ) -> list[str]:
        content: pw.Frame | None = None
        offset = (corner[0] + sub.left, corner[1] + sub.top)
        try:
            content = await self._content(frame, sub.id)
            if content is None:
                return []
            # a frame that did not answer is not waited for again before it goes somewhere else
            patience = IMPATIENT if self._silent.get(content) == content.url else FRAME
            seen = await self._see(content, {"clip": sub.clip, "offset": offset}, seconds=patience)
        except (Interrupted, BrowserTimeout):
            if content is not None:
                self._silent[content] = content.url
            return ["(this frame cannot be read)"]
        elements += seen.elements
        lines = await self._compose(content, seen, offset, elements, depth=depth + 1)
        at, most = seen.scroll
        return [*lines, f"(the frame scrolls: {at}px above, {most - at}px below)"] if most > 2 else lines

    async def _content(self, frame: pw.Frame, number: int) -> pw.Frame | None:
        known = self._inner.get((frame, number))
        if known is not None and not known.is_detached():
            return known
        locator = self._engine.locate(frame, number)
        try:
            handle = await within(2, locator.element_handle(timeout=1000), what="a frame")
            content = await within(2, handle.content_frame(), what="a frame")
        except pw.Error as error:
            raise Interrupted(error.message) from error
        if content is not None:
            self._inner[frame, number] = content
        return content


def digest_of(url: str, text: str) -> str:
    """A short hash of what can be seen; element numbers do not count."""
    return hashlib.sha256(f"{url}\n{NUMBER.sub('[]', text)}".encode()).hexdigest()[:16]
