"""Traces as runs would leave them: what the report is tested and looked at with."""

from __future__ import annotations

from pathlib import Path

from refute.agents.fcp._commitment import (
    CommitmentStatus,
    Decision,
    Diagnosis,
    Planned,
    Recovery,
    Repaired,
    Route,
    Scope,
    Status,
    Tested,
    Verified,
)
from refute.browser import Cause, Click, Done, Fill, Goto, Infeasible, PageEvent, Press, Select
from refute.goals import MistakeEnded, MistakeStarted, Task, TruthStep
from refute.revisions import Ending, Intercepted
from refute.trace import EVENTS

from .scenes import ORIGIN, Scene, Shot, commitment, lamp_task, mug_task, picture, settings


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


def write_states(out: Path, *, shot: Shot = picture) -> Path:
    """A run of endings that are rare: gave up, unknown events, a torn last line, a broken line, no pictures; and a run
    without an episode."""
    settings(out, "rare", agent="fcp")
    settings(out, "waiting", agent="react", model="openai-chat:some-model", simulated=False)
    gave_up = Scene(out, lamp_task("gave-up"), run="rare", shot=shot)
    gave_up.see("Oscar shop")
    gave_up.act(Infeasible(reason="There is no lamp."), "infeasible('There is no lamp.')")
    gave_up.judge({}, branches={"few-reviews": False})
    gave_up.end(Ending.INFEASIBLE, "There is no lamp.")
    later = Scene(out, mug_task("later-version"), run="rare", shot=shot)
    later.see("Oscar shop")
    later.recorder.close()
    with (later.folder / EVENTS).open("a", encoding="utf-8") as file:
        file.write('{"kind":"dreamt","v":1,"time":1780000009.0,"step":0,"of":"<b>sheep</b>"}\n')
        file.write('{"kind":"acted","v":99,"time":1780000010.0,"step":1,"thought":"a newer schema"}\n')
    torn = Scene(out, mug_task("torn"), run="rare", shot=shot)
    torn.see("Oscar shop")
    torn.act(Select(target=3, option="Blue"), "select('3', 'Blue')", 'combobox "Colour"')
    torn.recorder.close()
    with (torn.folder / EVENTS).open("ab") as file:
        file.write(b'{"kind":"observed","v":1,"ti')
    broken = Scene(out, mug_task("broken"), run="rare", shot=shot)
    broken.see("Oscar shop")
    broken.recorder.close()
    with (broken.folder / EVENTS).open("ab") as file:
        file.write(b"\x00\xff<script>alert(1)</script>\n{}\n")
    blind = Scene(out, mug_task("without-pictures"), run="rare")
    blind.see("Oscar shop", shown=False)
    blind.act(Click(target=12), "click('12')", 'button "Add to basket"')
    blind.see("Basket", "/basket/", shown=False)
    blind.act(Done(message="Two mugs."), "done('Two mugs.')")
    blind.judge({"mug": "basket"})
    blind.end(Ending.DONE, "Two mugs.")
    return out
