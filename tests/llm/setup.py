"""What the tests of models share: a role and its parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from refute.budget import Budget, Clock
from refute.llm import PROVIDERS, ModelCalled, OutputMode, ProviderModel, Request, Role, RoleModel
from refute.trace import Event

from .dialects import Dialect

TEMPLATE = (
    "{% block system %}You name colors.{% endblock %}\n{% block user %}What color is {{ x.thing }}?{% endblock %}"
)


class Thing(BaseModel):
    model_config = ConfigDict(frozen=True)

    thing: str


class Color(BaseModel):
    model_config = ConfigDict(frozen=True)

    color: str = Field(min_length=1)
    shades: tuple[int, ...] = ()


def read_color(text: str) -> Color:
    match = re.search(r"^COLOR: (\w+)$", text, re.MULTILINE)
    if match is None:
        raise ValueError("a line 'COLOR: name' is missing")
    return Color(color=match[1])


COLOR = Role(name="color", input=Thing, output=Color, template="colorquestions:color.jinja")
FENCED_COLOR = Role(
    name="color",
    input=Thing,
    output=Color,
    template="colorquestions:color.jinja",
    fenced=read_color,
    fence_help="Answer with a line COLOR: name",
)


class Naps:
    """Stands in for sleeping and remembers how long it was asked for."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


@dataclass(kw_only=True)
class Bench:
    """An episode's surroundings, and a way to make its model."""

    folder: Path
    model: Callable[..., RoleModel]
    budget: Budget
    clock: Clock
    events: Callable[[], Sequence[Event]]

    def called(self) -> ModelCalled:
        """The only event in the trace."""
        (event,) = self.events()
        assert isinstance(event, ModelCalled)
        return event


def sky() -> Thing:
    return Thing(thing="the sky")


def request() -> Request:
    """What a backend is sent for the question about the sky."""
    system, user = COLOR.render(sky())
    return Request(role="color", system=system, user=user, output_schema=Color.model_json_schema(), input=sky())


def opened(
    dialect: Dialect,
    origin: str,
    *,
    mode: OutputMode | None = None,
    naps: Naps | None = None,
    deadline: float = 30.0,
) -> ProviderModel:
    """A model at `origin`, which never really sleeps between two tries."""
    return ProviderModel(
        PROVIDERS[dialect.provider],
        dialect.model,
        base_url=dialect.address(origin),
        mode=mode,
        sleep=naps or Naps(),
        deadline=deadline,
    )
