"""MiniWoB++ without BrowserGym: its 125 tasks, its seeds, its reward rule."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from refute._errors import BrowserError, UserError
from refute.browser import BrowserHost, Done, Infeasible, Session
from refute.goals import Task
from refute.suites._reward import Rewarded, RewardWorld, reward_task, with_instruction
from refute.suites._suite import Ground, Place, Start, Suite
from refute.suites.miniwob._pages import LICENCE, PageServer, pages_folder
from refute.trace import DOWNLOADS, Recorder

VIEWPORT = {"width": 332, "height": 214}
"""BrowserGym's."""
EPISODE_MS = 1_000_000
"""After so long the page itself ends the episode with the reward -1 (BrowserGym's)."""
MAX_STEPS = 10
"""BrowserGym's benchmark of these tasks allows ten actions."""
PAGE = 15.0
HERE = files("refute.suites.miniwob")
NAMES = tuple(HERE.joinpath("names.txt").read_text(encoding="utf-8").split())
"""The 125 tasks that BrowserGym counts; pages that need a reaction within milliseconds are not among them."""
START = HERE.joinpath("start.js").read_text(encoding="utf-8")
VERDICT = "() => [WOB_RAW_REWARD_GLOBAL, WOB_DONE_GLOBAL, WOB_REWARD_REASON]"


def page_seed(seed: int) -> int:
    """The number that the page draws its problem from, for the seed of a task: as BrowserGym draws it."""
    return int(np.random.RandomState(seed).randint(0, 1_000_000))


def miniwob_suite(*, seeds: int = 1, names: Sequence[str] = NAMES) -> Suite:
    """The tasks ``NAME.SEED`` for the seeds 0 to `seeds` - 1."""
    tasks = tuple(miniwob_task(name, seed) for name in names for seed in range(seeds))
    return Suite(name="miniwob", tasks=tasks, launch=_launch)


def miniwob_task(name: str, seed: int) -> Task:
    """One instance of a task; its instruction is known when it starts. Raises `UserError` for an unknown name."""
    if name not in NAMES:
        raise UserError(f"MiniWoB++ has no task {name!r} here")
    return reward_task(
        name=name,
        seed=seed,
        benchmark="miniwob",
        env_id=f"browsergym/miniwob.{name}",
        licence=LICENCE,
        start_url=f"__SITE__/miniwob/{name}.html",
        max_steps=MAX_STEPS,
        viewport=VIEWPORT,
    )


async def _launch() -> Place:
    return MiniwobPlace(PageServer(pages_folder()))


class MiniwobPlace:
    """A server of the pages; each episode has a browser context of its own."""

    def __init__(self, server: PageServer) -> None:
        self._server = server

    @property
    def origin(self) -> str:
        """The server's address."""
        return self._server.origin

    async def start(self, host: BrowserHost, task: Task, recorder: Recorder) -> Start:
        """Open the task's page and start its episode."""
        session = await host.session(
            viewport=(task.viewport.width, task.viewport.height), downloads=recorder.folder / DOWNLOADS
        )
        try:
            instruction = await self.begin(session, task)
        except BaseException:
            await session.close()
            raise
        episode = _Episode(session, self.url(task), recorder)
        ground = Ground(world=episode.world, look=episode.look)
        return Start(task=with_instruction(task, instruction), session=session, ground=ground)

    def url(self, task: Task) -> str:
        """The task's page."""
        return task.start_urls[0].replace("__SITE__", self.origin)

    async def begin(self, session: Session, task: Task) -> str:
        """Open the task's page in `session` and start the episode; returns the instruction."""
        await session.goto(self.url(task))
        said = await session.evaluate(START, {"seed": page_seed(task.seed), "limit": EPISODE_MS}, seconds=PAGE)
        await session.settle()
        if not isinstance(said, str):
            raise BrowserError(f"{self.url(task)} gave no instruction")
        return said

    async def check(self) -> None:
        """The pages come from this process: as long as it asks, they are there."""

    async def close(self) -> None:
        """End the server."""
        await self._server.close()


class _Episode:
    """Reads the reward from the page.

    As in BrowserGym the reward is 1 if the raw one is positive, and an episode whose page was left is lost. A change of
    the fragment alone does not count as leaving: the results of search-engine are links to ``#``.
    """

    def __init__(self, session: Session, url: str, recorder: Recorder) -> None:
        self._session = session
        self._url = url
        self._recorder = recorder
        self.world = RewardWorld()

    async def look(self, ended: Done | Infeasible | None) -> bool:
        if self.world.last is not None and self.world.last.done:
            return True
        if self._session.dialog_open:  # nothing can be evaluated behind it
            if ended is None:
                return False
            await self._session.dismiss_dialogs()
        if self._session.url.partition("#")[0] != self._url:
            verdict = Rewarded(
                reward=0.0, raw=0.0, done=True, reason=f"the agent left the page for {self._session.url}"
            )
        else:
            raw, done, reason = await self._session.evaluate(VERDICT)
            verdict = Rewarded(reward=float(raw > 0), raw=raw, done=done, reason=str(reason or ""))
        self.world.last = self._recorder.record(verdict)
        return verdict.done
