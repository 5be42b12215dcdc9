"""Reading records row by row, so that a damaged row costs no other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from refute._errors import UserError
from refute.suites.interruptbench._records import Reading, Record, RowProblem, Trouble, Update, UpdateType


def read_records(path: Path) -> Reading:
    """The rows of `path`, as `parse_records` finds them.

    Raises `UserError` for a file that cannot be read, or that holds no rows at all.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}") from error
    reading = parse_records(text, path.name)
    if not reading.records and not reading.problems:
        raise UserError(f"{path} holds no records: it must be a JSON array of objects with task_id, intent, … in them")
    return reading


def parse_records(text: str, name: str) -> Reading:
    """The rows in `text`, from a file called `name`. A row that cannot be used becomes a problem, and the others are
    kept; so it is where the text is torn. Unknown fields are passed over.
    """
    path = Path(name)
    found: dict[str, Record] = {}
    problems: list[RowProblem] = []
    for row in _rows(text, name):
        if isinstance(row, RowProblem):
            problems.append(row)
            continue
        record = _record(row, path)
        if isinstance(record, Record) and record.task_id in found:
            first = found[record.task_id]
            what = f"task_id {record.task_id} is that of row {first.row} (line {first.line}) too"
            cure = "delete one of them, or give it another id"
            record = _problem(row, path, "task_id", Trouble.DUPLICATE, what, cure)
        if isinstance(record, Record):
            found[record.task_id] = record
        else:
            problems.append(record)
    return Reading(records=tuple(found.values()), problems=tuple(problems))


def types_in_name(name: str) -> tuple[int, UpdateType | None] | None:
    """How many updates a row has and of which type, by the file's name; the type is None for ``mixed``.

    None for a name that says nothing of it.
    """
    match = _NAME.match(name)
    return (int(match["count"]), _NAMED[match["kind"]]) if match else None


# ---- rows --------------------------------------------------------------------------------------------------------

_NAMED = {
    "update": UpdateType.ADDITION,
    "modification": UpdateType.MODIFICATION,
    "retraction": UpdateType.RETRACTION,
    "mixed": None,
}
_NAME = re.compile(rf"(?P<count>[1-9])(?P<kind>{'|'.join(_NAMED)})")
_BETWEEN = re.compile(r"[\s,]*")
_START = re.compile(r"\{\s*\"")
"""How an object begins; where the reader goes on behind a damaged one."""
_LONE = re.compile("[\ud800-\udfff]")
"""Half of a pair, which no file can be written with."""


@dataclass(frozen=True)
class _Row:
    row: int
    line: int
    value: Any


def _rows(text: str, file: str) -> Iterator[_Row | RowProblem]:
    """The values of the array one by one, so that a damaged one costs no other."""
    decoder = json.JSONDecoder()
    position, line, counted, number = _skip(text, 0), 1, 0, 0
    if text[position : position + 1] == "[":
        position = _skip(text, position + 1)
    while position < len(text) and text[position] != "]":
        line, counted = line + text.count("\n", counted, position), position
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            why = error.msg if isinstance(error, json.JSONDecodeError) else "too deep, or a number too long"
            following = _START.search(text, position + 1)
            end = following.start() if following else len(text)
            cure = "mend the JSON" if following else "mend the JSON: what follows is lost"
            yield RowProblem(
                file=file, row=number, line=line, trouble=Trouble.SYNTAX, what=f"not valid JSON ({why})", cure=cure
            )
        else:
            yield _Row(number, line, value)
        number += 1
        position = _skip(text, end)


def _skip(text: str, position: int) -> int:
    match = _BETWEEN.match(text, position)
    return match.end() if match else position


def _problem(row: _Row, path: Path, field: str, trouble: Trouble, what: str, cure: str) -> RowProblem:
    return RowProblem(file=path.name, row=row.row, line=row.line, field=field, trouble=trouble, what=what, cure=cure)


class _Unusable(Exception):
    """A field of a row does not fit."""

    def __init__(self, field: str, trouble: Trouble, what: str, cure: str) -> None:
        super().__init__(what)
        self.told = (field, trouble, what, cure)


def _record(row: _Row, path: Path) -> Record | RowProblem:
    try:
        value = row.value
        if not isinstance(value, dict):
            raise _Unusable("", Trouble.SHAPE, "it is no object", "each row must be an object with task_id, intent, …")
        fields = cast("dict[str, Any]", value)
        texts = _texts(fields)
        types = _types(fields, path.stem, len(texts))
        return Record(
            file=path.stem,
            row=row.row,
            line=row.line,
            task_id=_task_id(fields),
            intent=_text(fields, "intent"),
            initial=_text(fields, "transformed_initial_intent"),
            updates=tuple(Update(text=text, type=kind) for text, kind in zip(texts, types, strict=True)),
        )
    except _Unusable as error:
        return _problem(row, path, *error.told)


def _need(fields: dict[str, Any], name: str) -> Any:
    if name not in fields:
        raise _Unusable(name, Trouble.MISSING, "the field is missing", "add it")
    return fields[name]


def _text(fields: dict[str, Any], name: str) -> str:
    return _said(_need(fields, name), name)


def _said(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise _Unusable(name, Trouble.WRONG_TYPE, f"{_shown(value)} is no text", "write it as a JSON string")
    if _LONE.search(value):
        raise _Unusable(name, Trouble.WRONG_TYPE, "the text holds half of a character", "write the whole character")
    if not value.strip():
        raise _Unusable(name, Trouble.EMPTY, "the text is empty", "say it in words, or delete it")
    return value.strip()


def _task_id(fields: dict[str, Any]) -> str:
    value = _need(fields, "task_id")
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return str(value)
    if isinstance(value, str):
        return _said(value, "task_id")
    raise _Unusable(
        "task_id", Trouble.WRONG_TYPE, f"{_shown(value)} is no id", "give a number from 0 on, or a task's name"
    )


def _list(fields: dict[str, Any], name: str) -> list[Any]:
    value = _need(fields, name)
    if not isinstance(value, list):
        raise _Unusable(name, Trouble.WRONG_TYPE, f"{_shown(value)} is no list", "write a JSON array of strings")
    return cast("list[Any]", value)


def _texts(fields: dict[str, Any]) -> list[str]:
    values = _list(fields, "updates")
    if not values:
        raise _Unusable("updates", Trouble.EMPTY, "there are no updates", "give at least one")
    return [_said(value, f"updates.{n}") for n, value in enumerate(values)]


def _types(fields: dict[str, Any], stem: str, count: int) -> list[UpdateType]:
    if "updates_type" in fields:
        names = _list(fields, "updates_type")
        if len(names) != count:
            what = f"{len(names)} type(s) for {count} update(s)"
            raise _Unusable("updates_type", Trouble.SHAPE, what, "give one for each update")
        return [_type(name, n) for n, name in enumerate(names)]
    named = types_in_name(stem)
    if named is None or named[1] is None:
        what = f"nothing says of which type the updates are, and the name {stem!r} does not tell"
        raise _Unusable("updates_type", Trouble.MISSING, what, "add the field, or call the file as the published ones")
    return [named[1]] * count


def _type(name: object, n: int) -> UpdateType:
    try:
        return UpdateType(str(name).strip().casefold())
    except ValueError:
        cure = f"give one of {', '.join(UpdateType)}"
        raise _Unusable(f"updates_type.{n}", Trouble.UNKNOWN_TYPE, f"{_shown(name)} is no type", cure) from None


def _shown(value: object) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:60]}…"
