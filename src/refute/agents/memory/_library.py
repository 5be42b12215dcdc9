"""A library on disk: two files with a record a line, readable and editable, and one that tells where they come from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from refute._errors import UserError
from refute.agents.memory._records import FailureRepair, Skill
from refute.trace import write_whole

LIBRARY_FILE = "library.json"
SKILLS_FILE = "skills.jsonl"
FAILURES_FILE = "failures.jsonl"
LIBRARY_VERSION = 1
"""Version of the format; every line has it as ``v``."""

R = TypeVar("R", bound=BaseModel)


class LibraryInfo(BaseModel):
    """``library.json``: what the records were made from. No time and no path, so that equal runs give equal files."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    v: int = LIBRARY_VERSION
    runs: tuple[str, ...] = ()
    """Ids of the runs."""
    split: str = ""
    """``train`` or ``all``: the tasks that were admitted."""
    model: str = ""
    """Who wrote the records."""
    simulated: bool = False
    """Whether a simulated model took part, in the runs or in writing."""


@dataclass(frozen=True, kw_only=True)
class Library:
    """Skills and failure repairs, in the order of their files."""

    skills: tuple[Skill, ...] = ()
    failures: tuple[FailureRepair, ...] = ()
    info: LibraryInfo = field(default_factory=LibraryInfo)

    @property
    def digest(self) -> str:
        """SHA-256 over all records: two libraries with the same one hold the same."""
        return hashlib.sha256((_lines(self.skills) + "\n" + _lines(self.failures)).encode()).hexdigest()

    def of_site(self, site: str) -> Library:
        """The records that come from `site` or from nowhere in particular; all of them for ``""`` (fcpagent B.3)."""
        if not site:
            return self
        return replace(
            self,
            skills=tuple(s for s in self.skills if not s.sources or site in {o.site for o in s.sources}),
            failures=tuple(f for f in self.failures if not f.sources or site in {o.site for o in f.sources}),
        )


def load_library(folder: Path) -> Library:
    """Read a library. A file of records that is missing holds none.

    Raises `UserError` when `folder` is no library, and for a line that is no record: with file, line and field.
    """
    if not any((folder / name).is_file() for name in (LIBRARY_FILE, SKILLS_FILE, FAILURES_FILE)):
        raise UserError(
            f"{folder} is no library: it has neither {SKILLS_FILE} nor {FAILURES_FILE}; `refute learn` makes one"
        )
    return Library(
        skills=_records(folder / SKILLS_FILE, Skill),
        failures=_records(folder / FAILURES_FILE, FailureRepair),
        info=_info(folder / LIBRARY_FILE),
    )


def save_library(library: Library, folder: Path) -> None:
    """Write a library. Each file is replaced as a whole, so that a kill leaves old or new ones and never a part.

    Equal libraries give equal bytes. Raises `TraceError` when the disk does not take it.
    """
    write_whole(folder / SKILLS_FILE, _lines(library.skills))
    write_whole(folder / FAILURES_FILE, _lines(library.failures))
    write_whole(folder / LIBRARY_FILE, library.info.model_dump_json(indent=1) + "\n")


def _lines(records: Iterable[BaseModel]) -> str:
    return "".join(f'{{"v":{LIBRARY_VERSION},{record.model_dump_json()[1:]}\n' for record in records)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise UserError(f"{path} cannot be read: {error}") from error


def _records(path: Path, kind: type[R]) -> tuple[R, ...]:
    found: list[R] = []
    for number, line in enumerate(_read(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append(kind.model_validate(_fields(line)))
        except (ValueError, RecursionError) as error:
            raise UserError(f"{path}:{number}: {_why(error)}") from error
    return tuple(found)


def _fields(line: str) -> dict[str, Any]:
    value: Any = json.loads(line)
    if not isinstance(value, dict):
        raise ValueError("not a record: one JSON object a line is needed")  # noqa: TRY004
    fields = cast(dict[str, Any], value)
    version = fields.pop("v", LIBRARY_VERSION)
    if version != LIBRARY_VERSION:
        raise ValueError(f"format version {version!r}; this version of refute reads {LIBRARY_VERSION}")
    return fields


def _info(path: Path) -> LibraryInfo:
    text = _read(path)
    if not text:
        return LibraryInfo()
    try:
        return LibraryInfo.model_validate(_fields(text))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: {_why(error)}") from error


def _why(error: Exception) -> str:
    """What is wrong, one clause a field, without what pydantic says for programmers."""
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} at column {error.colno}"
    if not isinstance(error, ValidationError):
        return str(error) or type(error).__name__
    fields = [(".".join(map(str, e["loc"])), e["type"], e["msg"]) for e in error.errors(include_url=False)]
    return "; ".join(
        f"unknown field {name!r}" if kind == "extra_forbidden" else f"{name}: {message}"
        for name, kind, message in fields
    )
