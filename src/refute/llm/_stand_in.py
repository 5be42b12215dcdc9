"""A name for an address that is another one each time: a bundled site listens on whatever port is free."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

STAND_IN = "site.invalid"
"""What stands for a site's host and port in questions that are kept: a name that exists nowhere (RFC 2606)."""
QUOTED = f"quoted.{STAND_IN}"
"""What stands for them as they are written within a query, with ``%3A`` before the port."""


class StandIn:
    """Puts `STAND_IN` and `QUOTED` in the place of an address, and the address back; for ``""`` texts stay as they
    are."""

    def __init__(self, origin: str) -> None:
        """`origin`: scheme, host and port."""
        host = urlsplit(origin).netloc
        self._names = {quote(host, safe=""): QUOTED, host: STAND_IN} if host else {}
        forms = "|".join(re.escape(form) for form in self._names)
        # Within a query the slashes before it may be quoted, too. Another port that begins with the same digits is
        # another site.
        self._written = re.compile(rf"(?:(?<=%2[Ff])|(?<![\w.-]))(?:{forms})(?!\d)")

    def hide(self, text: str) -> str:
        """`text` as it would read on any run."""
        return self._written.sub(lambda found: self._names[found[0]], text) if self._names else text

    def show(self, text: str) -> str:
        """`text` as it reads on this run."""
        for form, name in self._names.items():  # the longer name first
            text = text.replace(name, form)
        return text
