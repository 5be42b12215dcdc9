"""Statements that claim no more than that a quoted text stands somewhere: 'The heading says "Basket"'.

A statement is read this way only as a whole: one word that the patterns do not know, and it is left to the other rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

SLOT = "\0"
"""Stands for one quoted text while the words around it are read."""


class Relation(Enum):
    """How the quoted text stands to the text of its carrier."""

    IS = "is"
    SAYS = "says"
    HAS = "has"
    STARTS = "starts"
    ENDS = "ends"


@dataclass(frozen=True, slots=True)
class Quotation:
    """`names` stand on `carrier` (a kind: heading, title, address, page, text, message, row, list, value, or a role).

    `main`: the page's own heading is meant. `definite`: the statement speaks of the only one there is. `field`: the
    name of the field whose value is claimed. `bare`: the text was not in quotes, so that only a full match tells.
    """

    carrier: str
    names: tuple[str, ...]
    relation: Relation
    negated: bool
    main: bool = False
    definite: bool = False
    field: str = ""
    bare: bool = False


_QS = rf"{SLOT}(?:(?:, and|,| and) {SLOT})*"
_CARRIERS: dict[str, tuple[str, str]] = {
    # kind: what it is called, and what may be said of it without claiming more
    "heading": (r"headings?|headline|h1", r"main|page|page's|top-level|visible|section"),
    "title": (r"title", r"page|page's|browser|document|tab|window"),
    "address": (r"address|url", r"page|page's|browser|browser's|current|web"),
    "page": (r"page|screen|webpage", r"current|web"),
    "text": (r"texts?|words?|phrase|sentence|string|paragraph", r"visible"),
    "message": (r"message|notice|notification|alert|confirmation", r"success|confirmation|status|flash|visible"),
    "button": (r"button", r"submit|visible"),
    "link": (r"link", r"visible|navigation"),
    "tab": (r"tab", r"visible"),
    "checkbox": (r"checkbox", r"visible"),
    "field": (r"field|textbox|text box|input", r"text|input|form|visible"),
    "row": (r"row", r"table|visible"),
    "list": (r"list|table|grid", r"visible"),
}
_NOUNS = "|".join(f"(?:(?:{mods}) )?(?:(?:{mods}) )?(?:{nouns})" for nouns, mods in _CARRIERS.values())
_KINDS = [(kind, re.compile(rf"(?:(?:{mods}) )*(?:{nouns})")) for kind, (nouns, mods) in _CARRIERS.items()]
_A = r"(?:(?P<a>an?|the|its|this|no) )?"
_CALLED = (
    r"called|named|titled|labell?ed|saying|reading|stating|containing|that says|that reads|that contains|"
    r"with (?:the )?(?:text|label|name|title|words?)"
)
_THING = (
    rf"(?:(?P<before>{_QS})(?: (?P<noun_after>{_NOUNS}))?"
    rf"|(?P<noun_before>{_NOUNS})(?: (?:{_CALLED}))? (?P<after>{_QS}))"
)
_TAIL = r"(?: (?:on|in) (?:the|this)(?: current)? (?:page|screen)| on screen)?(?: now)?"
_LITTLE = r"(?:(?:now|currently|still|exactly|also) )?"
_SHOWS = r"shows?|displays?|contains?|includes?|mentions?|holds?|has|have|lists?|says?|reads?|states?"
_NOT = r"(?P<not>(?:does not|doesn't|do not|don't|no longer|does no longer|never) )?"
_SAYS = re.compile(
    rf"{_A}(?P<noun>{_NOUNS})(?: (?:of|on) the page)? "
    rf"(?:{_NOT}{_LITTLE}(?P<verb>{_SHOWS}|equals?|starts? with|begins? with|ends? with)"
    rf"|(?P<is>is)(?P<is_not> not|n't| no longer)? {_LITTLE}(?P<titled>titled|headed)?"
    rf"|(?:(?:is|are) (?:shown|displayed|visible)|appears?) (?:{_CALLED}))[:,]? ?"
    rf"(?:the )?(?:(?:exact )?(?:text|words?|phrase|string|message|(?:product |item )?name)\b ?)?{_QS}{_TAIL}"
)
_THERE = re.compile(
    rf"(?:there (?:is|are)(?P<is_not> not|n't| no longer)?|the (?:current )?(?:page|screen) {_NOT}{_LITTLE}"
    rf"(?:{_SHOWS}|offers?)) {_A}{_THING}{_TAIL}"
)
_SHOWN = re.compile(
    rf"{_A}{_THING} (?:(?:is|are)(?P<is_not> not|n't| no longer)? {_LITTLE}"
    rf"(?:visible|shown|displayed|present|listed|(?P<gone>absent|missing|hidden))"
    rf"|{_NOT}{_LITTLE}(?:appears?|exists?)){_TAIL}"
)
_IN = re.compile(
    rf"(?:the (?:text|words?|phrase) )?{_QS} "
    rf"(?:(?:is|are)(?P<is_not> not|n't| no longer)? {_LITTLE}(?:(?:shown|displayed|listed|visible|present) )?"
    rf"|{_NOT}{_LITTLE}appears? )(?:in|as|on) {_A}(?P<noun>{_NOUNS})"
)
_VALUE = re.compile(
    rf"(?:the |an? )?(?:{SLOT} )?(?P<words>(?:[a-z][a-z'-]* ){{0,3}})(?:field|box|textbox|input|dropdown|menu)"
    rf"(?: (?:called |named |labell?ed )?{SLOT})? "
    rf"(?:{_NOT}{_LITTLE}(?P<verb>shows?|displays?|contains?|holds?|has|reads?|says?)"
    rf"|(?P<is>is)(?P<is_not> not|n't| no longer)? {_LITTLE}(?:set to|filled (?:in )?with)?)[:,]? ?"
    rf"(?:the )?(?:(?:text|value|words?)\b ?)?{SLOT}"
)
_BARE = re.compile(
    r"(?:The|A) (?P<main>main |page )?(?P<noun>heading|title) (?:is|reads|says) (?P<name>[A-Z][^\"“”\0]{1,80}?)[.!]?"
)
_LONGEST = 400
"""Characters outside the quotes; a longer statement says more than this."""
_IN_ADDRESS = re.compile(r"[/?=#&]|^https?:|^www\.")


def parse_quotation(outside: str, quoted: Sequence[str]) -> Quotation | None:
    """Read a claim, given as its words with a `SLOT` for each quoted text, and the quoted texts in order.

    None when the claim says anything else, or more.
    """
    text = outside.lower().replace("’", "'").strip().rstrip(".!").rstrip()
    if not quoted and (match := _BARE.fullmatch(outside)):
        return Quotation(
            match["noun"], (match["name"],), Relation.IS, negated=False, main=bool(match["main"]), bare=True
        )
    if not quoted or len(text) > _LONGEST or text.count(SLOT) != len(quoted):
        return None
    for pattern in (_SAYS, _THERE, _SHOWN, _IN, _VALUE):
        if match := pattern.fullmatch(text):
            return _read(match, tuple(quoted))
    return None


def _read(match: re.Match[str], quoted: tuple[str, ...]) -> Quotation | None:
    part, is_value = match.groupdict(), match.re is _VALUE
    denials = [part.get("not"), part.get("is_not"), part.get("gone"), part.get("a") == "no"]
    negated = sum(map(bool, denials))
    names = quoted[-1:] if is_value else quoted
    if negated > 1:
        return None
    relation = _relation(part.get("verb") or part.get("is") or "has")
    if is_value:
        field = quoted[0] if len(quoted) == 2 else part["words"].strip() if len(quoted) == 1 else ""
        return Quotation("value", names, relation, bool(negated), field=field) if field else None
    noun = part.get("noun") or part.get("noun_after") or part.get("noun_before") or "page"
    carrier = "title" if part.get("titled") else next(kind for kind, pattern in _KINDS if pattern.fullmatch(noun))
    says = match.re in (_SAYS, _IN)
    if (carrier == "page" and relation is Relation.IS) or (carrier == "field" and says):
        return None  # what a page is, and what is in some field
    if noun == "address" and not all(_IN_ADDRESS.search(name) for name in names):
        return None  # somebody's address
    main = carrier == "heading" and re.search(r"main|page|top-level|h1", noun) is not None
    # 'The heading "Reviews" is shown' may be about one of several.
    definite = (says or main) and part.get("a") in ("the", "its", "this", None) and not noun.startswith("section")
    return Quotation(carrier, names, relation, bool(negated), main=main, definite=definite)


def _relation(verb: str) -> Relation:
    if verb.startswith(("is", "equal")):
        return Relation.IS
    if verb.startswith(("say", "read", "state")):
        return Relation.SAYS
    if verb.startswith(("start", "begin")):
        return Relation.STARTS
    return Relation.ENDS if verb.startswith("end") else Relation.HAS
