"""What the agent knows at one point of an episode, and the questions that this makes up."""

from __future__ import annotations

from collections.abc import Iterable

from refute.agents._history import History, RejectedAction, Step, outcome_text, went_well
from refute.agents._impact import changes_page, ends_work, irreversible
from refute.agents._proposal import Proposal
from refute.agents._shaping import Shaping, offered_actions, shape
from refute.agents._wording import normal_form
from refute.agents.fcp._commitment import Diagnosis, Recovery, Scope
from refute.agents.fcp._fast_tester import Weighed
from refute.agents.fcp._loops import FORGIVEN, Loops, Turn
from refute.agents.fcp._plan import Plan
from refute.agents.fcp._roles import (
    ExecutorInput,
    PlannerInput,
    RepairerInput,
    ReviserInput,
    SummaryInput,
    VerifierInput,
)
from refute.agents.fcp._settings import Disclosure, FcpSettings
from refute.agents.memory import FailureRepair, RecalledFailure, RecalledSkill, came_along
from refute.browser import Note, Observation, Outcome
from refute.goals import Goal, Revision


class Situation:
    """The goal, the page, the plan, and what happened in the current stage.

    A stage is the work on one commitment: when it is confirmed, prompts show its summary instead of its steps.
    """

    def __init__(
        self, goal: Goal, page: Observation, recalled: tuple[RecalledSkill, ...], *, settings: FcpSettings | None = None
    ) -> None:
        self.goal = goal
        self.page = page
        self._settings = settings or FcpSettings()
        skills = tuple(one.skill for one in recalled)
        brief = self._settings.disclosure is Disclosure.PROGRESSIVE
        self.skills = tuple(skill.brief for skill in skills) if brief else skills
        self._came_along = came_along(recalled)
        self.plan = Plan(skills, settings=self._settings)
        self.history = History()
        self.guidance = ""
        self.last_error = ""
        self._start_url = page.url
        self._confirmed_url = page.url
        self._stage_start = 0
        self._rejected: dict[tuple[str, str], RejectedAction] = {}
        self._irreversible: list[str] = []
        self._loops = Loops()
        self.circle = ""
        """What the last action repeats, if it does."""

    def stage_confirmed(self) -> None:
        """The active commitment was confirmed on this page: a new stage begins here."""
        self._confirmed_url = self.page.url
        self._stage_start = len(self.history)
        self._irreversible.clear()
        self.new_commitment()

    def new_commitment(self) -> None:
        """Another commitment is active: advice and rejections belonged to the one before (decision 7)."""
        self.guidance = ""
        self._rejected.clear()
        self.new_way()

    def new_way(self) -> None:
        """The work goes on in another way, such as with another skill: what was done before is no part of a circle."""
        self._loops.clear()

    def taking(self, proposal: Proposal) -> None:
        """An action is about to run."""
        self.circle = self._loops.take(Turn(*self._key(proposal)))
        if irreversible(proposal.action, self.page):
            self._irreversible.append(proposal.text)

    def remember(self, last: Proposal, outcome: Outcome) -> None:
        """The last action has led to this page: add it to the history, with how it ended."""
        ended = outcome_text(outcome, expects_change=changes_page(last.action))
        if not last.usable:
            ended = "stood in for replies without a usable action"
        self.history.add(last.text, ended, self.page, pivotal=last.pivotal)
        self.last_error = "" if went_well(ended) else f"{last.text}: {ended}"
        if isinstance(last.action, Note):
            self.history.note(last.action.text)

    def note(self, facts: Iterable[str]) -> None:
        """Keep what a repair or a revision read off pages, each once: steps that stay have no place of their own."""
        for fact in facts:
            if fact.strip() and fact not in self.history.notes:
                self.history.note(fact)

    def lost(self) -> Diagnosis | None:
        """What is wrong if the last action closes one circle too many, whatever the verifier said of those before."""
        if not self.circle or self._loops.closed <= FORGIVEN:
            return None
        scope = Scope.SKILL if self.plan.skill else Scope.PLANNING
        pattern = f"The work goes round in circles: {self.circle}. Each time it was let go on, and nothing came of it."
        return Diagnosis(scope=scope, falsified=self.circle, pattern=pattern)

    def reject(self, proposal: Proposal, reason: str) -> None:
        """Remember that an action was turned down on this page (decision 7)."""
        self._rejected[self._key(proposal)] = RejectedAction(action=proposal.text, reason=reason)

    def rejection(self, proposal: Proposal) -> RejectedAction | None:
        """The earlier rejection of the same action on the same page, if there was one."""
        return self._rejected.get(self._key(proposal))

    def recovery_url(self, recovery: Recovery) -> str | None:
        """Where to go back to (decision 9): the page of the last confirmation, or the start."""
        if recovery is Recovery.LAST_CONFIRMED:
            return self._confirmed_url
        return self._start_url if recovery is Recovery.RESTART else None

    def planner_question(self, failures: tuple[FailureRepair, ...] = ()) -> PlannerInput:
        """Plan from here."""
        return PlannerInput(
            instructions=self.goal.instructions,
            observation=self.page,
            skills=self.skills,
            came_along=self._came_along,
            failures=failures,
            confirming=self._settings.confirming,
            falsifying=self._settings.falsifying,
        )

    def executor_question(self) -> ExecutorInput:
        """What next?"""
        occam = self._settings.shaping is Shaping.OCCAM
        after = self._stage_start
        return ExecutorInput(
            instructions=self.goal.instructions,
            observation=self.page,
            commitment=self.plan.active,
            following=len(self.plan.remaining),
            later=self._later(),
            skill=self.plan.skill,
            summaries=self._summaries(),
            steps=self.history.pivotal_steps(after=after) if occam else self._steps(),
            notes=self.history.notes,
            rejected=tuple(self._rejected.values()),
            guidance=self.guidance,
            last_error=self.last_error,
            shaped=shape(self.page) if occam else None,
            offered=offered_actions(self.page) if occam else (),
        )

    def verifier_question(self, weighed: Weighed, proposal: Proposal | None) -> VerifierInput:
        """Does the active commitment hold; may the proposed action run?"""
        ending = proposal is not None and ends_work(proposal.action)
        return VerifierInput(
            instructions=self.goal.instructions,
            commitment=self.plan.active,
            observation=self.page,
            summaries=self._summaries(),
            steps=self._steps(),
            notes=self.history.notes,
            proposed=proposal.text if proposal else "",
            reasoning=proposal.reasoning if proposal else "",
            remaining=self._later() if ending else (),
            later=self._later(),
            route=weighed.tested.route,
            cue=weighed.cue,
            last_error=self.last_error,
        )

    def repairer_question(self, diagnosis: Diagnosis, failures: tuple[RecalledFailure, ...] = ()) -> RepairerInput:
        """What is the smallest adequate change? Asked at the scope, and among the scopes, that the settings leave."""
        settings = self._settings
        at = diagnosis.model_copy(update={"scope": settings.carried_out(diagnosis.scope)})
        return RepairerInput(
            instructions=self.goal.instructions,
            observation=self.page,
            commitment=self.plan.active,
            remaining=self.plan.remaining,
            completed=self.plan.completed,
            diagnosis=at,
            steps=self._steps(),
            notes=self.history.notes,
            skills=self.skills,
            came_along=self._came_along,
            failures=failures,
            rejected=tuple(self._rejected.values()),
            irreversible=tuple(self._irreversible),
            scopes=tuple(scope for scope in Scope if settings.carried_out(scope) is scope),
            confirming=settings.confirming,
            falsifying=settings.falsifying,
        )

    def reviser_question(self, revision: Revision) -> ReviserInput:
        """Which commitments does the change falsify? To be asked before `goal` is replaced."""
        return ReviserInput(
            instructions=self.goal.instructions,
            revision=revision.text,
            observation=self.page,
            completed=self.plan.completed,
            open=self.plan.revisable,
            steps=self._steps(),
            notes=self.history.notes,
            skills=self.skills,
            came_along=self._came_along,
            confirming=self._settings.confirming,
            falsifying=self._settings.falsifying,
        )

    def summary_question(self) -> SummaryInput:
        """What do later stages need to know of this one?"""
        return SummaryInput(
            instructions=self.goal.instructions,
            commitment=self.plan.active,
            observation=self.page,
            summaries=self._summaries(),
            steps=self._steps(),
        )

    def _steps(self) -> tuple[Step, ...]:
        """The steps of the current stage."""
        return self.history.steps(after=self._stage_start, now=self.page.text)

    def _later(self) -> tuple[str, ...]:
        return tuple(c.subgoal for c in self.plan.remaining)

    def _summaries(self) -> tuple[str, ...]:
        return tuple(c.summary for c in self.plan.completed)

    def _key(self, proposal: Proposal) -> tuple[str, str]:
        return normal_form(proposal.action, self.page), self.page.digest
