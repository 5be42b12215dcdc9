"""One running copy of the shop."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from refute._errors import SiteError, UserError
from refute.arena._fault import Fault, FaultNote
from refute.arena._gold import restore_database, restore_files
from refute.arena._process import SiteProcess
from refute.arena._site import World
from refute.arena.shop._faults import FaultFiles

EDITIONS = 3
"""How many different states there are to begin with; ``site/build.py`` makes them."""
DATABASE = "db.sqlite3"
INDEX, PICTURES, MAIL = "whoosh", "media", "mail"
"""Folders beside the database: the search index, the pictures, and the mail that the shop has sent."""
KEPT = "kept"
"""The folder with the state that was kept."""
OPENED = "opened"
"""A file with the moment, by this machine's steady clock, at which the shop's calendar begins (``site/clock.py``)."""


class ShopInstance:
    """A shop with a process, a port, a database, a search index and a mailbox of its own."""

    def __init__(
        self,
        process: SiteProcess,
        *,
        gold: Path,
        data: Path,
        accounts: Collection[str],
        world: Callable[[Path, str, str], World],
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

    @property
    def mail(self) -> Path:
        """The folder with a file for each mail sent since the last reset; absent until the first one."""
        return self._data / MAIL

    async def reset(self, seed: int = 0) -> None:
        """Back to opening day of edition `seed` modulo `EDITIONS`; `storage_state` stays good. Raises `SiteError`.

        The editions have the same products, people, wish lists and past orders. Prices, stock and reviews, and so
        ratings, are drawn anew in each; what is in stock in edition 0 is in stock in all.
        """
        await self.check()
        self._faults.clear()
        await asyncio.to_thread(restore, self._gold, self._data, seed)

    async def keep(self) -> None:
        """Remember the present state: rows, index, pictures, mail. Raises `SiteError`."""
        await asyncio.to_thread(_copy, self._data, self._data / KEPT)

    async def go_back(self) -> None:
        """To the state that was kept last; the clock runs on. Raises `SiteError` when none was."""
        if not (self._data / KEPT).is_dir():
            raise SiteError("the shop cannot go back: no state was kept")
        await asyncio.to_thread(_copy, self._data / KEPT, self._data)

    async def check(self) -> None:
        """Raise `SiteError`, with the end of its log, when the server does not answer any more."""
        await self._process.check()

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

    def world(self, account: str = "emma") -> World:
        """The truth about this instance, read from its database; for a visitor ('') it is emma's."""
        return self._world(self.database, self.origin, account or "emma")

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


def restore(gold: Path, data: Path, seed: int) -> None:
    """Make `data` opening day of edition `seed` modulo `EDITIONS`: rows, index, pictures, no mail, nine o'clock.

    Raises `SiteError`.
    """
    edition = gold / f"edition-{seed % EDITIONS}"
    restore_database(edition / DATABASE, data / DATABASE)
    restore_files(edition / INDEX, data / INDEX)
    for folder in (PICTURES, MAIL):
        restore_files(gold / folder, data / folder)
    part = data / f"{OPENED}.part"
    part.write_text(str(time.monotonic()), encoding="ascii")
    part.replace(data / OPENED)


def _copy(source: Path, target: Path) -> None:
    """Make the state below `target` that below `source`."""
    target.mkdir(exist_ok=True)
    restore_database(source / DATABASE, target / DATABASE)
    for folder in (INDEX, PICTURES, MAIL):
        restore_files(source / folder, target / folder)


def session_key(account: str) -> str:
    """The key of the session that is open from the start; ``site/accounts.py`` derives the same one."""
    return hashlib.sha256(f"juniper-lane:{account}".encode()).hexdigest()[:32]
