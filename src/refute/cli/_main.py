"""`refute`: the commands, and how errors end them."""

from __future__ import annotations

import signal
import sys

import click

import refute
from refute._errors import RunError, UserError
from refute.cli._ablate import ablate_command
from refute.cli._arena import arena
from refute.cli._bench import bench
from refute.cli._demo import demo
from refute.cli._doctor import doctor
from refute.cli._evidence import evidence
from refute.cli._judge import judge
from refute.cli._learn import learn_command
from refute.cli._library import library
from refute.cli._run import run
from refute.cli._suites import browsergym

INTERRUPTED = 130


class _InOrder(click.Group):
    """Lists its commands in the order in which a newcomer needs them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """As they were added."""
        return list(self.commands)


@click.group(cls=_InOrder, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(refute.__version__, prog_name="refute")
def cli() -> None:
    """A web agent that knows when its plan is wrong, and a benchmark whose user changes their mind."""


cli.add_command(demo)
cli.add_command(doctor)
cli.add_command(run)
bench.add_command(ablate_command)
cli.add_command(bench)
cli.add_command(learn_command)
cli.add_command(library)
cli.add_command(judge)
cli.add_command(arena)
cli.add_command(browsergym)
cli.add_command(evidence)


def main() -> None:
    """Entry point. Exit codes: 0 done, 1 a check found failures or the agent did not get done, 2 cannot work as asked,
    3 the run failed, 4 done but not confirmed, 130 Ctrl-C. SIGTERM counts as Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        code = cli.main(standalone_mode=False)  # click returns the code of an `Exit`
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("\nInterrupted. Finished episodes are kept; the same command goes on from there.", err=True)
        sys.exit(INTERRUPTED)
    except UserError as error:
        click.echo(f"refute: {error}", err=True)
        sys.exit(2)
    except RunError as error:
        click.echo(f"refute: {type(error).__name__}: {error}", err=True)
        sys.exit(3)
    except BaseExceptionGroup as group:
        _end_by(group)


def _end_by(group: BaseExceptionGroup[BaseException]) -> None:
    """Several episodes failed at once: show the first error that was raised on purpose, or the group itself."""
    known = group.subgroup((UserError, RunError))
    if known is None:
        raise group
    error: BaseException = known
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    click.echo(f"refute: {type(error).__name__}: {error}", err=True)
    sys.exit(2 if isinstance(error, UserError) else 3)
