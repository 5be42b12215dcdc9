"""The plan: finished commitments, and open ones of which the first is active."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from refute.agents.fcp._commitment import Commitment, Draft
from refute.agents.fcp._roles import Completed
from refute.agents.fcp._settings import FcpSettings
from refute.agents.memory import Skill

REPORT = "Every step of the plan is confirmed: report the result to the user with done."
"""Subgoal of the implicit last commitment, which becomes active when all others are confirmed (decision 8)."""


class Finished(NamedTuple):
    """A confirmed commitment and the summary of its stage."""

    commitment: Commitment
    summary: str


class Plan:
    """Commitments and their order. After `start` there is always an active one; the last is the report to the user.

    A commitment that is rewritten gets a new number; numbers are never used twice in an episode.
    """

    def __init__(self, skills: tuple[Skill, ...] = (), *, settings: FcpSettings | None = None) -> None:
        self._skills = {skill.name: skill for skill in skills}
        self._settings = settings or FcpSettings()
        self._last_number = 0
        self.goal_version = 0
        self.finished: list[Finished] = []
        self.open: list[Commitment] = []
        self.reporting = False
        """Whether only the report is left, which is then the one open commitment."""

    @property
    def active(self) -> Commitment:
        """The commitment that is being carried out."""
        return self.open[0]

    @property
    def remaining(self) -> tuple[Commitment, ...]:
        """The pending commitments after the active one."""
        return tuple(self.open[1:])

    @property
    def revisable(self) -> tuple[Commitment, ...]:
        """The open commitments that came from a model: all but the report."""
        return () if self.reporting else tuple(self.open)

    @property
    def whole(self) -> tuple[Commitment, ...]:
        """Finished and open commitments, in order."""
        return (*(f.commitment for f in self.finished), *self.open)

    @property
    def completed(self) -> tuple[Completed, ...]:
        """The finished commitments as prompts show them."""
        return tuple(
            Completed(number=f.commitment.number, subgoal=f.commitment.subgoal, summary=f.summary)
            for f in self.finished
        )

    @property
    def skill(self) -> Skill | None:
        """The skill that the active commitment links."""
        return self._skills.get(self.active.skill or "")

    def enter(self, draft: Draft) -> Commitment:
        """The commitment that `draft` becomes, with the next number.

        A link to an unknown skill is cut, and so is evidence of a kind that the settings do without.
        """
        self._last_number += 1
        cut: dict[str, object] = {} if draft.skill in self._skills else {"skill": None}
        if not self._settings.confirming:
            cut["confirming"] = ()
        if not self._settings.falsifying:
            cut["falsifying"] = ()
        return Commitment.of(draft.model_copy(update=cut), number=self._last_number, goal_version=self.goal_version)

    def unlinked(self, commitment: Commitment) -> Commitment:
        """The same commitment without its skill, under the next number."""
        return self.again(commitment).model_copy(update={"skill": None})

    def again(self, commitment: Commitment) -> Commitment:
        """The same commitment under the next number: it starts from the beginning."""
        self._last_number += 1
        return commitment.model_copy(update={"number": self._last_number})

    def set_open(self, commitments: Iterable[Commitment]) -> None:
        """Replace all open commitments; with none, the report is what is left."""
        self.open = list(commitments)
        self.reporting = not self.open
        if self.reporting:
            self.open = [self.enter(Draft(subgoal=REPORT, confidence=1.0))]

    def confirm(self, summary: str) -> None:
        """The active commitment is finished; the next one becomes active."""
        self.finished.append(Finished(self.active, summary))
        self.set_open(self.open[1:])
