"""What an agent is told: instruction texts and nothing else."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Revision(BaseModel):
    """A change of the goal, as the agent receives it: its text."""

    model_config = ConfigDict(frozen=True)

    text: str = Field(min_length=1)


class Goal(BaseModel):
    """The active instructions, oldest first. `version` grows by one with each revision (0 = initial)."""

    model_config = ConfigDict(frozen=True)

    version: int = Field(default=0, ge=0)
    instructions: tuple[str, ...] = Field(min_length=1)

    def append(self, revision: Revision) -> Goal:
        """The goal after `revision` was delivered by the strategy `append`."""
        return Goal(version=self.version + 1, instructions=(*self.instructions, revision.text))

    def rewrite(self, instruction: str) -> Goal:
        """The goal after a revision was merged into one `instruction` by the strategy `rewrite`."""
        return Goal(version=self.version + 1, instructions=(instruction,))

    @property
    def text(self) -> str:
        """The instructions as one numbered text."""
        if len(self.instructions) == 1:
            return self.instructions[0]
        return "\n".join(f"{n}. {text}" for n, text in enumerate(self.instructions, start=1))
