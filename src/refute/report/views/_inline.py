"""An SVG of matplotlib's as a part of a page: in the page's colours, dark or light, beside others of its kind."""

from __future__ import annotations

import re

_COLORS = {
    "#33393e": "currentColor",
    "#59636b": "var(--soft)",
    "#e3e6e8": "var(--line)",
    "#ffffff": "var(--card)",
    "#0072b2": "var(--f0)",
    "#d55e00": "var(--f1)",
    "#009e73": "var(--f2)",
    "#cc79a7": "var(--f3)",
    "#e69f00": "var(--f4)",
    "#56b4e9": "var(--f5)",
    "#000000": "var(--f6)",
}
"""What figures are drawn in, and what a page puts there."""
_HEAD = re.compile(r"\A.*?<svg ", re.DOTALL)
_USELESS = re.compile(r"<metadata>.*?</metadata>\s*|<style.*?</style>\s*|<!--.*?-->\s*", re.DOTALL)
_SIZE = re.compile(r'\b(?:width|height)="[\d.]+pt" ?')
_NAMED = re.compile(r'(\bid="|url\(#|href="#)')
_COLOR = re.compile("|".join(_COLORS))
_TAG = re.compile("<[^>]*>")


def for_page(svg: str, prefix: str) -> str:
    """`svg` without what a page has no use for, every id with `prefix`, as wide as its place.

    matplotlib escapes the texts that it is given, so that a name from a trace stays text here too.
    """
    text = _USELESS.sub("", _HEAD.sub('<svg aria-hidden="true" ', svg, count=1))
    head, close, rest = text.partition(">")

    def for_this_place(tag: re.Match[str]) -> str:
        named = _NAMED.sub(rf"\g<1>{prefix}", tag[0])
        return _COLOR.sub(lambda found: _COLORS[found[0]], named)

    return (_SIZE.sub("", head) + close + _TAG.sub(for_this_place, rest)).strip()
