"""A name for an address that is another one each time: a bundled site listens on whatever port is free."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

STAND_IN = "site.invalid"
"""What stands for a site's host and port in questions that are kept: a name that exists nowhere (RFC 2606)."""


class StandIn:
    """Puts `STAND_IN` in the place of an address, and the address back; for ``""`` texts stay as they are."""

    def __init__(self, origin: str) -> None:
        """`origin`: scheme, host and port."""
        self._host = urlsplit(origin).netloc
        # Written as it is, or within a query; another port that begins with the same digits is another site.
        forms = "|".join(re.escape(form) for form in (self._host, quote(self._host, safe="")))
        self._written = re.compile(rf"(?<![\w.-])(?:{forms})(?!\d)") if self._host else None

    def hide(self, text: str) -> str:
        """`text` as it would read on any run."""
        return self._written.sub(STAND_IN, text) if self._written is not None else text

    def show(self, text: str) -> str:
        """`text` as it reads on this run."""
        return text.replace(STAND_IN, self._host) if self._host else text
