"""How Chromium and Playwright's driver are started: flags, environment, and signals that are kept from them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator

from refute.browser._secrets import PREFIX

NOBODY = "http://127.0.0.1:9"
"""A port of this machine that Chromium refuses to connect to."""
ARGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    # asked of nobody, since no flag turns them off: what updates there are, and who is signed in
    f"--component-updater=url-source={NOBODY}",
    f"--gaia-url={NOBODY}",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # the same, by its older name
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
"""Chromium keeps to itself: nothing is fetched that a page did not ask for, and nothing goes around a proxy."""
DISABLED = (
    # Playwright's own: of two such flags Chromium heeds the last one, so ours has to repeat them
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "TcpPortRandomizationWin",
    "ThirdPartyStoragePartitioning",
    "msEdgeUpdateLaunchServicesPreferredVersion",
    "msForceBrowserSignIn",
    "AutofillServerCommunication",  # asks what the fields of each form are for, and so tells which forms are seen
    # the address bar, which nobody sees, would be a page of its own: a renderer more for each session
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
)
"""Features that are turned off."""
LOOPBACK_ARGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    "--no-proxy-server",
)
"""Flags under which Chromium reaches this machine only."""


IGNORE_SIGNALS = "--import=data:text/javascript,['SIGINT','SIGTERM'].forEach(s=>process.on(s,()=>0))"
"""For Playwright's driver: Ctrl-C reaches every process of a terminal, and what it means is decided here. The driver
still ends with its standard input, and Chromium with the driver."""


@contextlib.contextmanager
def left_alone() -> Generator[None]:
    """The driver that starts inside does not end by Ctrl-C."""
    before = os.environ.get("NODE_OPTIONS")
    os.environ["NODE_OPTIONS"] = f"{before or ''} {IGNORE_SIGNALS}".strip()
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("NODE_OPTIONS", None)
        else:
            os.environ["NODE_OPTIONS"] = before


def environment() -> dict[str, str | float | bool]:
    """What Chromium gets of the environment: no secret of a task and no key of a provider.

    They are known by their names. A variable that only a file of secrets names (``variable = …``) cannot be known
    here, where one Chromium is started for every session: it is passed on like any other.
    """
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX) and not _is_key(name)}


def _is_key(variable: str) -> bool:
    return variable.upper().endswith("_API_KEY")


def flags(*, loopback_only: bool) -> list[str]:
    """The command line that every Chromium of ours gets beside Playwright's own."""
    args = [*ARGS, f"--disable-features={','.join(DISABLED)}", *(LOOPBACK_ARGS if loopback_only else ())]
    if os.geteuid() == 0:
        args.append("--no-sandbox")  # Chromium refuses to run as root with one
    return args
