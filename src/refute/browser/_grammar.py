"""The textual form of actions, as models write it: parsed by a grammar into typed actions, never run as code.

    action   = name "(" [ argument { "," argument } ] ")"
    argument = quoted text, in ' or ", with backslash escapes  |  a number

Exactly one action; white space around it and between its parts does not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal

from pydantic import ValidationError

from refute.browser._action import (
    Action,
    Back,
    Check,
    Click,
    Done,
    Fill,
    Goto,
    Infeasible,
    Note,
    Press,
    Scroll,
    Select,
    Wait,
)

ACTION_HELP = """\
click('12')                click element 12
fill('12', 'text')         replace the text in field 12
select('12', 'option')     choose an option of list 12 by its visible label
check('12')                set a checkbox, switch or radio; uncheck('12') clears it
press('Enter')             press a key or chord where the focus is; press('12', 'Enter') on element 12
scroll('down')             scroll the page down or 'up'; scroll('down', '12') scrolls element 12
goto('http://…')           open an address in this tab
back()                     go back one page
wait(2)                    let seconds go by, at most 10
note('text')               write something down for later; the page is not touched
done('message')            the goal is met: report to the user
infeasible('reason')       the goal cannot be met: say why"""
"""The valid forms, one a line, for prompts."""

_FORMS = {
    "click": "click('12')",
    "fill": "fill('12', 'text')",
    "select": "select('12', 'option')",
    "check": "check('12')",
    "uncheck": "uncheck('12')",
    "press": "press('Enter') or press('12', 'Enter')",
    "scroll": "scroll('down'), scroll('up') or scroll('down', '12')",
    "goto": "goto('http://…')",
    "back": "back()",
    "wait": "wait(2)",
    "note": "note('text')",
    "done": "done('message')",
    "infeasible": "infeasible('reason')",
}


class ActionSyntaxError(ValueError):
    """A text that is no action; the message says what is wrong and which forms are valid."""


_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*\(\s*")
_TEXT = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r"}
_BREAKS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"  # what else ends a line, for readers of lines
_ESCAPED = str.maketrans(
    {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"} | {c: f"\\u{ord(c):04x}" for c in _BREAKS}
)


def parse_action(text: str) -> Action:
    """The action that `text` says. Raises `ActionSyntaxError`."""
    name, arguments = _split(text)
    build = _BUILDERS.get(name)
    if build is None:
        raise ActionSyntaxError(f"there is no action {name!r}; the actions are:\n{ACTION_HELP}")
    try:
        return build(arguments)
    except (ValidationError, ValueError, IndexError) as error:
        reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise ActionSyntaxError(f"{name} is written {_FORMS[name]}: {reason}") from error


def _split(text: str) -> tuple[str, list[str]]:
    """The name and the arguments, as texts."""
    head = _NAME.match(text)
    if head is None:
        raise ActionSyntaxError(f"no action found in {_short(text)}; write exactly one of:\n{ACTION_HELP}")
    arguments: list[str] = []
    position = head.end()
    while not text.startswith(")", position):
        if arguments:
            comma = re.compile(r",\s*").match(text, position)
            if comma is None:
                raise ActionSyntaxError(f"a comma or ')' is missing before {_short(text[position:])}")
            position = comma.end()
        quoted, number = _TEXT.match(text, position), _NUMBER.match(text, position)
        found = quoted or number
        if found is None:
            raise ActionSyntaxError(
                f"an argument has to be a number or a text in quotes, which {_short(text[position:])} is not; "
                "quotes inside a text are written \\'"
            )
        arguments.append(_unescape(quoted[1] if quoted[1] is not None else quoted[2]) if quoted else found[0])
        position = found.end()
        while text[position : position + 1].isspace():
            position += 1
    rest = text[position + 1 :].strip()
    if rest:
        raise ActionSyntaxError(f"exactly one action is expected, but {_short(rest)} follows the first")
    return head[1].lower(), arguments


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line[:60] + ("…" if len(line) > 60 else "")) if line else "an empty text"


def _unescape(text: str) -> str:
    def replace(found: re.Match[str]) -> str:
        code = found[1] or found[2]
        return chr(int(code, 16)) if code else _LETTERS.get(found[3], found[3])

    # two \u escapes may be the halves of one character; a half alone becomes U+FFFD
    return _ESCAPE.sub(replace, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _number(text: str) -> int:
    digits = text.strip().removeprefix("[").removesuffix("]")
    if not re.fullmatch(r"[0-9]{1,9}", digits):
        raise ValueError(f"{text!r} is not the number of an element")
    return int(digits)


def _need(arguments: Sequence[str], *counts: int) -> Sequence[str]:
    if len(arguments) not in counts:
        raise ValueError(f"it takes {' or '.join(map(str, counts))} arguments, not {len(arguments)}")
    return arguments


def _press(arguments: Sequence[str]) -> Action:
    if len(_need(arguments, 1, 2)) == 1:
        return Press(key=arguments[0])
    return Press(target=_number(arguments[0]), key=arguments[1])


def _scroll(arguments: Sequence[str]) -> Action:
    direction = _need(arguments, 1, 2)[0].lower()
    if direction not in ("up", "down"):
        raise ValueError("the direction is 'up' or 'down'")
    target = _number(arguments[1]) if len(arguments) == 2 else None
    return Scroll(direction="up" if direction == "up" else "down", target=target)


def _back(arguments: Sequence[str]) -> Action:
    _need(arguments, 0)
    return Back()


def _wait(arguments: Sequence[str]) -> Action:
    return Wait(seconds=float(arguments[0])) if _need(arguments, 0, 1) else Wait()


_BUILDERS: dict[str, Callable[[Sequence[str]], Action]] = {
    "click": lambda a: Click(target=_number(_need(a, 1)[0])),
    "fill": lambda a: Fill(target=_number(_need(a, 2)[0]), text=a[1]),
    "select": lambda a: Select(target=_number(_need(a, 2)[0]), option=a[1]),
    "check": lambda a: Check(target=_number(_need(a, 1)[0])),
    "uncheck": lambda a: Check(target=_number(_need(a, 1)[0]), checked=False),
    "press": _press,
    "scroll": _scroll,
    "goto": lambda a: Goto(url=_need(a, 1)[0]),
    "back": _back,
    "wait": _wait,
    "note": lambda a: Note(text=_need(a, 1)[0]),
    "done": lambda a: Done(message=_need(a, 1)[0]),
    "infeasible": lambda a: Infeasible(reason=_need(a, 1)[0]),
}


def _quoted(text: str) -> str:
    return "'" + text.translate(_ESCAPED) + "'"


def _decimal(number: float) -> str:
    """The shortest decimal that means the same number, without an exponent."""
    return format(Decimal(repr(abs(number))).normalize(), "f")


def _call(name: str, *arguments: str | int | None) -> str:
    return f"{name}({', '.join(_quoted(str(a)) for a in arguments if a is not None)})"


def format_action(action: Action) -> str:
    """The textual form of `action`, on one line; `parse_action` gives the same action back."""
    match action:
        case Click():
            return _call("click", action.target)
        case Fill():
            return _call("fill", action.target, action.text)
        case Select():
            return _call("select", action.target, action.option)
        case Check():
            return _call("check" if action.checked else "uncheck", action.target)
        case Press():
            return _call("press", action.target, action.key)
        case Scroll():
            return _call("scroll", action.direction, action.target)
        case Goto():
            return _call("goto", action.url)
        case Back():
            return _call("back")
        case Wait():
            return f"wait({_decimal(action.seconds)})"
        case Note():
            return _call("note", action.text)
        case Done():
            return _call("done", action.message)
        case Infeasible():
            return _call("infeasible", action.reason)
