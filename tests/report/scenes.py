"""Episodes written event by event through the real recorder: the words that stories are made of."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from refute.agents.fcp._commitment import (
    Commitment,
    Confirmation,
    Falsifier,
    Route,
    Scope,
    Stage,
    Tested,
)
from refute.browser import Acted, Action, Observed, Outcome, PageEvent
from refute.budget import Spent
from refute.goals import (
    Branch,
    Condition,
    Constraint,
    Finding,
    Goal,
    Milestone,
    Reference,
    Revision,
    RevisionKind,
    Task,
    TaskRevision,
    TruthVerdict,
)
from refute.llm import ModelCalled, Usage
from refute.revisions import (
    Delivered,
    Ending,
    EpisodeEnded,
    EpisodeStarted,
    GoalSet,
    Strategy,
    TriggerAsked,
    TriggerMode,
)
from refute.trace import Recorder

ORIGIN = "http://127.0.0.1:41873"
Shot = Callable[[str], bytes]


def picture(title: str) -> bytes:
    """A small PNG whose colour depends on `title`."""
    color = bytes(120 + b % 120 for b in zlib.crc32(title.encode()).to_bytes(4, "big")[:3])
    rows = b"".join(b"\0" + color * 64 for _ in range(36))

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", 64, 36, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def lamp_task(task: str = "shop-lamp-017", **changes: Any) -> Task:
    """A conditional override: four constraints at the start, one of which has two branches afterwards."""
    condition = Condition(id="few-reviews", text="the best match has fewer than 3 reviews")
    fields: dict[str, Any] = {
        "id": task,
        "template": "order-lamp",
        "sites": ("shop",),
        "start_urls": ("__SITE__/",),
        "initial_instruction": "Find a desk lamp under $60 in the shop and order one to my Oak Street address.",
        "static_instruction": "Order a desk lamp under $60 (or the best under $80 if few reviews) to Oak Street.",
        "revisions": (
            TaskRevision(
                text="If the best match has fewer than 3 reviews, take the highest-rated lamp under $80 instead.",
                kind=RevisionKind.CONDITIONAL,
                milestone=Milestone(text="A list of desk lamps has been seen.", predicate=Reference(name="seen_list")),
                targets=("cheap",),
                condition=condition,
            ),
        ),
        "constraints": (
            Constraint(id="lamp", text="The product is a desk lamp", bound_to=0),
            Constraint(id="cheap", text="It costs under $60", bound_to=0),
            Constraint(id="one", text="Exactly one is ordered", bound_to=0),
            Constraint(id="oak", text="It is shipped to 12 Oak Street", bound_to=0),
            Constraint(
                id="still-cheap",
                text="It is the best match under $60",
                bound_to=1,
                branch=Branch(condition="few-reviews", when=False),
            ),
            Constraint(
                id="rated",
                text="It is the highest-rated lamp under $80",
                bound_to=1,
                branch=Branch(condition="few-reviews", when=True),
            ),
        ),
    }
    return Task.model_validate({**fields, **changes})


def mug_task(task: str = "shop-mug-004", **changes: Any) -> Task:
    """An additive task with two revisions."""
    fields: dict[str, Any] = {
        "id": task,
        "template": "basket-mug",
        "sites": ("shop",),
        "start_urls": ("__SITE__/",),
        "initial_instruction": "Put a blue mug into the basket.",
        "static_instruction": "Put two blue mugs and a tea towel into the basket.",
        "revisions": (
            TaskRevision(
                text="Make it two mugs.", kind=RevisionKind.ADDITIVE, milestone=Milestone(text="A mug's page is open.")
            ),
            TaskRevision(
                text="And add a tea towel.",
                kind=RevisionKind.ADDITIVE,
                milestone=Milestone(text="The basket was seen."),
            ),
        ),
        "constraints": (
            Constraint(id="mug", text="A blue mug is in the basket", bound_to=0),
            Constraint(id="two", text="There are two mugs", bound_to=1),
            Constraint(id="towel", text="A tea towel is in the basket", bound_to=2),
        ),
    }
    return Task.model_validate({**fields, **changes})


class Scene:
    """Writes one episode, event by event, as the loop would."""

    def __init__(
        self, out: Path, task: Task, *, run: str = "fcp", agent: str = "fcp", repeat: int = 0, shot: Shot = picture
    ) -> None:
        self.time = 1_780_000_000.0
        self.folder = out / run / task.id / str(repeat)
        self.recorder = Recorder(self.folder, now=self._now)
        self.task, self.shot, self.tokens = task, shot, 0
        self.record(
            EpisodeStarted(
                run_id=run,
                task=task,
                repeat=repeat,
                agent=agent,
                model="simulated",
                simulated=True,
                seed=7,
                origin=ORIGIN,
                browser="Chromium 150",
            ),
            GoalSet(goal=Goal(instructions=(task.initial_instruction,))),
        )

    def _now(self) -> float:
        self.time += 0.35
        return self.time

    def record(self, *events: Any) -> None:
        for event in events:
            self.recorder.record(event)

    def see(self, title: str, path: str = "/", *, events: tuple[PageEvent, ...] = (), shown: bool = True) -> None:
        name = self.recorder.picture(self.shot(title), suffix="png") if shown else None
        self.record(Observed(url=ORIGIN + path, title=title, text=f"# {title}", picture=name, events=events))

    def ask(self, role: str, tokens: int = 900, **more: Any) -> None:
        self.tokens += tokens
        usage = Usage(input_tokens=tokens - 60, output_tokens=60)
        self.record(ModelCalled(role=role, model="simulated", simulated=True, usage=usage, seconds=1.4, **more))

    def act(self, action: Action, text: str, target: str = "", **outcome: Any) -> None:
        self.recorder.step += 1
        self.record(Acted(action=action, text=text, target=target, outcome=Outcome(**outcome), milliseconds=180))

    def test(self, number: int, route: Route, plus: float, minus: float, reason: str = "both scores are low") -> None:
        self.record(
            Tested(
                phase="state",
                number=number,
                route=route,
                reason=reason,
                progress=plus,
                completion=plus * 0.8,
                falsification=minus,
                group=Scope.PLANNING,
                tau_plus=0.65,
                tau_minus=0.55,
                lines=("12 results for “lamp”",),
            )
        )

    def deliver(self, revision: int = 1, *, forced: bool = False) -> None:
        asked = TriggerAsked(revision=revision, fired=not forced, confidence=0.3 if forced else 0.92, evidence="a list")
        text = self.task.revisions[revision - 1].text
        self.record(
            asked,
            Delivered(
                revision=revision, text=text, mode=TriggerMode.MILESTONE, strategy=Strategy.APPEND, forced=forced
            ),
            GoalSet(goal=Goal(instructions=(self.task.initial_instruction,)).append(Revision(text=text))),
        )

    def judge(self, satisfied: dict[str, str], *, branches: dict[str, bool] | None = None, **more: Any) -> None:
        """`satisfied` maps the ids of satisfied constraints to their evidence; all others are not."""
        findings = {
            c.id: Finding(satisfied=c.id in satisfied, evidence=satisfied.get(c.id, "database: nothing of the kind"))
            for c in self.task.constraints
        }
        self.record(TruthVerdict(findings=findings, branches=branches or {}, **more))

    def end(self, ending: Ending, message: str = "", *, delivered: int = 0, forced: int = 0) -> Path:
        spent = Spent(steps=self.recorder.step, tokens=self.tokens, seconds=self.time - 1_780_000_000.0)
        self.record(EpisodeEnded(ending=ending, message=message, delivered=delivered, forced=forced, spent=spent))
        self.recorder.close()
        return self.folder


def commitment(number: int, subgoal: str, goal_version: int = 0) -> Commitment:
    return Commitment(
        number=number,
        subgoal=subgoal,
        goal_version=goal_version,
        confirming=(Confirmation(stage=Stage.COMPLETION, statement=f"The page shows that this is done: {subgoal}"),),
        falsifying=(Falsifier(scope=Scope.PLANNING, statement="The list holds products of another kind"),),
    )


def settings(out: Path, run: str, **more: Any) -> None:
    (out / run).mkdir(parents=True, exist_ok=True)
    fields = {"run_id": run, "suite": "arena:shop", "model": "simulated", "strategy": "append", "trigger": "milestone"}
    known = {"seed": 7, "simulated": True, "created": f"2026-11-30T09:0{len(run) % 10}:00+00:00"}
    rates = {"wrong_element": 0.05, "ignored_revision": 0.1}
    (out / run / "run.json").write_text(json.dumps({**fields, **known, "rates": rates, **more}))
