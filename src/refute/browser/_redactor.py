"""Keeps the secrets of one session out of everything that leaves it: texts, events, outcomes, errors."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager

from refute._errors import BrowserError
from refute.browser._observation import Element
from refute.browser._outcome import Outcome
from refute.browser._secrets import Secrets

HIDDEN = "(hidden)"


class Redactor:
    """What a session's texts pass through on their way out; without secrets they pass as they are.

    `fields` are the numbers of the elements that a secret was typed into: what is in them is not shown at all, since a
    page may have cut or changed it.
    """

    def __init__(self, secrets: Secrets) -> None:
        self.secrets = secrets
        self.fields: set[int] = set()

    def reveal(self, text: str, url: str, number: int) -> str:
        """`text` as it is typed into element `number` of a document at `url`. Raises `SecretRefused`."""
        typed = self.secrets.reveal(text, url)
        if typed != text:
            self.fields.add(number)
        return typed

    def text(self, text: str) -> str:
        """Any text, for example a title or an address."""
        return self.secrets.redact(text)

    def page(self, text: str, elements: Iterable[Element]) -> str:
        """The text of an observation; `elements` are those that it numbers."""
        if not self.secrets:
            return text
        held = {e.value for e in elements if e.value and e.id in self.fields}
        for value in held:
            written = re.sub(r"[\"']", r"\\\\?[\"']", re.escape(value))  # quotes are changed or escaped in the text
            text = re.sub(rf"([\"'])(?:{written})\1", rf"\g<1>{HIDDEN}\g<1>", text)
        return self.text(text)

    def elements(self, elements: Iterable[Element]) -> tuple[Element, ...]:
        """The elements of an observation."""
        return tuple(self._element(e) for e in elements) if self.secrets else tuple(elements)

    def _element(self, element: Element) -> Element:
        value = HIDDEN if element.value and element.id in self.fields else element.value
        update = {
            "name": self.text(element.name),
            "value": None if value is None else self.text(value),
            "options": tuple(self.text(option) for option in element.options),
        }
        return element.model_copy(update=update)

    def outcome(self, outcome: Outcome) -> Outcome:
        """How an action ended: it may quote the page."""
        if not self.secrets:
            return outcome
        return outcome.model_copy(update={"detail": self.text(outcome.detail), "hint": self.text(outcome.hint)})

    @contextmanager
    def errors(self) -> Generator[None]:
        """Errors are raised again without what a call was made with, and without the errors that led to them."""
        try:
            yield
        except BrowserError as error:
            if not self.secrets:
                raise
            raise type(error)(self.text(str(error))) from None
