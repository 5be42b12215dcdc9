"""The documentation says what the code does."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from refute.agents import AGENT_NAMES
from refute.cli._main import cli
from refute.report import summary
from refute.run import Check, CheckResult, suite_names
from refute.tables import Tables
from refute.trace import Event

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def _kind(event: type[Event]) -> str:
    return event.kind


def _name(page: Path) -> str:
    return page.name


def kinds(event: type[Event]) -> list[type[Event]]:
    found = [kind for kind in event.__subclasses__() if kind.kind and kind.__module__.startswith("refute.")]
    return found + [deeper for kind in event.__subclasses__() for deeper in kinds(kind)]


@pytest.mark.parametrize("event", sorted(set(kinds(Event)), key=_kind), ids=_kind)
def test_every_event_and_each_of_its_fields_is_documented(event: type[Event]) -> None:
    rows = [line for line in (DOCS / "trace.md").read_text().splitlines() if line.startswith(f"| `{event.kind}` |")]
    assert len(rows) == 1
    own = set(event.model_fields) - set(Event.model_fields)
    assert set(re.findall(r"`(\w+)`", rows[0].rsplit("|", 2)[1])) == own


def test_the_command_page_names_every_agent_suite_and_command() -> None:
    text = (DOCS / "cli.md").read_text()
    for name in (*AGENT_NAMES, *suite_names(), *cli.commands):
        assert re.search(rf"[`( ]{re.escape(name)}[` ,)]", text), name


def test_the_command_page_documents_every_json_key(tmp_path: Path) -> None:
    text = (DOCS / "cli.md").read_text()
    for key in (*summary(Tables(out=tmp_path)), *CheckResult.model_fields, *Check.model_fields):
        assert f"`{key}`" in text, key


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))], ids=_name)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_every_command_explains_itself() -> None:
    runner = CliRunner()
    for words in (["--help"], *([name, "--help"] for name in cli.commands), ["arena", "check", "--help"]):
        result = runner.invoke(cli, words)
        assert result.exit_code == 0
        assert "Usage" in result.output


def test_every_decision_that_the_code_cites_can_be_looked_up() -> None:
    source = "\n".join(path.read_text() for path in (ROOT / "src" / "refute").rglob("*.py"))
    text = (DOCS / "decisions.md").read_text()
    for number in set(re.findall(r"decision (\d+b?)", source)):
        assert re.search(rf"^ *{number}\. ", text, re.MULTILINE) or f" {number}. " in text, number
