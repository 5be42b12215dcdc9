"""Tiny episodes, written event by event through the real classes, and a model that answers from a script."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from refute.browser import Acted, Click, Done, Observed, Outcome
from refute.budget import Budget, Limits, VirtualClock
from refute.goals import (
    Branch,
    Condition,
    Constraint,
    Finding,
    Milestone,
    MistakeStarted,
    Reference,
    RevisionKind,
    Task,
    TaskRevision,
    TruthVerdict,
)
from refute.judge import EpisodeRecord, JudgeEnded, Spending, judge_episode
from refute.llm import OutputMode, Reply, Request, RoleModel, Usage
from refute.revisions import Delivered, Ending, EpisodeEnded, EpisodeStarted, Strategy, TriggerMode
from refute.trace import Event, Recorder, read_trace

SITE = "http://127.0.0.1:41873"


def revision(text: str, kind: RevisionKind = RevisionKind.ADDITIVE, **more: Any) -> TaskRevision:
    return TaskRevision(text=text, kind=kind, milestone=Milestone(text="Lamps were seen."), **more)


def task(*constraints: Constraint, revisions: Sequence[TaskRevision] = (), name: str = "lamp", **more: Any) -> Task:
    return Task(
        id=name,
        template="lamp",
        start_urls=("__SITE__/",),
        initial_instruction="Order a desk lamp and tell me its price.",
        static_instruction="Order a desk lamp and tell me its price.",
        revisions=tuple(revisions),
        constraints=constraints,
        **more,
    )


def constraint(name: str = "priced", text: str = "The message states the lamp's price.", **more: Any) -> Constraint:
    return Constraint.model_validate({"id": name, "text": text, "bound_to": 0, **more})


def conditional() -> Task:
    """Under $60 at the start; with fewer than 3 reviews under $80 instead."""
    return task(
        constraint("cheap", "It costs under $60."),
        constraint("still", "It costs under $60.", bound_to=1, branch=Branch(condition="few", when=False)),
        constraint("dear", "It costs under $80.", bound_to=1, branch=Branch(condition="few", when=True)),
        revisions=[
            revision(
                "With fewer than 3 reviews, take one under $80.",
                RevisionKind.CONDITIONAL,
                targets=("cheap",),
                condition=Condition(id="few", text="It has fewer than 3 reviews.", threshold=3, inclusive=False),
            )
        ],
    )


class Episode:
    """Writes one trace below `out`."""

    def __init__(
        self, out: Path, of: Task, *, run: str = "run", repeat: int = 0, simulated: bool = True, **more: Any
    ) -> None:
        self.folder = out / run / of.id / str(repeat)
        self.task = of
        self._time = 1_780_000_000.0
        self.recorder = Recorder(self.folder, now=self._now)
        self.recorder.record(
            EpisodeStarted(
                run_id=run,
                task=of,
                repeat=repeat,
                agent="react",
                model="m",
                simulated=simulated,
                seed=0,
                origin=SITE,
                **more,
            )
        )

    def _now(self) -> float:
        self._time += 0.5
        return self._time

    def see(self, path: str, title: str, text: str) -> None:
        self.recorder.record(Observed(url=SITE + path, title=title, text=text))

    def click(self, target: str = 'link "Lamps"', **outcome: Any) -> None:
        self.recorder.step += 1
        self.recorder.record(
            Acted(action=Click(target=1), text="click('1')", target=target, outcome=Outcome(**outcome))
        )

    def deliver(self, number: int, *, text: str = "") -> None:
        text = text or self.task.revisions[number - 1].text
        self.recorder.record(
            Delivered(revision=number, text=text, mode=TriggerMode.PREDICATE, strategy=Strategy.APPEND)
        )

    def overhear(self, number: int) -> None:
        detail = f"revision {number}: {self.task.revisions[number - 1].text}"
        self.recorder.record(MistakeStarted(id=number, mistake="ignored_revision", scope="planning", detail=detail))

    def done(self, message: str, *, turned_down: bool = False) -> None:
        self.recorder.step += 1
        action = Done(message=message)
        self.recorder.record(Acted(action=action, text=f"done({message!r})", outcome=Outcome(intercepted=turned_down)))

    def truth(self, *satisfied: str, branches: Mapping[str, bool] | None = None) -> None:
        findings = {c.id: Finding(satisfied=c.id in satisfied, evidence="database") for c in self.task.constraints}
        self.recorder.record(TruthVerdict(findings=findings, branches=branches or {}))

    def end(self, ending: Ending = Ending.DONE, message: str = "") -> Path:
        self.recorder.record(EpisodeEnded(ending=ending, message=message))
        self.recorder.close()
        return self.folder

    def record(self) -> EpisodeRecord:
        """End it, and read it as a judge does."""
        return EpisodeRecord.of(read_trace(self.end()))


def shopping(out: Path, of: Task | None = None, message: str = "The Arbor Lamp costs $20.", **more: Any) -> Episode:
    """A visit to the list, the lamp's page and the order; `end` is still to come."""
    episode = Episode(out, of or task(constraint()), **more)
    episode.see("/lamps/", "Lamps", '# Lamps\n- [4] link "Arbor Lamp"\n$20\n- [5] link "Birch Lamp"\n$30')
    episode.click()
    episode.see("/lamps/arbor/", "Arbor Lamp", '# Arbor Lamp\n$20\n2 reviews\n[6] button "Order"')
    episode.click('button "Order"')
    episode.see("/orders/1/", "Order 1", "# Thank you\nOrder 1: one Arbor Lamp – White, paid $20")
    episode.done(message)
    return episode


def validated(name: str, validator: str) -> Constraint:
    return constraint(name, validator=Reference(name=validator))


Script = Mapping[str, Callable[[Any], BaseModel | str]]


@dataclass
class Scripted:
    """Answers each role by a function of its typed input; notes every request."""

    script: Script
    name: str = "scripted"
    simulated: bool = True
    mode: OutputMode = OutputMode.PROMPTED
    requests: list[Request] = field(default_factory=list[Request])

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        answer = self.script[request.role](request.input)
        text = answer if isinstance(answer, str) else answer.model_dump_json()
        return Reply(text=text, usage=Usage(input_tokens=10, output_tokens=1))

    async def close(self) -> None:
        pass

    def asked(self, role: str) -> list[Any]:
        """The inputs that this role was asked about, first tries only."""
        return [request.input for request in self.requests if request.role == role and not request.attempt]


@dataclass
class Judged:
    """What came out of one episode."""

    events: Sequence[Event]
    ended: JudgeEnded
    model: Scripted

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


async def judged(record: EpisodeRecord, script: Script, folder: Path, *, states: int = 8) -> Judged:
    """Judge by the script, into `folder`."""
    backend, clock, spending = Scripted(script), VirtualClock(), Spending()
    with Recorder(folder, file="judge.jsonl", now=clock.now, listen=spending.take) as recorder:
        model = RoleModel(backend, recorder=recorder, budget=Budget(Limits(), started=0.0), clock=clock)
        ended = await judge_episode(record, model, recorder, spending, states=states)
    return Judged(read_trace(folder, file="judge.jsonl").events, ended, backend)
