"""The nouns are imported everywhere, so they must stay light."""

import subprocess
import sys

import refute.browser


def test_the_nouns_do_not_load_playwright() -> None:
    script = (
        "import sys; from refute.browser import Click, Observation, parse_action; "
        "print('playwright' in sys.modules); from refute.browser import BrowserHost; print('playwright' in sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert loaded.stdout.split() == ["False", "True"]


def test_every_public_name_is_there() -> None:
    assert [name for name in refute.browser.__all__ if not hasattr(refute.browser, name)] == []
