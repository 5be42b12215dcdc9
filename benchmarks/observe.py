"""What it costs to observe pages of 75 to 30,000 elements, as ratios: the cost should follow the viewport.

    python benchmarks/observe.py             a table
    python benchmarks/observe.py --json      the same as JSON

Each page is a list of rows with a link and a button, opened at its top in a viewport of 1280 x 720. Medians of
`--repeats` observations after `--warm` that do not count; Playwright's aria snapshot of the same page, taken
afterwards, is repeated less often where it takes seconds. `first`: the first observation of a document, from the moment
its mark-up has been read; its style sheet takes `STYLE` seconds, as over a network. Ratios are what counts:
milliseconds depend on the machine and on what else it does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import statistics
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from refute.browser import BrowserHost, Session

SIZES = (75, 750, 7500, 30000)
STYLE = 0.3
LONGEST = 120_000
"""Milliseconds given to any one call."""
BUDGET = 20.0
"""Seconds after which Playwright's snapshots of one page are not repeated further."""
AIM = 3.0


def page_of(elements: int) -> str:
    """Rows of three elements: a paragraph, a link and a button."""
    rows = (f"<p>Row {i} <a href=/{i}>Item {i}</a> <button>Buy {i}</button></p>" for i in range(elements // 3))
    return "<!doctype html><title>Rows</title><link rel=stylesheet href=/style><script>0</script><body>" + "".join(rows)


class Pages(BaseHTTPRequestHandler):
    """`/N` is the page of N elements."""

    def do_GET(self) -> None:
        """Answer."""
        slow = self.path == "/style"
        if slow:
            time.sleep(STYLE)
        self.send_response(200)
        self.send_header("Content-Type", "text/css" if slow else "text/html")
        self.end_headers()
        number = self.path.strip("/")
        self.wfile.write(b"p { margin: 4px }" if slow else page_of(int(number) if number.isdigit() else 0).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002, the base class says so
        """Say nothing."""


async def timed(call: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds."""
    start = time.perf_counter()
    await call()
    return (time.perf_counter() - start) * 1000


async def measure(session: Session, url: str, *, repeats: int, warm: int) -> dict[str, float]:
    """Medians for one page."""
    page = session._tabs.active  # pyright: ignore[reportPrivateUsage]
    first: list[float] = []
    for _ in range(3):
        await page.goto(url, wait_until="domcontentloaded", timeout=LONGEST)
        first.append(await timed(session.observe))
    await session.settle()
    for _ in range(warm):
        await session.observe()
    ours: list[float] = []
    snapshots: list[float] = []
    for _ in range(repeats):
        ours.append(await timed(session.observe))
    # Apart from ours: what a snapshot of a large page leaves behind slows down what comes next.
    for _ in range(repeats):
        if sum(snapshots) < BUDGET * 1000:
            snapshots.append(await timed(lambda: page.locator("body").aria_snapshot(timeout=LONGEST)))
    observation = await session.observe()
    return {
        "observe_ms": statistics.median(ours),
        "observe_repeats": len(ours),
        "snapshot_ms": statistics.median(snapshots),
        "snapshot_repeats": len(snapshots),
        "first_ms": statistics.median(first),
        "characters": len(observation.text),
        "targets": len(observation.elements),
    }


async def run(repeats: int, warm: int, sizes: tuple[int, ...]) -> dict[str, object]:
    """All pages, one after the other, in one session."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    rows: list[dict[str, float]] = []
    try:
        async with BrowserHost(loopback_only=True) as host, await host.session() as session:
            version = host.version
            for size in sizes:
                url = f"http://127.0.0.1:{server.server_port}/{size}"
                rows.append({"elements": size} | await measure(session, url, repeats=repeats, warm=warm))
    finally:
        server.shutdown()
        server.server_close()
    for row in rows:
        row["times_smallest"] = row["observe_ms"] / rows[0]["observe_ms"]
        row["snapshot_times_observe"] = row["snapshot_ms"] / row["observe_ms"]
    return {"browser": version, "machine": platform.machine(), "aim_times_smallest": AIM, "rows": rows}


def table(result: dict[str, object]) -> str:
    """For people."""
    rows: list[dict[str, float]] = result["rows"]  # pyright: ignore[reportAssignmentType], made above
    head = f"{'elements':>9}{'observe':>11}{'x smallest':>12}{'snapshot':>11}{'x observe':>11}{'first':>10}{'text':>8}"
    lines = [f"{result['browser']}, medians", head]
    lines += [
        f"{row['elements']:>9.0f}{row['observe_ms']:>8.1f} ms{row['times_smallest']:>12.2f}"
        f"{row['snapshot_ms']:>8.1f} ms{row['snapshot_times_observe']:>11.1f}{row['first_ms']:>7.1f} ms"
        f"{row['characters']:>8.0f}"
        for row in rows
    ]
    met = rows[-1]["times_smallest"] <= AIM
    return "\n".join(
        [*lines, f"aim: the largest page costs at most {AIM:g} x the smallest: {'met' if met else 'missed'}"]
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="cost of an observation by page size")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--warm", type=int, default=3)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="numbers of elements")
    options = parser.parse_args()
    result = asyncio.run(run(options.repeats, options.warm, tuple(options.sizes)))
    sys.stdout.write((json.dumps(result, indent=2) if options.json else table(result)) + "\n")


if __name__ == "__main__":
    main()
