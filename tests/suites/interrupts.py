"""Records in InterruptBench's data format, of the tests' own invention."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

GOAL = "Show me the three cheapest red kettles of the spring sale"


def row(task_id: int | str = 0, **changes: Any) -> dict[str, Any]:
    return {
        "task_id": task_id,
        "intent": GOAL,
        "transformed_initial_intent": "Show me the cheapest kettles of the spring sale",
        "updates": ["I only want three of them, in red"],
        **changes,
    }


ROWS: Mapping[str, dict[str, Any]] = {
    "1update": row(),
    "2update": row(
        transformed_initial_intent="Show me the cheapest kettles",
        updates=["Three of them, in red", "From the spring sale"],
    ),
    "2modification": row(
        transformed_initial_intent="Show me the five cheapest blue kettles of the spring sale",
        updates=["Sorry, I meant three, not five", "And they should be red instead of blue"],
    ),
    "1retraction": row(
        transformed_initial_intent=f"{GOAL} with a lid",
        updates=["Never mind the lid"],
    ),
    "2retraction": row(
        transformed_initial_intent=f"{GOAL} with a lid that ship within a week",
        updates=["Never mind the lid", "Shipping does not matter either"],
    ),
    "3mixed": row(
        transformed_initial_intent="Show me the cheapest blue kettles of the spring sale with a lid",
        updates=["Only three of them", "Red ones, not blue", "Forget about the lid"],
        updates_type=["addition", "modification", "retraction"],
    ),
}
"""A row for each file of the published data."""


def write(folder: Path, file: str, rows: Sequence[Any]) -> Path:
    path = folder / f"{file}.json"
    path.write_text(json.dumps(rows, indent=2), encoding="utf-8")
    return path


def configuration(task_id: int = 0, **changes: Any) -> dict[str, Any]:
    """A row of WebArena-Lite's configuration."""
    return {
        "task_id": task_id,
        "old_task_id": 700 + task_id,
        "sites": ["shopping"],
        "start_url": "__SHOPPING__/kettles",
        "require_login": True,
        "storage_state": None,
        "geolocation": None,
        "intent_template": "Show me the {{n}} cheapest {{what}}",
        "intent_template_id": 9,
        "instantiation_dict": {"n": "three", "what": "red kettles"},
        "intent": GOAL,
        "require_reset": False,
        "eval": {"eval_types": ["string_match"], "reference_answers": {"must_include": ["Ember"]}},
        **changes,
    }
