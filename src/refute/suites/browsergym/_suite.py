"""BrowserGym packages as suites: our browser, their tasks.

BrowserGym pins a Playwright of its own and works synchronously, so it lives in a child process. Each place starts a
browser of its own whose DevTools answer on a loopback port; the child connects there, sets the task up on our page and
validates it, and everything in between (observing, acting, settling) is ours. The tasks use the context of their page
for cookies and for tabs of their own, and over DevTools that is always the browser's first one: so an episode runs in
the browser's own profile, and each episode gets a new browser.
"""

from __future__ import annotations

import json
import secrets
import socket

from refute._errors import SiteError, UserError
from refute.arena import Progress, quiet
from refute.browser import BrowserHost, Done, Infeasible, Session
from refute.goals import Task
from refute.suites._reward import Rewarded, RewardWorld, reward_task, with_instruction
from refute.suites._suite import Ground, Place, Start, Suite
from refute.suites.browsergym._packages import Package, package
from refute.suites.browsergym._process import Begun, BrowserGymProcess, Listed, Nothing, Validated, as_chat
from refute.suites.miniwob import PageServer, pages_folder, prepare_pages
from refute.trace import DOWNLOADS, Recorder

SETUP_DEADLINE = 300.0
"""Seconds for one task's setup: some sign in to several sites."""
VALIDATE_DEADLINE = 120.0
VIEWPORTS = {"miniwob": {"width": 332, "height": 214}}
WIDE = {"width": 1280, "height": 720}


async def prepare(name: str, progress: Progress = quiet) -> None:
    """Make the package's environment and write down its tasks; does nothing when that was done. Raises `SiteError`."""
    chosen = package(name)
    if chosen.local:
        await prepare_pages(progress)
    await chosen.environment.make(progress)
    if chosen.task_list.is_file():
        return
    progress(f"browsergym-{name}: listing its tasks")
    child = await BrowserGymProcess.start(chosen)
    try:
        listed = await child.ask(Listed, "tasks", seconds=60)
    finally:
        await child.close()
    part = chosen.task_list.with_suffix(".part")
    part.write_text(json.dumps(listed.tasks), encoding="utf-8")
    part.replace(chosen.task_list)


def browsergym_suite(name: str, *, seeds: int = 1) -> Suite:
    """The package's tasks ``TASK.SEED`` for the seeds 0 to `seeds` - 1.

    Raises `UserError` that says which server or key is missing, or that the package is not set up.
    """
    chosen = package(name)
    chosen.check()
    if not (chosen.environment.ready() and chosen.task_list.is_file()):
        raise UserError(f"browsergym:{name} is not set up yet; run: refute browsergym setup {name}")
    ids: list[str] = json.loads(chosen.task_list.read_text(encoding="utf-8"))
    tasks = tuple(_task(chosen, task_id, seed) for task_id in ids for seed in range(seeds))

    async def launch() -> Place:
        return BrowserGymPlace(chosen, PageServer(pages_folder()) if chosen.local else None)

    return Suite(name=f"browsergym:{name}", tasks=tasks, launch=launch, loopback_only=chosen.local)


def _task(chosen: Package, task_id: str, seed: int) -> Task:
    return reward_task(
        name=task_id.removeprefix(f"{chosen.name}."),
        seed=seed,
        benchmark=f"browsergym:{chosen.name}",
        env_id=f"browsergym/{task_id}",
        licence=chosen.licence,
        start_url="about:blank",
        max_steps=chosen.steps,
        viewport=VIEWPORTS.get(chosen.name, WIDE),
    )


class BrowserGymPlace:
    """A child process; its browser is new for each episode, and the child is started again when it is gone."""

    def __init__(self, chosen: Package, server: PageServer | None) -> None:
        self._package = chosen
        self._server = server
        self._child: BrowserGymProcess | None = None

    @property
    def origin(self) -> str:
        """The address of the pages, if they are served from here."""
        return self._server.origin if self._server is not None else ""

    async def start(self, host: BrowserHost, task: Task, recorder: Recorder) -> Start:
        """Start a browser, and have the child set the task up in it."""
        await self._end_child()
        extra = {"MINIWOB_URL": f"{self._server.origin}/miniwob/"} if self._server is not None else dict[str, str]()
        viewport = (task.viewport.width, task.viewport.height)
        self._child = child = await BrowserGymProcess.start(self._package, **extra)
        port = free_port()
        session = await host.session(viewport=viewport, devtools_port=port, downloads=recorder.folder / DOWNLOADS)
        try:
            mark = f"about:blank#{secrets.token_hex(8)}"
            await session.goto(mark)
            await child.ask(Nothing, "open", endpoint=f"http://127.0.0.1:{port}", seconds=60)
            env_id = task.env_id.removeprefix("browsergym/")
            own: dict[str, object] = {"config": task.evaluators[0]} if task.evaluators else {}
            begun = await child.ask(
                Begun, "start", task=env_id, seed=task.seed, url=mark, **own, seconds=SETUP_DEADLINE
            )
            await session.settle()
        except BaseException:
            await session.close()
            raise
        episode = _Episode(session, child, recorder)
        ground = Ground(world=episode.world, look=episode.look)
        return Start(task=with_instruction(task, begun.goal), session=session, ground=ground)

    async def check(self) -> None:
        """Raise `SiteError` when the child is gone."""
        if self._child is not None:
            self._child.check()

    async def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            await child.close()

    async def close(self) -> None:
        """End the child and the server."""
        await self._end_child()
        if self._server is not None:
            await self._server.close()


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class _Episode:
    """Asks the task's own `validate` after each observation and, with the agent's message, at the end."""

    def __init__(self, session: Session, child: BrowserGymProcess, recorder: Recorder) -> None:
        self._session = session
        self._child = child
        self._recorder = recorder
        self.world = RewardWorld()

    async def look(self, ended: Done | Infeasible | None) -> bool:
        if self.world.last is not None and self.world.last.done:
            return True
        if self._session.dialog_open:  # nothing can be evaluated behind it
            if ended is None:
                return False
            await self._session.dismiss_dialogs()
        message = ended.message if isinstance(ended, Done) else ended.reason if ended is not None else None
        chat = as_chat(message, infeasible=isinstance(ended, Infeasible))
        verdict = await self._child.ask(
            Validated, "validate", url=self._session.url, chat=chat, seconds=VALIDATE_DEADLINE
        )
        if not 0 <= verdict.reward <= 1:
            raise SiteError(f"a reward of {verdict.reward} is not between 0 and 1")
        reason = verdict.message or str((verdict.info or {}).get("error", ""))
        self.world.last = self._recorder.record(
            Rewarded(reward=verdict.reward, raw=verdict.reward, done=verdict.done, reason=reason)
        )
        return verdict.done
