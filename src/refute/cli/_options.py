"""Options that several commands share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import click

from refute.llm import OutputMode
from refute.revisions import Strategy, TriggerMode

F = TypeVar("F", bound=Callable[..., Any])


def model_options(command: F) -> F:
    """``--model``, ``--base-url``, ``--output-mode``."""
    for option in (
        click.option(
            "--output-mode",
            type=click.Choice([mode.value for mode in OutputMode]),
            help="How structured output is asked for; the default depends on the provider.",
        ),
        click.option("--base-url", metavar="URL", help="Address of an OpenAI-compatible server."),
        click.option("--model", "model", required=True, metavar="M", help="simulated, or openai-chat:NAME."),
    ):
        command = option(command)
    return command


def delivery_options(command: F) -> F:
    """``--trigger``, ``--strategy``."""
    for option in (
        click.option(
            "--strategy",
            type=click.Choice([strategy.value for strategy in Strategy]),
            default=Strategy.APPEND.value,
            show_default=True,
            help="How a revision reaches the agent.",
        ),
        click.option(
            "--trigger",
            type=click.Choice([mode.value for mode in TriggerMode]),
            default=TriggerMode.MILESTONE.value,
            show_default=True,
            help="What decides that a revision is due.",
        ),
    ):
        command = option(command)
    return command


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
"""``--json``."""


def print_json(value: object) -> None:
    """Print one JSON object: what ``--json`` promises."""
    click.echo(json.dumps(value, indent=1, ensure_ascii=False, default=str))
