"""The simulated model: a backend that answers every role with a closed-loop oracle plus mistakes of known kind.

What a simulated run shows is whether the machinery notices, attributes, repairs, delivers, judges and counts
correctly. It shows nothing about how good a language model is.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from refute._errors import ModelError
from refute.agents import (
    Commitment,
    ExecutorInput,
    FinalCheckInput,
    InterpreterInput,
    PlannerInput,
    RepairerInput,
    ReviserInput,
    SummaryInput,
    SummaryOutput,
    VerifierInput,
)
from refute.arena._active import revisions_in
from refute.arena._simulated_dice import Dice, state_of
from refute.arena._simulated_executor import Executor
from refute.arena._simulated_ledger import STALE, UNPARSABLE, Ledger
from refute.arena._simulated_planner import Planner
from refute.arena._simulated_reader import Reader
from refute.arena._simulated_settings import SECONDS, MistakeRates, Noise, usage_of
from refute.arena._simulated_site import Hands, Truth
from refute.arena._simulated_verifier import Verifier
from refute.browser import Observation
from refute.goals import Task
from refute.llm import OutputMode, Reply, Request
from refute.revisions import RewriterInput, RewriterOutput, TriggerInput
from refute.trace import Recorder

_PROSE = (
    "Let me think about this for a moment. The page shows quite a lot, and I would first like to look at it once more "
    "before I commit to anything."
)
_TELLING = ("$", "out of 5", "available", "order number", "added to", "removed from")


class SimulatedBackend:
    """Answers roles for one episode of `task`; never two at a time.

    `hands` and `truth` come from the site. `seed` is the run's (with the repeat mixed in): all mistakes and errors of
    judgement follow from it, the task and the states met, whoever the agent is. `seconds`: virtual latency by role.
    """

    name = "simulated"
    simulated = True
    mode = OutputMode.PROMPTED

    def __init__(
        self,
        task: Task,
        hands: Hands,
        truth: Truth,
        *,
        recorder: Recorder,
        seed: int = 0,
        rates: MistakeRates | None = None,
        noise: Noise | None = None,
        seconds: Mapping[str, float] = SECONDS,
    ) -> None:
        self._task = task
        self._truth = truth
        self._rates = rates or MistakeRates()
        self._seconds = seconds
        self._unseen: list[Observation] = []
        self._dice = Dice(seed=seed, task=task.id)
        self._ledger = Ledger(recorder)
        self._planner = Planner(task, hands, truth, self._dice, self._ledger, self._rates)
        self._executor = Executor(hands, self._dice, self._ledger, self._rates)
        self._verifier = Verifier(task, hands, truth, self._dice, self._ledger, noise or Noise())
        self._reader = Reader(task, truth, self._dice, noise or Noise())

    async def complete(self, request: Request) -> Reply:
        """The reply of a role. Raises `ModelError` for a role that it does not know."""
        self._ledger.end_all("retried", UNPARSABLE)
        page = getattr(request.input, "observation", None)
        state = state_of(page) if isinstance(page, Observation) else ""
        if self._dice.roll(f"{UNPARSABLE} {request.role}", state, request.attempt) < self._rates.unparsable:
            self._ledger.start(UNPARSABLE, f"{request.role}: prose")
            return self._reply(request, _PROSE)
        return self._reply(request, self._answer(request).model_dump_json())

    async def close(self) -> None:
        """The episode is over, and so is every mistake."""
        self._ledger.end_all("episode_over")

    def _answer(self, request: Request) -> BaseModel:
        match request.input:
            case ExecutorInput() as x:
                return self._act(x, request.attempt)
            case VerifierInput() as x:
                self._look(x.observation, x.commitment)
                return self._verifier.verify(x, request.attempt)
            case PlannerInput() as x:
                self._look(x.observation)
                plan = self._planner.plan(x)
                self._plan_changed(x.instructions)
                return plan
            case ReviserInput() as x:
                self._look(x.observation)
                plan = self._planner.revise(x)
                self._plan_changed((*x.instructions, x.revision))
                return plan
            case RepairerInput() as x:
                self._look(x.observation)
                repair = self._planner.repair(x)
                if repair.scope == "planning":
                    self._plan_changed(x.instructions)
                return repair
            case SummaryInput() as x:
                return _summary(x)
            case RewriterInput() as x:
                return RewriterOutput(instruction=" ".join((*x.instructions, x.revision)))
            case InterpreterInput() as x:
                return self._reader.interpret(x, request.attempt)
            case FinalCheckInput() as x:
                self._look(x.observation)
                return self._reader.check(x, request.attempt)
            case TriggerInput() as x:
                self._look(x.observation)
                return self._verifier.trigger(x, request.attempt)
            case _:
                raise ModelError(f"the simulated model does not know the role {request.role!r}")

    def _act(self, x: ExecutorInput, attempt: int) -> BaseModel:
        """With a commitment, its text is all that is known; without one, the model plans in silence first."""
        if x.commitment is not None:
            self._watch(x.commitment)
            self._unseen.append(x.observation)
            return self._executor.answer(x, x.commitment.subgoal, attempt)
        self._look(x.observation)
        return self._executor.answer(x, self._planner.silent(x), attempt)

    def _look(self, page: Observation, commitment: Commitment | None = None) -> None:
        for earlier in (*self._unseen, page):
            self._truth.see(earlier)
        self._unseen.clear()
        if commitment is not None:
            self._watch(commitment)

    def _watch(self, commitment: Commitment) -> None:
        """A stale skill is over once its step links another one, or none."""
        for mistake in self._ledger.active(STALE):
            if mistake.about == commitment.subgoal and mistake.key != commitment.skill:
                self._ledger.end(mistake, "input_changed")

    def _plan_changed(self, texts: tuple[str, ...]) -> None:
        self._verifier.plan_changed(self._truth.active(revisions_in(self._task, texts)))

    def _reply(self, request: Request, text: str) -> Reply:
        return Reply(text=text, usage=usage_of(request, text), seconds=self._seconds.get(request.role, 3.0))


def _summary(x: SummaryInput) -> SummaryOutput:
    """What the page tells of the finished step, in its own words."""
    lines = [line.strip() for line in x.observation.text.splitlines() if any(t in line for t in _TELLING)]
    told = "; ".join(line for line in lines if "[" not in line)[:400]
    return SummaryOutput(
        summary=f"Finished: {x.commitment.subgoal[:500]}" + (f" The page says: {told}." if told else "")
    )
