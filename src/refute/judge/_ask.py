"""Asking a model as a judge does: an answer that cannot be used is no answer, and nobody guesses one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from refute._errors import ContextTooLong, ModelReplyError
from refute.llm import Model, Role

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


@dataclass(frozen=True)
class Unanswered:
    """Why there is no answer: no usable reply after the retries, or a prompt that does not fit into the model."""

    why: str


async def ask(model: Model, role: Role[I, O], value: I) -> O | Unanswered:
    """The typed answer, or why there is none. Other errors of the model pass: they say nothing about the question."""
    try:
        return await model.call(role, value)
    except (ModelReplyError, ContextTooLong) as error:
        return Unanswered(str(error))
