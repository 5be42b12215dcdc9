"""The executor's fenced form: reasoning in prose, then one action in a fence. For models that are weak at JSON."""

from __future__ import annotations

import re
from typing import NamedTuple

_FORM = """\
Reply in this form: one or two sentences of reasoning; then, only if `subgoal_done` is true, the line
subgoal_done: true
{more}and then exactly one action in a fence:
```action
click('12')
```"""
_PIVOTAL_LINE = """\
then, only if elements of this page matter for later actions, a line with their numbers, such as
pivotal: 3, 7
"""
ACTION_FENCE_HELP = _FORM.format(more="")
PIVOTAL_FENCE_HELP = _FORM.format(more=_PIVOTAL_LINE)

_TAGGED = re.compile(r"```[ \t]*action[ \t]*\r?\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_PLAIN = re.compile(r"```[ \t]*\r?\n(.*?)```", re.DOTALL)
_PIVOTAL = re.compile(r"^[ \t]*`?pivotal`?[ \t]*[:=][ \t]*[`\[]*([\d, \t]*)[`\]]*[ \t]*$", re.MULTILINE | re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,9}")
_DONE = re.compile(r"^[ \t]*`?subgoal_done`?[ \t]*[:=][ \t]*`?(true|yes)\b", re.MULTILINE | re.IGNORECASE)


class FencedAction(NamedTuple):
    """What a fenced reply holds."""

    reasoning: str
    action: str
    subgoal_done: bool
    pivotal: tuple[int, ...] = ()


def read_action_fence(text: str) -> FencedAction:
    """Read a reply. Raises `ValueError`, worded for the model, unless exactly one action is fenced.

    A fence that was cut off at the end is read; a fence without the word ``action`` counts when it is the only one.
    """
    found = list(_TAGGED.finditer(text)) or list(_PLAIN.finditer(text))
    if not found:
        raise ValueError("no ```action fence was found in the reply")
    if len(found) > 1:
        raise ValueError(f"{len(found)} fences were found in the reply; exactly one action is needed")
    fence = found[0]
    action = fence[1].strip()
    if not action:
        raise ValueError("the ```action fence is empty")
    prose = text[: fence.start()] + text[fence.end() :]
    pivotal = tuple(int(number) for listed in _PIVOTAL.findall(prose) for number in _NUMBER.findall(listed))
    reasoning = _PIVOTAL.sub("", _DONE.sub("", prose)).strip()
    return FencedAction(reasoning, action, _DONE.search(prose) is not None, pivotal)
