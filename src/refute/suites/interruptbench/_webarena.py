"""The tasks of WebArena-Lite that the published records were made from, and their evaluators."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from refute._errors import UserError
from refute.goals import Task
from refute.suites._reward import reward_task
from refute.suites.browsergym import package

CONFIG = "test_webarena_lite.raw.json"
"""What the file is called in InterruptBench's repository, in ``Eval/config_files/wa``."""
STEPS = 50
"""Most actions of an episode in InterruptBench's own runs."""
NAME = "webarena"


class _Config(BaseModel):
    """A task's configuration; what is not named here is for WebArena's own code."""

    model_config = ConfigDict(frozen=True, extra="allow")

    task_id: int = Field(ge=0)
    old_task_id: int = Field(ge=0, description="the task's number in WebArena, from 0 to 811")
    intent: str
    intent_template_id: int
    sites: tuple[str, ...]
    start_url: str
    eval: Mapping[str, Any]


_CONFIGS = TypeAdapter(tuple[_Config, ...])


def webarena_tasks(path: Path) -> Mapping[str, Task]:
    """The tasks of the configuration file, by their number in WebArena-Lite.

    They carry the configuration, so that BrowserGym judges by it: WebArena-Lite corrects evaluators of WebArena. The
    instruction of each is the final intent. Raises `UserError` for a file that is none.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        configs = _CONFIGS.validate_json(text)
        raw: list[dict[str, Any]] = json.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}") from error
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"])
        raise UserError(f"{path} is no configuration of WebArena-Lite: {where}: {problem['msg']}") from error
    return {str(c.task_id): _task(c, raw[n]) for n, c in enumerate(configs)}


def _task(config: _Config, raw: dict[str, Any]) -> Task:
    chosen = package(NAME)
    task = reward_task(
        name=str(config.old_task_id),
        seed=0,
        benchmark=f"browsergym:{NAME}",
        env_id=f"browsergym/{NAME}.{config.old_task_id}",
        licence=chosen.licence,
        start_url="about:blank",
        max_steps=STEPS,
        viewport={"width": 1280, "height": 720},
    )
    return task.model_copy(
        update={
            "template": f"{NAME}.{config.intent_template_id}",
            "sites": config.sites,
            "static_instruction": config.intent,
            "evaluators": (raw,),
        }
    )
