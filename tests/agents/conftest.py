"""A scripted model, hand-made pages, and a literal scorer: everything around an agent that a test wants to decide."""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from pydantic import BaseModel

from refute.agents import (
    EXECUTOR,
    PLANNER,
    SUMMARISER,
    VERIFIER,
    Agent,
    Context,
    Decision,
    Diagnosis,
    Draft,
    ExecutorOutput,
    FailureRepair,
    FcpAgent,
    FcpSettings,
    Memory,
    PlannerOutput,
    Scope,
    Skill,
    SummaryOutput,
    VerifierOutput,
)
from refute.browser import Action, Element, Observation, Outcome
from refute.budget import Budget, Limits, VirtualClock
from refute.evidence import EachStatement, Label, Verdict
from refute.goals import Goal
from refute.llm import Role
from refute.trace import Event, Recorder, read_trace

from .words import word_memory

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)
E = TypeVar("E", bound=Event)
A = TypeVar("A", bound=Agent)

BUTTONS = ("Search", "Add to basket", "Place order", "Details")


def literal(text: str, statement: str) -> Verdict:
    """A page supports what it says word for word, and contradicts what it says with 'not' in front."""
    contradicted = f"not {statement}" in text
    supported = statement in text.replace(f"not {statement}", "")
    label = Label.SUPPORTED if supported else Label.CONTRADICTED if contradicted else Label.UNKNOWN
    return Verdict(label=label, support=float(supported), contradiction=float(contradicted), lines=())


class ScriptedModel:
    """Answers each role from a queue, renders every prompt on the way, and remembers what it was asked."""

    def __init__(self) -> None:
        self.replies: dict[str, deque[BaseModel]] = defaultdict(deque)
        self.asked: list[tuple[str, BaseModel]] = []

    async def call(self, role: Role[I, O], value: I) -> O:
        system, user = role.render(value)
        assert system
        assert user
        self.asked.append((role.name, value))
        assert self.replies[role.name], f"the test did not expect the role {role.name} to be asked: {value!r}"
        answer = self.replies[role.name].popleft()
        assert isinstance(answer, role.output)
        return answer


class Stage:
    """An agent under test with its scripted surroundings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.model = ScriptedModel()
        self.recorder = Recorder(folder)
        clock = VirtualClock()
        budget = Budget(Limits(), started=clock.now())
        self.context = Context(recorder=self.recorder, model=self.model, budget=budget, clock=clock)

    def use(self, budget: Budget) -> None:
        """Let agents that start from here on work with this budget."""
        self.context = replace(self.context, budget=budget)

    def page(self, text: str = "", *, url: str = "http://shop/", title: str = "Shop") -> Observation:
        """A page with four buttons, numbered from 1 in the order of `BUTTONS`."""
        elements = tuple(Element(id=n, role="button", name=name) for n, name in enumerate(BUTTONS, start=1))
        digest = hashlib.sha256(f"{url}\n{title}\n{text}".encode()).hexdigest()
        return Observation(url=url, title=title, text=text, elements=elements, digest=digest)

    def fcp(
        self,
        settings: FcpSettings | None = None,
        *,
        skills: tuple[Skill, ...] = (),
        failures: tuple[FailureRepair, ...] = (),
        final_check: bool = False,
    ) -> FcpAgent:
        """Without the final check, unless the test is about it."""
        settings = replace(settings or FcpSettings(), final_check=final_check)
        return FcpAgent(
            settings=settings, memory=self.memory(skills, failures), scorer=EachStatement("literal", literal)
        )

    def memory(self, skills: tuple[Skill, ...] = (), failures: tuple[FailureRepair, ...] = ()) -> Memory:
        """A memory that loads no model, and finds whatever shares a word."""
        return word_memory(skills, failures)

    async def started(self, agent: A, *drafts: Draft, page: Observation | None = None) -> A:
        """Start `agent` with a plan of these commitments."""
        if drafts:
            self.will(PLANNER, PlannerOutput(commitments=drafts))
        await agent.start(Goal(instructions=("Buy the red mug.",)), page or self.page("home"), self.context)
        return agent

    def will(self, role: Role[I, O], *replies: O) -> None:
        """Queue replies of a role."""
        self.model.replies[role.name].extend(replies)

    def will_act(self, *actions: str, reasoning: str = "", subgoal_done: bool = False) -> None:
        self.will(
            EXECUTOR, *(ExecutorOutput(action=a, reasoning=reasoning, subgoal_done=subgoal_done) for a in actions)
        )

    def will_continue(self) -> None:
        self.will(VERIFIER, VerifierOutput(decision=Decision.CONTINUE))

    def will_advance(self, summary: str) -> None:
        self.will(VERIFIER, VerifierOutput(decision=Decision.ADVANCE))
        self.will(SUMMARISER, SummaryOutput(summary=summary))

    def will_object(self, scope: Scope, pattern: str = "went wrong") -> None:
        diagnosis = Diagnosis(scope=scope, pattern=pattern)
        self.will(VERIFIER, VerifierOutput(decision=Decision.REPAIR, diagnosis=diagnosis))

    async def step(self, agent: Agent, action: str, page: Observation, **outcome: bool) -> Action:
        """Let the executor propose `action`, take it, and show the agent where it led."""
        self.will_act(action)
        taken = await agent.act()
        await agent.observe(Outcome.model_validate(outcome), page)
        return taken

    def asked(self, role: Role[I, O]) -> list[I]:
        """The questions put to a role so far."""
        return [value for name, value in self.model.asked if name == role.name and isinstance(value, role.input)]

    def events(self, kind: type[E]) -> tuple[E, ...]:
        """What the trace file holds, read back."""
        return read_trace(self.folder).of(kind)

    def all_used(self) -> bool:
        """Whether every scripted reply was asked for."""
        return not any(self.model.replies.values())


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)
