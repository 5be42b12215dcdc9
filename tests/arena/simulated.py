"""The simulated model behind the real parser, hand-made pages, and truths that never change or that nobody may ask."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from refute.agents import (
    EXECUTOR,
    REPAIRER,
    VERIFIER,
    Commitment,
    Decision,
    Diagnosis,
    Draft,
    ExecutorInput,
    ExecutorOutput,
    PlannerOutput,
    RepairerInput,
    Scope,
    Skill,
    VerifierInput,
)
from refute.arena import SimulatedBackend
from refute.arena._simulated_site import Delusion
from refute.arena.shop import Product, ShopOracle, ShopWorld, load_tasks, resolve, shop_skills
from refute.arena.shop._procedures import AddToBasket, Report, ShopProcedure, read
from refute.browser import Element, Observation
from refute.budget import Budget, Limits, VirtualClock
from refute.goals import Constraint, MistakeEnded, MistakeStarted, Reference
from refute.llm import RoleModel
from refute.trace import Recorder, read_trace

ORIGIN = "http://127.0.0.1:8000"
TASK = next(t for t in load_tasks() if t.id == "buy-one.headphones")
FIRST, REVISION = TASK.initial_instruction, TASK.revisions[0].text


class Model:
    """A backend behind the real parser, and its trace."""

    def __init__(self, backend: SimulatedBackend, recorder: Recorder, folder: Path) -> None:
        self.backend = backend
        clock = VirtualClock()
        self.call = RoleModel(
            backend, recorder=recorder, budget=Budget(Limits(), started=clock.now()), clock=clock
        ).call
        self._folder = folder

    @property
    def started(self) -> list[MistakeStarted]:
        return list(read_trace(self._folder).of(MistakeStarted))

    @property
    def ended(self) -> dict[int, str]:
        return {e.id: e.how for e in read_trace(self._folder).of(MistakeEnded)}

    async def act(self, page: Observation, commitment: Commitment | None, **more: Any) -> ExecutorOutput:
        question = {"instructions": (FIRST,), "observation": page, "commitment": commitment, **more}
        return await self.call(EXECUTOR, ExecutorInput.model_validate(question))


Open = Callable[..., Model]


def page(path: str, *lines: str, links: Sequence[str] = (), title: str = "", salt: str = "") -> Observation:
    elements = tuple(Element(id=n, role="link", name=name) for n, name in enumerate(links, start=1))
    shown = [f'- [{e.id}] link "{e.name}"' for e in elements]
    return Observation(
        url=f"{ORIGIN}{path}", title=title, text="\n".join((*lines, *shown, salt)).strip(), elements=elements
    )


def results(right: str, others: Sequence[str], salt: str = "") -> Observation:
    path = "/search/?q=" + right.replace(" ", "+")
    return page(path, links=(*others[:1], right, *others[1:]), salt=salt)


def committed(step: ShopProcedure | str, *, number: int = 1, skill: str | None = None) -> Commitment:
    if isinstance(step, str):
        return Commitment(number=number, subgoal=step, skill=skill)
    draft = Draft(subgoal=step.sentence(), skill=skill, confirming=step.confirming(), falsifying=step.falsifying())
    return Commitment.of(draft, number=number, goal_version=0)


def headphones(world: ShopWorld) -> list[Product]:
    return [p for p in world.catalogue if p.kind == "Headphones"]


def right_product(world: ShopWorld, *taken: int) -> Product:
    target = resolve(ShopOracle(TASK, world).active(taken), world)
    assert target.order is not None
    return target.order[0].product


def added(plan: PlannerOutput | Sequence[Draft]) -> set[str]:
    """The titles that a plan puts into the basket."""
    drafts = plan.commitments if isinstance(plan, PlannerOutput) else plan
    steps = [read(d.subgoal) for d in drafts]
    return {s.title for s in steps if isinstance(s, AddToBasket)}


HOME = page("/", "# All products", links=("Home", "Audio", "Outdoors"))


class Sealed:
    """A truth that nobody may ask."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the truth was asked: {name}")


class Still:
    """A truth in which nothing ever happens: everything is as `reached` says."""

    def __init__(self, *, reached: bool = False, active: Sequence[Constraint] = ()) -> None:
        self._reached = reached
        self._active = active

    def see(self, observation: Observation) -> None:
        return

    def active(self, taken: Collection[int]) -> Sequence[Constraint]:
        return self._active

    def plan(self, active: Sequence[Constraint], delusion: Delusion | None) -> Sequence[ShopProcedure]:
        return (Report("done"),)

    def distance(self, active: Sequence[Constraint]) -> int:
        return 1

    def finished(self, procedure: Any) -> bool:
        return False

    def obstacle(self, procedure: Any, active: Sequence[Constraint]) -> str:
        return ""

    def commits(self, proposed: str) -> bool:
        return False

    def undoes(self, procedure: Any, earlier: Any) -> bool:
        return False

    def satisfied(self, constraint: Constraint, message: str, active: Sequence[Constraint]) -> bool:
        return self._reached

    def near_miss(self, active: Sequence[Constraint], pick: Callable[[Sequence[str]], str]) -> Delusion | None:
        return None

    def skills(self, procedure: Any, offered: Sequence[Skill]) -> tuple[str | None, str | None]:
        return None, None

    def holds(self, predicate: Reference) -> bool:
        return self._reached


def skill_named(name: str) -> Skill:
    return next(s for s in shop_skills() if s.name == name)


async def verified_and_replanned(model: Model, plan: PlannerOutput, *texts: str) -> tuple[Diagnosis, Sequence[Draft]]:
    """What the verifier says of the plan's first step, and the plan that a repair of its plan makes."""
    instructions = texts or (FIRST,)
    step = Commitment.of(plan.commitments[0], number=1, goal_version=0)
    verdict = await model.call(VERIFIER, VerifierInput(instructions=instructions, commitment=step, observation=HOME))
    assert verdict.decision is Decision.REPAIR
    assert verdict.diagnosis is not None
    repair = await model.call(
        REPAIRER,
        RepairerInput(instructions=instructions, observation=HOME, commitment=step, diagnosis=verdict.diagnosis),
    )
    assert repair.scope is Scope.PLANNING
    return verdict.diagnosis, repair.commitments
