"""The documentation says what the code does."""

import re
import subprocess
import sys
import textwrap
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from refute import Conclusion, GoalResult
from refute._readiness import Readiness, State
from refute.agents import AGENT_NAMES
from refute.agents.memory import Library, LibraryDiff
from refute.browser import Observed
from refute.cli._bench import run_command
from refute.cli._learn import learned_json
from refute.cli._main import cli
from refute.cli._run import goal_json
from refute.goals import Constraint, Goal, Task
from refute.learn import Learned
from refute.report import summary
from refute.revisions import EpisodeStarted, GoalSet
from refute.run import (
    PROOFS,
    CheckResult,
    Mean,
    Proof,
    ScalingCurve,
    ScalingPoint,
    ScalingResult,
    TaskCheck,
    suite_names,
)
from refute.run.check import Milestones, Mutants, Outcomes
from refute.tables import Tables
from refute.trace import Event, Recorder, read_trace

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
LOOK = Task(
    id="look",
    template="look",
    start_urls=("x:",),
    initial_instruction="Look.",
    static_instruction="Look.",
    constraints=(Constraint(id="seen", text="It was seen", bound_to=0),),
)


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


def test_the_page_of_types_is_what_the_code_writes() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "trace_types.py"), "--print"]
    made = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert made == (DOCS / "trace-types.md").read_text()
    for event in kinds(Event):
        assert f"### {event.kind}\n" in made


def test_the_reader_on_the_page_of_the_trace_reads_a_trace(tmp_path: Path) -> None:
    text = (DOCS / "trace.md").read_text()
    (code,) = re.findall(r"\n((?:    .*\n)+)", text.partition("A reader for one question")[2])[:1]
    with Recorder(tmp_path) as recorder:
        recorder.record(
            EpisodeStarted(run_id="r", task=LOOK, repeat=0, agent="react", model="m", simulated=False, seed=0)
        )
        recorder.step = 3
        recorder.record(Observed(url="http://127.0.0.1/seen"))
    script = f"import json\nfolder = {str(tmp_path)!r}\n{textwrap.dedent(code)}"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True).stdout
    assert said == "3 http://127.0.0.1/seen\n"


def test_the_command_page_names_every_agent_suite_and_command() -> None:
    text = (DOCS / "cli.md").read_text()
    for name in (*AGENT_NAMES, *suite_names(), *cli.commands):
        assert re.search(rf"[`( ]{re.escape(name)}[` ,)]", text), name


def test_the_command_page_has_a_table_with_every_option_of_a_run_of_a_suite() -> None:
    text = (DOCS / "cli.md").read_text().partition("`bench run SUITE --model M --out DIR` takes:")[2]
    told = set(re.findall(r"`(--[a-z-]+)", text.partition("\n\n`--trigger hybrid`")[0]))
    options = {max(option.opts, key=len).replace("--screenshots", "--no-screenshots") for option in run_command.params}
    assert told == {each for each in options if each.startswith("--")} - {"--model", "--out"}


def test_the_command_page_documents_every_json_key(tmp_path: Path) -> None:
    text = (DOCS / "cli.md").read_text()
    for key in (
        *summary(Tables(out=tmp_path)),
        *CheckResult.model_fields,
        *TaskCheck.model_fields,
        *TaskCheck.model_computed_fields,
        *CheckResult.model_computed_fields,
        *Proof.model_fields,
        *Mutants.model_fields,
        *Milestones.model_fields,
        *Outcomes.model_fields,
        *PROOFS,
        *Readiness.model_fields,
        *State,
    ):
        assert f"`{key}`" in text, key


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))], ids=_name)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_command_page_documents_what_run_prints(tmp_path: Path) -> None:
    text = (DOCS / "cli.md").read_text().partition("## `refute run`")[2]
    with Recorder(tmp_path) as recorder:
        recorder.record(GoalSet(goal=Goal(instructions=("Look",))))
    result = goal_json(GoalResult.of(read_trace(tmp_path), report=tmp_path))
    for word in (*result, *Conclusion):
        assert f"`{word}`" in text, word


def test_the_command_page_documents_what_learning_prints() -> None:
    text = (DOCS / "cli.md").read_text()
    nothing = Learned(
        library=Library(), successes=0, troubles=0, skipped={}, dropped=(), merged=0, calls=0, tokens=0, dollars=0
    )
    for key in (
        *learned_json(nothing),
        *ScalingResult.model_fields,
        *ScalingPoint.model_fields,
        *ScalingCurve.model_fields,
        *Mean.model_fields,
        *(field.name for field in fields(LibraryDiff)),
    ):
        assert f"`{key}`" in text, key


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as a site, built strictly: a broken link or reference is an error."""
    out = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(out)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return out


def test_the_site_holds_every_page_and_the_interface(pages: Path) -> None:
    for page in DOCS.glob("*.md"):
        assert (pages / page.with_suffix(".html").name).is_file()
    interface = (pages / "api.html").read_text()
    for name in ("run_goal", "run_goal_sync", "GoalResult", "unconfirmed", "read_trace", "run_suite", "Agent"):
        assert f">{name}<" in interface or f".{name}" in interface, name


def test_the_site_asks_nobody_for_anything(pages: Path) -> None:
    for page in pages.rglob("*.html"):
        loaded = re.findall(r"<(?:script|img|iframe|source)[^>]* src=\"([^\"]+)", page.read_text())
        loaded += re.findall(
            r"<link[^>]* rel=\"(?:stylesheet|preconnect|icon)\"[^>]* href=\"([^\"]+)", page.read_text()
        )
        loaded += re.findall(
            r"<link[^>]* href=\"([^\"]+)\"[^>]* rel=\"(?:stylesheet|preconnect|icon)", page.read_text()
        )
        assert loaded
        assert not [address for address in loaded if re.match(r"(https?:)?//", address)], page.name


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
