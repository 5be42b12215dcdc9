"""Which Chromium is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from refute import BrowserMissing
from refute.browser import find_chromium


def program(folder: Path, name: str) -> Path:
    file = folder / name
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


def test_the_variable_comes_first_then_the_download_then_the_path(tmp_path: Path) -> None:
    chosen, download, found = (program(tmp_path, name) for name in ("mine", "download", "chromium"))
    path = {"PATH": str(tmp_path)}
    assert find_chromium(str(download), environment={"REFUTE_BROWSER": str(chosen), **path}) == chosen
    assert find_chromium(str(download), environment=path) == download
    assert find_chromium(str(tmp_path / "absent"), environment=path) == found


def test_nothing_found_names_all_that_was_tried_and_how_to_install(tmp_path: Path) -> None:
    with pytest.raises(BrowserMissing) as missing:
        find_chromium("/nowhere/chrome", environment={"PATH": str(tmp_path)})
    for word in (
        "REFUTE_BROWSER",
        "/nowhere/chrome",
        "google-chrome",
        "playwright install",
        "apt-get install chromium",
    ):
        assert word in str(missing.value)


def test_a_variable_that_names_no_program_is_an_error_rather_than_ignored(tmp_path: Path) -> None:
    program(tmp_path, "chromium")
    with pytest.raises(BrowserMissing, match="REFUTE_BROWSER='/nowhere'"):
        find_chromium(environment={"REFUTE_BROWSER": "/nowhere", "PATH": str(tmp_path)})
