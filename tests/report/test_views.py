"""Every view of real traces, in every form."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from refute import UserError
from refute.metrics import Estimate
from refute.report import VIEWS, View, ViewOptions, latex, make_view, markdown, terminal, view_csv, view_json
from refute.report.views import Column, Facts, Form, Sheet
from refute.tables import DeliveryRow, EpisodeKey, EpisodeRow, RunRow, Status, Tables, read_tables

HOSTILE = "a|b\x1b[31m_{%}\\ <img src=x>[x](javascript:y)"


@pytest.fixture(scope="module")
def tables(demo: Path) -> Tables:
    return read_tables(demo)


def printed(view: View, width: int = 150) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(terminal(view))
    return console.export_text()


def hostile() -> View:
    """A view whose texts try to be mark-up of every kind."""
    facts = Facts(simulated=True, episodes=2, counted=2, tasks=2, seeds=(7,))
    columns = (
        Column(name="run", head="run"),
        Column(name="share", head="share", form=Form.PERCENT, digits=1, signed=True),
        Column(name="n", head="n", form=Form.COUNT),
    )
    rows = (
        (HOSTILE, Estimate(value=-0.25, low=-0.5, high=0.125, tasks=2), 1200),
        ("=SUM(A1)", Estimate(value=None), None),
    )
    sheet = Sheet(name="sheet", title=HOSTILE, columns=columns, rows=rows, notes=(HOSTILE,))
    return View(name="hostile", title="H", facts=facts, sheets=(sheet,), missing={HOSTILE: HOSTILE})


@pytest.mark.parametrize("name", VIEWS)
def test_a_narrow_terminal_loses_no_figure_of_a_view(tables: Tables, name: str) -> None:
    view = make_view(name, tables)
    narrow, wide = printed(view, width=64), printed(view, width=400)
    assert narrow.count("…") == wide.count("…")  # what is cut off ends in one
    assert max(map(len, narrow.splitlines())) <= 64


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_says_simulated_in_every_form_and_is_json(tables: Tables, name: str) -> None:
    view = make_view(name, tables)
    data = json.loads(json.dumps(view_json(view), allow_nan=False))
    assert (data["view"], data["simulated"], data["seeds"]) == (name, True, [7])
    assert (data["counted"], data["errors"], data["unfinished"]) == (3, 1, 1)
    assert view.sheets or view.missing
    text = printed(view)
    assert "imulated model; seed 7; 3 episodes of 2 tasks" in " ".join(text.split())
    for sheet in view.sheets:
        assert f"{sheet.title}  simulated" in text
    assert markdown(view).count("**Simulated.**") == len(view.sheets)
    assert latex(view).count(r"\textbf{Simulated.}") == len(view.sheets)
    assert view_csv(view).count("simulated model") == len(view.sheets)


def test_the_main_view_tells_the_same_as_the_summary(tables: Tables) -> None:
    [sheet] = view_json(make_view("main", tables))["tables"]
    fcp, react = sheet["rows"]
    assert (fcp["n"], fcp["errors"], fcp["unfinished"], react["n"]) == (2, 1, 1, 1)
    assert fcp["score"]["value"] == pytest.approx(5 / 6, abs=1e-12)
    assert fcp["tsr"]["value"] == pytest.approx(1 / 2, abs=1e-12)


def test_the_behaviour_view_reads_plans_tests_and_repairs(tables: Tables) -> None:
    view = view_json(make_view("behaviour", tables))
    sheets = {sheet["name"]: sheet["rows"] for sheet in view["tables"]}
    [row] = sheets["runtime"]  # react makes no plan
    assert row["fcus_per_task"]["value"] == 3.0
    assert row["tasks_with_skill"]["value"] == 0.0
    assert row["repairs_per_task"]["value"] == pytest.approx(2 / 2, abs=1e-12)  # two in one of two episodes
    assert row["repair_success"]["value"] == 1.0
    tests = {r["phase"]: r for r in sheets["tests"]}
    assert tests["state"]["tests"] == 9
    assert tests["action"]["drift"]["value"] == 1.0
    [drift] = sheets["drift"]
    assert (drift["tp"], drift["fn"], drift["fp"], drift["tn"]) == (1, 0, 0, 1)
    [strategies] = sheets["strategies"]
    assert (strategies["local"]["value"], strategies["replan"]["value"]) == (0.5, 0.5)
    assert {r["module"] for r in sheets["modules"] if r["run"] == "fcp"} >= {"executor", "slow tester", "repair"}


def test_horizons_come_from_the_named_run(tables: Tables) -> None:
    view = view_json(make_view("behaviour", tables, ViewOptions(reference="fcp", buckets=(5,))))
    rows = next(sheet["rows"] for sheet in view["tables"] if sheet["name"] == "horizon")
    assert {(r["run"], r["steps"], r["tasks"]) for r in rows} == {
        ("fcp", "1–5", 1),
        ("fcp", "≥ 6", 1),
        ("react", "1–5", 1),
    }
    assert next(r["gain"] for r in rows if r["run"] == "react") is None  # the reference satisfies none of that length
    with pytest.raises(UserError, match="there are: fcp, react"):
        make_view("behaviour", tables, ViewOptions(reference="nobody"))


def test_a_budget_gives_ce_on_another_cost(tables: Tables) -> None:
    [sheet] = view_json(make_view("cost", tables, ViewOptions(budgets={"tokens": 1e6})))["tables"]
    assert 0 < sheet["rows"][0]["ce_tokens"]["value"] < 1
    assert "ce_seconds" not in sheet["rows"][0]


def test_published_figures_come_only_when_asked_for_and_are_marked(tables: Tables) -> None:
    plain, asked = (make_view("behaviour", tables, ViewOptions(published=p)) for p in (False, True))
    assert not any(sheet.published for sheet in plain.sheets)
    theirs = [sheet for sheet in asked.sheets if sheet.published]
    assert len(theirs) == 5
    assert printed(asked).count("as the authors report") == 5
    assert markdown(asked).count("**As the authors report, not measured here.**") == 5
    assert latex(asked).count("As the authors report, not measured here.") == 5
    assert view_csv(asked).count("(as the authors report)") == 5


def test_an_unknown_view_is_an_error_for_the_user(tables: Tables) -> None:
    with pytest.raises(UserError, match="known views: main"):
        make_view("nothing", tables)


def test_a_text_from_a_file_is_no_mark_up() -> None:
    view = hostile()
    text = printed(view)
    assert "\x1b" not in text
    assert "<img src=x>[x](javascript:y)" in text.replace("\n", "")
    row = next(line for line in markdown(view).splitlines() if line.startswith("| a"))
    assert len(re.split(r"(?<!\\)\|", row)) == 5
    assert r"\<img src=x\>\[x\]\(javascript:y\)" in row
    tex = latex(view)
    assert r"a|b�{[}31m\_\{\%\}\textbackslash{} \textless{}img src=x\textgreater{}" in tex
    lines = list(csv.reader(io.StringIO(view_csv(view))))
    assert lines[3][0] == "'=SUM(A1)"


def test_names_from_files_are_harmless_in_heads_and_labels_too() -> None:
    evil = "}\x1b[31m&=x_%"
    columns = (Column(name="=A1", head=evil), Column(name="n", head=evil, form=Form.COUNT))
    sheet = Sheet(name=f"differences-{evil}", title="T", columns=columns, rows=(("[1ex] *", 2), ("*", 3)))
    view = replace(hostile(), sheets=(sheet,))
    assert "\x1b" not in printed(view)
    tex = latex(view)
    assert r"\label{tab:refute-hostile-differences-31m-x}" in tex
    assert "\n{[}1ex{]} {*} & 2" in tex
    assert "\n{*} & 3" in tex
    first, heads, *_ = csv.reader(io.StringIO(view_csv(view)))
    assert heads == ["'=A1", "n"]
    assert "\x1b" not in first[0]


def test_only_people_are_shown_the_first_of_many_rows_and_the_beginning_of_a_long_text() -> None:
    rows = tuple((f"{n} {'x' * 200}",) for n in range(70))
    sheet = Sheet(name="places", title="T", columns=(Column(name="detail", head="detail"),), rows=rows, most=60)
    view = replace(hostile(), sheets=(sheet,))
    for text in (printed(view, width=300), markdown(view), latex(view)):
        assert "The first 60 of 70" in text
        assert "x" * 150 in text
        assert "x" * 200 not in text
    [table] = view_json(view)["tables"]
    assert [row["detail"] for row in table["rows"]] == [text for (text,) in rows]
    assert len(list(csv.reader(io.StringIO(view_csv(view))))) == 2 + 70


def test_agents_are_apart_only_under_the_same_way_of_delivery(tmp_path: Path) -> None:
    ways: dict[str, tuple[str, list[float], dict[str, float]]] = {
        "milestone": ("milestone", [], {"fcp": 0.2, "react": 0.6}),
        "half": ("fraction", [0.5], {"fcp": 0.5}),
    }
    runs: list[RunRow] = []
    rows: list[DeliveryRow] = []
    for name, (trigger, at, places) in ways.items():
        for agent, position in places.items():
            run = f"{agent}-{name}"
            told = {"trigger": trigger, "at": at, "strategy": "append"}
            runs.append(RunRow(run=run, folder=tmp_path, agent=agent, model="m", settings=told))
            rows.append(
                DeliveryRow(
                    key=EpisodeKey(run, "t", 0), revision=1, kind="", text="", milestone="", step=1, position=position
                )
            )
    episodes = tuple(EpisodeRow(key=row.key, folder=tmp_path, status=Status.DONE, task="t") for row in rows)
    tables = Tables(out=tmp_path, runs=tuple(runs), episodes=episodes, deliveries=tuple(rows))
    view = view_json(make_view("timing", tables))
    [ranges] = [sheet["rows"] for sheet in view["tables"] if sheet["name"] == "ranges"]
    assert [(row["delivery"], row["agents"]) for row in ranges] == [("trigger milestone, strategy append", 2)]
    assert ranges[0]["range"]["value"] == pytest.approx(0.4, abs=1e-12)


def test_intervals_stand_beside_their_values() -> None:
    view = hostile()
    assert "−25.0% \\[−50.0, +12.5\\]" in markdown(view)
    assert r"$-$25.0\% {\scriptsize[$-$50.0, +12.5]} & 1,200 \\" in latex(view)
    heads, first, second = list(csv.reader(io.StringIO(view_csv(view))))[1:]
    assert heads == ["run", "share", "share_low", "share_high", "n"]
    assert first[1:] == ["-0.25", "-0.5", "0.125", "1200"]
    assert second[1:] == ["", "", "", ""]


def test_latex_has_a_cell_for_each_column(tables: Tables) -> None:
    for name in VIEWS:
        for table in latex(make_view(name, tables)).split(r"\begin{table}")[1:]:
            [places] = re.findall(r"\{@\{\}([lr]+)@\{\}\}", table)
            body = table.split(r"\toprule")[1].split(r"\bottomrule")[0]
            for line in body.strip().splitlines():
                if line.endswith(r"\\"):
                    assert len(re.findall(r"(?<!\\)&", line)) == len(places) - 1


def test_a_row_must_fit_its_columns() -> None:
    with pytest.raises(ValueError, match="2 cells under 1 columns"):
        Sheet(name="s", title="S", columns=(Column(name="a", head="a"),), rows=(("x", "y"),))
