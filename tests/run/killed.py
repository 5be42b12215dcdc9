"""What a run keeps on disk, with a pen in place of a browser, killed again and again: ``python killed.py OUT KILLS``.

Each round forks a process that claims the run, skips what is finished, records one episode after the other, and says so
after each; SIGKILL comes at a random moment. Prints one JSON object.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

from refute.browser import Acted, Click, Observed
from refute.revisions import Ending, EpisodeEnded, EpisodeStarted
from refute.run import Job, RunRecord, claim, finished, read_run, write_run
from refute.trace import EVENTS, Recorder, read_trace

from tiny import tiny_settings, tiny_task  # isort: skip  # a script's own folder is on its path

TASK = tiny_task("look")
SETTINGS = tiny_settings()


def work(out: Path, told: int) -> None:
    """Record episodes until somebody ends this."""
    with claim(out, SETTINGS) as folder:
        write_run(folder, RunRecord.of(SETTINGS, browser="a pen"))
        for repeat in itertools.count():
            place = Job(task=TASK, repeat=repeat, settings=SETTINGS).place(out)
            if finished(place, TASK):
                continue
            if place.exists():
                shutil.rmtree(place)
            with Recorder(place) as recorder:
                write(recorder, repeat)
            os.write(told, f"{repeat}\n".encode())


def write(recorder: Recorder, repeat: int) -> None:
    """One episode of a few steps."""
    recorder.record(
        EpisodeStarted(
            run_id=SETTINGS.run_id, task=TASK, repeat=repeat, agent="react", model="m", simulated=True, seed=0
        )
    )
    for step in range(1, 6):
        recorder.step = step
        picture = recorder.picture(os.urandom(5000))
        recorder.record(Observed(url="http://127.0.0.1/", text="word " * 400, picture=picture))
        recorder.record(Acted(action=Click(target=step), text=f"click('{step}')"))
    recorder.record(EpisodeEnded(ending=Ending.DONE))


def round_of(out: Path, moment: float) -> list[int]:
    """Let a process work for `moment` seconds, kill it, and return the episodes that it called finished."""
    listen, told = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listen)
        try:
            work(out, told)
        finally:
            os._exit(1)
    os.close(told)
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(listen) as lines:
        return [int(line) for line in lines]


def main(out: Path, kills: int) -> None:
    """Kill, look, and say what was found."""
    dice = random.Random(50)
    before: dict[Path, bytes] = {}
    called: set[int] = set()
    lost = interrupted = 0
    for _ in range(kills):
        called |= set(round_of(out, dice.uniform(0.0, 0.12)))
        for record in out.rglob("run.json"):
            read_run(record.parent)
        traces = {path: read_trace(path.parent) for path in out.rglob(EVENTS)}
        after = {path: path.read_bytes() for path, trace in traces.items() if trace.of(EpisodeEnded)}
        lost += sum(after.get(path) != content for path, content in before.items())
        lost += sum(not finished(Job(task=TASK, repeat=n, settings=SETTINGS).place(out), TASK) for n in called)
        interrupted += len(traces) - len(after)
        before = after
    print(json.dumps({"kills": kills, "finished": len(before), "lost": lost, "interrupted": interrupted}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
