"""The rule for a quoted text and what carries it: 'The heading says "Basket"', 'A "Pay" button is visible'."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote_plus

from refute.evidence._page import Control, Line, Page
from refute.evidence._quotation import Quotation, Relation
from refute.evidence._rules._hint import Hint, hint
from refute.evidence._statement import Statement
from refute.evidence._words import negated, stem, words

_EXACT, _CONTAINED, _DOUBTFUL = 0.85, 0.75, 0.45
_OTHERWISE, _KNOWN_OTHERWISE = 0.55, 0.7
"""The only heading or title reads otherwise; and the address or the named field, of which there can be no second."""
_MISSING, _UNSEEN = 0.65, 0.35
"""A text that a whole page lacks, and one that a viewport does not show: it may be further down."""
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "listbox"})
_ROLES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    # the role itself, and those that look like it
    "button": (frozenset({"button"}), frozenset({"link", "clickable", "summary", "file"})),
    "link": (frozenset({"link"}), frozenset({"button", "clickable"})),
    "tab": (frozenset({"tab"}), frozenset({"link"})),
    "checkbox": (frozenset({"checkbox", "switch", "menuitemcheckbox"}), frozenset()),
    "field": (_FIELDS, frozenset()),
}
_LONGEST_ADDRESS = 2000
"""Characters; what an address says beyond them is not read."""
_LISTS = frozenset({"row", "listitem", "article"})


class Text(NamedTuple):
    """A text that a carrier bears. `doubt` is taken off what is found on one that only looks like the carrier."""

    text: str
    line: Line
    doubt: float = 0.0


def quoted(statement: Statement, page: Page) -> Hint | None:
    """A claim that is nothing but a quoted text on its carrier; then no other rule is asked, since the words of the
    quoted text claim nothing themselves. Several texts are as well supported as the weakest."""
    claim = statement.quotation
    if claim is None:
        return None
    texts = _texts(claim, page)
    if texts is None:
        return None
    found = [_one(claim, _plain(name), texts, page) for name in claim.names]
    if claim.bare and min(one.support for one in found) < _EXACT:
        return None
    lines = tuple(line for one in found for line in one.lines)
    worst = min if claim.negated else max  # 'not A and B' is refuted only by both
    return Hint(min(one.support for one in found), worst(one.contradiction for one in found), lines)


def _one(claim: Quotation, name: str, texts: list[Text], page: Page) -> Hint:
    best = max(texts, key=lambda text: _found(claim, name, text), default=None)
    strength = _found(claim, name, best) if best else 0.0
    if best and strength > 0:
        if claim.negated and (best.doubt or (claim.carrier in _ROLES and strength < _EXACT)):
            strength = min(strength, _DOUBTFUL)  # 'Delete account' is not the 'Delete' button that is said to be gone
        return hint(holds=not claim.negated, strength=strength, lines=[best.line])
    if claim.carrier not in _ROLES and claim.carrier not in ("value", "address") and _elsewhere(name, page):
        return Hint()  # a heading that is not marked up as one
    if any(name in _plain(text.text) or _cut_short(text.text) for text in texts):
        return Hint()  # a part of a word, or a text that is not shown in full
    only = _only(claim, texts)
    if only and not _akin(name, only.text):
        strength = _KNOWN_OTHERWISE if claim.carrier in ("address", "value") else _OTHERWISE
        return hint(holds=claim.negated, strength=strength, lines=[only.line])
    known = page.complete and claim.carrier != "address" and not only
    return hint(holds=claim.negated, strength=_MISSING if known else _UNSEEN)


def _cut_short(text: str) -> bool:
    """Whether the text is cut off or masked."""
    return text.endswith("…") or re.fullmatch(r"[•*]+", text) is not None


def _texts(claim: Quotation, page: Page) -> list[Text] | None:
    """What the carrier bears on this page; None when the page has nothing of the kind that could be asked."""
    carrier = claim.carrier
    if carrier == "address":
        address = next((line for line in page.lines if _is_address(line)), None)
        spelled = address.raw[:_LONGEST_ADDRESS] if address else ""
        return [Text(spelled, address), Text(unquote_plus(spelled), address)] if address else []
    if carrier == "value":
        return _values(claim, page) or None
    if carrier == "heading":
        return [Text(line.said, line) for line in _headings(page, main=claim.main)]
    title = _title(page)
    if carrier == "title":
        mains = [Text(line.said, line, 0.2) for line in _headings(page, main=True)]
        return [*([Text(title.said, title)] if title else []), *mains]
    if carrier in _ROLES:
        roles, alike = _ROLES[carrier]
        controls = [(x, c) for x, c in page.controls() if c.role in roles | alike]
        return [Text(c.name, x, 0.0 if c.role in roles else 0.1) for x, c in controls]
    lines = [
        line for line in page.lines if not _is_address(line) and line.kind != "region" and not _OTHER.search(line.said)
    ]
    if carrier != "page":
        lines = [line for line in lines if line is not title]
    if carrier == "row":
        lines = [line for line in lines if page.block(line).kind == "row"]
    doubts = [0.2 if carrier == "list" and page.block(line).kind not in _LISTS else 0.0 for line in lines]
    said = [Text(line.said, line, doubt) for line, doubt in zip(lines, doubts, strict=True)]
    if carrier == "message":  # the label of a button is no message
        return said
    labels = [Text(c.name, line, doubt) for line, doubt in zip(lines, doubts, strict=True) for c in line.controls]
    return said + labels


_OTHER = re.compile(r"(?<=\s)https?://\S+$")
"""Ends the line of another tab."""


def _is_address(line: Line) -> bool:
    return line.kind == "title" and line.raw.startswith("http")


def _title(page: Page) -> Line | None:
    """The title: the root of a tree; in the compact form the line after the address."""
    first, *rest = page.lines
    if not _is_address(first):
        return first if first.kind == "title" and first.said else None
    return rest[0] if rest and rest[0].kind == "text" and not rest[0].controls else None


def _headings(page: Page, *, main: bool) -> list[Line]:
    headings = [line for line in page.lines if line.kind == "heading"]
    return [line for line in headings if _level(line) <= 1] if main else headings


def _level(line: Line) -> int:
    """The level of a heading; 0 = not given."""
    if line.raw.startswith("#"):
        return len(line.raw) - len(line.raw.lstrip("#"))
    match = re.search(r"\blevel='?(\d)", line.raw[-40:])
    return int(match[1]) if match else 0


def _values(claim: Quotation, page: Page) -> list[Text]:
    """The values of the fields of that name."""
    fields = [(x, c) for x, c in page.controls() if c.role in _FIELDS and c.value is not None]
    exact = [(x, c) for x, c in fields if _plain(c.name) == _plain(claim.field)]
    wanted = words(claim.field) - _FIELD_TALK
    named = exact or [(x, c) for x, c in fields if wanted and wanted <= _names(c)]
    return [Text(c.value or "", x) for x, c in named]


_FIELD_TALK = frozenset(stem(word) for word in ("text", "input", "entry", "form", "field"))


def _names(control: Control) -> frozenset[str]:
    return control.words | {"search"} if control.role == "searchbox" else control.words


def _found(claim: Quotation, name: str, text: Text) -> float:
    """How surely the text bears the name; 0 when it does not."""
    strength = _bears(claim, name, _plain(text.text))
    if not strength and claim.carrier in _ROLES and words(name) and words(name) == words(text.text):
        strength = _CONTAINED  # 'Log in' for 'Log-in'
    return max(strength - text.doubt, 0.0)


def _bears(claim: Quotation, name: str, text: str) -> float:
    bare = name.strip(_ENDS) or name
    if not bare or not text:
        return 0.0
    if text.strip(_ENDS) == bare or text == name:
        return _EXACT
    at = _whole(bare, text, in_address=claim.carrier == "address")
    if at < 0:
        return 0.0
    before, after = text[:at], text[at + len(bare) :]
    if claim.relation is Relation.STARTS:
        return _CONTAINED if not before.strip(_ENDS) else 0.0
    if claim.relation is Relation.ENDS:
        return _CONTAINED if text.rstrip(_ENDS).endswith(bare) else 0.0
    if claim.relation is Relation.IS:
        cut = claim.carrier == "title" and bare in _SEPARATOR.split(text)
        cut = cut or (claim.carrier == "address" and text.endswith(name))
        return _CONTAINED if cut else _DOUBTFUL
    clause = f"{_STOP.split(before)[-1]} {_STOP.split(after)[0]}"
    denied = negated(clause) and not negated(bare)
    sought = claim.relation is Relation.SAYS and words(clause) & _SEARCH and not words(bare) & _SEARCH
    return _DOUBTFUL if denied or sought else _CONTAINED


_ENDS = " .,;:!\"'"
_STOP = re.compile(r"[.!?;]")
_SEPARATOR = re.compile(r"\s+[|·•–—/-]\s+")
_SEARCH = frozenset(stem(word) for word in ("search", "matching", "results", "similar", "related"))
"""A heading with these words names what was looked for, not what was found."""


def _whole(name: str, text: str, *, in_address: bool) -> int:
    """Where `name` stands in `text`, not as a part of a longer word or number; -1 when nowhere."""
    if name not in text:
        return -1
    match = _standing(name, in_address=in_address).search(text)
    return match.start() if match else -1


@lru_cache(maxsize=256)
def _standing(name: str, *, in_address: bool) -> re.Pattern[str]:
    word = r"[^\W_]" if in_address else r"\w"
    before = rf"(?<!{word})" if name[0].isalnum() else ""
    after = rf"(?!{word})" if name[-1].isalnum() else ""
    before += r"(?<!\d[.,])" if name[0].isdigit() else ""
    after += r"(?![.,]\d)" if name[-1].isdigit() else ""
    return re.compile(before + re.escape(name) + after)


_QUOTES = str.maketrans("“”„‘’`\u00a0", "\"\"\"''' ")


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    """The text in lower case, with plain quotes and single spaces."""
    return " ".join(text.translate(_QUOTES).lower().split())


def _only(claim: Quotation, texts: list[Text]) -> Text | None:
    """The one text of a carrier of which there is only one; a field that is still empty tells little."""
    if claim.carrier == "value":
        return texts[0] if len(texts) == 1 and texts[0].text.strip() else None
    if claim.carrier == "address" and texts:
        return texts[0]
    if not claim.definite:
        return None
    if claim.carrier == "title":
        return next((text for text in texts if not text.doubt), None)
    if claim.carrier == "heading":
        mains = [text for text in texts if _level(text.line) <= 1]
        # A heading that is a link names another page, or the site.
        return mains[0] if len(mains) == 1 and not mains[0].line.controls else None
    return None


def _akin(name: str, text: str) -> bool:
    """Whether one says the other and more, or nearly so: no contradiction."""
    one, other = words(name), words(text)
    return bool(one and other) and (one <= other or other <= one)


def _elsewhere(name: str, page: Page) -> bool:
    """Whether some line or control of the page reads just so."""
    bare = name.strip(_ENDS) or name
    texts = (text for line in page.lines for text in (line.said, *(control.name for control in line.controls)))
    return any(_plain(text).strip(_ENDS) == bare for text in texts)
