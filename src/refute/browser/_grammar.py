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
    AnswerDialog,
    Back,
    Check,
    Click,
    ClickAt,
    CloseTab,
    Done,
    DoubleClick,
    Drag,
    DragAt,
    DragBy,
    Fill,
    FocusTab,
    Forward,
    Goto,
    Hover,
    HoverAt,
    Infeasible,
    NewTab,
    Note,
    Press,
    Reload,
    RightClick,
    Scroll,
    Select,
    SendMessage,
    Type,
    Upload,
    Wait,
)
from refute.browser._action_help import ACTION_HELP, FORMS

MANY = 1000
"""Arguments that an action may have at most."""


class ActionSyntaxError(ValueError):
    """A text that is no action; the message says what is wrong and which forms are valid."""


_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*\(\s*")
_TEXT = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
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
        raise ActionSyntaxError(f"{name} is written {FORMS[name]}: {reason}") from error


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
        raise ValueError(f"{text!r} is not the number of an element or tab")
    return int(digits)


def _pixel(text: str) -> int:
    if not re.fullmatch(r"\s*-?[0-9]{1,9}(\.[0-9]{1,9})?\s*", text):
        raise ValueError(f"{text!r} is not a number of pixels")
    return round(float(text))


def _need(arguments: Sequence[str], least: int, most: int | None = None) -> Sequence[str]:
    most = least if most is None else most
    if not least <= len(arguments) <= most:
        wanted = f"{least}" if least == most else f"{least} or {most}" if most < MANY else f"{least} or more"
        raise ValueError(f"it takes {wanted} argument{'' if wanted == '1' else 's'}, not {len(arguments)}")
    return arguments


def _on_focus(
    on_element: Callable[[int, str], Action], at_focus: Callable[[str], Action]
) -> Callable[[Sequence[str]], Action]:
    """For actions that take a number and a text, or the text alone."""

    def build(arguments: Sequence[str]) -> Action:
        if len(_need(arguments, 1, 2)) == 1:
            return at_focus(arguments[0])
        return on_element(_number(arguments[0]), arguments[1])

    return build


def _scroll(arguments: Sequence[str]) -> Action:
    word = _need(arguments, 1, 2)[0].lower()
    target = _number(arguments[1]) if len(arguments) == 2 else None
    for direction in ("up", "down", "left", "right"):
        if word == direction:
            return Scroll(direction=direction, target=target)
    raise ValueError("the direction is 'up', 'down', 'left' or 'right'")


def _drag_at(arguments: Sequence[str]) -> Action:
    pixels = [_pixel(a) for a in _need(arguments, 4, MANY)]
    if len(pixels) % 2:
        raise ValueError("it takes pairs of numbers")
    return DragAt(points=tuple(zip(pixels[::2], pixels[1::2], strict=True)))


def _answer(arguments: Sequence[str]) -> Action:
    word = _need(arguments, 1, 2)[0].lower()
    if word not in ("accept", "dismiss"):
        raise ValueError("the answer is 'accept' or 'dismiss'")
    return AnswerDialog(accept=word == "accept", text=arguments[1] if len(arguments) == 2 else None)


def _bare(action: Action) -> Callable[[Sequence[str]], Action]:
    def build(arguments: Sequence[str]) -> Action:
        _need(arguments, 0)
        return action

    return build


_BUILDERS: dict[str, Callable[[Sequence[str]], Action]] = {
    "click": lambda a: Click(target=_number(_need(a, 1)[0])),
    "double_click": lambda a: DoubleClick(target=_number(_need(a, 1)[0])),
    "right_click": lambda a: RightClick(target=_number(_need(a, 1)[0])),
    "hover": lambda a: Hover(target=_number(_need(a, 1)[0])),
    "fill": lambda a: Fill(target=_number(_need(a, 2)[0]), text=a[1]),
    "type": _on_focus(lambda n, text: Type(target=n, text=text), lambda text: Type(text=text)),
    "press": _on_focus(lambda n, key: Press(target=n, key=key), lambda key: Press(key=key)),
    "select": lambda a: Select(target=_number(_need(a, 2, MANY)[0]), option=a[1], more=tuple(a[2:])),
    "check": lambda a: Check(target=_number(_need(a, 1)[0])),
    "uncheck": lambda a: Check(target=_number(_need(a, 1)[0]), checked=False),
    "upload": lambda a: Upload(target=_number(_need(a, 2, MANY)[0]), file=a[1], more=tuple(a[2:])),
    "drag": lambda a: Drag(target=_number(_need(a, 2)[0]), to=_number(a[1])),
    "drag_by": lambda a: DragBy(target=_number(_need(a, 3)[0]), right=_pixel(a[1]), down=_pixel(a[2])),
    "scroll": _scroll,
    "click_at": lambda a: ClickAt(x=_pixel(_need(a, 2)[0]), y=_pixel(a[1])),
    "hover_at": lambda a: HoverAt(x=_pixel(_need(a, 2)[0]), y=_pixel(a[1])),
    "drag_at": _drag_at,
    "goto": lambda a: Goto(url=_need(a, 1)[0]),
    "back": _bare(Back()),
    "forward": _bare(Forward()),
    "reload": _bare(Reload()),
    "new_tab": lambda a: NewTab(url=a[0]) if _need(a, 0, 1) else NewTab(),
    "focus_tab": lambda a: FocusTab(tab=_number(_need(a, 1)[0])),
    "close_tab": lambda a: CloseTab(tab=_number(a[0])) if _need(a, 0, 1) else CloseTab(),
    "answer_dialog": _answer,
    "wait": lambda a: Wait(seconds=float(a[0])) if _need(a, 0, 1) else Wait(),
    "note": lambda a: Note(text=_need(a, 1)[0]),
    "send_message": lambda a: SendMessage(text=_need(a, 1)[0]),
    "done": lambda a: Done(message=_need(a, 1)[0]),
    "infeasible": lambda a: Infeasible(reason=_need(a, 1)[0]),
}


def _quoted(text: str) -> str:
    return "'" + text.translate(_ESCAPED) + "'"


def _decimal(number: float) -> str:
    """The shortest decimal that means the same number, without an exponent."""
    return format(Decimal(repr(abs(number))).normalize(), "f")


def _call(name: str, *arguments: str | int | None) -> str:
    said = [_quoted(a) if isinstance(a, str) else str(a) for a in arguments if a is not None]
    return f"{name}({', '.join(said)})"


def _element(number: int | None) -> str | None:
    return None if number is None else str(number)  # in quotes, as in what models learnt from


def format_action(action: Action) -> str:
    """The textual form of `action`, on one line; `parse_action` gives the same action back."""
    name = action.name
    match action:
        case Click() | DoubleClick() | RightClick() | Hover():
            return _call(name, _element(action.target))
        case Fill() | Type():
            return _call(name, _element(action.target), action.text)
        case Press():
            return _call(name, _element(action.target), action.key)
        case Select():
            return _call(name, _element(action.target), action.option, *action.more)
        case Check():
            return _call("check" if action.checked else "uncheck", _element(action.target))
        case Upload():
            return _call(name, _element(action.target), action.file, *action.more)
        case Drag():
            return _call(name, _element(action.target), _element(action.to))
        case DragBy():
            return _call(name, _element(action.target), action.right, action.down)
        case Scroll():
            return _call(name, action.direction, _element(action.target))
        case ClickAt() | HoverAt():
            return _call(name, action.x, action.y)
        case DragAt():
            return _call(name, *(pixel for point in action.points for pixel in point))
        case Goto():
            return _call(name, action.url)
        case NewTab():
            return _call(name, action.url or None)
        case FocusTab() | CloseTab():
            return _call(name, action.tab)
        case AnswerDialog():
            return _call(name, "accept" if action.accept else "dismiss", action.text)
        case Back() | Forward() | Reload():
            return _call(name)
        case Wait():
            return f"wait({_decimal(action.seconds)})"
        case Note() | SendMessage():
            return _call(name, action.text)
        case Done():
            return _call(name, action.message)
        case Infeasible():
            return _call(name, action.reason)
