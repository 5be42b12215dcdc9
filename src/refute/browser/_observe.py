"""Turn what the walker saw in each frame into one observation, and remember which frame each number belongs to."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from dataclasses import dataclass

import playwright.async_api as pw

from refute._errors import BrowserError, BrowserGone, PageCrashed
from refute.browser._deadline import within
from refute.browser._engine import Cover, Engine, Interrupted, Matrix, Seen, SubFrame
from refute.browser._observation import Element, Extent, Form

DEEPEST = 4
PAGE, FRAME, IMPATIENT = 10.0, 3.0, 0.3
"""Seconds given to a page, to a frame in it, and to a frame that did not answer the last time."""
LOST = 10_000
MARK = "\ue000"
"""The walker writes it before the number of an element, and takes it out of all that comes from a page."""
_NUMBER = re.compile(MARK + r"\[\d+\]")
_INDENT: dict[Form, str] = {"compact": " ", "axtree": "\t"}


@dataclass(frozen=True, kw_only=True)
class Look:
    """The visible part (or all, by `extent`) of a page and of the frames in it.

    `canon` is `text` without the numbers of elements.
    """

    text: str
    canon: str
    elements: tuple[Element, ...]
    main: Seen


@dataclass(frozen=True, kw_only=True)
class _Place:
    """Where a document lies in the page: the map from its coordinates to the page's viewport, and what lies over it."""

    depth: int = 1
    matrix: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    covers: tuple[Cover, ...] = ()


