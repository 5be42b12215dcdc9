"""How the harness tells a running shop which faults to serve, and reads what became of them: two files in its data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from pydantic import ValidationError

from refute._errors import SiteError
from refute.arena._fault import Fault, FaultNote

FILE, LOG = "faults.json", "faults.log"
"""As in ``site/faults/desk.py``."""


class FaultFiles:
    """The files in the data folder of one instance. The shop reads one at each request, and adds to the other."""

    def __init__(self, data: Path) -> None:
        self._file, self._log = data / FILE, data / LOG
        self._episodes = count(1)

    def write(self, faults: Sequence[Fault]) -> None:
        """Ask for `faults`; what was asked for before is over. Raises `SiteError`."""
        self.clear()
        asked = {"episode": next(self._episodes), "faults": [fault.model_dump(mode="json") for fault in faults]}
        part = self._file.with_suffix(".part")
        try:
            part.write_text(json.dumps(asked), encoding="utf-8")
            part.replace(self._file)
        except OSError as error:
            raise SiteError(f"the shop cannot be told which faults to serve: {error}") from error

    def clear(self) -> None:
        """Ask for none."""
        self._file.unlink(missing_ok=True)
        self._log.unlink(missing_ok=True)

    def read(self) -> tuple[FaultNote, ...]:
        """What has begun and ended. Raises `SiteError` when the shop did not understand what it was asked for."""
        try:
            text = self._log.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ()
        whole = text.rpartition("\n")[0]  # a line that is being written comes next time
        return tuple(_note(line) for line in whole.splitlines())


def _note(line: str) -> FaultNote:
    try:
        data = json.loads(line)
        if "error" in data:
            raise SiteError(f"the shop cannot serve the faults that it was asked for: {data['error']}")
        return FaultNote.model_validate(data)
    except (ValidationError, ValueError, TypeError) as error:
        raise SiteError(f"the shop's log of faults ({LOG}) is damaged: {error}") from error
