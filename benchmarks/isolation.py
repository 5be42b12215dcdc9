"""Run episodes of the shop side by side in shuffled order, and one at a time: the verdicts must be the same.

    python benchmarks/isolation.py --episodes 200 --workers 8 --seed 0

Tasks, editions of the data and agents are drawn by `--seed`. The agents: `oracle` does what is asked, `ignore`
overhears one revision, `noop` does nothing, and `scribble` changes what it can over HTTP without being asked, and says
what the search index and the mailbox held before. An episode is equal when it ends in the same way, with the same
message, verdicts, branches and damage. Exit code 1 when one is not, or ends in a harness error. Times of resets and
launches are taken on the way; those of the run one at a time come nearest to an idle machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from refute.arena import NoopAgent, OracleAgent
from refute.arena._visitor import Visitor
from refute.arena.shop import EDITIONS, Shop, ShopInstance, ShopWorld
from refute.browser import Action, Done
from refute.goals import Task, TruthVerdict
from refute.revisions import EpisodeEnded, TriggerMode
from refute.run import Ground, Job, Progress, RunSettings, Suite, run_jobs
from refute.run._casting import Cast, NoModel
from refute.suites import arena_suite
from refute.trace import Recorder, read_trace

AGENTS = ("oracle", "ignore", "noop", "scribble")


@dataclass
class Times:
    """Seconds, in order."""

    resets: list[float] = field(default_factory=list[float])
    launches: list[float] = field(default_factory=list[float])


class TimedShop(Shop):
    """The shop; how long launches and resets take is written into `times`."""

    def __init__(self) -> None:
        super().__init__()
        self.times = Times()
        self.instances: dict[str, ShopInstance] = {}

    async def launch(self) -> ShopInstance:
        """Start an instance whose resets are timed."""
        began = time.perf_counter()
        instance = await super().launch()
        self.times.launches.append(time.perf_counter() - began)
        self.instances[instance.origin] = instance
        reset = instance.reset

        async def timed(seed: int = 0) -> None:
            began = time.perf_counter()
            await reset(seed)
            self.times.resets.append(time.perf_counter() - began)

        instance.reset = timed
        return instance


class Scribbler(NoopAgent):
    """Writes the same things into whatever instance it is let into, and reports what stood there before."""

    def __init__(self, world: ShopWorld, instance: ShopInstance) -> None:
        self._world = world
        self._instance = instance
        self._report = ""

    async def act(self) -> Action:
        """Scribble once; then say what was there."""
        self._report = self._report or await self._scribble()
        return Done(message=self._report)

    async def _scribble(self) -> str:
        mails = len(list(self._instance.mail.glob("*")))
        lamps = sorted((p for p in self._world.catalogue if p.kind == "Desk Lamp"), key=lambda p: (p.rating or 0, p.id))
        worst, stocked = lamps[0], max(self._world.catalogue, key=lambda p: (p.stock, -p.id))
        async with Visitor(self._instance.origin, self._instance.storage_state("")) as stranger:
            await stranger.open("/password-reset/")
            await stranger.post("/password-reset/", {"email": "liam@juniper.test"})
        async with Visitor(self._instance.origin, self._instance.storage_state("emma")) as customer:
            found = await customer.open("/search/?q=desk+lamp&sort_by=rating")
            ranked = re.findall(r'<h3[^>]*><a href="[^"]+">([^<]+)</a>', found.body)
            review = {"title": "Scribble", "score": "5", "body": "It was here."}
            await customer.open(f"{worst.path}reviews/add/")
            await customer.post(f"{worst.path}reviews/add/", review)
            await customer.post(f"/basket/add/{stocked.id}/", {"quantity": "1"})
            await customer.post("/accounts/addresses/1/delete/", {})
        return f"{mails} mails before; by rating: {'; '.join(ranked)}"


def draw(suite: Suite, agents: Sequence[str], count: int, seed: int) -> list[Job]:
    """`count` episodes, in the order in which they are drawn; the number of each is its repeat."""
    dice = random.Random(seed)
    shop = suite.site
    assert isinstance(shop, TimedShop)
    jobs: list[Job] = []
    for number in range(count):
        task = dice.choice(suite.tasks).model_copy(update={"seed": dice.randrange(EDITIONS)})
        agent = dice.choice(agents)
        ignored = dice.randint(1, len(task.revisions))
        settings = RunSettings(
            suite=suite.name, agent=agent, model="none", trigger=TriggerMode.PREDICATE, screenshots=False
        )
        jobs.append(Job(task=task, repeat=number, settings=settings, casting=Casts(shop, agent, ignored)))
    return jobs


@dataclass(frozen=True)
class Casts:
    """Puts the agent that was drawn into an episode."""

    shop: TimedShop
    agent: str
    ignored: int

    def __call__(
        self, suite: Suite, task: Task, ground: Ground, recorder: Recorder, settings: RunSettings, repeat: int
    ) -> Cast:
        """The agent, without a model."""
        world = ground.world
        assert isinstance(world, ShopWorld)
        if self.agent == "noop":
            return Cast(agent=NoopAgent(), backend=NoModel())
        if self.agent == "scribble":
            instance = self.shop.instances[world.origin]
            return Cast(agent=Scribbler(world, instance), backend=NoModel())
        ignore = frozenset({self.ignored}) if self.agent == "ignore" else frozenset[int]()
        return Cast(agent=OracleAgent(task, self.shop.oracle(task, world), ignore=ignore), backend=NoModel())


def outcome(job: Job, out: Path) -> dict[str, Any]:
    """All of an episode that must not depend on its neighbours."""
    trace = read_trace(job.place(out))
    end, verdicts = trace.of(EpisodeEnded)[-1], trace.of(TruthVerdict)
    found: dict[str, Any] = {"ending": end.ending, "message": end.message, "delivered": end.delivered}
    if verdicts:
        truth = verdicts[-1]
        found |= {"branches": dict(truth.branches), "damage": sorted(truth.damage)}
        found |= {name: (finding.satisfied, finding.evidence) for name, finding in truth.findings.items()}
    return found


async def play(suite: Suite, jobs: Sequence[Job], out: Path, workers: int) -> list[dict[str, Any]]:
    """Run `jobs` and read what came of each, by number."""

    def show(progress: Progress) -> None:
        if progress.ended is not None:
            print(f"{progress.repeat} {progress.task} [{progress.agent}] {progress.ended.ending}", file=sys.stderr)

    await run_jobs(suite, jobs, out, workers=workers, on_progress=show)
    return [outcome(job, out) for job in sorted(jobs, key=lambda job: job.repeat)]


def figures(name: str, times: Times, seconds: float) -> dict[str, Any]:
    """What one run cost."""
    resets = sorted(1000 * t for t in times.resets)
    return {
        "run": name,
        "seconds": round(seconds, 1),
        "resets": len(resets),
        "reset_median_ms": round(statistics.median(resets), 1),
        "reset_p95_ms": round(resets[int(0.95 * (len(resets) - 1))], 1),
        "launch_median_s": round(statistics.median(times.launches), 2),
        "launch_max_s": round(max(times.launches), 2),
    }


async def compare(chosen: argparse.Namespace) -> dict[str, Any]:
    """Both runs, and where they differ."""
    told: list[list[dict[str, Any]]] = []
    rows: list[dict[str, Any]] = []
    jobs: list[Job] = []
    for workers in (1, chosen.workers):
        shop = TimedShop()
        await shop.setup()
        suite = arena_suite(shop).select(chosen.tasks)
        jobs = draw(suite, chosen.agents.split(","), chosen.episodes, chosen.seed)
        order = list(jobs)
        if workers > 1:
            random.Random(chosen.seed + 1).shuffle(order)
        began = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="refute-isolation-") as out:
            told.append(await play(suite, order, Path(out), workers))
        rows.append(figures(f"{workers} at a time", shop.times, time.perf_counter() - began))
    alone, together = told
    different = [
        {"episode": f"{job.repeat} {job.task.id} [{job.settings.agent}] edition {job.task.seed}", "alone": a, "not": b}
        for job, a, b in zip(jobs, alone, together, strict=True)
        if a != b
    ]
    return {
        "episodes": len(jobs),
        "seed": chosen.seed,
        "equal": len(jobs) - len(different),
        "harness_errors": sum(o["ending"] == "harness_error" for o in (*alone, *together)),
        "damaged": sum(bool(o.get("damage")) for o in alone),
        "different": different,
        "runs": rows,
    }


def main() -> int:
    """Run, compare, print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--episodes", type=int, default=200)
    options.add_argument("--workers", type=int, default=8, help="how many at a time, where they are not alone")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--agents", default=",".join(AGENTS), help="which of them are drawn")
    options.add_argument("--tasks", default="*", help="from which tasks, by a pattern of their ids")
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    unknown = set(chosen.agents.split(",")) - set(AGENTS)
    if unknown:
        options.error(f"no such agent: {', '.join(sorted(unknown))}; there are {', '.join(AGENTS)}")
    result = asyncio.run(compare(chosen))
    print(json.dumps(result, indent=1) if chosen.json else table(result))
    return 0 if not result["different"] and not result["harness_errors"] else 1


def table(result: dict[str, Any]) -> str:
    """For a terminal."""
    lines = [
        f"{result['equal']} of {result['episodes']} episodes equal (seed {result['seed']}), "
        f"{result['harness_errors']} harness errors; {result['damaged']} did damage"
    ]
    for row in result["runs"]:
        lines.append(
            f"{row['run']:>14}: {row['seconds']} s; reset {row['reset_median_ms']} ms median, {row['reset_p95_ms']} ms "
            f"p95; launch to ready {row['launch_median_s']} s median, {row['launch_max_s']} s max"
        )
    for one in result["different"]:
        lines += [f"different: {one['episode']}", f"  alone: {one['alone']}", f"    not: {one['not']}"]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
