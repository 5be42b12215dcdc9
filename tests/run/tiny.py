"""The smallest ground that is real: a server in a process of its own, and an agent that clicks its way through it.

As a program, ``python tiny.py OUT TASKS PAUSE``, it runs its suite into OUT and tells what happens, a line each.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from refute.agents import Skill
from refute.arena import (
    EndState,
    Fault,
    FaultNote,
    Instance,
    MistakeRates,
    Mutant,
    Noise,
    Oracle,
    Progress,
    Seen,
    Truth,
    World,
)
from refute.arena._environment import own_environment
from refute.arena._process import SiteProcess
from refute.browser import Action, Done, Observation
from refute.goals import Constraint, Finding, Reference, Task
from refute.llm import Backend, OutputMode, Reply, Request
from refute.revisions import TriggerMode
from refute.run import Progress as EpisodeProgress
from refute.run import RunSettings, Suite, run_suite, stop_on_signals
from refute.suites import arena_suite
from refute.trace import Recorder

SERVER = r"""
import os, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ODD = b"<title>caf\xe9 \xff</title><h1>\x80\xfe\xff</h1><script>document.title += ' \\ud800'; " \
      b"document.querySelector('h1').append('half \\udc00 of a pair')</script><a href='/2'>Next</a>"

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        number = int(self.path.strip("/") or 0) if self.path.strip("/").isdigit() else 0
        page = f"<title>Page {number}</title><h1>Page {number}</h1><a href='/{number + 1}'>Next</a>".encode()
        self.wfile.write(ODD if self.path == "/odd" else page)
    def log_message(self, *args):
        pass

def end_with_parent():
    while os.read(0, 1024):
        pass
    os._exit(0)

threading.Thread(target=end_with_parent, daemon=True).start()
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""

At = Callable[[str, int, "TinyInstance"], Awaitable[None]]
"""Called with the task's id, the number of the step and the instance, before the agent acts."""


async def nothing(task: str, step: int, instance: TinyInstance) -> None:
    """Let it pass."""


@dataclass
class TinyInstance:
    """A running server."""

    process: SiteProcess
    data: Path
    origin: str
    asked: list[tuple[Fault, ...]] = field(default_factory=list[tuple[Fault, ...]])
    """Faults that it was told to serve, one entry an episode; it serves none."""
    notes: list[FaultNote] = field(default_factory=list[FaultNote])

    async def reset(self, seed: int = 0) -> None:
        await self.check()

    async def keep(self) -> None:
        await self.check()

    async def go_back(self) -> None:
        await self.check()

    async def check(self) -> None:
        await self.process.check()

    def storage_state(self, account: str) -> dict[str, Any]:
        return {"cookies": [], "origins": []}

    def world(self, account: str = "") -> World:
        return TinyWorld(self)

    def set_faults(self, faults: Sequence[Fault]) -> None:
        self.asked.append(tuple(faults))
        self.notes.clear()

    def fault_log(self) -> Sequence[FaultNote]:
        return tuple(self.notes)

    async def close(self) -> None:
        await self.process.stop()
        shutil.rmtree(self.data, ignore_errors=True)


@dataclass
class TinyWorld:
    """Everything is fine there once somebody says so."""

    instance: TinyInstance

    def holds(self, predicate: Reference, seen: Seen) -> bool:
        return False

    def branches(self, task: Task, seen: Seen) -> Mapping[str, bool]:
        return {}

    def validate(self, constraint: Constraint, end: EndState) -> Finding:
        return Finding(satisfied=end.message == "seen")

    def damage(self, task: Task, end: EndState) -> Sequence[str]:
        return ()


class TinyOracle:
    """There is nothing to know."""

    def see(self, observation: Observation) -> None:
        pass

    def active(self, taken: Collection[int]) -> Sequence[Constraint]:
        return ()

    def next_action(self, observation: Observation, active: Sequence[Constraint]) -> Action:
        return Done(message="seen")

    def distance(self, active: Sequence[Constraint]) -> int:
        return 0


