"""Rules about controls: their states, their values, and whether they are there."""

from __future__ import annotations

import re

from refute.evidence._page import Control, Line, Page
from refute.evidence._rules._hint import Hint, hint
from refute.evidence._statement import Statement
from refute.evidence._words import coverage, numbers, stem, words

_ON = re.compile(r"\b(on|enabled|checked|ticked|selected|active|activated|chosen|switched on|pressed)\b")
_OFF = re.compile(
    r"\b(off|disabled|unchecked|unticked|unselected|deselected|inactive|deactivated|(?:not|never|no longer) "
    r"(?:\w+ )?(?:enabled|checked|ticked|selected|active|activated|chosen|pressed))\b"
)
_UNUSABLE = re.compile(
    r"\b(disabled|greyed out|grayed out|not clickable|(?:cannot|can't|can not) be (?:clicked|pressed)|"
    r"(?:button|field|link|control)\b.* inactive)\b"
)
_USABLE = re.compile(r"\b(enabled|clickable|can be (?:clicked|pressed)|(?:button|field|link|control)\b.* active)\b")
_ON_STATES = frozenset({"checked", "selected", "pressed"})
_OFF_STATES = frozenset({"unchecked", "unselected", "unpressed"})
_STATE_TALK = frozenset(
    stem(word)
    for word in (
        "turned",
        "switched",
        "set",
        "option",
        "setting",
        "checkbox",
        "switch",
        "button",
        "tab",
        "box",
        "radio",
    )
) | frozenset({"on", "off", "disabl", "enabl", "check", "select", "tick", "activ"})


def states(statement: Statement, page: Page) -> Hint | None:
    """'The weekly digest is off' against the control of that name."""
    off = _OFF.search(statement.lower) is not None
    if not off and not _ON.search(statement.lower):
        return None
    best = _best_named(statement, [(x, c) for x, c in page.controls() if c.states & (_ON_STATES | _OFF_STATES)])
    if best is None:
        return None
    line, control = best
    on = bool(control.states & _ON_STATES)
    return hint(holds=on != off, strength=0.85, lines=[line])


def usable(statement: Statement, page: Page) -> Hint | None:
    """'The Pay button is disabled' against a button or field of that name."""
    unusable = _UNUSABLE.search(statement.lower) is not None
    if not unusable and not _USABLE.search(statement.lower):
        return None
    plain = [(x, c) for x, c in page.controls() if not c.states & (_ON_STATES | _OFF_STATES)]
    best = _best_named(statement, plain)
    if best is None:
        return None
    line, control = best
    claims_disabled = unusable != (statement.negated and "not clickable" not in statement.lower)
    return hint(holds=("disabled" in control.states) == claims_disabled, strength=0.75, lines=[line])


def toggles(statement: Statement, page: Page) -> Hint | None:
    """'The post has been upvoted' against a toggle button named 'Upvote'."""
    done = re.search(r"\b(?:has|have|had|is|are|was|were)\b.*?\b(\w+ed)\b", statement.lower)
    if done is None:
        return None
    for line, control in page.controls():
        pressed = control.states & {"pressed", "unpressed"}
        if pressed and control.words and control.words <= statement.words and stem(done[1]) in control.words:
            return hint(holds=("pressed" in pressed) != statement.negated, strength=0.8, lines=[line])
    return None


def values(statement: Statement, page: Page) -> Hint | None:
    """'The country is set to France' against the field of that name; numbers have a rule of their own."""
    if statement.numbers:
        return None
    named = [
        (x, c)
        for x, c in page.controls()
        if c.value and c.words and c.role != "link" and c.words <= statement.words and not numbers(c.value)
    ]
    for line, control in sorted(named, key=lambda entry: -len(entry[1].words)):
        wanted = statement.words - control.words - _FIELD_TALK
        value = words(control.value or "")
        if value and value <= statement.words and coverage(wanted, value | page.block(line).words) >= 0.6:
            return hint(holds=not statement.negated, strength=0.8, lines=[line])
        if _another_option(control, wanted):
            return hint(holds=statement.negated, strength=0.8, lines=[line])
        if wanted and not wanted & (value | page.block(line).words) and _says_value(statement, control):
            return hint(holds=statement.negated, strength=0.6, lines=[line])
    return None


