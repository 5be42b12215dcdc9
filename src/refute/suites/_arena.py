"""The bundled sites as suites: an instance is reset, and the browser starts with the account's session."""

from __future__ import annotations

from refute.arena import Instance, Site
from refute.browser import BrowserHost, Session
from refute.goals import Task
from refute.suites._suite import Ground, Place, Start, Suite
from refute.trace import DOWNLOADS, Recorder


def arena_suite(site: Site) -> Suite:
    """The dynamic tasks of `site`, on instances of it."""

    async def launch() -> Place:
        return ArenaPlace(site, await site.launch())

    return Suite(name=f"arena:{site.name}", tasks=site.tasks(), launch=launch, site=site)


class ArenaPlace:
    """One instance of a bundled site."""

    def __init__(self, site: Site, instance: Instance) -> None:
        self._site = site
        self._instance = instance

    @property
    def origin(self) -> str:
        """The instance's address."""
        return self._instance.origin

    async def start(self, host: BrowserHost, task: Task, recorder: Recorder) -> Start:
        """Reset the instance to the state of the task's seed, and open a browser signed in as the task's account."""
        await self._instance.reset(task.seed)

        async def open_session() -> Session:
            return await host.session(
                storage_state=self._instance.storage_state(task.account),
                viewport=(task.viewport.width, task.viewport.height),
                downloads=recorder.folder / DOWNLOADS,
            )

        session = await open_session()
        try:
            world = self._instance.world(task.account)
            ground = Ground(world=world, oracle=self._site.oracle(task, world), faulty=self._instance)
        except BaseException:
            await session.close()
            raise
        start_url = task.start_urls[0].replace("__SITE__", self._instance.origin)
        return Start(task=task, session=session, ground=ground, start_url=start_url, reopen=open_session)

    async def check(self) -> None:
        """Ask the instance whether it is there. Raises `SiteError`."""
        await self._instance.check()

    async def close(self) -> None:
        """End the instance."""
        await self._instance.close()
