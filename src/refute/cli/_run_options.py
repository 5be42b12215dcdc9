"""The options that say what a run is: `bench run` and `bench ablate` read them alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypedDict, TypeVar, cast

import click

from refute.arena import MistakeRates, Noise
from refute.cli._options import RunLimits, limit_options, model_options, screenshots_option, strategy_option
from refute.evidence import TEXT_SCORERS
from refute.llm import OutputMode
from refute.revisions import Deliver, Screen, Strategy, TriggerMode
from refute.run import SIMULATED

F = TypeVar("F", bound=Callable[..., Any])
_OF_SUITES = (
    TriggerMode.MILESTONE,
    TriggerMode.HYBRID,
    TriggerMode.PREDICATE,
    TriggerMode.ACTION_INDEX,
    TriggerMode.FRACTION,
)
_SCREEN = Screen()


class RunOptions(RunLimits):
    """What `run_options` hands to a command: fields of `RunSettings`."""

    model: str
    base_url: str | None
    output_mode: OutputMode | None
    deliver: Deliver
    trigger: TriggerMode
    at: tuple[float, ...]
    screen: Screen
    strategy: Strategy
    seed: int
    max_steps: int | None
    rates: MistakeRates | None
    noise: Noise | None
    screenshots: bool


class _Given(TypedDict):
    """What click hands over for them."""

    model: str
    base_url: str | None
    output_mode: str | None
    deliver: str
    trigger: str
    at: tuple[float, ...]
    trigger_scorer: str
    ask_from: float
    ask_after: int
    strategy: str
    seed: int
    max_steps: int | None
    limits: RunLimits
    screenshots: bool


def run_options(command: F) -> F:
    """The model, delivery, dice, limits and pictures of a run.

    The command takes them as one argument ``options: RunOptions``, made for ``RunSettings(suite=…, agent=…,
    **options)``. The simulated model comes with its default mistakes and noise.
    """

    @wraps(command)
    def collected(**arguments: Any) -> object:
        given = cast("_Given", {name: arguments.pop(name) for name in _Given.__annotations__})
        return command(**arguments, options=_options(given))

    wrapped = cast("F", collected)
    for decorate in (
        screenshots_option,
        limit_options,
        click.option("--max-steps", type=click.IntRange(1), help="Instead of each task's own step budget."),
        _delivery_options,
        click.option("--seed", default=0, show_default=True, help="The run's dice, the same for every agent."),
        model_options,
    ):
        wrapped = decorate(wrapped)
    return wrapped


def _options(given: _Given) -> RunOptions:
    simulated = given["model"] == SIMULATED
    mode = given["output_mode"]
    return RunOptions(
        model=given["model"],
        base_url=given["base_url"],
        output_mode=OutputMode(mode) if mode else None,
        deliver=Deliver(given["deliver"]),
        trigger=TriggerMode(given["trigger"]),
        at=given["at"],
        screen=Screen(scorer=given["trigger_scorer"], threshold=given["ask_from"], patience=given["ask_after"]),
        strategy=Strategy(given["strategy"]),
        seed=given["seed"],
        max_steps=given["max_steps"],
        rates=MistakeRates() if simulated else None,
        noise=Noise() if simulated else None,
        screenshots=given["screenshots"],
        **given["limits"],
    )


def _delivery_options(command: F) -> F:
    """``--deliver``, ``--trigger``, ``--at``, what `hybrid` asks by, ``--strategy``."""
    wrapped = strategy_option(command)
    for option in (
        click.option(
            "--ask-after",
            type=click.IntRange(0),
            default=_SCREEN.patience,
            show_default=True,
            metavar="N",
            help="For hybrid: ask the model after N observations in a row on which it was not asked.",
        ),
        click.option(
            "--ask-from",
            type=click.FloatRange(0, 1),
            default=_SCREEN.threshold,
            show_default=True,
            metavar="P",
            help="For hybrid: ask the model where the milestone's plausibility is P or more.",
        ),
        click.option(
            "--trigger-scorer",
            metavar="NAME[:SOURCE]",
            default=_SCREEN.scorer,
            show_default=True,
            help=f"What scores the milestone on a page: {', '.join(TEXT_SCORERS)}.",
        ),
        click.option(
            "--at",
            type=click.FloatRange(min=0),
            multiple=True,
            metavar="N",
            help="For action_index: after how many actions; again for the next revision. For fraction: a share of the "
            "actions that the agent takes without the revision (0.5).",
        ),
        click.option(
            "--trigger",
            type=click.Choice([mode.value for mode in _OF_SUITES]),
            default=TriggerMode.MILESTONE.value,
            show_default=True,
            help="What decides that a revision is due: the model, the model where a cheap score says it may be "
            "(hybrid), the site's truth, or a number of actions.",
        ),
        click.option(
            "--deliver",
            type=click.Choice([when.value for when in Deliver]),
            default=Deliver.DURING.value,
            show_default=True,
            help="Whether revisions come: while the agent works, never (the lower bound), or upfront, in a final goal "
            "that the agent has from the start (the upper bound).",
        ),
    ):
        wrapped = option(wrapped)
    return wrapped
