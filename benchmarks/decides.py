"""The figures of docs/how-the-agent-decides.md, from the trace of its episode: the drawing of the plan, and counts.

    refute bench run arena:shop --agent fcp --model simulated --tasks buy-one.headphones --seed 38 --out out/decides
    python benchmarks/decides.py out/decides

The drawing is the report's own, with the report's colours written into it, so that it can stand alone as a picture.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import refute.report
from refute.agents import FinalChecked, Interpreted, Repaired, Tested, Verified
from refute.browser import Acted
from refute.llm import ModelCalled
from refute.report import write_report
from refute.trace import Trace, read_trace

PICTURE = Path(__file__).parent.parent / "docs" / "assets" / "decides-plan.svg"
TEMPLATES = Path(refute.report.__file__).parent / "templates"


def main(out: Path) -> None:
    """Draw the picture, and print what the page quotes."""
    write_report(out)
    folder = next(path.parent for path in sorted(out.rglob("events.jsonl")))
    PICTURE.write_text(drawing((folder / "index.html").read_text(encoding="utf-8")), encoding="utf-8")
    for name, figure in figures(read_trace(folder)).items():
        print(f"{name:<28}{figure}")


def drawing(page: str) -> str:
    """The plan's drawing, with its rules of style inside and its colours resolved to the light ones."""
    start = page.index("<svg", page.index('id="plan"'))
    svg = page[start : page.index("</svg>", start) + len("</svg>")]
    base, own = ((TEMPLATES / name).read_text(encoding="utf-8") for name in ("base.css", "episode.css"))
    colours = dict(re.findall(r"(--[\w-]+): light-dark\(([^,]+),", base))
    rules = re.findall(r"^\.plan ((?!svg).+)$", own, re.MULTILINE)
    style = "\n".join(rule.replace(", .plan ", ", ") for rule in rules)
    ground = f'<rect width="100%" height="100%" style="fill:{colours["--card"]};stroke:none"/>'
    svg = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    svg = svg.replace("<defs>", f"<style>{style}</style>{ground}<defs>", 1)
    return re.sub(r"var\((--[\w-]+)\)", lambda match: colours.get(match[1], "none"), svg) + "\n"


def figures(trace: Trace) -> dict[str, str]:
    """What the page quotes, by name."""
    states = [event for event in trace.of(Tested) if event.phase == "state"]
    actions = [event for event in trace.of(Tested) if event.phase == "action"]
    calls = Counter(call.role for call in trace.of(ModelCalled))
    return {
        "actions": str(len(trace.of(Acted))),
        "model calls": listed(calls),
        "states, by route": listed(Counter(event.route.value for event in states)),
        "actions tested, by route": listed(Counter(event.route.value for event in actions)),
        "verdicts": listed(Counter(event.decision.value for event in trace.of(Verified))),
        "repairs, by scope": listed(Counter(event.scope.value for event in trace.of(Repaired))),
        "requirements read": ", ".join(str(len(event.constraints)) for event in trace.of(Interpreted)),
        "final checks": ", ".join(event.result.value for event in trace.of(FinalChecked)),
    }


def listed(counts: Counter[str]) -> str:
    """``a 3, b 1``: the largest first."""
    pairs: Iterable[tuple[str, int]] = counts.most_common()
    return ", ".join(f"{name} {number}" for name, number in pairs)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
