"""Options that several commands share."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypedDict, TypeVar, cast

import click

from refute._errors import UserError
from refute.agents.memory import load_library
from refute.arena import FaultKind
from refute.evidence import EMBEDDERS, IMAGE_SCORERS, LEXICAL, TEXT_SCORERS
from refute.llm import PROVIDERS, OutputMode, address_from_environment
from refute.revisions import Strategy
from refute.run import SIMULATED, GridPoint

F = TypeVar("F", bound=Callable[..., Any])
_MORE_THAN_0 = click.FloatRange(min=0, min_open=True)


def model_options(command: F) -> F:
    """``--model``, ``--base-url``, ``--output-mode``."""
    return _model_options(command, _named)


def optional_model_options(command: F) -> F:
    """The same for a command that knows what to do without ``--model``: it gets None then."""
    return _model_options(command, None)


def _model_options(command: F, named: Callable[[click.Context, click.Parameter, str | None], str | None] | None) -> F:
    for option in (
        click.option(
            "--output-mode",
            type=click.Choice([mode.value for mode in OutputMode]),
            help="How structured output is asked for; the default depends on the provider.",
        ),
        click.option(
            "--base-url",
            metavar="URL",
            callback=_address,
            help="Address of a gateway or a server of your own, in the place of the provider's.",
        ),
        click.option(
            "--model",
            "model",
            metavar="M",
            callback=named,
            is_eager=True,  # before --base-url, whose stand-in in the environment depends on it
            help=f"{', '.join(f'{name}:NAME' for name in PROVIDERS)}, or simulated (bundled sites only).",
        ),
    ):
        command = option(command)
    return command


def _named(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """``--model``, which has no default: nobody should pay for a model that they did not choose."""
    if given or context.resilient_parsing:
        return given
    raise no_model()


def no_model() -> UserError:
    """What to say where no model is named: the ways to name one."""
    ways = [f"  --model {f'{p.name}:NAME':<18} {p.title} (key in {' or '.join(p.keys)})" for p in PROVIDERS.values()]
    local = f"  --model {'openai-chat:NAME':<18} with --base-url http://127.0.0.1:8000/v1, or wherever yours is: no key"
    simulated = f"  --model {'simulated':<18} bundled sites only (`refute bench run arena:shop`, `refute demo`)"
    return UserError("\n".join(("no model is named. Choose one:", *ways, local, simulated)))


def _address(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """``--base-url``, or what the environment says in its place: settings hold where a run really went."""
    return given or address_from_environment(str(context.params.get("model") or ""))


class RunLimits(TypedDict):
    """What `limit_options` hands to a command: fields of `RunSettings`."""

    max_requests: int | None
    max_tokens: int | None
    max_cost: float | None
    max_seconds: float | None


def limit_options(command: F) -> F:
    """``--max-requests``, ``--max-tokens``, ``--max-cost``, ``--max-seconds``, each per episode.

    The command takes them as one argument ``limits: RunLimits``, made for ``RunSettings(…, **limits)``.
    """

    @wraps(command)
    def collected(**arguments: Any) -> object:
        limits = {name: arguments.pop(name) for name in RunLimits.__annotations__}
        return command(**arguments, limits=limits)

    wrapped = cast("F", collected)
    for option in (
        click.option("--max-seconds", type=_MORE_THAN_0, metavar="S", help="Seconds an episode may take."),
        click.option("--max-cost", type=_MORE_THAN_0, metavar="USD", help="Dollars an episode may cost."),
        click.option("--max-tokens", type=click.IntRange(1), metavar="N", help="Tokens an episode may use."),
        click.option(
            "--max-requests", type=click.IntRange(1), metavar="N", help="Requests to the model an episode may make."
        ),
    ):
        wrapped = option(wrapped)
    return wrapped


strategy_option = click.option(
    "--strategy",
    type=click.Choice([strategy.value for strategy in Strategy]),
    default=Strategy.APPEND.value,
    show_default=True,
    help="How a revision reaches the agent: added to the instructions (append) or merged into one (rewrite), in the "
    "browser as it is or in one that starts anew (reset).",
)
"""``--strategy``."""


scorer_option = click.option(
    "--scorer",
    metavar="NAME[:SOURCE]",
    default=LEXICAL.name,
    show_default=True,
    help=f"What scores evidence on pages: {', '.join(TEXT_SCORERS)}. SOURCE: a model's folder, or OWNER/NAME@REVISION "
    "on the hub.",
)
"""``--scorer``."""

image_scorer_option = click.option(
    "--image-scorer",
    metavar="NAME[:SOURCE]",
    help=f"Score pictures of the page, too: {', '.join(IMAGE_SCORERS)}.",
)
"""``--image-scorer``."""


embedder_option = click.option(
    "--embedder",
    metavar="NAME[:SOURCE]",
    default=EMBEDDERS[0],
    show_default=True,
    help=f"What compares texts of a library: {', '.join(EMBEDDERS)}. SOURCE as for --scorer.",
)
"""``--embedder``."""


def _kinds(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[FaultKind, ...]:
    return tuple(FaultKind) if "all" in given else tuple(FaultKind(name) for name in given)


fault_option = click.option(
    "--fault",
    "faults",
    type=click.Choice([*(kind.value for kind in FaultKind), "all"]),
    multiple=True,
    callback=_kinds,
    metavar="KIND",
    help="A fault that the site serves once in each episode; may be given again. all = one of each kind.",
)
"""``--fault``: what a command takes as ``faults``."""


def library_options(command: F) -> F:
    """``--library``, ``--library-site``. The command takes them as one argument ``library: Library | None``."""

    @wraps(command)
    def collected(**arguments: Any) -> object:
        folder, site = arguments.pop("library"), arguments.pop("library_site")
        if folder is None and site is not None:
            raise UserError("--library-site chooses from a library: name it with --library")
        library = load_library(folder).of_site(site or "") if folder is not None else None
        return command(**arguments, library=library)

    wrapped = cast("F", collected)
    wrapped = click.option(
        "--library-site", metavar="SITE", help="Only the records that were learned on SITE, or are of no site."
    )(wrapped)
    return click.option(
        "--library",
        type=click.Path(path_type=Path, file_okay=False),
        help="Folder of a library (`refute learn`) to recall from, instead of the suite's own skills. It is only read.",
    )(wrapped)


screenshots_option = click.option(
    "--screenshots/--no-screenshots",
    default=True,
    show_default=True,
    help="Keep a picture of each step for the report.",
)
"""``--screenshots``."""

split_option = click.option(
    "--split", type=click.Choice(["train", "test"]), help="Only tasks of this split; tune on train, report on test."
)
"""``--split``."""


def _points(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[GridPoint, ...]:
    points = tuple(dict.fromkeys(GridPoint.parse(text) for text in given))
    model = context.params.get("model")
    if points and model is not None and model != SIMULATED:
        raise UserError(
            f"{option.opts[0]} is about the simulated model's mistakes; a real model makes its own: leave it out"
        )
    return points


grid_option = click.option(
    "--grid",
    "points",
    multiple=True,
    callback=_points,
    metavar="SCALE:RECOVER",
    help="Simulated model: a factor on all mistakes, and the chance to find back alone; may be given again.",
)
"""``--grid``: what a command with ``--model`` takes as ``points``."""


def _point(context: click.Context, option: click.Parameter, given: str | None) -> GridPoint | None:
    return next(iter(_points(context, option, (given,))), None) if given is not None else None


mistakes_option = click.option(
    "--mistakes",
    callback=_point,
    metavar="SCALE:RECOVER",
    help="Simulated model: a factor on all mistakes, and the chance to find back alone.",
)
"""``--mistakes``: one point of a grid, or None."""

cache_option = click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep the model's replies in DIR, and ask nothing that it holds.",
)
"""``--cache``."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
"""``--json``."""


def print_json(value: object) -> None:
    """Print one JSON object: what ``--json`` promises."""
    click.echo(json.dumps(value, indent=1, ensure_ascii=False, default=str))
