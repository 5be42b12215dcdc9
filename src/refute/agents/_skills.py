"""Choosing the skills that a goal is likely to need."""

from __future__ import annotations

import math
import re

from refute.agents.fcp._roles import Skill

TOP_SKILLS = 3
"""K of decision 12."""

_WORD = re.compile(r"\w{3,}")
_COMMON = frozenset({"and", "for", "from", "that", "the", "this", "with", "you", "your"})


def closest_skills(skills: tuple[Skill, ...], goal: str, *, top: int = TOP_SKILLS) -> tuple[Skill, ...]:
    """At most `top` skills that share words with `goal`, best first; equal ones keep their order in the library.

    The score is the cosine of the two sets of words, up to a factor that all skills share; a skill's words are those
    of its name, keywords and applicability.
    """
    wanted = _words(goal)
    scored = [(_overlap(_words(" ".join((s.name, *s.keywords, s.applicability))), wanted), s) for s in skills]
    ranked = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])
    return tuple(skill for _, skill in ranked[:top])


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower().replace("_", " "))) - _COMMON


def _overlap(words: frozenset[str], wanted: frozenset[str]) -> float:
    return len(words & wanted) / math.sqrt(len(words)) if words else 0.0
