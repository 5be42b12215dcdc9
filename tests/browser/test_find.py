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


@pytest.mark.parametrize("name", ["chrome-linux/headless_shell", "chrome-headless-shell-linux64/chrome-headless-shell"])
def test_without_a_window_the_shell_goes_before_the_whole_browser(tmp_path: Path, name: str) -> None:
    def put(place: str) -> Path:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        return program(tmp_path, place)

    path = {"PATH": str(tmp_path / "bin")}
    whole, other = put("kept/chromium-12/chrome-linux/chrome"), put(f"kept/chromium_headless_shell-11/{name}")
    debian = put("bin/chromium")
    assert find_chromium(str(whole), environment=path) == whole, f"{other} is of another build"
    debian_shell = put("bin/chromium-headless-shell")
    assert find_chromium(str(whole), environment=path) == debian_shell
    assert find_chromium(environment=path) == debian_shell
    assert find_chromium(environment=path, window=True) == debian
    shell = put(f"kept/chromium_headless_shell-12/{name}")
    assert find_chromium(str(whole), environment=path) == shell
    assert find_chromium(str(whole), environment=path, window=True) == whole


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
