"""The BrowserGym packages that can be run, and what each needs beside its environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from refute._errors import UserError
from refute.arena import Environment

HERE = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Package:
    """A package of tasks, as ``browsergym-NAME`` on the index.

    `needs` maps environment variables that must be set to what they hold; of `needs_one_of`, each a group of variables,
    one group must be set. `steps` is the budget of BrowserGym's own benchmark of these tasks.
    """

    name: str
    steps: int
    licence: str
    needs: Mapping[str, str]
    needs_one_of: tuple[tuple[str, ...], ...] = ()
    remark: str = ""
    local: bool = False
    """Whether its pages are served from this machine's loopback."""

    @property
    def environment(self) -> Environment:
        """Its own virtual environment."""
        return Environment(name=f"browsergym-{self.name}", requirements=(HERE / "requirements" / f"{self.name}.txt",))

    @property
    def task_list(self) -> Path:
        """Where the ids of its tasks are written down when it is set up."""
        return self.environment.folder / "tasks.json"

    def check(self, environment: Mapping[str, str] | None = None) -> None:
        """Raise `UserError` that names every server and key that is missing."""
        env = os.environ if environment is None else environment
        missing = [f"  {name}: {what}" for name, what in self.needs.items() if not env.get(name)]
        groups = self.needs_one_of
        if groups and not any(all(env.get(name) for name in group) for group in groups):
            missing.append("  one of: " + "; or ".join(", ".join(group) for group in groups))
        if missing:
            tail = f"\n{self.remark}" if self.remark else ""
            raise UserError(
                f"browsergym:{self.name} needs servers or keys that are not set in the environment:\n"
                + "\n".join(missing)
                + tail
            )


_JUDGE = "key of the model that judges free-text answers in its evaluators"

_PACKAGES = (
    Package(name="miniwob", steps=10, licence="Apache-2.0; its pages MIT", needs={}, local=True),
    Package(
        name="webarena",
        steps=30,
        licence="Apache-2.0",
        needs={
            "WA_SHOPPING": "address of the shop",
            "WA_SHOPPING_ADMIN": "address of the shop's back office",
            "WA_REDDIT": "address of the forum",
            "WA_GITLAB": "address of GitLab",
            "WA_WIKIPEDIA": "address of the encyclopedia",
            "WA_MAP": "address of the map",
            "WA_HOMEPAGE": "address of the home page",
            "OPENAI_API_KEY": _JUDGE,
        },
        remark="WA_FULL_RESET may name the address that resets the servers; the tasks change them.",
    ),
    Package(
        name="visualwebarena",
        steps=30,
        licence="Apache-2.0",
        needs={
            "VWA_SHOPPING": "address of the shop",
            "VWA_REDDIT": "address of the forum",
            "VWA_WIKIPEDIA": "address of the encyclopedia",
            "VWA_HOMEPAGE": "address of the home page",
            "VWA_CLASSIFIEDS": "address of the classified ads",
            "VWA_CLASSIFIEDS_RESET_TOKEN": "token that resets the classified ads",
            "OPENAI_API_KEY": _JUDGE,
        },
        remark="Its evaluators also download a captioning model; agents here get the goal's text, not its pictures.",
    ),
    Package(
        name="workarena",
        steps=50,
        licence="Apache-2.0",
        needs={},
        needs_one_of=(
            ("SNOW_INSTANCE_URL", "SNOW_INSTANCE_UNAME", "SNOW_INSTANCE_PWD"),
            ("SNOW_INSTANCE_POOL",),
            ("HUGGING_FACE_HUB_TOKEN",),
        ),
        remark="A ServiceNow instance: your own, a pool file, or the gated pool that the token opens.",
    ),
    Package(
        name="assistantbench",
        steps=30,
        licence="Apache-2.0",
        needs={"HUGGING_FACE_HUB_TOKEN": "token that downloads the data set of questions"},
        remark="It works on the open web.",
    ),
)
PACKAGES: Mapping[str, Package] = {package.name: package for package in _PACKAGES}
"""By name."""


def package(name: str) -> Package:
    """The package called `name`. Raises `UserError` for an unknown one."""
    if name not in PACKAGES:
        raise UserError(f"BrowserGym has no package {name!r} here; known: {', '.join(PACKAGES)}")
    return PACKAGES[name]
