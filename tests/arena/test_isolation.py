"""Episodes that run beside each other do not see each other: the benchmark that proves it, on a small scale."""

import json
import subprocess
import sys
from pathlib import Path

from refute.arena.shop import Shop

ROOT = Path(__file__).parents[2]


def test_episodes_side_by_side_end_like_episodes_alone(shop: Shop) -> None:
    command = [sys.executable, "benchmarks/isolation.py", "--json", "--episodes", "24", "--workers", "8"]
    command += ["--agents", "noop,scribble", "--tasks", "buy-*"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    found = json.loads(ran.stdout)
    assert (ran.returncode, found["different"], found["harness_errors"]) == (0, [], 0), ran.stderr
    assert found["equal"] == found["episodes"] == 24
    assert found["damaged"] >= 6
    assert [run["resets"] for run in found["runs"]] == [24, 24]
