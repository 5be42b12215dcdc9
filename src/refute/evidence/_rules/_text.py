"""Rules about what the page says in words: names, messages, errors, opposites and where one is."""

from __future__ import annotations

import re
from functools import lru_cache

from refute.evidence._page import Line, Page
from refute.evidence._rules._done import DONE, bears
from refute.evidence._rules._hint import Hint, hint
from refute.evidence._statement import Statement
from refute.evidence._words import GENERIC, coverage, negated, stem, words

_ONLY = re.compile(r"\b(only|all|every|each)\b")


_THERE = re.compile(
    r"\b(contains?|shows?|lists|holds|has|have|includes?|displays?|there (?:is|are)|"
    r"(?:is|are) (?:not )?(?:listed|shown|displayed|visible|present|in))\b"
)
_NOT_THAT = re.compile(r"\b(?:other than|instead of|except|another|different from)\b")
_PLACE = re.compile(r"\b(?:in|on|to|from) (?:the|your|my) ([\w ]+?)(?= (?:is|are|has|have|with|page)\b|\W*$)")


def named(statement: Statement, page: Page) -> Hint | None:
    """Texts in quotes, or after 'called', must stand on the page as they are.

    That a name is there decides only statements that claim no more than that it is there. A place that is claimed with
    it ('… is in the basket') must be what the page, or the block around the name, is about.
    """
    if not statement.names or _ONLY.search(statement.lower) or _NOT_THAT.search(statement.lower):
        return None
    if _where(statement):
        return None  # about which page it is, not about what stands on it
    found: list[Line] = []
    for name in statement.names:
        line = _bearing(page, " ".join(name.split()).lower().strip(".,;"))
        if line is None:
            # What a viewport does not show may be further down.
            return hint(holds=statement.negated, strength=0.65 if page.complete else 0.35)
        found.append(line)
    strength = _named_strength(statement, page, found)
    return hint(holds=not statement.negated, strength=strength, lines=found) if strength else None


def _named_strength(statement: Statement, page: Page, found: list[Line]) -> float:
    """How much the presence of the names says; 0 where the statement claims something else of them."""
    names = frozenset[str]().union(*(words(name) for name in statement.names))
    rest = statement.words - names
    around = frozenset[str]().union(*(page.block(line).words | line.words for line in found))
    if statement.numbers or DONE.search(statement.lower) or not _THERE.search(statement.lower):
        return 0.0 if rest else 0.75
    place = _PLACE.search(statement.lower)
    where = words(place[1]) - names - _LISTINGS if place else frozenset[str]()
    if not where <= around | page.about():
        return 0.0
    everywhere = frozenset[str]().union(*(line.words for line in page.lines))
    share = 0.5 * coverage(rest, around) + 0.5 * coverage(rest, everywhere) if rest else 1.0
    return 0.35 + 0.4 * share


_LISTINGS = frozenset(stem(word) for word in ("list", "result", "page", "table", "grid"))


def _bearing(page: Page, name: str) -> Line | None:
    """The line with `name` in it as whole words; the page's own words come before what stands in a search field."""
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    hits = [line for line in page.lines if whole.search(line.text.lower())]
    return next((line for line in hits if whole.search(line.said.lower())), hits[0] if hits else None)


_NO_PAGE = re.compile(
    r"\b404\b|page not found|(?:can't|cannot|could not|couldn't) find (?:the|that|this) page|"
    r"page (?:you .{0,40})?(?:does not|doesn't|no longer) exists?|"
    r"\b(?:500|502|503|504)\b.{0,30}(?:error|unavailable|gateway)|"
    r"(?:internal )?server error|(?:403 forbidden|access denied|permission denied)|this site can't be reached",
    re.IGNORECASE,
)
_SAYS_NO_PAGE = re.compile(
    r"\bpage (?:does not|doesn't|no longer) exists?\b|\b(?:page|address)\b.*\bnot found\b|\b404\b|\berror page\b|"
    r"\b(?:page|site) (?:is|was) (?:missing|unavailable|not available)\b"
)
_IS_SHOWN = re.compile(r"\bpage\b.*\b(?:is|are) (?:displayed|shown|open|opened|visible|loaded)\b|\bpage is the\b")


def error_page(statement: Statement, page: Page) -> Hint | None:
    """A page that says it is an error page: what asks for one holds, and no other page is shown."""
    says = _SAYS_NO_PAGE.search(statement.lower) is not None
    if not says and not _IS_SHOWN.search(statement.lower):
        return None
    line = _error_line(page)
    if line is None:
        return None
    negative = statement.negated and not says
    return hint(holds=says != negative, strength=0.85, lines=[line])


@lru_cache(maxsize=64)
def _error_line(page: Page) -> Line | None:
    """The line by which a page says that it is an error page."""
    said = (line for line in page.lines if line.kind in ("title", "heading", "text") and len(line.said) < 200)
    return next((line for line in said if _NO_PAGE.search(line.said)), None)


_ERROR_CLAIM = re.compile(r"\b(error|errors|problem|failed|failure|invalid|warning)\b")
_NO_ERROR = re.compile(
    r"\b(?:no|without|not|n't|free of|any) (?:\w+ ){0,2}?(?:errors?|problems?|warnings?|invalid|failed)\b"
)
_ERROR = re.compile(
    r"\b(error|errors|failed|failure|invalid|could not|couldn't|unable to|went wrong|is required|not allowed|"
    r"try again)\b",
    re.IGNORECASE,
)


