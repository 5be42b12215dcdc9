"""The door to the isolated world: asks the walker (js/) in one frame, and finds elements by their number.

The walker is a selector engine of Playwright's, registered with ``content_script``, so that it lives where the page's
scripts cannot reach it. An answer is the text of an element that the engine makes up and returns. Playwright does not
promise that this works; `Engine.check` asks once whether it does, and turns to an attribute, read through ``evaluate``,
when it does not.
"""

from __future__ import annotations

import re
import secrets
from importlib.resources import files
from typing import Any, TypeVar

import playwright.async_api as pw
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from refute._errors import BrowserError, BrowserTimeout, PageCrashed
from refute.browser._deadline import within
from refute.browser._observation import Element

NAME = "refute"
SIGHTINGS = "refutesightings"
"""A second engine, which looks for secrets (see `_sightings`)."""
ANSWER = "data-refute-answer"
TAKE = f"e => {{ const text = e.getAttribute('{ANSWER}'); e.removeAttribute('{ANSWER}'); return text; }}"


class Interrupted(Exception):
    """The document went away during a call: the frame navigates, was removed, or its tab was closed."""


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Canary(_Answer):
    """Whether answers come back at all, and how many element numbers the document's registry holds."""

    canary: str
    numbers: int = 0


Matrix = tuple[float, float, float, float, float, float]
"""An affine map (a, b, c, d, e, f), as in CSS: x' = a x + c y + e, y' = b x + d y + f."""


class Cover(_Answer):
    """Something that lies over a frame: its box in the frame's coordinates (left, top, right, bottom), and its name."""

    box: tuple[float, float, float, float]
    name: str


class SubFrame(_Answer):
    """A visible frame inside the one that was asked: where its lines belong, and which part of it can be seen.

    `matrix` leads from its coordinates to those of the frame that was asked; `clip` (left, top, right, bottom) and
    `covers` are in its own.
    """

    id: int
    line: int
    depth: int
    matrix: Matrix
    clip: tuple[float, float, float, float]
    covers: tuple[Cover, ...] = ()


class Seen(_Answer):
    """One frame, as the walker saw it."""

    title: str
    lines: list[str]
    elements: list[Element]
    frames: list[SubFrame]
    next: int
    above: int
    below: int
    scroll: tuple[int, int]


class Pulse(_Answer):
    """How long a document has been quiet (ms), and which document it is (`born`, its time of origin).

    `opened`: its scripts opened a window since the last time. `sound`: the script in the page's world sees its timers;
    when it does not, quiet says less.
    """

    quiet: float
    loading: bool
    opened: bool
    born: float
    sound: bool


class Option(_Answer):
    """An option of a select."""

    label: str
    disabled: bool = False


class Facts(_Answer):
    """What has to be known of an element before acting on it."""

    tag: str
    role: str = ""
    name: str = ""
    type: str = ""
    shown: bool = True
    hidden_control: bool = False
    has_label: bool = False
    disabled: bool = False
    readonly: bool = False
    fillable: bool = False
    value: str = ""
    filled: bool = False
    multiple: bool = False
    min: str = ""
    max: str = ""
    step: str = ""
    options: list[Option] | None = None
    checked: bool | str | None = None
    covered: bool = False
    grip: tuple[float, float] | None = None
    """Where to take hold of a shape whose middle is not its own, seen from there."""
    opens_tab: bool = False


class Probed(_Answer):
    """`Facts` of an element, or None when it is gone."""

    facts: Facts | None = None


class Clicked(_Answer):
    """What became of an element that was pressed and got no click (js/press.js); empty when all is well."""

    fate: str = ""


class Scrolled(_Answer):
    """Pixels moved; None when the element is gone."""

    moved: int | None = None


class Sighted(_Answer):
    """Where in a frame certain texts can be read: left, top, width, height."""

    boxes: list[tuple[float, float, float, float]]


class _Failed(_Answer):
    error: str = Field(min_length=1)


A = TypeVar("A", bound=_Answer)


class Engine:
    """The selector engine of one Playwright; every frame of every session asks through it."""

    def __init__(self, *, direct: bool = True) -> None:
        self._key = f"r{secrets.token_hex(8)}"
        self._channels = (False, True) if direct else (True,)
        self.by_attribute = not direct

    @property
    def page_script(self) -> str:
        """The script for the page's own world, to run before any of the page's."""
        return self._read("js/page.js")

    async def register(self, playwright: pw.Playwright) -> None:
        """Make the engine known; contexts made from now on have it."""
        script = f"(() => {{ {self._read('_walker.js')}; return refuteWalker.engine; }})()"
        await playwright.selectors.register(NAME, script, content_script=True)
        await playwright.selectors.register(SIGHTINGS, self._read("_sightings.js"), content_script=True)

    async def check(self, page: pw.Page) -> None:
        """Find the way that answers come back on. Raises `BrowserError` when there is none."""
        for by_attribute in self._channels:
            self.by_attribute = by_attribute
            try:
                await self.ask(page.main_frame, Canary, {"do": "canary"}, seconds=5)
            except (BrowserError, Interrupted):
                continue
            return
        raise BrowserError(
            "the page walker does not answer in this browser; use a Playwright and a Chromium of the supported versions"
        )

    async def ask(
        self, frame: pw.Frame, answer: type[A], command: dict[str, Any], *, seconds: float = 8.0, engine: str = NAME
    ) -> A:
        """Put `command` to the walker in `frame`.

        Raises `Interrupted` when the document goes away meanwhile, `BrowserTimeout`, `PageCrashed`, or `BrowserError`
        when the answer is of no use.
        """
        via = {"via": "attribute"} if self.by_attribute else {}
        locator = frame.locator(f"{engine}={_json.dump_json(command | via).decode()}")
        limit = seconds * 1000
        call = locator.evaluate(TAKE, timeout=limit) if self.by_attribute else locator.text_content(timeout=limit)
        try:
            text = await within(seconds + 1, call, what=f"the page {frame.url}")
        except pw.TimeoutError:
            raise BrowserTimeout(f"the page {frame.url} did not answer within {seconds:g} s") from None
        except pw.Error as error:
            if says_crashed(error):
                raise PageCrashed(f"the page {frame.url} crashed") from error
            raise Interrupted(error.message) from error
        return _parse(answer, text or "")

    def locate(self, frame: pw.Frame, number: int, part: str = "") -> pw.Locator:
        """The element with this number in `frame`; `part` 'label' means its visible label."""
        return frame.locator(f"{NAME}={number}" + (f"/{part}" if part else ""))

    def _read(self, name: str) -> str:
        text = files("refute.browser").joinpath(name).read_text(encoding="utf-8")
        return text.replace("__REFUTE_KEY__", self._key).replace("__REFUTE_ANSWER__", ANSWER)


def says_crashed(error: pw.Error) -> bool:
    """Whether a failed call means that the page's process is gone."""
    return "Page crashed" in error.message or "Target crashed" in error.message


_json: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])


_HALF_PAIR = re.compile(r"(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""Half a surrogate pair, escaped as `JSON.stringify` does; a whole pair is never escaped there."""


def _parse(answer: type[A], text: str) -> A:
    text = _HALF_PAIR.sub(r"\1\\ufffd", text)
    try:
        return answer.model_validate_json(text)
    except ValidationError as error:
        try:
            reason = _Failed.model_validate_json(text).error
        except ValidationError:
            reason = str(error)
        raise BrowserError(f"the page walker failed: {reason}") from error
