"""Which hosts a session may talk to."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import playwright.async_api as pw

from refute.browser._tabs import Tabs

Allow = Callable[[str], bool]
"""Says whether requests to a host (lower case, without a port) may leave the browser."""

LOOPBACK_ARGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    "--no-proxy-server",
)
"""Flags under which Chromium reaches this machine only.

A route sees a request, but not where the reply redirects it: so the resolver has to refuse as well.
"""


def host_of(url: str) -> str:
    """The host in an address, lower case; empty for addresses that reach no host (data:, about:, …)."""
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return "?"


async def enforce(context: pw.BrowserContext, tabs: Tabs, allow: Allow) -> None:
    """Abort every request to a host that `allow` turns down, and report it."""

    async def decide(route: pw.Route) -> None:
        request = route.request
        host = host_of(request.url)
        try:
            if not host or allow(host):
                await route.continue_()
                return
            tabs.refused(request)
            # an "aborted" navigation leaves the tab where it is, any other error replaces the page
            await route.abort("aborted" if request.is_navigation_request() else "blockedbyclient")
        except pw.Error:
            return  # the page went away, and the request with it

    await context.route("**/*", decide)
