"""Somebody who uses a site without a browser: keeps its cookies, and sends the forms that its pages hold.

Ten to fifty times cheaper than a browser, and enough wherever a page is a form: what the site does with it is the same.
"""

from __future__ import annotations

import asyncio
import http.client
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode, urljoin, urlsplit

from refute._errors import SiteError

ANSWER_SECONDS = 30.0
"""How long a site may take for one answer."""
MOST_REDIRECTS = 5
_FIELD, _COOKIE = "csrfmiddlewaretoken", "csrftoken"
"""Django's proof that a form comes from a page of the site: the same token in the form and in a cookie."""
_REDIRECTS = (301, 302, 303, 307, 308)
_UNSENT = ("submit", "button", "image", "file", "reset")


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form as a page holds it: where it goes, and what it sends when nobody changes a field."""

    id: str
    action: str
    """Address path that it is sent to."""
    fields: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a site answered."""

    path: str
    """Address path that was asked for in the end."""
    status: int
    location: str
    """Address path that it sends on to; empty when it does not."""
    body: str

    def forms(self) -> tuple[Form, ...]:
        """The forms of the page, in its order."""
        parser = _Forms(self.path)
        parser.feed(self.body)
        return tuple(parser.forms)


class Visitor:
    """A visit to the site at `origin` with the cookies of `storage_state`, over one connection.

    ``async with Visitor(instance.origin, instance.storage_state("emma")) as emma``. One request at a time. `token` is
    that of an earlier visit, which saves looking at a page before the first form is sent. Everything raises `SiteError`
    when the site does not answer within `ANSWER_SECONDS`, or with an error.
    """

    def __init__(self, origin: str, storage_state: Mapping[str, Any], *, token: str = "") -> None:
        self.origin = origin
        self._cookies = {str(c["name"]): str(c["value"]) for c in storage_state["cookies"]}
        if token:
            self._cookies[_COOKIE] = token
        where = urlsplit(origin)
        self._connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=ANSWER_SECONDS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    @property
    def token(self) -> str:
        """What proves to the site that forms come from its own pages; empty before a page with a form was opened."""
        return self._cookies.get(_COOKIE, "")

    async def open(self, path: str) -> Answer:
        """The page that `path` leads to, redirects followed."""
        for _ in range(MOST_REDIRECTS):
            answer = await self.follow(path)
            if not answer.location:
                return answer
            path = answer.location
        raise SiteError(f"the site sends on and on from {path}")

    async def follow(self, path: str) -> Answer:
        """What `path` answers, be it a page or a redirect: for links that do something."""
        return await asyncio.to_thread(self._ask, "GET", path, None)

    async def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        """Send `fields` to `path`, with the visit's token; a redirect is not followed.

        A form that the site takes is answered with a redirect; one that it does not is shown again.
        """
        return await asyncio.to_thread(self._ask, "POST", path, {_FIELD: self.token, **fields})

    def _ask(self, method: str, path: str, fields: Mapping[str, str] | None) -> Answer:
        try:
            status, location, body = self._exchange(method, path, fields)
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise SiteError(f"{self.origin}{path} did not answer: {type(error).__name__}: {error}") from error
        if status >= http.client.BAD_REQUEST:
            raise SiteError(f"{method} {self.origin}{path} was answered with {status}")
        return Answer(path=path, status=status, location=location, body=body)

    def _exchange(self, method: str, path: str, fields: Mapping[str, str] | None) -> tuple[int, str, str]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._connection.request(method, path, body=urlencode(fields) if fields is not None else None, headers=headers)
        response = self._connection.getresponse()
        body = response.read().decode(errors="replace")
        for line in response.headers.get_all("Set-Cookie", []):
            self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        location = response.headers["Location"] if response.status in _REDIRECTS else None
        return response.status, _path(urljoin(f"{self.origin}{path}", location)) if location else "", body


@dataclass
class _Draft:
    id: str
    action: str
    fields: dict[str, str] = field(default_factory=dict[str, str])


class _Forms(HTMLParser):
    """Collects forms: hidden, typed and ticked inputs, texts, and the chosen options."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self._form: _Draft | None = None
        self._area = ""
        """Name of the text area that is open."""
        self._choice = ""
        """Name of the choice whose options come."""
        self.forms: list[Form] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a form, or read a field."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = given.get("action", "").partition("#")[0]
            self._form = _Draft(given.get("id", ""), _path(urljoin(f"http://site{self._path}", action)))
        elif self._form is not None:
            self._read(tag, given.get("name", ""), given, self._form.fields)

    def _read(self, tag: str, name: str, given: Mapping[str, str], fields: dict[str, str]) -> None:
        kind = given.get("type", "text")
        ticks = kind in ("checkbox", "radio")
        if tag == "input" and name and kind not in _UNSENT and (not ticks or "checked" in given):
            fields[name] = given.get("value", "on" if ticks else "")
        elif tag == "textarea" and name:
            self._area = name
            fields[name] = ""
        elif tag == "select" and name:
            self._choice = name
        elif tag == "option" and self._choice and ("selected" in given or self._choice not in fields):
            fields[self._choice] = given.get("value", "")

    def handle_data(self, data: str) -> None:
        """Read what stands in a text area."""
        if self._form is not None and self._area:
            self._form.fields[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        """Close a field or a form."""
        if tag == "textarea":
            self._area = ""
        elif tag == "select":
            self._choice = ""
        elif tag == "form" and self._form is not None:
            self.forms.append(Form(id=self._form.id, action=self._form.action, fields=self._form.fields))
            self._form = None


def _path(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
