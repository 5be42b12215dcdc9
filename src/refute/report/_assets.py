"""Styles and scripts: files of this package, put into each page, so that a page is one file and asks for nothing."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

from markupsafe import Markup

_FOLDER = Path(__file__).with_name("templates")


@cache
def asset(name: str) -> Markup:
    """The text of a style or a script, to be put into a page as it is."""
    return Markup((_FOLDER / name).read_text(encoding="utf-8").strip())  # noqa: S704 - our own files, no input


@cache
def policy(*scripts: str) -> str:
    """The Content-Security-Policy of a page that carries these scripts: nothing else runs, nothing is fetched.

    Scripts are named by the hash of their text, so that one that came in through a trace would not run even if it
    were not escaped.
    """
    hashes = [base64.b64encode(hashlib.sha256(asset(s).encode()).digest()).decode() for s in scripts]
    allowed = " ".join(f"'sha256-{h}'" for h in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; img-src 'self' file: data:; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )
