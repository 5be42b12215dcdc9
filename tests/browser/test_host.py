"""One Chromium for all sessions: what it is started with, what is left behind, and how it ends."""

from __future__ import annotations

import asyncio
import signal
import socket

import psutil
import pytest

from refute import BrowserError, UserError
from refute.browser import BrowserHost

from .site import Site, see
from .test_losses import youngest_browser


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_chromium_does_not_get_the_keys_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("some_api_key", "sk-2")
    monkeypatch.setenv("REFUTE_SECRET_PASSWORD", "hunter22")
    monkeypatch.setenv("REFUTE_TEST_OTHER", "kept")
    async with BrowserHost(loopback_only=True):
        environment = youngest_browser().environ()
    assert environment["REFUTE_TEST_OTHER"] == "kept"
    assert not {"OPENAI_API_KEY", "some_api_key", "REFUTE_SECRET_PASSWORD"} & set(environment)


async def test_what_playwright_turns_off_in_chromium_stays_off() -> None:
    async with BrowserHost(loopback_only=True):
        line = youngest_browser().cmdline()
    lists = [arg.partition("=")[2] for arg in line if arg.startswith("--disable-features=")]
    assert len(lists) == 2  # Playwright's, and ours, which is the one that counts
    theirs, ours = (set(names.split(",")) for names in lists)
    assert theirs < ours


async def test_a_session_has_no_renderer_for_the_window_that_nobody_sees(site: Site) -> None:
    async with BrowserHost(loopback_only=True) as host, await host.session() as session:
        await see(session, site.serve("<h1>Fine</h1>"))
        renderers: list[list[str]] = []
        for _ in range(100):  # processes start beside the session
            found = [process.cmdline() for process in youngest_browser().children(recursive=True)]
            renderers = [command for command in found if "--type=renderer" in command]
            if renderers:
                break
            await asyncio.sleep(0.05)
    assert renderers
    assert not [command for command in renderers if "--top-chrome-webui" in command]


async def test_a_browser_of_its_own_outlives_ctrl_c_and_ends_with_its_session(site: Site, host: BrowserHost) -> None:
    async with await host.session(devtools_port=free_port()) as session:
        browser = youngest_browser()
        driver = browser.parent()
        assert driver is not None
        driver.send_signal(signal.SIGINT)  # as a terminal sends it to all of its processes
        for _ in range(3):
            assert (await see(session, site.serve("<h1>Fine</h1>"))).text == "# Fine"
    browser.wait(20)
    assert not browser.is_running()


async def test_a_session_that_does_not_open_leaves_no_browser_behind(
    host: BrowserHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = youngest_browser()
    started: list[psutil.Process] = []

    class Broken:
        def __init__(self, *_: object) -> None:
            started.append(youngest_browser())
            raise BrowserError("no tabs today")

    monkeypatch.setattr("refute.browser._host.Tabs", Broken)
    with pytest.raises(BrowserError, match="no tabs today"):
        await host.session(devtools_port=free_port())
    assert started != [before]
    started[0].wait(20)
    assert before.is_running()


async def test_an_open_port_and_what_it_would_give_away_do_not_go_together(host: BrowserHost) -> None:
    with pytest.raises(UserError, match="storage state"):
        await host.session({"cookies": [], "origins": []}, devtools_port=free_port())


async def test_a_host_whose_driver_is_gone_closes_without_an_error() -> None:
    async with BrowserHost(loopback_only=True):
        driver = youngest_browser().parent()
        assert driver is not None
        driver.kill()
    driver.wait(20)
    assert not driver.is_running()
