"""Reporting, killed again and again: ``python killed.py OUT KILLS``.

Each round forks a process that writes the report of OUT from nothing kept or from what the last one left; SIGKILL comes
at a random moment. Prints one JSON object: rounds, how many found the index of an earlier report, files that were torn.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from refute.report import View, _joined, write_report
from refute.tables import KEPT, read_tables


def torn(out: Path) -> list[str]:
    """Pages without their end, and kept rows that are no whole object."""
    found = [path for path in out.rglob("*.html") if not path.read_text().rstrip().endswith("</html>")]
    for path in out.rglob(KEPT):
        try:
            json.loads(path.read_text())
        except ValueError:
            found.append(path)
    return [str(path.relative_to(out)) for path in found]


def round_of(out: Path, moment: float) -> bool:
    """Report, and be killed after `moment` seconds. Returns whether the report was done before."""
    child = os.fork()
    if child == 0:
        try:
            write_report(out)
        finally:
            os._exit(0)
    time.sleep(moment)
    done = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return done


def undrawn(view: View) -> dict[str, str]:
    """Figures take most of the time, and only their file could be torn."""
    return {figure.name: "" for figure in view.figures}


def main(out: Path, kills: int) -> None:
    """Kill, look, go on, and say what was found."""
    _joined.drawings = undrawn
    began = time.monotonic()
    write_report(out)
    whole = time.monotonic() - began
    before, dice = read_tables(out), random.Random(7)
    found = {"kills": 0, "torn": 0, "changed": 0, "index_lost": 0}
    while found["kills"] < kills:
        for path in [p for p in (*out.rglob(KEPT), *out.rglob("*/*/index.html")) if dice.random() < 0.5]:
            path.unlink()
        found["kills"] += not round_of(out, dice.uniform(0.0, 0.8 * whole))
        found["torn"] += len(torn(out))
        found["changed"] += read_tables(out) != before
        found["index_lost"] += not (out / "index.html").is_file()
    write_report(out)
    print(json.dumps({**found, "torn_at_the_end": len(torn(out))}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
