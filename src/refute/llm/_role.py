"""A role: a typed question to a model. Every prompt in the system is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic, Literal, TypeVar

import jinja2
from pydantic import BaseModel, ConfigDict, Field

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


class Picture(BaseModel):
    """A picture that a model is shown. Its bytes are sent to the model and written nowhere."""

    model_config = ConfigDict(frozen=True)

    data: bytes = Field(min_length=1, repr=False)
    media_type: Literal["image/jpeg", "image/png", "image/webp"] = "image/jpeg"


def no_pictures(value: BaseModel) -> Sequence[Picture]:
    """A role that shows none."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Role(Generic[I, O]):
    """A typed question: what goes in, what comes out, and the template that words it.

    `template` is ``package:file`` of a Jinja template with two blocks, ``system`` and ``user``; it sees the input as
    `x`. `fenced` reads a reply in the textual form for models that are weak at JSON; without it the textual form is
    JSON in a fence. `pictures` picks what of the input is shown as pictures, after the user message.
    """

    name: str
    input: type[I]
    output: type[O]
    template: str
    fenced: Callable[[str], O] | None = None
    fence_help: str = ""
    pictures: Callable[[I], Sequence[Picture]] = no_pictures

    def render(self, value: I) -> tuple[str, str]:
        """The system and the user message for `value`."""
        package, _, name = self.template.partition(":")
        template = _environment(package).get_template(name)
        context = template.new_context({"x": value})
        parts = ("".join(template.blocks[block](context)).strip() for block in ("system", "user"))
        system, user = parts
        return system, user


@cache
def _environment(package: str) -> jinja2.Environment:
    shared = jinja2.PackageLoader("refute.llm", "templates")  # page.jinja: how text from pages is marked
    loader = jinja2.ChoiceLoader([jinja2.PackageLoader(package, "templates"), shared])
    # Prompts are plain text for a model, not HTML: nothing here is ever rendered in a browser.
    strict = jinja2.StrictUndefined
    return jinja2.Environment(loader=loader, undefined=strict, trim_blocks=True, lstrip_blocks=True)  # noqa: S701
