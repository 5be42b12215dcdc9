"""Settings of a run, and its identity on disk."""

from __future__ import annotations

import hashlib
import platform
import re
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, computed_field, field_validator

from refute._errors import UserError
from refute._version import __version__
from refute.arena import FaultKind, MistakeRates, Noise
from refute.budget import Limits
from refute.goals import Task
from refute.llm import OutputMode, ProviderModel, open_backend
from refute.revisions import Deliver, Screen, Strategy, TriggerMode
from refute.trace import write_whole

RUN_FILE = "run.json"
IDENTITY = ("suite", "agent", "model", "deliver", "trigger", "at", "strategy", "seed")
"""The settings that say which run it is; runs that differ in one of them stand side by side in one OUT. All others say
how it is done: a run that is continued must keep them (decision 40)."""
SIMULATED = "simulated"
_SCREEN = {"scorer": "--trigger-scorer", "threshold": "--ask-from", "patience": "--ask-after"}
"""The options that say the fields of a `Screen`."""
GOAL_SUITE = "goal"
"""What stands for the suite in the settings of a single run."""


class RunSettings(BaseModel):
    """What makes a run the run it is. Two runs with equal settings are the same run and continue each other.

    The fields of `IDENTITY` name it; another value of any other field is refused in a folder that has the run already.
    Trigger, strategy and seed are settings of the run and not of the task, so that they can be compared on the same
    tasks (decision 21). `rates` and `noise` only matter to the simulated model.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    agent: str
    model: str
    base_url: str | None = None
    output_mode: OutputMode | None = None
    deliver: Deliver = Field(
        default=Deliver.DURING, description="whether revisions come; never and upfront are the bounds (decision 21b)"
    )
    trigger: TriggerMode = TriggerMode.MILESTONE
    strategy: Strategy = Strategy.APPEND
    at: tuple[float, ...] = Field(
        default=(), description="where revisions come by actions: numbers of them, or one share of a rehearsal's"
    )
    screen: Screen = Field(
        default=Screen(), description="what `hybrid` asks the model by; with `milestone` its score is only recorded"
    )
    seed: int = 0
    max_steps: int | None = Field(default=None, ge=1, description="instead of each task's own budget")
    max_requests: int | None = Field(default=None, ge=1, description="answered requests to the model, per episode")
    max_tokens: int | None = Field(default=None, ge=1, description="per episode, instead of each task's own budget")
    max_cost: float | None = Field(default=None, gt=0, description="US dollars per episode")
    max_seconds: float | None = Field(default=None, gt=0, description="per episode, by its clock")
    rates: MistakeRates | None = None
    noise: Noise | None = None
    scorer: str = Field(default="lexical", description="what the agent's fast tester scores text with")
    image_scorer: str | None = Field(default=None, description="what it scores pictures of the page with")
    embedder: str = Field(default="minilm", description="what the agent searches its library with")
    faults: tuple[FaultKind, ...] = Field(default=(), description="kinds that the site serves, one of each per episode")
    library: str = Field(default="", description="digest of the library instead of the suite's own skills")
    screenshots: bool = Field(default=True, description="keep a picture of each step; changes nothing in what happens")

    @field_validator("faults")
    @classmethod
    def _each_once(cls, kinds: tuple[FaultKind, ...]) -> tuple[FaultKind, ...]:
        """In one order, so that the same kinds are the same settings."""
        return tuple(kind for kind in FaultKind if kind in kinds)

    @computed_field
    @property
    def simulated(self) -> bool:
        """Whether the model is the simulated one."""
        return self.model == SIMULATED

    def limits(self, task: Task) -> Limits:
        """What an episode of `task` may spend: the run's limits, else the task's own."""
        return Limits(
            steps=self.max_steps or task.max_steps,
            requests=self.max_requests,
            tokens=self.max_tokens or task.token_budget,
            cost=self.max_cost,
            seconds=self.max_seconds,
        )

    def check_deliver(self) -> None:
        """Raise `UserError` where a run that delivers nothing is told how to deliver."""
        if self.deliver is Deliver.DURING:
            return
        defaults = RunSettings.model_fields
        told = [f"--{name}" for name in ("trigger", "at", "strategy") if getattr(self, name) != defaults[name].default]
        told += [option for name, option in _SCREEN.items() if getattr(self.screen, name) != getattr(Screen(), name)]
        if told:
            options = " and ".join(told)
            raise UserError(f"with --deliver {self.deliver} no revision is delivered: leave {options} out")

    def open_backend(self) -> ProviderModel:
        """The model of the run, unless it is the simulated one. Raises `UserError` for one that cannot be used so."""
        return open_backend(
            self.model, base_url=self.base_url, mode=self.output_mode, must_be_priced=self.max_cost is not None
        )

    @property
    def run_id(self) -> str:
        """A readable name, made unique by a hash over the settings of `IDENTITY`.

        Single runs are never continued, so there all settings count but the pictures: ``run.json`` tells of each.
        """
        trigger = "-".join((self.trigger, *(f"{position:g}" for position in self.at)))
        during = self.deliver is Deliver.DURING
        way = (trigger, self.strategy) if during else (self.deliver,)
        parts = (self.agent, self.model, *way, f"seed{self.seed}")
        slug = re.sub(r"[^a-z0-9.]+", "-", "-".join(parts).lower()).strip("-")[:80]
        told = set(RunSettings.model_fields) if self.suite == GOAL_SUITE else set[str](IDENTITY)
        unsaid = {"screenshots", *(() if self.at else ("at",)), *(("deliver",) if during else ())}
        text = self.model_dump_json(include=told, exclude=unsaid)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        return f"{slug}-{digest}"


class RunRecord(RunSettings):
    """``run.json``: the settings, and what they ran on."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    run: str
    """The run's id, which is also its folder's name."""
    created: str
    """When the run began, in UTC (ISO 8601)."""
    refute: str
    python: str
    browser: str

    @classmethod
    def of(cls, settings: RunSettings, *, browser: str) -> RunRecord:
        """The record of a run that begins now."""
        return cls(
            **{name: getattr(settings, name) for name in RunSettings.model_fields},
            run=settings.run_id,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            refute=__version__,
            python=platform.python_version(),
            browser=browser,
        )


def write_run(folder: Path, record: RunRecord) -> None:
    """Write ``run.json`` unless it is there already (a run that is continued keeps its first record)."""
    path = folder / RUN_FILE
    if not path.exists():
        write_whole(path, record.model_dump_json(indent=1))


def read_run(folder: Path) -> RunRecord:
    """Read ``run.json``. Raises `UserError` when the folder is not a run."""
    path = folder / RUN_FILE
    try:
        return RunRecord.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{folder} is not a run: {path.name} cannot be read ({error.strerror})") from error
    except ValidationError as error:
        raise UserError(f"{path} is not a run record: {error.error_count()} field(s) do not fit") from error
