"""A report that is killed at any moment leaves whole files, and the next one is as if nothing had happened."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path


def test_kills_at_random_moments_tear_nothing(demo: Path, tmp_path: Path) -> None:
    shutil.copytree(demo, tmp_path, dirs_exist_ok=True)
    command = [sys.executable, str(Path(__file__).with_name("killed.py")), str(tmp_path), "8"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout)
    assert found == {"kills": 8, "torn": 0, "changed": 0, "index_lost": 0, "torn_at_the_end": 0}
