"""The page on tasks lists every validator and predicate of the shop, for both roles, with all of its arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from refute.arena.shop._criteria import Criteria
from refute.arena.shop._predicates import PREDICATES
from refute.arena.shop._wants import VALIDATORS
from refute.arena.shop.dashboard._likeness import GoodsLike, OrdersLike, ReviewsLike
from refute.arena.shop.dashboard._predicates import STAFF_PREDICATES, Bounded
from refute.arena.shop.dashboard._wants import STAFF_VALIDATORS

PAGE = (Path(__file__).parents[2] / "docs" / "tasks.md").read_text(encoding="utf-8")
GROUPS: Mapping[str, type[BaseModel]] = {
    "product": Criteria,
    "goods": GoodsLike,
    "order": OrdersLike,
    "review": ReviewsLike,
    "bound": Bounded,
}
WORDS: list[tuple[str, str, type[Any]]] = [
    *((name, "customers", model) for name, model in {**VALIDATORS, **PREDICATES}.items()),
    *((name, "staff", model) for name, model in {**STAFF_VALIDATORS, **STAFF_PREDICATES}.items()),
]


def fields(model: type[BaseModel]) -> set[str]:
    return {field.alias or name for name, field in model.model_fields.items()}


def row(start: str) -> str:
    rows = [line for line in PAGE.splitlines() if line.startswith(f"| {start} |")]
    assert len(rows) == 1, start
    return rows[0]


def test_no_name_means_two_things() -> None:
    names = [name for name, _, _ in WORDS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("name", "role", "model"), WORDS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_word_stands_in_the_table_with_its_role_and_arguments(name: str, role: str, model: type[BaseModel]) -> None:
    cells = [cell.strip() for cell in row(f"`{name}`").strip("|").split("|")]
    groups = [GROUPS[group] for group in re.findall(r"\*(\w+)\*", cells[-1])]
    told = set(re.findall(r"`(\w+)`", cells[-1])).union(*map(fields, groups))
    assert cells[1] == role
    assert told == fields(model)


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_of_arguments_is_spelled_out(group: str) -> None:
    told = set(re.findall(r"`(\w+)`", row(f"*{group}*")))
    told |= fields(Criteria) if group == "goods" else set()
    assert told == fields(GROUPS[group])