class _Owners:
    """Which frame each number was given out in. Frames take turns, so runs of numbers are kept, not numbers."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._frames: list[pw.Frame | None] = []

    def __len__(self) -> int:
        return len(self._starts)

    def begin(self, start: int, frame: pw.Frame) -> None:
        """Numbers from `start` on are given out in `frame`."""
        if not self._frames or self._frames[-1] is not frame:
            self._starts.append(start)
            self._frames.append(frame)

    def find(self, number: int) -> pw.Frame | None:
        """The frame, or None when it is gone or the number was never given out."""
        index = bisect_right(self._starts, number) - 1
        frame = self._frames[index] if index >= 0 else None
        return None if frame is None or frame.is_detached() else frame

    def forget(self) -> None:
        """Let go of frames that are gone, and join the runs that this leaves side by side."""
        starts, frames = self._starts, self._frames
        self._starts, self._frames = [], []
        for start, frame in zip(starts, frames, strict=True):
            alive = None if frame is None or frame.is_detached() else frame
            if not self._frames or self._frames[-1] is not alive:
                self._starts.append(start)
                self._frames.append(alive)


class Observer:
    """Looks at pages of one session; the numbers it hands out are never used twice in it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._next = 1
        self._owners = _Owners()
        self._silent: dict[pw.Frame, str] = {}
        self._inner: dict[tuple[pw.Frame, int], pw.Frame] = {}

    def knows(self, number: int) -> bool:
        """Whether this number was ever given out."""
        return 1 <= number < self._next

    def frame_of(self, number: int) -> pw.Frame | None:
        """The frame that the element with this number was seen in; None when there was none, or the frame is gone."""
        return self._owners.find(number) if number < self._next else None

    async def content_of(self, number: int) -> pw.Frame | None:
        """The document inside the frame element with this number; None when it is no frame, or gone."""
        frame = self.frame_of(number)
        return None if frame is None else await self._content(frame, number)

    async def look(self, page: pw.Page, *, form: Form = "compact", extent: Extent = "viewport") -> Look:
        """Look at `page`. Raises `Interrupted`, `BrowserTimeout` or `PageCrashed`, by its main frame only."""
        self._forget()
        options: dict[str, object] = {"form": form, "extent": extent}
        main = await self._see(page.main_frame, options)
        elements = list(main.elements)
        lines = await self._compose(page.main_frame, main, _Place(), elements, options)
        text = "\n".join(lines)
        return Look(text=text.replace(MARK, ""), canon=_NUMBER.sub("[]", text), elements=tuple(elements), main=main)

    def _forget(self) -> None:
        """Let go of what belonged to frames that are gone."""
        gone = [key for key, inner in self._inner.items() if key[0].is_detached() or inner.is_detached()]
        for key in gone:
            del self._inner[key]
        self._silent = {frame: url for frame, url in self._silent.items() if not frame.is_detached()}
        self._owners.forget()

    async def _see(self, frame: pw.Frame, options: dict[str, object], *, seconds: float = PAGE) -> Seen:
        command = {"do": "observe", "next": self._next, **options}
        self._owners.begin(self._next, frame)
        try:
            seen = await self._engine.ask(frame, Seen, command, seconds=seconds)
        except (Interrupted, BrowserError):
            self._next += LOST  # numbers may have been given out in there that we never heard of
            raise
        self._next = max(self._next, seen.next)
        return seen

    async def _compose(
        self, frame: pw.Frame, seen: Seen, place: _Place, elements: list[Element], options: dict[str, object]
    ) -> list[str]:
        """The lines of a frame, those of the frames inside it included; their elements join `elements`."""
        lines: list[str] = []
        places = {sub.line: sub for sub in seen.frames}
        indent = _INDENT["axtree" if options["form"] == "axtree" else "compact"]
        for index, line in enumerate(seen.lines):
            lines.append(line)
            sub = places.get(index)
            if sub is not None and place.depth < DEEPEST:
                inner = await self._inside(frame, sub, place, elements, options)
                lines += [indent * sub.depth + text for text in inner]
        return lines

    async def _inside(
        self, frame: pw.Frame, sub: SubFrame, place: _Place, elements: list[Element], options: dict[str, object]
    ) -> list[str]:
        content: pw.Frame | None = None
        here = _Place(
            depth=place.depth + 1,
            matrix=_product(place.matrix, sub.matrix),
            covers=(*sub.covers, *(_carried(cover, sub.matrix) for cover in place.covers)),
        )
        try:
            content = await self._content(frame, sub.id)
            if content is None:
                return []
            # a frame that did not answer is not waited for again before it goes somewhere else
            patience = IMPATIENT if self._silent.get(content) == content.url else FRAME
            covers = [cover.model_dump() for cover in here.covers]
            command = options | {"clip": sub.clip, "matrix": here.matrix, "covers": covers}
            seen = await self._see(content, command, seconds=patience)
        except (PageCrashed, BrowserGone):
            raise
        except (Interrupted, BrowserError):
            if content is not None:
                self._silent[content] = content.url
            return [_remark("this frame cannot be read", options)]
        elements += seen.elements
        lines = await self._compose(content, seen, here, elements, options)
        at, most = seen.scroll
        if most <= 2 or options["extent"] == "page":
            return lines
        targets = f"; targets: {seen.above} above, {seen.below} below" if seen.above or seen.below else ""
        return [*lines, _remark(f"the frame scrolls: {at}px above, {most - at}px below{targets}", options)]

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


def _product(outer: Matrix, inner: Matrix) -> Matrix:
    """First `inner`, then `outer`."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def _carried(cover: Cover, matrix: Matrix) -> Cover:
    """A cover of a frame, in the coordinates of a frame inside it that `matrix` leads out of."""
    a, b, c, d, e, f = matrix
    area = a * d - b * c
    if not area:
        return cover.model_copy(update={"box": (0.0, 0.0, 0.0, 0.0)})
    left, top, right, bottom = cover.box
    corners = [(x - e, y - f) for x in (left, right) for y in (top, bottom)]
    xs = [(d * x - c * y) / area for x, y in corners]
    ys = [(a * y - b * x) / area for x, y in corners]
    return cover.model_copy(update={"box": (min(xs), min(ys), max(xs), max(ys))})


def _remark(text: str, options: dict[str, object]) -> str:
    return f"StaticText '({text})'" if options["form"] == "axtree" else f"({text})"


def digest_of(url: str, canon: str) -> str:
    """A short hash of what can be seen (decision 9b: element numbers do not count); `canon` as in `Look`."""
    return hashlib.sha256(f"{url}\n{canon}".encode()).hexdigest()[:16]