def _says_value(statement: Statement, control: Control) -> bool:
    """Whether the statement goes from the field's name right to its value: 'the country is …'."""
    match = _SAYS_VALUE.search(statement.lower)
    before = words(statement.lower[: match.start()].rpartition(" ")[2]) if match else frozenset[str]()
    return bool(before) and before <= control.words | _FIELD_TALK


def _another_option(control: Control, wanted: frozenset[str]) -> bool:
    """Whether the statement names an option that is not the chosen one."""
    chosen = words(control.value or "")
    named = [words(option) for option in control.options if option != control.value]
    return any(option and option <= wanted and not option <= chosen for option in named)


_SAYS_VALUE = re.compile(
    r" (?:is set to|is filled (?:in )?with|is|are|reads|says|shows|equals|has been set to|was set to)\b"
)
_FIELD_TALK = frozenset(
    stem(word) for word in ("field", "box", "set", "filled", "entered", "value", "selected", "text")
)
_FILLED = re.compile(r"\b(chosen|filled|entered|set|selected|specified|given)\b")
_EMPTY = re.compile(r"\b(empty|blank|not filled|unfilled)\b")


def filled(statement: Statement, page: Page) -> Hint | None:
    """'The status filter has been chosen', 'the comment field is empty': whether a field has any value."""
    empty = _EMPTY.search(statement.lower) is not None
    if not empty and not _FILLED.search(statement.lower):
        return None
    fields = [
        (x, c)
        for x, c in page.controls()
        if c.value is not None and c.words and (c.role != "link") and len(c.words) <= 3
    ]
    best = _best_named(statement, fields)
    if best is None:
        return None
    line, control = best
    extra = statement.words - control.words - _FIELD_TALK - _FILLING
    if extra and not empty:
        return None  # it says with what: that is about the value
    has_value = bool(control.value and control.value.strip())
    holds = has_value != empty
    return hint(holds=holds != (statement.negated and not empty), strength=0.7, lines=[line])


_FILLING = frozenset(stem(word) for word in ("chosen", "filter", "specified", "given", "input", "empty", "blank"))
_ENDPOINTS = (
    (re.compile(r"\b(starts? (?:at|from|in)|begins? (?:at|in)|departs? from|leaves? from|origin)\b"), "from"),
    (re.compile(r"\b(ends? (?:at|in)|arrives? (?:at|in)|destination|leads? to|goes to)\b"), "to"),
)
_ENDPOINT_NAMES = {
    "from": re.compile(r"\b(?:from|start|origin|starting point)\b", re.IGNORECASE),
    "to": re.compile(r"^to\b|\b(?:where to|end|destination)\b", re.IGNORECASE),
}


def endpoints(statement: Statement, page: Page) -> Hint | None:
    """'The route starts at the airport' against a pair of fields From and To."""
    for cue, side in _ENDPOINTS:
        match = cue.search(statement.lower)
        if match is None:
            continue
        place = words(statement.text[match.end() :])
        here = _endpoint(page, side)
        there = _endpoint(page, "to" if side == "from" else "from")
        if not place or here is None or there is None:
            return None
        mine, other = (coverage(place, words(control.value or "")) for _, control in (here, there))
        if mine == other:
            return None
        return hint(holds=(mine > other) != statement.negated, strength=0.75, lines=[here[0], there[0]])
    return None


def _endpoint(page: Page, side: str) -> tuple[Line, Control] | None:
    for line, control in page.controls():
        if control.value and _ENDPOINT_NAMES[side].search(control.name):
            return line, control
    return None


