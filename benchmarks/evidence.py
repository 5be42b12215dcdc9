"""What the fast tester's scoring costs a state, and the share of an episode that it is.

    python benchmarks/evidence.py             a table
    python benchmarks/evidence.py --json      the same as JSON

A commitment of twelve statements is scored on pages of 50 to 400 lines in the browser's compact form, as the agent does
after each action. `cold`: a page of which no line was seen before; `known`: a page on which five lines are new. Medians
of milliseconds of CPU time, in one thread: wall time would tell what else the machine does. `share`: of a step that
also asks a model for two seconds, on a known page.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import statistics
import sys
import time
from collections.abc import Sequence

from refute.evidence import TextScorer, open_scorer

SIZES = (50, 150, 400)
MODEL_SECONDS = 2.0
NEW_LINES = 5
STATEMENTS = (
    'The page lists products matching "mug"',
    "The basket contains two travel mugs",
    "The basket total is under £40",
    "A message says that the product was added",
    "The product is in stock",
    "No products match the search",
    "An error message is shown",
    "The user is signed out",
    "The checkout page is displayed",
    "Only red products are listed",
    "The quantity of the red mug is 2",
    "The page does not exist",
)


def page_of(lines: int, *, seed: int) -> list[str]:
    """A shop's page: an address, a header, and products of which each takes three lines."""
    head = [f"https://shop.example/list?page={seed}", "Mugs | Shop", '[1] textbox "Search" (value="mug")', "# Mugs"]
    products = (
        line
        for n in range(lines)
        for line in (
            f'- [{n}] link "Travel mug no. {seed}-{n}" -> /mug/{seed}-{n}/',
            f"£{n % 40 + 5}.{seed % 90 + 10} In stock ({n % 17} available)",
            f"Rated {n % 5}.{seed % 10} out of 5 ({n % 23} reviews)",
        )
    )
    return [*head, *(line for line, _ in zip(products, range(lines - len(head)), strict=False))]


async def cost(scorer: TextScorer, lines: int, repeats: int) -> dict[str, float]:
    """Milliseconds of CPU for a page never seen, and for one on which a few lines are new."""
    cold: list[float] = []
    known: list[float] = []
    for repeat in range(repeats):
        page = page_of(lines, seed=1000 * lines + repeat)
        cold.append(await _timed(scorer, page))
        page[-NEW_LINES:] = [f"Mug {lines}-{repeat} was moved to row {n}" for n in range(NEW_LINES)]
        known.append(await _timed(scorer, page))
    return {"cold": statistics.median(cold), "known": statistics.median(known)}


async def _timed(scorer: TextScorer, page: Sequence[str]) -> float:
    begun = time.process_time()
    await scorer.score("\n".join(page), STATEMENTS)
    return 1000 * (time.process_time() - begun)


async def measure(names: Sequence[str], repeats: int) -> list[dict[str, object]]:
    """A row for each scorer and size."""
    rows: list[dict[str, object]] = []
    for name in names:
        scorer = open_scorer(name)
        await scorer.score("\n".join(page_of(20, seed=1)), STATEMENTS)  # a model is opened when it is first needed
        for lines in SIZES:
            took = await cost(scorer, lines, repeats)
            share = took["known"] / (took["known"] + 1000 * MODEL_SECONDS)
            rows.append(
                {"scorer": scorer.name, "lines": lines, **{k: round(v, 1) for k, v in took.items()}, "share": share}
            )
    return rows


def main() -> None:
    """Measure, and print."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--json", action="store_true")
    options.add_argument("--repeats", type=int, default=7)
    options.add_argument("--scorers", default="lexical,hybrid")
    given = options.parse_args()
    rows = asyncio.run(measure(given.scorers.split(","), given.repeats))
    if given.json:
        print(json.dumps({"python": platform.python_version(), "machine": platform.machine(), "rows": rows}, indent=1))
        return
    print(f"Python {platform.python_version()}, {platform.machine()}; ms of CPU a state, {len(STATEMENTS)} statements")
    print(f"{'scorer':10}{'lines':>7}{'cold':>9}{'known':>9}{'share':>9}")
    for row in rows:
        print(f"{row['scorer']:10}{row['lines']:>7}{row['cold']:>9}{row['known']:>9}{row['share']:>9.2%}")


if __name__ == "__main__":
    sys.exit(main())
