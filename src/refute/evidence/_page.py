"""A page's text as lines, controls and blocks, from an accessibility tree or from the compact viewport text.

accessibility tree                          compact
heading 'Basket'                            # Basket
[3] textbox 'Quantity' value='2'            [3] textbox "Quantity" value="2"
[4] switch 'Weekly digest', checked=true    [4] switch "Weekly digest" checked
row / cell 'Lamp' / cell '£9.00'            | Lamp £9.00
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from refute.evidence._words import Number, numbers, words

_ROLES_TEXT = (
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox "
    "complementary contentinfo definition dialog document feed figure form generic grid gridcell group heading img "
    "image LabelText label link list listbox listitem log main marquee menu menubar menuitem menuitemcheckbox "
    "menuitemradio meter navigation note option paragraph progressbar radio radiogroup region RootWebArea row rowgroup "
    "rowheader scrollbar search searchbox separator slider spinbutton StaticText status strong switch tab table "
    "tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem WebArea"
)
_ROLES = frozenset(_ROLES_TEXT.split())
_CONTROLS_TEXT = (
    "button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider "
    "spinbutton switch tab textbox treeitem clickable label summary file"
)
_CONTROLS = frozenset(_CONTROLS_TEXT.split())
_ITEMS = frozenset({"row", "listitem", "article"})
_QUOTED = r"""(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")"""
_ATTRIBUTE_TEXT = rf"([a-z]+)=(?:{_QUOTED}|([^\s'\",][^\s,]*))"
_ATTRIBUTE = re.compile(_ATTRIBUTE_TEXT)
_TREE_LINE = re.compile(  # a numbered node's name is in single quotes, in the compact text in double ones
    rf"(?:\[\d+\] (?=[A-Za-z]+ '))?([A-Za-z]+)(?:\s+{_QUOTED})?((?:,?\s+(?:{_ATTRIBUTE_TEXT}|[a-z]+))*)\s*$"
)
_STATES_TEXT = (
    "checked unchecked mixed selected unselected pressed unpressed disabled enabled readonly required invalid expanded "
    "collapsed current popup busy focused multiple editable draggable"
)
_STATE_WORDS = tuple(_STATES_TEXT.split())
_COMPACT_CONTROL = re.compile(
    r"\[\d+\] (?P<role>[\w-]+)(?: \"(?P<name>[^\"]*)\"| \{[^}]*\})?"
    r"(?: \((?P<notes>(?:[^()\"]|\"[^\"]*\"|\([^()\"]*\))*)\))?"
    rf"(?P<rest>(?: (?:(?:{'|'.join(_STATE_WORDS)})\b|value=\"[^\"]*\"|= (?:\"[^\"]*\"|[^\s\[]+)|-> \S+))*)"
)
_COMPACT_VALUE = re.compile(r"value=\"([^\"]*)\"|^ ?= \"?([^\"]*?)\"?(?= [a-z-]|$)")
_OPTIONS = re.compile(rf"options: (.*?)(?:, (?:{'|'.join(_STATE_WORDS)}|placeholder=.*))*$")
_QUOTED_NOTE = re.compile(r"\w+=\"[^\"]*\"|options: .*\|[^,]*")
_CHOSEN = re.compile(r"\*([^|*]+?)\s*(?:\||$)")
_LONGEST_LINE = 2000
"""Characters; what a line says beyond them is not read."""
_TRUE_STATES = {"checked": "unchecked", "selected": "unselected", "pressed": "unpressed", "expanded": "collapsed"}


@dataclass(frozen=True, slots=True)
class Control:
    """Something to act on: its role, accessible name, value (None = it has none) and states."""

    role: str
    name: str
    words: frozenset[str]
    value: str | None
    states: frozenset[str]
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `said` is what the page itself says here, without the labels of controls; `text` has both."""

    raw: str
    kind: str
    text: str
    said: str
    words: frozenset[str]
    said_words: frozenset[str]
    numbers: tuple[Number, ...]
    controls: tuple[Control, ...]
    block: int


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together: a table row, a list item, a heading with what follows it, or a line on its own."""

    kind: str
    lines: tuple[Line, ...]
    words: frozenset[str]
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """A page. `complete`: the text shows all of it, so what is missing is not there.

    Equal only to itself, so that what rules find on a page, whatever the statement, can be kept for the next statement.
    """

    lines: tuple[Line, ...]
    blocks: tuple[Block, ...]
    complete: bool

    def controls(self) -> list[tuple[Line, Control]]:
        """Every control with its line, in page order."""
        return [(line, control) for line in self.lines for control in line.controls]

    def titles(self) -> list[Line]:
        """Title, address and headings; a heading that is a link names another page."""
        return [line for line in self.lines if line.kind in ("title", "heading") and not line.controls]

    def about(self) -> frozenset[str]:
        """The words of `titles`."""
        return frozenset[str]().union(*(line.said_words for line in self.titles()))

    def block(self, line: Line) -> Block:
        """The block that `line` belongs to."""
        return self.blocks[line.block]


@lru_cache(maxsize=64)
def parse_page(text: str) -> Page:
    """Read a page's text. Never fails: a line in no known form is plain text."""
    lines: list[Line] = []
    starts: list[_Open] = []
    kinds: list[str] = []
    for raw in text.splitlines():
        stripped = raw.strip()
        if not stripped:
            continue
        indent = len(raw) - len(raw.lstrip())
        line, is_tree = _line(stripped)
        while starts and not _belongs(indent, line, starts[-1], is_tree=is_tree):
            starts.pop()
        titles_item = bool(starts) and line.kind == "heading" and starts[-1].kind == "listitem"
        opens = line.kind in _ITEMS or (line.kind == "heading" and not is_tree and not titles_item)
        if opens or not starts:
            kinds.append(line.kind)
            if opens:
                starts.append(_Open(indent, len(kinds) - 1, line.kind))
        number = starts[-1].number if starts else len(kinds) - 1
        lines.append(_placed(line, number))
    root = text.lstrip().partition("\n")[0]
    complete = root.startswith(("RootWebArea", "WebArea")) and "clipped=true" not in root
    return Page(tuple(lines), _blocks(lines, kinds), complete)


def _placed(line: Line, block: int) -> Line:
    # Spelled out: `dataclasses.replace` takes a fifth of the whole reading.
    return Line(
        line.raw, line.kind, line.text, line.said, line.words, line.said_words, line.numbers, line.controls, block
    )


class _Open(NamedTuple):
    """A block that may still get lines."""

    indent: int
    number: int
    kind: str


def _belongs(indent: int, line: Line, block: _Open, *, is_tree: bool) -> bool:
    """Whether `line` still belongs to the open block.

    In a tree, children are indented. In the compact text what belongs to an item or heading follows it at the same
    depth: an item ends with the next item or a heading of the page (levels 1 and 2; a smaller one is the item's own
    title), a heading with the next heading, and a table row is always one line.
    """
    if is_tree or indent != block.indent:
        return indent > block.indent and (is_tree or block.kind != "row")
    if line.kind == "region" or block.kind == "row":
        return False
    if block.kind == "heading":
        return line.kind != "heading"
    return line.kind not in _ITEMS and (line.kind != "heading" or line.raw.startswith("###"))


def _blocks(lines: list[Line], kinds: list[str]) -> tuple[Block, ...]:
    members: list[list[Line]] = [[] for _ in kinds]
    for line in lines:
        members[line.block].append(line)
    return tuple(_block(kind, group) for kind, group in zip(kinds, members, strict=True))


def _block(kind: str, group: list[Line]) -> Block:
    if len(group) == 1:
        return Block(kind, (group[0],), group[0].words, group[0].numbers)
    together = frozenset[str]().union(*(line.words for line in group))
    return Block(kind, tuple(group), together, tuple(number for line in group for number in line.numbers))


@lru_cache(maxsize=4096)
def _line(stripped: str) -> tuple[Line, bool]:
    """The line (its block still open) and whether it is in the form of an accessibility tree.

    Cached, because from one observation to the next most lines stay as they are.
    """
    shown = stripped[:_LONGEST_LINE]
    match = _TREE_LINE.match(shown)
    if match and match[1] in _ROLES:
        return _tree_line(stripped, match), True
    return _compact_line(stripped, shown), False


def _tree_line(stripped: str, match: re.Match[str]) -> Line:
    role, name, rest = match[1], _unescape(match[2] or match[3] or ""), match[4]
    if role not in _CONTROLS:
        kind = "title" if role.endswith("WebArea") else role if role in _ITEMS or role == "heading" else "text"
        return _made(stripped, kind, said=name, controls=())
    found = _ATTRIBUTE.finditer(rest)
    attributes = {m[1]: _unescape(next(v for v in (*m.groups()[1:], "") if v is not None)) for m in found}
    value = attributes.get("value")
    states = {word for word in _ATTRIBUTE.sub(" ", rest).replace(",", " ").split() if word in _STATE_WORDS}
    for key, on in attributes.items():
        if key in _TRUE_STATES:
            states.add(key if on == "true" else _TRUE_STATES[key])
        elif key == "disabled":
            states.add("disabled" if on == "true" else "enabled")
        elif on == "true":
            states.add(key)
    control = Control(role, name, words(name), value, frozenset(states))
    return _made(stripped, "control", said="", controls=(control,))


def _unescape(quoted: str) -> str:
    return re.sub(r"\\(.)", r"\1", quoted) if "\\" in quoted else quoted


def _compact_line(stripped: str, shown: str) -> Line:
    kind, body = "text", shown
    if re.match(r"https?://", body):
        # The path says where one is; host and query do not: a search for a thing is not its page.
        return _made(stripped, "title", said=re.sub(r"https?://[^/]*|[?#].*", " ", body), controls=())
    if body.startswith("#"):
        kind, body = "heading", body.lstrip("#").lstrip()
    elif body.startswith("- "):
        kind, body = "listitem", body[2:]
    elif body.startswith("| "):
        kind, body = "row", body[2:]
    elif re.match(r"[a-z]+(?: \"[^\"]*\")?:$", body) and body.split()[0].rstrip(":") in _ROLES:
        kind = "region"
    found = _COMPACT_CONTROL.finditer(body) if "[" in body else ()
    controls = tuple(_compact_control(match) for match in found)
    said = _COMPACT_CONTROL.sub(" ", body) if controls else body
    if kind == "text" and controls and not said.strip():
        kind = "control"
    if kind == "heading":  # a heading that is a link still names what follows
        said = " ".join([said, *(control.name for control in controls)])
    return _made(stripped, kind, said=said, controls=controls)


def _compact_control(match: re.Match[str]) -> Control:
    role, name, notes, rest = match["role"], match["name"] or "", match["notes"] or "", match["rest"]
    value: str | None = None
    options: tuple[str, ...] = ()
    if listed := _OPTIONS.search(notes):
        options = tuple(option.strip(" *") for option in listed[1].split("|"))
        chosen = _CHOSEN.search(listed[1])
        value = chosen[1] if chosen else ""
    elif found := _COMPACT_VALUE.search(notes) or _COMPACT_VALUE.search(rest):
        value = found[1] if found[1] is not None else found[2]
    plain = _QUOTED_NOTE.sub(" ", notes).replace(",", " ") + _COMPACT_VALUE.sub(" ", rest)
    states = frozenset(word for word in plain.split() if word in _STATE_WORDS)
    return Control(role, name, words(name), value, states, options)


def _made(raw: str, kind: str, *, said: str, controls: tuple[Control, ...]) -> Line:
    labels = [part for control in controls for part in (control.name, control.value or "")]
    text = " ".join([said, *labels]).strip() if labels else said
    said_words = words(said)
    all_words = said_words.union(words(" ".join(labels))) if labels else said_words
    return Line(raw, kind, text, said, all_words, said_words, numbers(text), controls, block=0)
