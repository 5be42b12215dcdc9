"""The rewriter: merges what was asked so far and a change of it into one instruction (dynarev §7.2, J.2.4)."""

from __future__ import annotations

from typing import Protocol

from refute.goals import Goal, Revision
from refute.llm import Model, Role
from refute.revisions._roles import RewriterInput, RewriterOutput

INSTRUCTION_REWRITER = Role(
    name="instruction_rewriter",
    input=RewriterInput,
    output=RewriterOutput,
    template="refute.revisions:instruction_rewriter.jinja",
)


class Rewriter(Protocol):
    """Makes one instruction out of a goal and a revision of it. It sees texts only: no page, no constraint."""

    async def rewrite(self, goal: Goal, revision: Revision) -> str:
        """The merged instruction. Raises a `ModelError` when a model was asked and did not answer."""
        ...


class ModelRewriter:
    """Asks a model: one call of the role `instruction_rewriter` a revision."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def rewrite(self, goal: Goal, revision: Revision) -> str:
        """The merged instruction. Raises a `ModelError` when the model does not answer."""
        question = RewriterInput(instructions=goal.instructions, revision=revision.text)
        return (await self._model.call(INSTRUCTION_REWRITER, question)).instruction
