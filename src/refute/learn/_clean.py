"""What a model drafted becomes a record, or is dropped with a reason: a record must mean something on other pages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from refute.agents.memory import FailureRepair, Origin, Skill, raw_references
from refute.learn._roles import FailureDraft, SkillDraft

_CALL = re.compile(r"\b([a-z_]+)\(\s*['\"]?\d+['\"]?\s*(?:,\s*([^()]*))?\)")
_NUMBER = re.compile(r"\s*\[\d+\]")
_NAME = 60


class Unclean(ValueError):
    """A text that cannot be cleaned."""


def cleaned(text: str) -> str:
    """`text` on one line, without the element numbers that can be taken out of it.

    ``click('12') on button "Add"`` becomes ``click on button "Add"``, and ``[12] link "Home"`` becomes ``link "Home"``.
    Raises `Unclean` when a reference to one page only is left, or nothing but the name of an action.
    """
    plain = " ".join(_NUMBER.sub("", _CALL.sub(_said, text)).split())
    left = raw_references(plain)
    if left:
        raise Unclean(f"{left[0]} cannot be taken out of: {plain}")
    if plain != " ".join(text.split()) and len(plain.split()) < 2:
        raise Unclean(f"without its element number nothing is left of: {text}")
    return plain


def _said(match: re.Match[str]) -> str:
    return f"{match[1].replace('_', ' ')} {match[2] or ''}".strip()


def clean_skill(draft: SkillDraft, origin: Origin) -> Skill:
    """The record of a draft. Raises `Unclean`."""
    name = re.sub(r"[^a-z0-9]+", "_", cleaned(draft.name).lower()).strip("_")[:_NAME].strip("_")
    steps = _all(draft.steps)
    if not name or not steps:
        raise Unclean("it has no name, or no steps")
    return Skill(
        name=name,
        keywords=tuple(dict.fromkeys(word.lower() for word in _all(draft.keywords))),
        applicability=cleaned(draft.applicability),
        steps=steps,
        success=cleaned(draft.success),
        precautions=cleaned(draft.precautions),
        sources=(origin,),
    )


def clean_failure(draft: FailureDraft, query: str, origin: Origin) -> FailureRepair:
    """The record of a draft; `query` is the task's. Raises `Unclean`."""
    return FailureRepair(
        query=" ".join(query.split()),
        pattern=cleaned(draft.pattern),
        analysis=cleaned(draft.analysis),
        strategy=draft.strategy,
        plan=cleaned(draft.plan),
        lessons=cleaned(draft.lessons),
        sources=(origin,),
    )


def _all(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text for text in map(cleaned, texts) if text)