def errors(statement: Statement, page: Page) -> Hint | None:
    """'An error message is shown': whether any line reads like one."""
    if not _ERROR_CLAIM.search(statement.lower):
        return None
    denies = _NO_ERROR.search(statement.lower) is not None
    for line in page.lines:
        if line.kind == "control" or len(line.said) > 200:
            continue
        match = _ERROR.search(line.said)
        if match and not negated(line.said[: match.start()]):
            return hint(holds=not denies, strength=0.7, lines=[line])
    invalid = next((line for line, control in page.controls() if "invalid" in control.states), None)
    if invalid is not None:
        return hint(holds=not denies, strength=0.6, lines=[invalid])
    # Silence is weak evidence, and none on a page that has hardly anything to say.
    return hint(holds=True, strength=0.45) if denies and len(page.lines) >= 3 else None


_OPPOSITES = (
    (
        r"\bin stock\b|\bavailable\b",
        r"\bout of stock\b|\bsold out\b|\bunavailable\b|\b(?:not|no longer) (?:in stock|available)\b",
    ),
    (r"\bpaid\b", r"\bunpaid\b|\bnot (?:yet )?paid\b"),
    (r"\bpublic\b", r"\bprivate\b"),
    (r"\bpublished\b", r"\bdraft\b|\bunpublished\b"),
    (r"\bsucceeded\b|\bsuccessful\b", r"\bfailed\b|\bunsuccessful\b"),
)
_COMPILED = tuple((re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE)) for one, other in _OPPOSITES)


_ABOUT_CONTROL = re.compile(r"\b(?:filter|checkbox|button|option|field|link|tab|box|menu)\b")


def opposites(statement: Statement, page: Page) -> Hint | None:
    """'The product is out of stock' against 'In stock', said of the same thing or of the page's only thing."""
    if _ABOUT_CONTROL.search(statement.lower) or _ONLY.search(statement.lower):
        return None
    for positive, negative in _COMPILED:
        denies = negative.search(statement.lower) is not None
        if denies or positive.search(statement.lower):
            about = words(positive.sub(" ", negative.sub(" ", statement.lower))) - GENERIC
            told = _told(page, positive, negative, about)
            of_page = not about or any(about <= line.said_words for line in page.titles())
            best = max((share for share, _, _ in told), default=0.0)
            top = [(says_no == denies, line) for share, says_no, line in told if share == best]
            if not top or len({holds for holds, _ in top}) != 1 or (best < 0.75 and not of_page):
                return None
            holds, line = top[0]
            return hint(holds=holds != (statement.negated and not denies), strength=0.75, lines=[line])
    return None


def _denied_before(text: str, place: int) -> bool:
    """Whether the sentence denies what stands at `place`: 'Nothing has been paid'."""
    return negated(re.split(r"[.!?;|]", text[:place])[-1])


def _told(
    page: Page, positive: re.Pattern[str], negative: re.Pattern[str], about: frozenset[str]
) -> list[tuple[float, bool, Line]]:
    """Lines with one of two opposites: how far their block is about the thing, and whether it is the negative one."""
    told: list[tuple[float, bool, Line]] = []
    for line in page.lines:
        text = " ".join([line.said, *(control.value or "" for control in line.controls)])
        yes = positive.search(text)
        says_no = negative.search(text) is not None or (yes is not None and _denied_before(text, yes.start()))
        if says_no or yes:
            told.append((coverage(about, page.block(line).words), says_no, line))
    return told


_SHOWN = r"(?:is|was|has) (?:now )?(?:displayed|shown|open|opened|visible|loaded|been (?:opened|loaded|reached))\b"
_WHERE = re.compile(
    r"\bpage is (?:the|an?) (?P<a>.+?)(?: page)?\W*$|"
    rf"\bpage (?:of|for|about) (?P<b>.+?) {_SHOWN}|"
    rf"\b(?:the|an?) (?P<c>.+?) (?:page|screen|form|view|section) {_SHOWN}|"
    r"\bon the (?P<d>.+?) (?:page|screen|form)\b|"
    r"^the page (?:shows|displays|is about) (?P<e>[^\"“']+?)\W*$"
)


def _where(statement: Statement) -> frozenset[str]:
    """The words for the page that the statement says one is on; none when it says no such thing."""
    match = _WHERE.search(statement.lower)
    return words(next(group for group in match.groups() if group)) if match else frozenset[str]()


def identity(statement: Statement, page: Page) -> Hint | None:
    """'The basket page is displayed' against the page's headings, title and address."""
    wanted = _where(statement)
    other = _NOT_THAT.search(statement.lower)
    if other:
        wanted = words(statement.lower[other.end() :]) & wanted
    for line in page.titles():
        if wanted and wanted <= line.said_words and not (line.said_words - wanted) & _SEARCH:
            share = len(wanted) / len(line.said_words)
            return hint(holds=statement.negated == bool(other), strength=0.6 + 0.25 * share, lines=[line])
    return None


_SEARCH = frozenset(stem(word) for word in ("search", "matching", "results", "similar", "related"))
"""A heading with these words names what was looked for, not what was found."""


def echo(statement: Statement, page: Page) -> Hint | None:
    """Nearly the statement's own words in one line that the page says itself, all that is claimed among them."""
    if len(statement.words) < 3 or statement.numbers or _ONLY.search(statement.lower):
        return None
    best: tuple[float, Line] | None = None
    for line in page.lines:
        share = coverage(statement.words, line.said_words)
        if (
            share >= 0.75
            and bears(line, statement)
            and statement.predicate <= line.said_words
            and (best is None or share > best[0])
        ):
            best = (share, line)
    if best is None:
        return None
    share, line = best
    return hint(holds=negated(line.said) == statement.negated, strength=0.65 * share, lines=[line])


TEXT_RULES = (named, error_page, errors, opposites, identity, echo)
