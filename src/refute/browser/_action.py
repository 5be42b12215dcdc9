"""Actions as data. Model output is parsed with a grammar into these types and never executed as code."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Action(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Click(_Action):
    """``click('12')``: click element 12."""

    name: Literal["click"] = "click"
    target: int = Field(ge=1)


class Fill(_Action):
    """``fill('12', 'text')``: replace the value of a field."""

    name: Literal["fill"] = "fill"
    target: int = Field(ge=1)
    text: str


class Select(_Action):
    """``select('12', 'option')``: choose an option by its visible label."""

    name: Literal["select"] = "select"
    target: int = Field(ge=1)
    option: str


class Check(_Action):
    """``check('12')`` / ``uncheck('12')``: set a checkbox, switch or radio."""

    name: Literal["check"] = "check"
    target: int = Field(ge=1)
    checked: bool = True


class Press(_Action):
    """``press('Enter')`` or ``press('12', 'Enter')``: a key or chord, on an element or where the focus is."""

    name: Literal["press"] = "press"
    key: str = Field(min_length=1)
    target: int | None = Field(default=None, ge=1)


class Scroll(_Action):
    """``scroll('down')`` or ``scroll('up')``: the page by most of a screen; ``scroll('down', '12')``: a container."""

    name: Literal["scroll"] = "scroll"
    direction: Literal["up", "down"]
    target: int | None = Field(default=None, ge=1)


class Goto(_Action):
    """``goto('http://…')``: open an address in this tab."""

    name: Literal["goto"] = "goto"
    url: str = Field(min_length=1)


class Back(_Action):
    """``back()``: one step back in this tab's history."""

    name: Literal["back"] = "back"


class Wait(_Action):
    """``wait(2)``: let `seconds` (0 to 10) go by."""

    name: Literal["wait"] = "wait"
    seconds: float = Field(default=1.0, ge=0, le=10)


class Note(_Action):
    """``note('text')``: write something down for later steps; the page is not touched."""

    name: Literal["note"] = "note"
    text: str


class Done(_Action):
    """``done('message')``: claim that the goal is met, and report to the user."""

    name: Literal["done"] = "done"
    message: str


class Infeasible(_Action):
    """``infeasible('reason')``: report that the goal cannot be met."""

    name: Literal["infeasible"] = "infeasible"
    reason: str


Action = Annotated[
    Click | Fill | Select | Check | Press | Scroll | Goto | Back | Wait | Note | Done | Infeasible,
    Field(discriminator="name"),
]
"""Every action an agent can return."""
