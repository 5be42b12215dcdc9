"""Traces as a run would leave them, written through the real recorder: what the report is tested and looked at with."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from refute.agents.fcp._commitment import (
    Commitment,
    CommitmentStatus,
    Confirmation,
    Decision,
    Diagnosis,
    Falsifier,
    Planned,
    Recovery,
    Repaired,
    Route,
    Scope,
    Stage,
    Status,
    Tested,
    Verified,
)
from refute.browser import Acted, Action, Cause, Click, Done, Fill, Goto, Observed, Outcome, PageEvent, Press, Select
from refute.budget import Spent
from refute.goals import (
    Branch,
    Condition,
    Constraint,
    Finding,
    Goal,
    Milestone,
    MistakeEnded,
    MistakeStarted,
    Reference,
    Revision,
    RevisionKind,
    Task,
    TaskRevision,
    TruthStep,
    TruthVerdict,
)
from refute.llm import ModelCalled, Usage
from refute.revisions import (
    Delivered,
    Ending,
    EpisodeEnded,
    EpisodeStarted,
    GoalSet,
    Intercepted,
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


def write_lamp(out: Path, *, shot: Shot = picture, task: Task | None = None, repeat: int = 0) -> Path:
    """A conditional episode with a wrong plan that is noticed, a rejected action, and the true branch taken: 4 of 4."""
    s = Scene(out, task or lamp_task(), shot=shot, repeat=repeat)
    plan = tuple(
        commitment(n, t)
        for n, t in ((1, "Find lamps"), (2, "Pick the best match under $60"), (3, "Order it to Oak Street"))
    )
    s.see("Oscar shop", "/")
    s.record(TruthStep(milestones={1: False}, distance=6))
    s.ask("planner", 2100)
    s.record(Planned(reason="start", goal_version=0, commitments=plan, active=1))
    s.record(CommitmentStatus(number=1, status=Status.ACTIVE))
    s.ask("executor")
    s.act(Fill(target=7, text="lamp"), "fill('7', 'lamp')", 'searchbox "Search"')
    s.see("Oscar shop", "/?typed")
    s.record(TruthStep(milestones={1: False}, distance=6))
    s.test(1, Route.CONTINUE, 0.31, 0.12)
    s.ask("executor")
    s.record(MistakeStarted(id=1, mistake="contaminated_results", scope="planning", detail="the list mixes lamps"))
    s.act(Press(key="Enter"), "press('Enter')", 'searchbox "Search"')
    s.see("Search: lamp", "/search/?q=lamp")
    s.record(TruthStep(milestones={1: False}, distance=6))
    s.test(1, Route.CONTINUE, 0.44, 0.38)
    s.ask("executor")
    s.act(Click(target=41), "click('41')", 'link "Sort by price"', ok=False, cause=Cause.COVERED, detail="a banner")
    s.see("Search: lamp", "/search/?q=lamp")
    s.test(1, Route.RISK, 0.35, 0.71, "falsifier group planning over its threshold")
    why = Diagnosis(
        scope=Scope.PLANNING,
        falsified="The list holds products of another kind",
        pattern="The search for “lamp” lists floor lamps too; a choice from it may be no desk lamp.",
        severity=0.6,
        lines=("Brightwell Floor Lamp $49.00", "Arbor Desk Lamp $52.00"),
    )
    s.ask("verifier", 1800)
    s.record(Verified(phase="state", number=1, route=Route.RISK, decision=Decision.REPAIR, diagnosis=why))
    s.ask("repairer", 2300)
    s.record(CommitmentStatus(number=1, status=Status.FALSIFIED, summary="the list holds floor lamps"))
    s.record(Repaired(number=1, scope=Scope.PLANNING, guidance="Filter the category to desk lamps.", diagnosis=why))
    plan = (
        commitment(4, "Show desk lamps only"),
        commitment(5, "Pick the best match under $60"),
        commitment(6, "Order it"),
    )
    s.record(Planned(reason="repair", goal_version=0, commitments=plan, active=4, falsified=(1,)))
    s.record(CommitmentStatus(number=4, status=Status.ACTIVE), MistakeEnded(id=1, how="input_changed"))
    s.ask("executor")
    s.act(Goto(url=f"{ORIGIN}/c/desk-lamps/"), f"goto('{ORIGIN}/c/desk-lamps/')")
    s.see("Desk lamps", "/c/desk-lamps/")
    s.record(TruthStep(milestones={1: True}, conditions={"few-reviews": True}, distance=5))
    s.test(4, Route.COMPLETE, 0.83, 0.10, "completion over its threshold")
    s.ask("verifier", 1800)
    s.record(Verified(phase="state", number=4, route=Route.COMPLETE, decision=Decision.ADVANCE))
    s.record(CommitmentStatus(number=4, status=Status.CONFIRMED, summary="8 desk lamps are listed."))
    s.record(CommitmentStatus(number=5, status=Status.ACTIVE))
    s.deliver()
    s.ask("reviser", 2400)
    s.record(CommitmentStatus(number=5, status=Status.REVISED, summary="the best match now depends on its reviews"))
    plan = (commitment(7, "Read the reviews of the best match, decide", 1), commitment(8, "Order to Oak Street", 1))
    s.record(Planned(reason="revision", goal_version=1, commitments=plan, active=7, falsified=(5, 6)))
    s.record(CommitmentStatus(number=7, status=Status.ACTIVE))
    for number, (title, path, plus, minus) in enumerate(
        (
            ("Arbor Desk Lamp", "/p/arbor_118/", 0.48, 0.1),
            ("Arbor Pro Desk Lamp – White", "/p/pro_121/", 0.9, 0.07),
            ("Basket", "/basket/", 0.52, 0.42),
            ("Shipping address", "/checkout/", 0.66, 0.2),
            ("Payment", "/checkout/pay/", 0.7, 0.11),
        )
    ):
        n = 7 if number < 2 else 8
        s.ask("executor")
        if number == 3:
            s.record(
                Tested(
                    phase="action",
                    number=n,
                    route=Route.VERIFY,
                    reason="high impact",
                    risk=0.62,
                    falsification=0.6,
                    action="click('77') [button \"Place order\"]",
                )
            )
            bad = Diagnosis(scope=Scope.EXECUTION, falsified="", pattern="The address shown is Elm Street, not Oak.")
            s.record(
                Verified(
                    phase="action",
                    number=n,
                    route=Route.VERIFY,
                    decision=Decision.REPAIR,
                    diagnosis=bad,
                    action="click('77') [button \"Place order\"]",
                ),
                Repaired(
                    number=n,
                    scope=Scope.EXECUTION,
                    recovery=Recovery.NONE,
                    guidance="Choose the Oak Street address first.",
                    diagnosis=bad,
                    rejected_action="click('77') [button \"Place order\"]",
                ),
            )
        s.act(Click(target=50 + number), f"click('{50 + number}')", f'link "{title}"')
        s.see(title, path)
        s.record(TruthStep(milestones={1: True}, distance=4 - min(number, 3)))
        s.test(n, Route.COMPLETE if plus > 0.8 else Route.CONTINUE, plus, minus)
        if number == 1:
            s.record(Verified(phase="state", number=7, route=Route.COMPLETE, decision=Decision.ADVANCE))
            s.record(
                CommitmentStatus(
                    number=7, status=Status.CONFIRMED, summary="2 reviews, fewer than 3: Arbor Pro, 4.5 stars"
                ),
                CommitmentStatus(number=8, status=Status.ACTIVE),
            )
    s.record(CommitmentStatus(number=8, status=Status.CONFIRMED, summary="order 100061 was placed"))
    message = "Ordered “Arbor Pro Desk Lamp – White”, $71.20, 4.5 stars. The best match under $60 had 2 reviews."
    s.act(Done(message=message), f"done('{message}')")
    s.judge(
        {
            "lamp": "Arbor Pro Desk Lamp – White (121), category Desk lamps",
            "one": "order 100061: one line, quantity 1",
            "oak": "order 100061, shipping address: 12 Oak Street",
            "rated": "4.5 stars, next best under $80: 4.1",
        },
        branches={"few-reviews": True},
    )
    return s.end(Ending.DONE, message, delivered=1)


def write_mug(out: Path, *, shot: Shot = picture, agent: str = "fcp", run: str = "fcp", lucky: bool = False) -> Path:
    """Two additive revisions: the first forced by an early done, the second never delivered. 2 of 3 by a validator
    that finds a towel anyway (`lucky`) or not: an undelivered revision's constraint counts 0."""
    s = Scene(out, mug_task(), agent=agent, run=run, shot=shot)
    s.see("Oscar shop")
    s.ask("executor")
    s.act(Select(target=3, option="Blue"), "select('3', 'Blue')", 'combobox "Colour"')
    s.see("Mug – blue", "/p/mug_9/", events=(PageEvent(type="dialog", text="Use cookies?"),))
    s.ask("executor")
    s.act(Done(message="The mug is in."), "done('The mug is in.')", intercepted=True)
    s.record(Intercepted(message="The mug is in."))
    s.see("Mug – blue", "/p/mug_9/")
    s.deliver(1, forced=True)
    s.ask("executor", ok=False, error="no JSON in the reply", attempts=3)
    s.act(Click(target=12), "click('12')", 'button "Add to basket"')
    s.see("Basket", "/basket/", shown=False)
    found = {"mug": "basket: 2 × Mug – blue", "two": "basket: quantity 2"}
    s.judge({**found, "towel": "basket: a towel"} if lucky else found, damage=("a review was written",))
    return s.end(Ending.BUDGET, "", delivered=1, forced=1)


def write_demo(out: Path, *, shot: Shot = picture) -> Path:
    """Two runs: `fcp` with a success, a forced delivery, a harness error and an unfinished episode; `react`."""
    settings(out, "fcp", agent="fcp")
    write_lamp(out, shot=shot)
    write_mug(out, shot=shot, lucky=True)
    failed = Scene(out, lamp_task("shop-lamp-018"), shot=shot)
    failed.see("Oscar shop")
    failed.act(Click(target=2), "click('2')", 'link "Lamps"')
    failed.end(Ending.HARNESS_ERROR, "PageCrashed: the page's process is gone")
    cut = Scene(out, mug_task("shop-mug-005"), shot=shot)
    cut.see("Oscar shop")
    cut.recorder.close()
    settings(out, "react", agent="react")
    write_mug(out, shot=shot, agent="react", run="react")
    return out


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's folder, written once; tests only read it, or copy it."""
    return write_demo(tmp_path_factory.mktemp("out"))
