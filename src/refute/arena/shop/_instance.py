"""One running copy of the shop."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from refute._errors import UserError
from refute.arena._fault import Fault, FaultNote
from refute.arena._gold import restore_database, restore_files
from refute.arena._process import SiteProcess
from refute.arena._site import World
from refute.arena.shop._faults import FaultFiles

DATABASE = "db.sqlite3"
FILES = ("whoosh", "media")
"""Folders beside the database: the search index and the pictures."""


class ShopInstance:
    """A shop with a process, a port, a database and a search index of its own."""

    def __init__(
        self,
        process: SiteProcess,
        *,
        gold: Path,
        data: Path,
        accounts: Collection[str],
        world: Callable[[Path, str], World],
    ) -> None:
        self.origin = process.origin
        self._process = process
        self._gold = gold
        self._data = data
        self._accounts = accounts
        self._world = world
        self._faults = FaultFiles(data)

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._process.pid

    @property
    def database(self) -> Path:
        """The SQLite file with the shop's rows."""
        return self._data / DATABASE

    async def reset(self) -> None:
        """Back to opening day: rows, search index, pictures; `storage_state` stays good. Raises `SiteError`."""
        await self.check()
        self._faults.clear()
        await asyncio.to_thread(self._restore)

    async def check(self) -> None:
        """Raise `SiteError`, with the end of its log, when the server does not answer any more."""
        await self._process.check()

    def _restore(self) -> None:
        restore_database(self._gold / DATABASE, self.database)
        for folder in FILES:
            restore_files(self._gold / folder, self._data / folder)

    def storage_state(self, account: str) -> dict[str, Any]:
        """The cookie of the session that is in the gold for `account`, so nobody has to sign in. Raises `UserError`."""
        if not account:
            return {"cookies": [], "origins": []}
        if account not in self._accounts:
            raise UserError(f"the shop has no account {account!r}; it knows {', '.join(self._accounts)}")
        cookie = {
            "name": "sessionid",
            "value": session_key(account),
            "domain": "127.0.0.1",
            "path": "/",
            "expires": -1,
            "httpOnly": True,
            "secure": False,
            "sameSite": "Lax",
        }
        return {"cookies": [cookie], "origins": []}

    def world(self) -> World:
        """The truth about this instance, read from its database."""
        return self._world(self.database, self.origin)

    def set_faults(self, faults: Sequence[Fault]) -> None:
        """Serve `faults` from the next request on (``site/faults``). Raises `SiteError`."""
        self._faults.write(faults)

    def fault_log(self) -> tuple[FaultNote, ...]:
        """What has begun and ended since then. Raises `SiteError` when the shop did not understand `faults`."""
        return self._faults.read()

    async def close(self) -> None:
        """End the process and remove the data; may be called twice."""
        await self._process.stop()
        await asyncio.to_thread(shutil.rmtree, self._data, ignore_errors=True)


def session_key(account: str) -> str:
    """The key of the session that is open from the start; ``site/accounts.py`` derives the same one."""
    return hashlib.sha256(f"juniper-lane:{account}".encode()).hexdigest()[:32]