@dataclass
class Clicker:
    """A model that clicks the first link until it has seen enough."""

    task: str
    instance: TinyInstance
    at: At
    pause: float
    clicks: int
    name: str = "clicker"
    simulated: bool = True
    mode: OutputMode = OutputMode.PROMPTED

    async def complete(self, request: Request) -> Reply:
        step = len(getattr(request.input, "steps", ()))
        await self.at(self.task, step, self.instance)
        await asyncio.sleep(self.pause)
        return Reply(text=json.dumps({"action": "click('1')" if step < self.clicks else "done('seen')"}))

    async def close(self) -> None:
        pass


@dataclass
class TinySite:
    """The site; `at` may do harm, `broken` = it does not start any more."""

    at: At = nothing
    pause: float = 0.0
    clicks: int = 2
    broken: bool = False
    name: str = "tiny"
    editions: int = 1
    launched: list[TinyInstance] = field(default_factory=list[TinyInstance])

    def ready(self) -> bool:
        return True

    async def setup(self, progress: Progress = lambda line: None) -> None:
        pass

    async def build(self, out: Path, progress: Progress = lambda line: None) -> None:
        pass

    async def launch(self) -> Instance:
        data = Path(tempfile.mkdtemp(prefix="refute-tiny-"))
        process = await SiteProcess.start(
            "tiny site",
            [sys.executable, "-c", "print('out of order')" if self.broken else SERVER],
            environment=own_environment(),
            cwd=data,
            log=data / "site.log",
            health="/",
            pulse="/",
            deadline=60,
        )
        self.launched.append(TinyInstance(process, data, process.origin))
        return self.launched[-1]

    def tasks(self) -> tuple[Task, ...]:
        return ()

    def skills(self) -> tuple[Skill, ...]:
        return ()

    def oracle(self, task: Task, world: World, route: int = 0) -> Oracle:
        return TinyOracle()

    def truth(self, task: Task, world: World) -> Truth:
        raise AssertionError("nobody plans on this site")

    def mutants(self, task: Task, world: World) -> tuple[Mutant, ...]:
        return ()

    def simulated(
        self,
        task: Task,
        world: World,
        *,
        recorder: Recorder,
        seed: int,
        rates: MistakeRates | None = None,
        noise: Noise | None = None,
    ) -> Backend:
        assert isinstance(world, TinyWorld)
        return Clicker(task=task.id, instance=world.instance, at=self.at, pause=self.pause, clicks=self.clicks)


def tiny_task(name: str, *, start: str = "/") -> Task:
    return Task.model_validate(
        {
            "id": name,
            "template": "look",
            "start_urls": [f"__SITE__{start}"],
            "initial_instruction": "Look at the pages.",
            "static_instruction": "Look at the pages.",
            "max_steps": 10,
            "constraints": [{"id": "seen", "text": "They were seen.", "bound_to": 0, "validator": {"name": "seen"}}],
        }
    )


def tiny_suite(count: int, site: TinySite | None = None) -> Suite:
    return suite_of(site or TinySite(), *(tiny_task(f"look-{n}") for n in range(count)))


def suite_of(site: TinySite, *tasks: Task) -> Suite:
    return replace(arena_suite(site), name="tiny", tasks=tasks)


def tiny_settings(agent: str = "react", **more: Any) -> RunSettings:
    return RunSettings(suite="tiny", agent=agent, model="simulated", trigger=TriggerMode.PREDICATE, **more)


async def main(out: Path, tasks: int, pause: float) -> None:
    """Run the suite; print ``asked`` before and ``step`` after each step, ``stopping`` when told to, and the result."""

    async def asked(task: str, step: int, instance: TinyInstance) -> None:
        print(f"asked {task}", flush=True)

    def show(progress: EpisodeProgress) -> None:
        print(f"ended {progress.task}" if progress.ended else f"step {progress.task}", flush=True)

    with stop_on_signals(lambda: print("stopping", flush=True)) as stop:
        suite = tiny_suite(tasks, TinySite(at=asked, pause=pause))
        result = await run_suite(suite, tiny_settings(), out, stop=stop, on_progress=show)
    print(f"result {len(result.ended)} ended, {result.kept} kept, {result.left} left", flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
