"""Kill a real `refute bench run` at random moments, and see that no finished episode is ever lost.

    python benchmarks/kill.py --kills 50 --seed 0

Each round starts the same command on the same folder, kills it with SIGKILL at a random moment (counted from its start
and, every other time, from the first event that it records), and then checks that

- every episode that was finished before is there, byte for byte;
- every trace reads, except for a torn last line, and ``run.json`` is absent or whole;
- neither Chromium nor the shop is left behind.

At the end the command runs through, and every episode must be finished. Prints one JSON object; exit code 1 when
anything was lost. Takes about half a minute a kill on a small machine.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from refute.revisions import Ending, EpisodeEnded
from refute.run import read_run
from refute.trace import EVENTS, read_trace

REFUTE = [sys.executable, "-c", "from refute.cli import main; main()"]


def ended(out: Path) -> tuple[dict[Path, bytes], int]:
    """Traces of finished episodes with their content, and how many ended in a harness error and so run anew."""
    found: dict[Path, bytes] = {}
    errors = 0
    for path in sorted(out.rglob(EVENTS)):
        ends = read_trace(path.parent).of(EpisodeEnded)
        if ends and ends[-1].ending is Ending.HARNESS_ERROR:
            errors += 1
            print(f"harness error: {ends[-1].message.splitlines()[0]}", file=sys.stderr)
        elif ends:
            found[path] = path.read_bytes()
    return found, errors


def records(out: Path, since: float) -> bool:
    """Whether an event was recorded after `since`."""
    return any(path.stat().st_mtime > since for path in out.rglob(EVENTS))


def kill_once(command: list[str], out: Path, log: Path, after: float, *, recording: bool) -> tuple[bool, int]:
    """Run `command` and kill it `after` seconds, or so long after its first event. Whether it still ran, and how many
    processes it left behind.
    """
    since = time.time()
    with log.open("ab") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, stdin=subprocess.DEVNULL)
        while recording and process.poll() is None and not records(out, since):
            time.sleep(0.2)
        try:
            process.wait(timeout=after)
        except subprocess.TimeoutExpired:
            family = psutil.Process(process.pid).children(recursive=True)
            process.kill()
            process.wait()
            _, alive = psutil.wait_procs(family, timeout=60)
            return True, len(alive)
    return False, 0


def main() -> int:
    """Do the rounds and print what came of them."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kills", type=int, default=50)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--span", type=float, default=20.0, help="a kill comes within so many seconds")
    options.add_argument("--tasks", default="report-facts.*")
    options.add_argument("--repeats", type=int, default=40)
    options.add_argument("--workers", type=int, default=2)
    chosen = options.parse_args()
    dice, began = random.Random(chosen.seed), time.monotonic()
    torn, lost, left, kills, harness = 0, 0, 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="refute-kill-") as folder:
        out, log = Path(folder) / "out", Path(folder) / "log"
        command = [
            *REFUTE, "bench", "run", "arena:shop", "--agent", "react", "--model", "simulated", "--out", str(out),
            "--tasks", chosen.tasks, "--repeats", str(chosen.repeats), "--workers", str(chosen.workers), "--json",
        ]  # fmt: skip
        before: dict[Path, bytes] = {}
        while kills < chosen.kills:
            killed, alive = kill_once(command, out, log, dice.uniform(0.1, chosen.span), recording=kills % 2 == 1)
            if not killed:
                print("the run ended before all kills were done: give more --repeats", file=sys.stderr)
                break
            kills, left = kills + 1, left + alive
            for record in out.rglob("run.json"):
                read_run(record.parent)
            after, errors = ended(out)
            harness += errors
            lost += sum(after.get(path) != content for path, content in before.items())
            torn += sum(read_trace(path.parent).torn for path in out.rglob(EVENTS))
            before = after
            print(f"kill {kills}: {len(after)} finished, {lost} lost, {left} processes left", file=sys.stderr)
        command[command.index("--repeats") + 1] = str(1 + max((int(p.parent.name) for p in before), default=0))
        last = subprocess.run(command, capture_output=True, text=True, check=False)
        after, _ = ended(out)
        lost += sum(after.get(path) != content for path, content in before.items())
        figures: dict[str, Any] = json.loads(last.stdout) if last.returncode == 0 else {}
        result: dict[str, Any] = {
            "kills": kills,
            "seed": chosen.seed,
            "finished_before_the_last_run": len(before),
            "lost": lost,
            "torn_last_lines_seen": torn,
            "harness_errors_seen": harness,
            "processes_left": left,
            "exit_code_of_the_last_run": last.returncode,
            "episodes": figures.get("episodes"),
            "unfinished": figures.get("unfinished"),
            "minutes": round((time.monotonic() - began) / 60, 1),
        }
    print(json.dumps(result, indent=1))
    good = (lost, left, last.returncode, result["unfinished"]) == (0, 0, 0, 0)
    return 0 if good and kills == chosen.kills else 1


if __name__ == "__main__":
    sys.exit(main())
