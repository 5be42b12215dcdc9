"""Finished episodes, written as a run would, and a model that says what a test wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import BaseModel

from refute.agents import (
    Commitment,
    CommitmentStatus,
    Confirmation,
    Decision,
    Diagnosis,
    FinalChecked,
    Planned,
    Recovery,
    Repaired,
    Result,
    Route,
    Scope,
    Stage,
    Status,
    Verified,
)
from refute.browser import Acted, Click, Observed, Outcome
from refute.goals import Constraint, Finding, Reference, Task, TruthVerdict
from refute.llm import OutputMode, Reply, Request
from refute.revisions import Ending, EpisodeEnded, EpisodeStarted
from refute.trace import Event, Recorder


def task_of(name: str, *, split: str = "train", known: bool = True) -> Task:
    return Task.model_validate(
        {
            "id": name,
            "template": name.partition(".")[0],
            "split": split,
            "sites": ["shop"],
            "start_urls": ["__SITE__/"],
            "initial_instruction": f"Buy the mug of {name}.",
            "static_instruction": f"Buy the mug of {name}.",
            "constraints": [
                Constraint(
                    id="bought", text="It is bought.", bound_to=0, validator=Reference(name="x") if known else None
                )
            ],
        }
    )


def tell(
    out: Path,
    name: str,
    *,
    won: bool | None = True,
    repaired: Sequence[Repaired] = (),
    split: str = "train",
    ending: Ending = Ending.DONE,
    verified: bool = True,
    run: str = "fcp-1",
    simulated: bool = True,
    checked: Result | None = None,
) -> None:
    """Write an episode with one commitment and one click; `won` None = nobody knows the truth."""
    step = Commitment(
        number=1,
        subgoal=f'Put 1 of "Mug {name}" into the basket.',
        confirming=(Confirmation(stage=Stage.COMPLETION, statement="The basket lists it"),),
    )
    status = Status.CONFIRMED if verified else Status.ACTIVE
    events: list[Event] = [
        EpisodeStarted(
            run_id=run,
            task=task_of(name, split=split, known=won is not None),
            repeat=0,
            agent="fcp",
            model="simulated" if simulated else "openai:x",
            simulated=simulated,
            seed=0,
        ),
        Planned(reason="start", goal_version=0, commitments=(step,), active=1),
        CommitmentStatus(number=1, status=Status.ACTIVE),
        *repaired,
        Acted(
            action=Click(target=12),
            text="click('12')",
            target='button "Add to basket"',
            outcome=Outcome(ok=True, changed=True),
        ),
        Observed(url="http://127.0.0.1:9/basket", title="Basket", text="", digest="d"),
    ]
    if verified:
        events.append(Verified(phase="state", number=1, route=Route.COMPLETE, decision=Decision.ADVANCE))
    events.append(CommitmentStatus(number=1, status=status, summary="It lies in the basket."))
    if checked is not None:
        events.append(FinalChecked(result=checked, goal_version=0, message="Done.", findings=(), consequence="done"))
    if won is not None:
        events.append(TruthVerdict(findings={"bought": Finding(satisfied=won)}))
    events.append(EpisodeEnded(ending=ending, message="Done."))
    with Recorder(out / run / name / "0") as recorder:
        for event in events:
            recorder.record(event)


def repair(pattern: str, *, scope: Scope = Scope.EXECUTION, recovery: Recovery = Recovery.NONE) -> Repaired:
    diagnosis = Diagnosis(scope=scope, falsified="Kettles are listed", pattern=pattern, lines=("Kettles (4)",))
    return Repaired(number=1, scope=scope, recovery=recovery, guidance="Open Mugs.", diagnosis=diagnosis)


class Says:
    """A model whose answers come from a function; counts the questions."""

    name = "says"
    mode = OutputMode.PROMPTED

    def __init__(self, answer: Callable[[BaseModel], BaseModel | str], *, simulated: bool = True) -> None:
        self.simulated = simulated
        self.answer = answer
        self.asked: list[BaseModel] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request.input)
        answer = self.answer(request.input)
        return Reply(text=answer if isinstance(answer, str) else answer.model_dump_json())

    async def close(self) -> None:
        pass
