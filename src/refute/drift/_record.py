"""What the drift bench records: drives through a real site, state by state, with what is true of each.

One line of JSON a drive, so that a recording that was killed goes on where it stopped, and detectors are scored from
the file alone, as often as anybody likes.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from refute._errors import TraceError, UserError
from refute.agents import Draft, Scope
from refute.browser import Action, Element, Observation, Outcome, PageEvent, Tab

SCHEMA = 1
"""Of the file. Raised whenever an old file cannot be read any more."""
HOME = "http://site"
"""Stands for the origin of the instance that was recorded, whose port nobody can repeat."""


class Kind(StrEnum):
    """What drives an agent off its track (issue E, point 10)."""

    WRONG_BRANCH = "wrong_branch"
    """It explores pages that look related."""
    WRONG_ELEMENT = "wrong_element"
    """It clicks a neighbour of the right element, and follows where that leads."""
    CONTAMINATED_RESULTS = "contaminated_results"
    """A search shows what does not match, and it goes on with a result that violates what was asked."""
    OLD_LAYOUT = "old_layout"
    """Its procedure is for an older layout: it looks for a button where, or by the name that, it had then."""
    LOST_LOGIN = "lost_login"
    """The session has expired, and it goes on as a visitor."""
    SERVER_ERROR = "server_error"
    """Pages are answered with status 500."""
    SILENT_FORM = "silent_form"
    """A form comes back without a word, nothing was done, and it goes on as if it had been."""
    POPUP = "popup"
    """A dialog covers every page."""
    OUT_OF_STOCK = "out_of_stock"
    """The product cannot be bought, and it looks for the button that is not there."""
    GOAL_REVISED = "goal_revised"
    """The user changed the goal, and it goes on with the old plan."""

    @property
    def scope(self) -> Scope:
        """Where a repair has to begin."""
        return _SCOPES[self]


_SCOPES: Mapping[Kind, Scope] = {
    Kind.WRONG_BRANCH: Scope.EXECUTION,
    Kind.WRONG_ELEMENT: Scope.EXECUTION,
    Kind.LOST_LOGIN: Scope.EXECUTION,
    Kind.SERVER_ERROR: Scope.EXECUTION,
    Kind.POPUP: Scope.EXECUTION,
    Kind.OLD_LAYOUT: Scope.SKILL,
    Kind.SILENT_FORM: Scope.SKILL,
    Kind.CONTAMINATED_RESULTS: Scope.PLANNING,
    Kind.OUT_OF_STOCK: Scope.PLANNING,
    Kind.GOAL_REVISED: Scope.PLANNING,
}


class Calm(StrEnum):
    """A drive on which nothing goes wrong, and what is harmlessly different about it."""

    PLAIN = "plain"
    SLOW_PAGE = "slow_page"
    """One page takes longer."""
    CLOSED_POPUP = "closed_popup"
    """A dialog comes up and is closed at once."""
    OTHER_ROUTE = "other_route"
    """By categories instead of searches."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Page(_Record):
    """What an agent's tester reads of a page. Its elements were not kept: their text was."""

    url: str
    title: str
    text: str
    tabs: tuple[Tab, ...] = ()
    events: tuple[PageEvent, ...] = ()
    status: int
    digest: str

    def observation(self, *elements: Element) -> Observation:
        """The page as it was observed, with only these elements."""
        return Observation(
            url=self.url,
            title=self.title,
            text=self.text,
            elements=elements,
            tabs=self.tabs,
            events=self.events,
            status=self.status,
            digest=self.digest,
        )


class State(_Record):
    """A page, the action that led to it, and what is true there."""

    number: int = Field(ge=1, description="the step that led here")
    action: Action
    target: Element | None = Field(description="what the action worked on, as it was on the page before")
    reasoning: str
    claims: bool = Field(description="whether the executor says that its procedure is finished with this action")
    outcome: Outcome
    page: Page
    label: Literal["on", "off", "passing"] = Field(
        description="on or off track; passing = not scored: an obstacle that is dealt with at once"
    )
    since: int | None = Field(default=None, ge=0, description="steps since the drift's onset; 0 = the first state")
    finished: int = Field(ge=0, description="procedures of the route that are finished here, by the site's truth")


