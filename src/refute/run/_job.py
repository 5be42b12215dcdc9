"""One episode to be run, how far it is, and what many of them left behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from refute.goals import Task
from refute.revisions import EpisodeEnded
from refute.run._casting import Casting, cast_by_settings
from refute.run._settings import RunSettings


@dataclass(frozen=True, kw_only=True)
class Progress:
    """What one running or finished episode is at, for a screen."""

    task: str
    repeat: int
    agent: str
    step: int = 0
    text: str = ""
    ended: EpisodeEnded | None = None


@dataclass(frozen=True, kw_only=True)
class Job:
    """One episode to be run: lies in ``OUT/<run-id>/<task>/<repeat>/``."""

    task: Task
    repeat: int
    settings: RunSettings
    casting: Casting = cast_by_settings

    def place(self, out: Path) -> Path:
        """The episode's folder."""
        return out / self.settings.run_id / self.task.id / str(self.repeat)


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """What a run left behind."""

    folder: Path
    ended: tuple[EpisodeEnded, ...]
    kept: int
    """Episodes that an earlier run had finished already."""
    left: int = 0
    """Episodes that were not begun because the run was asked to stop."""


Show = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Show nothing."""
