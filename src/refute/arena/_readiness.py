"""Whether the bundled sites are set up, and whether they can be."""

from __future__ import annotations

import importlib.util
import os

from refute._readiness import Readiness, State
from refute.arena._environment import sites_folder
from refute.arena._sites import SITES, site

PART = "sites"


async def sites_readiness() -> list[Readiness]:
    """Each bundled site, what making its environment needs, and the folder where they are kept."""
    sites = [_site(name) for name in SITES]
    return [*sites, _venv(needed=any(one.state is not State.READY for one in sites)), _cache()]


def _site(name: str) -> Readiness:
    if site(name).ready():
        return Readiness(part=PART, name=name, state=State.READY, detail="set up")
    return Readiness(
        part=PART,
        name=name,
        state=State.MISSING,
        detail="not set up (needs the package index, once)",
        cure=f"refute arena setup {name}",
    )


def _venv(*, needed: bool) -> Readiness:
    if importlib.util.find_spec("ensurepip") is not None:
        return Readiness(part=PART, name="venv", state=State.READY, detail="this Python can make environments")
    return Readiness(
        part=PART,
        name="venv",
        state=State.MISSING if needed else State.OPTIONAL,
        detail="this Python cannot make environments, which sites are installed in (no ensurepip)",
        cure="sudo apt-get install python3-venv",
    )


def _cache() -> Readiness:
    folder = sites_folder()
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if os.access(there, os.W_OK | os.X_OK) and there.is_dir():
        return Readiness(part=PART, name="cache", state=State.READY, detail=f"{folder} can be written")
    return Readiness(
        part=PART,
        name="cache",
        state=State.MISSING,
        detail=f"{folder} cannot be made or written",
        cure="export REFUTE_CACHE=/a/folder/of/yours",
    )
