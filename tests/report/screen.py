"""A page, and what it asks for and complains about."""

from __future__ import annotations

from playwright.async_api import Page


def listen(page: Page) -> tuple[list[str], list[str]]:
    """Two lists that fill up: the addresses that the page asks for, and what its console says."""
    requested: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    return requested, said