class Drive(_Record):
    """One drive: on track up to `onset`, off it from there on; wholly on track without one."""

    id: str
    kind: Kind | Calm
    scope: Scope | None = Field(description="of the drift; None for a calm drive")
    task: str
    template: str
    split: Literal["train", "test"]
    account: str
    seed: int = Field(description="of the site's state")
    instructions: tuple[str, ...] = Field(description="what the plan was made for")
    revisions: tuple[str, ...] = Field(default=(), description="said just before the onset, and overheard")
    route: tuple[str, ...] = Field(description="the oracle's procedures in order, without the final report")
    plan: tuple[Draft, ...] = Field(description="the simulated planner's commitments, one a procedure of the route")
    detail: str = Field(default="", description="what was done to it, in a few words")
    start: Page
    states: tuple[State, ...]

    @property
    def onset(self) -> int | None:
        """The number of the first state off track; None for a calm drive."""
        return next((s.number for s in self.states if s.since == 0), None)


class Header(_Record):
    """What a recording was asked for; the first line of its file."""

    kind: Literal["drift-recording"] = "drift-recording"
    version: int = SCHEMA
    site: str
    seed: int
    split: Literal["train", "test"]
    per_kind: int = Field(ge=1, description="drives of each of the ten kinds")
    per_calm: int = Field(ge=0, description="calm drives of each kind")


class Recording:
    """The file: a header, then a drive a line. What was torn by a kill is cut off when it is opened to go on."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self.header = header
        self.drives: list[Drive] = []

    @classmethod
    def open(cls, path: Path, header: Header) -> Recording:
        """A new file, or one to go on with. Raises `UserError` when it was recorded with other settings.

        A file whose header was torn, or not written yet, is begun anew.
        """
        recording = cls(path, header)
        raw = path.read_bytes() if path.exists() else b""
        if _line(header).startswith(raw):
            path.parent.mkdir(parents=True, exist_ok=True)
            recording._write(header, "wb")
            return recording
        whole = raw[: raw.rfind(b"\n") + 1]
        there, recording.drives = _parse(whole.decode("utf-8"), path)
        if there != header:
            raise UserError(
                f"{path} was recorded with other settings: {there.model_dump_json()}.\n"
                "Nothing was changed. Give those, or choose another --out."
            )
        if len(whole) < len(raw):
            path.write_bytes(whole)
        return recording

    def add(self, drive: Drive) -> None:
        """Keep one more drive. Raises `TraceError` when the disk does not take it."""
        self._write(drive, "ab")
        self.drives.append(drive)

    def _write(self, record: BaseModel, mode: Literal["ab", "wb"]) -> None:
        try:
            with self.path.open(mode) as file:
                file.write(_line(record))
        except OSError as error:
            raise TraceError(f"{self.path} cannot be written: {error.strerror}; whole drives in it are kept") from error


def read_recording(path: Path) -> tuple[Header, list[Drive]]:
    """What a recording holds, also one packed with xz; a torn last line is left out.

    Raises `UserError` for anything else that is no drive.
    """
    try:
        raw = path.read_bytes()
        text = (lzma.decompress(raw) if path.suffix == ".xz" else raw).decode("utf-8")
    except (OSError, UnicodeDecodeError, lzma.LZMAError) as error:
        raise UserError(f"{path} cannot be read: {error}; `refute bench drift --out DIR` records one") from error
    return _parse(text[: text.rfind("\n") + 1], path)


def _line(record: BaseModel) -> bytes:
    return f"{record.model_dump_json()}\n".encode()


def _parse(text: str, path: Path) -> tuple[Header, list[Drive]]:
    lines = text.split("\n")[:-1]
    try:
        version = json.loads(lines[0]).get("version") if lines else None
        if version != SCHEMA:
            raise UserError(f"{path} is no recording of drifts that this version of refute can read")
        return Header.model_validate_json(lines[0]), [Drive.model_validate_json(line) for line in lines[1:]]
    except (ValidationError, ValueError, AttributeError) as error:
        raise UserError(f"{path} is damaged, or no recording of drifts: {error}") from error
