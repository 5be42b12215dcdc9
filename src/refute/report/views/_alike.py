"""Which runs may be compared: those whose settings are the same but for what is compared."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import cast

from refute.revisions import Deliver, Screen
from refute.run import RunSettings
from refute.tables import RunRow

SETTINGS = tuple(name for name in RunSettings.model_fields if name != "screenshots")
"""The settings that change what happens in a run."""
WAY = ("trigger", "at", "strategy", "screen")
"""Those that say how revisions come."""
_ROW = ("suite", "agent", "model", "strategy", "trigger", "seed")
"""Those that a run's episodes tell where it has no ``run.json``."""

_WITHOUT: Mapping[str, object] = {"deliver": Deliver.DURING.value, "screen": Screen().model_dump(mode="json")}
"""What an older ``run.json`` without the setting means."""


def settings_but(run: RunRow, but: Collection[str]) -> str:
    """All settings of a run but some, as a text that two runs share when these settings are the same."""
    told = {name: _setting(run, name) for name in SETTINGS if name not in but}
    return json.dumps(told, sort_keys=True, default=str)


def apart(runs: Iterable[RunRow], but: Collection[str]) -> tuple[str, ...]:
    """The settings, but some, in which not all of `runs` agree."""
    every = tuple(runs)
    return tuple(
        name
        for name in SETTINGS
        if name not in but and len({json.dumps(_setting(r, name), sort_keys=True, default=str) for r in every}) > 1
    )


def way_in_words(run: RunRow) -> str:
    """How revisions come in a run, for people: of what has a default, only what is otherwise."""
    usual = {"at": None, "screen": _WITHOUT["screen"]}
    return in_words(run, (name for name in WAY if name not in usual or _setting(run, name) != usual[name]))


def in_words(run: RunRow, names: Iterable[str]) -> str:
    """Some settings of a run for people: ``strategy reset, at 2 5``."""
    return ", ".join(f"{name.replace('_', ' ')} {_words(_setting(run, name))}" for name in names)


def _setting(run: RunRow, name: str) -> object:
    value = run.settings.get(name, _WITHOUT.get(name))
    if value is None and name in _ROW:
        value = getattr(run, name)
    return value or None  # an older run.json lacks a setting that was empty


def _words(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return " ".join(str(part) for part in cast("Sequence[object]", value))
    if isinstance(value, dict):
        return " ".join(f"{name} {part}" for name, part in cast("Mapping[str, object]", value).items())
    return str(value)
