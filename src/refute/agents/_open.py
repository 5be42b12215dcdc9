"""Agents by name."""

from __future__ import annotations

from dataclasses import replace

from refute._errors import UserError
from refute.agents._protocol import Agent
from refute.agents._react import ReactAgent
from refute.agents._shaping import Shaping
from refute.agents.fcp._agent import FcpAgent
from refute.agents.fcp._settings import VARIANTS
from refute.agents.memory import Memory

_NO_PLAN = "fcp:no-falsifiable-plan"

_REACT_OCCAM = "react:occam"

_UNTESTED = ("react", _REACT_OCCAM, _NO_PLAN)
"""Agents that test nothing: they would not notice a scorer."""
_USUAL_SCORER = "lexical"

AGENT_NAMES = ("react", _REACT_OCCAM, *(f"fcp:{name}" if name else "fcp" for name in VARIANTS), _NO_PLAN)
"""Every name that `open_agent` takes."""


def open_agent(
    name: str, *, memory: Memory | None = None, scorer: str = _USUAL_SCORER, image_scorer: str | None = None
) -> Agent:
    """A new agent for one episode: ``react``, ``fcp``, or an ablation such as ``fcp:no-repair``.

    `memory` holds the library that it may recall from; `react` and `react:occam` recall nothing. `scorer` and
    `image_scorer` are what `fcp` tests evidence with, by name (`refute.evidence.open_scorer`). Raises `UserError` for
    an unknown name, and for a scorer with an agent that tests no evidence.
    """
    if name not in AGENT_NAMES:
        raise UserError(f"unknown agent {name!r}; known agents: {', '.join(AGENT_NAMES)}")
    if name in _UNTESTED and (scorer != _USUAL_SCORER or image_scorer):
        raise UserError(f"{name} tests no evidence, so leave --scorer and --image-scorer out")
    if name == "react":
        return ReactAgent()
    if name == _REACT_OCCAM:
        return ReactAgent(shaping=Shaping.OCCAM)
    if name == _NO_PLAN:
        return ReactAgent(memory=memory)
    settings = replace(VARIANTS[name.partition(":")[2]], scorer=scorer, image_scorer=image_scorer or "")
    return FcpAgent(settings=settings, memory=memory)
