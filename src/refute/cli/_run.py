"""`refute run`: one goal on any address, with a real model."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from refute._goal import OUT, Conclusion, GoalResult, PlanStep, conclude, run_goal
from refute.agents import Library
from refute.cli._live import listen
from refute.cli._options import (
    RunLimits,
    cache_option,
    embedder_option,
    image_scorer_option,
    json_option,
    library_options,
    limit_options,
    model_options,
    print_json,
    scorer_option,
    screenshots_option,
    strategy_option,
)
from refute.cli._screen import clean, counted, spent
from refute.cli._watch import Watch, watching
from refute.llm import OutputMode
from refute.revisions import Inbox, Strategy

_CODES = {
    Conclusion.CONFIRMED: 0,
    Conclusion.INFEASIBLE: 1,
    Conclusion.BUDGET: 1,
    Conclusion.HARNESS_ERROR: 3,
    Conclusion.UNCONFIRMED: 4,
    Conclusion.UNFINISHED: 130,
}

_WORDS = {
    Conclusion.CONFIRMED: ("green", "✓ done, and the agent's own tests confirmed every step of its plan"),
    Conclusion.UNCONFIRMED: ("yellow", "! done (as the agent says), not confirmed"),
    Conclusion.INFEASIBLE: ("yellow", "✗ not done: the agent gave up"),
    Conclusion.BUDGET: ("yellow", "✗ not done: the budget is used up"),
    Conclusion.HARNESS_ERROR: ("red", "✗ the run failed, through no fault of the agent"),
    Conclusion.UNFINISHED: ("yellow", "interrupted: the trace up to here is kept"),
}


@click.command()
@click.argument("task")
@click.option("--url", required=True, metavar="URL", help="Where to start: http://, https:// or file://.")
@click.option(
    "--agent", default="fcp", show_default=True, metavar="A", help="fcp, react, or a variant such as fcp:no-repair."
)
@model_options
@click.option("--max-steps", default=40, show_default=True, type=click.IntRange(1), help="Step budget.")
@limit_options
@scorer_option
@image_scorer_option
@click.option(
    "--revise-after",
    type=(click.IntRange(0), str),
    metavar="N TEXT",
    multiple=True,
    help="Change the goal by TEXT before the action after step N. May be given several times.",
)
@click.option(
    "--revise-at",
    type=(str, str),
    metavar="MILESTONE TEXT",
    multiple=True,
    help="Change the goal by TEXT once the page shows what MILESTONE says; the model watches for it. May be given "
    "several times: they come in this order.",
)
@click.option("--live", is_flag=True, help="Every line typed while the agent runs changes the goal.")
@strategy_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=OUT,
    show_default=True,
    help="Folder for traces and reports.",
)
@click.option(
    "--allow",
    metavar="HOST",
    multiple=True,
    help="Let tabs open pages of HOST, too: shop.example, *.shop.example, with :PORT if only one is meant. "
    "Without it: the site of --url. May be given several times.",
)
@click.option("--allow-any", is_flag=True, help="Let tabs open pages of every host.")
@click.option("--strict", is_flag=True, help="Let pages embed nothing from other hosts either: no requests, no frames.")
@click.option(
    "--secrets",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="TOML file of values that the task calls <secret:NAME>, with the hosts that each is for.",
)
@click.option(
    "--upload",
    "uploads",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A file that the agent may upload. Name the file in TASK: the agent is not told otherwise. "
    "May be given several times.",
)
@library_options
@embedder_option
@cache_option
@click.option("--headed", is_flag=True, help="Show the browser.")
@screenshots_option
@json_option
def run(
    *,
    task: str,
    url: str,
    agent: str,
    model: str,
    base_url: str | None,
    output_mode: str | None,
    max_steps: int,
    limits: RunLimits,
    scorer: str,
    image_scorer: str | None,
    revise_after: tuple[tuple[int, str], ...],
    revise_at: tuple[tuple[str, str], ...],
    live: bool,
    strategy: str,
    out: Path,
    allow: tuple[str, ...],
    allow_any: bool,
    strict: bool,
    secrets: Path | None,
    uploads: tuple[Path, ...],
    library: Library | None,
    embedder: str,
    cache: Path | None,
    headed: bool,
    screenshots: bool,
    as_json: bool,
) -> None:
    """Work on TASK in a browser, starting at --url, and say what was confirmed.

    \b
    refute run "What is this page for?" --url https://example.com/ --model openai-chat:NAME \\
        --base-url http://127.0.0.1:8000/v1

    \b
    Exit codes:
      0  done, and every step of the plan was confirmed by the agent's own tests
      1  not done: the agent gave up, or a limit was reached
      2  cannot work as asked (address, model, key, browser); the message says what to change
      3  the run failed: the address or the model's server cannot be reached, the browser broke
      4  done as the agent says, but not confirmed (always so with the agent react, which has no plan)
      130  Ctrl-C; the trace up to there is kept
    """
    console = Console(stderr=as_json)
    inbox = Inbox()
    if live:
        console.print("  Type what changes, and Enter, at any time.", style="magenta", markup=False)
        listen(inbox)
    with watching(console, max_steps=max_steps, panel=not live) as watch:
        work = run_goal(
            task,
            url=url,
            model=model,
            agent=agent,
            base_url=base_url,
            output_mode=OutputMode(output_mode) if output_mode else None,
            revise_after=revise_after,
            revise_at=revise_at,
            inbox=inbox,
            strategy=Strategy(strategy),
            max_steps=max_steps,
            **limits,
            scorer=scorer,
            image_scorer=image_scorer,
            out=out,
            headed=headed,
            screenshots=screenshots,
            allow=("*",) if allow_any else allow,
            strict=strict,
            secrets=secrets,
            uploads=uploads,
            library=library,
            embedder=embedder,
            cache=cache,
            on_event=watch.take,
        )
        try:
            result = asyncio.run(work)
        except KeyboardInterrupt:
            result = _interrupted(watch, out)
    while (late := inbox.take()) is not None:
        console.print(Text(f"  not delivered, the run was over: {clean(late)}", style="yellow"), soft_wrap=True)
    if as_json:
        print_json(goal_json(result))
    else:
        _show(result, console)
    raise click.exceptions.Exit(_CODES[result.conclusion])


def _interrupted(watch: Watch, out: Path) -> GoalResult:
    """Conclude from what was written. Raises `KeyboardInterrupt` again when nothing was."""
    if watch.started is None:
        raise KeyboardInterrupt
    return conclude(out / watch.started.run_id / watch.started.task.id / str(watch.started.repeat), out)


def _show(result: GoalResult, console: Console) -> None:
    style, words = _WORDS[result.conclusion]
    console.print()
    console.print(Text(words, style=f"bold {style}"))
    for line in result.message.splitlines():
        console.print(Text(f"  {clean(line)}"), soft_wrap=True)
    _list("confirmed", "green", result.confirmed, console)
    _list("not confirmed", "yellow", result.unconfirmed, console)
    for requirement in result.open_requirements:
        console.print(Text(f"  final check, {clean(requirement)}", style="yellow"), soft_wrap=True)
    if not result.confirmed and not result.unconfirmed and result.done:
        console.print(Text("  The agent made no plan, so nothing could be confirmed.", style="dim"))
    cost = spent(seconds=result.seconds, calls=result.calls, tokens=result.tokens, dollars=result.dollars)
    counts = [(result.steps, "step"), (result.repairs, "repair"), (result.revisions, "revision")]
    told = " · ".join(counted(number, noun) for number, noun in counts if number or noun == "step")
    console.print(Text(f"  {told} · {cost}", style="dim"))
    if result.kept_calls:
        console.print(Text(f"  {not_billed(result)}", style="dim"))
    console.print(f"  Report: {result.report.resolve()}", highlight=False, markup=False, soft_wrap=True)


def not_billed(result: GoalResult) -> str:
    """What of the cost was not billed again."""
    if result.kept_calls == result.calls:
        return "All replies came from the cache: nothing new was asked."
    new = "an unknown sum"
    if result.dollars is not None and result.kept_dollars is not None:
        new = f"${result.dollars - result.kept_dollars:.4f}"
    return f"{counted(result.kept_calls, 'model call')} answered from the cache; the new ones cost {new}"


def _list(title: str, style: str, steps: tuple[PlanStep, ...], console: Console) -> None:
    if not steps:
        return
    console.print(Text(f"  {title}", style=style))
    for step in steps:
        line = Text(f"    {step.number}. {clean(step.subgoal)}")
        console.print(line.append(f"  {clean(step.evidence)}" if step.evidence else "", style="dim"), soft_wrap=True)


def goal_json(result: GoalResult) -> dict[str, Any]:
    """What ``--json`` prints."""

    def steps(part: tuple[PlanStep, ...]) -> list[dict[str, Any]]:
        return [{"number": s.number, "subgoal": s.subgoal, "status": s.status, "evidence": s.evidence} for s in part]

    return {
        "conclusion": result.conclusion,
        "message": result.message,
        "confirmed": steps(result.confirmed),
        "unconfirmed": steps(result.unconfirmed),
        "final_check": result.final_check,
        "open_requirements": list(result.open_requirements),
        "url": result.url,
        "repairs": result.repairs,
        "revisions": result.revisions,
        "steps": result.steps,
        "calls": result.calls,
        "tokens": result.tokens,
        "dollars": result.dollars,
        "kept_calls": result.kept_calls,
        "kept_dollars": result.kept_dollars,
        "seconds": round(result.seconds, 3),
        "folder": str(result.folder),
        "report": str(result.report),
    }
