"""The executor's fenced form: reasoning in prose, then one action in a fence. For models that are weak at JSON."""

from __future__ import annotations

import re
from typing import NamedTuple

ACTION_FENCE_HELP = """\
Reply in this form: one or two sentences of reasoning; then, only if `subgoal_done` is true, the line
subgoal_done: true
and then exactly one action in a fence:
```action
click('12')
```"""

_TAGGED = re.compile(r"```[ \t]*action[ \t]*\r?\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_PLAIN = re.compile(r"```[ \t]*\r?\n(.*?)```", re.DOTALL)
_DONE = re.compile(r"^[ \t]*`?subgoal_done`?[ \t]*[:=][ \t]*`?(true|yes)\b", re.MULTILINE | re.IGNORECASE)


class FencedAction(NamedTuple):
    """What a fenced reply holds."""

    reasoning: str
    action: str
    subgoal_done: bool


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
    return FencedAction(_DONE.sub("", prose).strip(), action, _DONE.search(prose) is not None)
