"""What the agent writes into the trace about its plan."""

from __future__ import annotations

from refute.agents.fcp._commitment import CommitmentStatus, Diagnosis, Planned, RepairCapped, Repaired, Status
from refute.agents.fcp._plan import Plan
from refute.agents.fcp._repair import Change
from refute.agents.fcp._roles import RepairerOutput
from refute.trace import Recorder


class Journal:
    """Records what becomes of a plan and its commitments."""

    def __init__(self, recorder: Recorder, plan: Plan) -> None:
        self._recorder = recorder
        self._plan = plan

    def plan(self, reason: str, falsified: tuple[int, ...] = (), note: str = "") -> None:
        """The plan was made or rewritten."""
        event = Planned(
            reason=reason,
            goal_version=self._plan.goal_version,
            commitments=self._plan.whole,
            active=self._plan.active.number,
            falsified=falsified,
            note=note,
        )
        self._recorder.record(event)

    def status(self, number: int, status: Status, summary: str = "") -> None:
        """Something became of a commitment."""
        self._recorder.record(CommitmentStatus(number=number, status=status, summary=summary))

    def repaired(
        self, number: int, diagnosis: Diagnosis, answer: RepairerOutput, change: Change, *, rejected: str
    ) -> None:
        """Commitment `number` was repaired; `rejected` is the action that did not run, if it was about one."""
        event = Repaired(
            number=number,
            scope=change.scope,
            recovery=answer.recovery,
            guidance=change.guidance,
            diagnosis=diagnosis,
            rejected_action=rejected,
        )
        self._recorder.record(event)

    def capped(self, phase: str, consequence: str, action: str = "") -> None:
        """A repair was due, and none is left."""
        event = RepairCapped(phase=phase, number=self._plan.active.number, consequence=consequence, action=action)
        self._recorder.record(event)