_NAMED_CONTROL = re.compile(
    r"\b(?:an?|the)\s+(?P<name>(?:\"[^\"]+\"|'[^']+'|[A-Z][\w-]*(?:\s+(?!button|link|tab|field|checkbox)[\w&-]+){0,4}))\s+"
    r"(?P<role>button|link|tab|field|checkbox|menu)\b"
)
_CONTROL_NAMED = re.compile(
    r"\b(?P<role>button|link|tab|field|checkbox|menu)\s+(?:(?:to|for|called|named|labelled|labeled)\s+)?"
    r"(?P<name>\"[^\"]+\"|'[^']+')"
)
_THERE = re.compile(
    r"\b(there (?:is|are)|shows?|has|have|contains?|offers?|visible|displayed|present|available|with|in the)\b"
)
_ROLES = {
    "button": {"button", "link", "clickable"},
    "link": {"link", "clickable", "button"},
    "tab": {"tab", "link"},
    "field": {"textbox", "searchbox", "combobox", "spinbutton"},
    "checkbox": {"checkbox", "switch", "menuitemcheckbox"},
    "menu": {"combobox", "button", "listbox"},
}


def presence(statement: Statement, page: Page) -> Hint | None:
    """'There is an Invite members button': whether such a control is there."""
    match = _NAMED_CONTROL.search(statement.text) or _CONTROL_NAMED.search(statement.text)
    if match is None or not _THERE.search(statement.lower) or _ON.search(statement.lower):
        return None
    if _OFF.search(statement.lower):
        return None
    wanted = words(match["name"])
    if not wanted:
        return None
    for line, control in page.controls():
        if control.role in _ROLES[match["role"]] and wanted <= control.words:
            return hint(holds=not statement.negated, strength=0.8, lines=[line])
    # What a viewport does not show may be further down.
    return hint(holds=statement.negated, strength=0.7 if page.complete else 0.35)


_SIGNED_IN = re.compile(r"\b(?:signed|logged)[ -]?in\b")
_SIGNED_OUT = re.compile(r"\b(?:signed|logged)[ -]?out\b")
_OFFERS_IN = re.compile(r"^(?:sign|log)[ -]?in\b|^login\b", re.IGNORECASE)
_OFFERS_OUT = re.compile(r"^(?:sign|log)[ -]?out\b|^logout\b", re.IGNORECASE)


def signed_in(statement: Statement, page: Page) -> Hint | None:
    """'The user is signed in': a page that offers to sign out says so, one that offers to sign in denies it."""
    out = _SIGNED_OUT.search(statement.lower) is not None
    if not out and not _SIGNED_IN.search(statement.lower):
        return None
    claims_in = out == statement.negated
    for pattern, means_in in ((_OFFERS_OUT, True), (_OFFERS_IN, False)):
        for line, control in page.controls():
            if pattern.match(control.name.strip()):
                return hint(holds=means_in == claims_in, strength=0.85, lines=[line])
    return None


def _best_named(statement: Statement, controls: list[tuple[Line, Control]]) -> tuple[Line, Control] | None:
    """The control whose name the statement uses most completely; None when no name, or several alike, fit."""
    scored: list[tuple[float, int, tuple[Line, Control]]] = []
    wanted = statement.words - _STATE_TALK
    for line, control in controls:
        name = control.words - _STATE_TALK or control.words
        share = coverage(name, statement.words)
        if share >= 0.75 and coverage(wanted, control.words | line.words) > 0.3:
            scored.append((share, len(name), (line, control)))
    if not scored:
        return None
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    top = [entry for entry in scored if entry[:2] == scored[0][:2]]
    states_of_top = {(entry[2][1].states & (_ON_STATES | _OFF_STATES), entry[2][1].value) for entry in top}
    return top[0][2] if len(states_of_top) == 1 else None


CONTROL_RULES = (states, usable, toggles, values, filled, endpoints, presence, signed_in)
