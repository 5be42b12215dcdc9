"""Chromium asks nobody anything on its own account: what it asks is in the log of its network stack."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import playwright.async_api as pw
import pytest

from refute.browser import BrowserHost, _flags, find_chromium

from .site import Site

FORM = """<form action=/x method=post><label>First name <input name=fname></label><label>Mail <input name=email></label>
<label>Street <input name=address1></label><label>Card <input name=cc autocomplete=cc-number></label><button>Send"""


async def whole_chromium() -> Path:
    """Not the headless shell, which has no services of its own to ask."""
    async with pw.async_playwright() as playwright:
        return find_chromium(
            playwright.chromium.executable_path, window=True, environment={"PATH": os.environ.get("PATH", "")}
        )


async def asked(site: Site, log: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The hosts that a request was begun for while a form was looked at, whether or not it could be reached."""
    monkeypatch.setattr(_flags, "ARGS", (*_flags.ARGS, f"--log-net-log={log}"))
    async with BrowserHost(program=await whole_chromium()) as host, await host.session() as session:
        await session.goto(site.serve(FORM))
        await session.observe()
        await asyncio.sleep(2)  # it asks beside what the page does
    return hosts_in(log)


def hosts_in(log: Path) -> set[str]:
    record = json.loads(log.read_text(encoding="utf-8"))
    begun = record["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    urls = {e["params"]["url"] for e in record["events"] if e["type"] == begun and "url" in e.get("params", {})}
    return {url.split("/")[2].partition(":")[0] for url in urls if url.startswith("http")}


async def test_a_form_is_told_to_nobody(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await asked(site, tmp_path / "net.json", monkeypatch) == {"127.0.0.1"}


async def test_left_to_itself_it_would_be(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tuple(feature for feature in _flags.DISABLED if feature != "AutofillServerCommunication")
    monkeypatch.setattr(_flags, "DISABLED", kept)
    assert await asked(site, tmp_path / "net.json", monkeypatch) > {"127.0.0.1"}
