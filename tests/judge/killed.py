"""Judging, killed again and again: ``python killed.py OUT KILLS``.

A model of one's own notes each question in a file before it answers. Each round forks a process that judges with
a cache; SIGKILL comes at a random moment. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from refute.judge import (
    Claim,
    ClaimInput,
    ClaimOutput,
    JudgeIdentity,
    SimpleInput,
    SimpleOutput,
    judge_runs,
    read_judgement,
)
from refute.llm import CachedBackend, OutputMode, Reply, Request

from episodes import constraint, shopping, task  # isort: skip  # a script's own folder is on its path

IDENTITY = JudgeIdentity(name="slow", model="slow")
EPISODES = 12


class Slow:
    """Answers after a moment; a question that it is asked twice would show in its notes."""

    name = "slow"
    simulated = False
    mode = OutputMode.PROMPTED

    def __init__(self, notes: Path) -> None:
        self._notes = notes

    async def complete(self, request: Request) -> Reply:
        with self._notes.open("a") as file:
            file.write(f"{request.role} {request.user!r}\n")
        await asyncio.sleep(0.002)
        if isinstance(request.input, SimpleInput):
            return Reply(text=SimpleOutput(verified=True, quote=request.input.message).model_dump_json())
        assert isinstance(request.input, ClaimInput)
        claim = Claim(kind="simple", subject="lamp", assertion=request.input.text)
        return Reply(text=ClaimOutput(claims=(claim,)).model_dump_json())

    async def close(self) -> None:
        pass


def judge(out: Path) -> None:
    """Judge what is missing."""
    backend = CachedBackend(Slow(out / "notes"), out / "replies")
    asyncio.run(judge_runs(out / "runs", IDENTITY, lambda trace: backend, workers=2))


def finished(out: Path) -> dict[Path, bytes]:
    """The files of all episodes that are judged."""
    folders = [path.parent for path in (out / "runs").rglob("events.jsonl")]
    judged = [folder for folder in folders if read_judgement(folder, IDENTITY.name) is not None]
    return {folder: (folder / "judges" / "slow.jsonl").read_bytes() for folder in judged}


def asked(out: Path) -> list[str]:
    """The questions that reached the model, in order."""
    notes = out / "notes"
    return notes.read_text().splitlines() if notes.exists() else []


def round_of(out: Path, more: int, moment: float) -> None:
    """Judge until the model was asked `more` questions, or all is judged; `moment` seconds later, be killed."""
    until = len(asked(out)) + more
    child = os.fork()
    if child == 0:
        try:
            judge(out)
        finally:
            os._exit(0)
    while len(asked(out)) < until and os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.001)
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def main(out: Path, kills: int) -> None:
    """Kill, look, go on, and say what was found."""
    for n in range(EPISODES):
        of = task(*(constraint(f"c{k}", f"Constraint {k} of {n}.") for k in range(4)), name=f"lamp-{n}")
        shopping(out / "runs", of, message=f"Lamp {n} costs ${n}.").end()
    dice, lost, partly = random.Random(51), 0, 0
    before: dict[Path, bytes] = {}
    for _ in range(kills):
        round_of(out, dice.randrange(1, 9), dice.uniform(0.0, 0.004))
        after = finished(out)
        lost += sum(after.get(folder) != content for folder, content in before.items())
        partly += 0 < len(after) < EPISODES
        before = after
    judge(out)
    questions = asked(out)
    judge(out)
    found = {
        "judged": len(finished(out)),
        "lost": lost,
        "partly": partly,
        "asked": len(questions),
        "different": len(set(questions)),
        "asked_at_the_end": len(asked(out)) - len(questions),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
