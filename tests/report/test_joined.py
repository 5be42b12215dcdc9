"""One page with every view: tables, figures, and the way to the episodes that rows are about."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from refute.browser import Click
from refute.judge import JUDGES
from refute.report import VIEWS, _pages, make_view, write_report
from refute.report._index import EpisodeLine
from refute.report._joined import FORMULAS, JOINED, joined
from refute.report.views._inline import for_page
from refute.revisions import Ending
from refute.tables import Tables, read_tables

from .scenes import Scene, lamp_task

DOCS = Path(__file__).parents[2] / "docs"
HOSTILE = '</text><script>alert(1)</script> id="x" --> $x_1$'


@pytest.fixture(scope="module")
def out(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("joined") / "out"
    shutil.copytree(demo, folder)
    write_report(folder)
    return folder


def page(out: Path) -> str:
    return (out / JOINED).read_text(encoding="utf-8")


def test_every_view_with_something_to_show_is_there_with_its_tables_and_figures(out: Path) -> None:
    text, tables = page(out), read_tables(out)
    for name in VIEWS:
        view = make_view(name, tables)
        found = re.search(rf'<section id="view-{name}".*?</section>', text, re.DOTALL)
        assert bool(found) == bool(view.sheets), name
        if found is not None:
            assert found[0].count("<table>") == len(view.sheets)
            assert found[0].count("<svg ") == len(view.figures)
            assert "simulated" in found[0]
            said = unescape(found[0])
            assert all(note in said for sheet in view.sheets for note in sheet.notes)
    assert "Simulated model." in text


def test_rows_lead_to_the_episodes_and_steps_that_they_are_about(demo: Path, tmp_path: Path) -> None:
    out = shutil.copytree(demo, tmp_path / "out")
    scene = Scene(out, lamp_task("shop-1"))
    scene.see("Shop")
    for _ in range(3):
        scene.act(Click(target=1), "click('1')")
        scene.see("Shop")
    scene.judge({})
    scene.end(Ending.DONE)
    write_report(out)
    places = re.findall(r'<td[^>]*><a href="([^"#]+)(#step-\d+)?"', page(out))
    assert [unquote(address).split("/")[1] for address, _ in places] == ["shop-1"]
    for address, step in places:
        target = out / unquote(address)
        assert target.is_file()
        assert f'id="{step[1:]}"' in target.read_text() or not step


def test_no_two_parts_of_the_page_share_a_name(out: Path) -> None:
    names = re.findall(r'\bid="([^"]+)"', page(out))
    assert sorted(names) == sorted(set(names))
    assert set(re.findall(r'"#([\w.-]+)"', page(out))) <= set(names)
    labels = " ".join(re.findall(r'\baria-labelledby="([^"]+)"', page(out))).split()
    assert set(labels) <= set(names)


def test_the_page_is_drawn_again_only_where_something_behind_it_changed(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(demo, tmp_path, dirs_exist_ok=True)
    drawn: list[int] = []

    def counted(tables: Tables, lines: Sequence[EpisodeLine]) -> dict[str, Any]:
        drawn.append(len(lines))
        return joined(tables, lines)

    monkeypatch.setattr(_pages, "joined", counted)
    write_report(tmp_path)
    write_report(tmp_path)
    assert len(drawn) == 1
    judges = tmp_path / "fcp" / "shop-lamp-017" / "0" / JUDGES
    judges.mkdir()
    (judges / "strict.jsonl").write_text("{broken\n")
    write_report(tmp_path)
    assert len(drawn) == 2
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (judges / "strict.jsonl").unlink()
    for _ in range(2):
        write_report(tmp_path)
    assert len(drawn) == 4, "without figures it is no page to leave as it is"


def test_figures_keep_the_words_of_their_texts() -> None:
    found = for_page('<?xml?><svg width="9pt"><g id="a" fill="#000000"/><text>#000000 id="a"</text></svg>', "p-")
    assert '<g id="p-a" fill="var(--f6)"/><text>#000000 id="a"</text>' in found


def test_without_matplotlib_there_are_tables_and_a_line_that_says_how_to_get_figures(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(demo, tmp_path, dirs_exist_ok=True)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    write_report(tmp_path)
    assert "<svg" not in page(tmp_path)
    assert page(tmp_path).count("<table>") == page_tables(tmp_path)
    assert 'pip install "refute[figures]"' in unescape(page(tmp_path))


def page_tables(out: Path) -> int:
    tables = read_tables(out)
    return sum(len(make_view(name, tables).sheets) for name in VIEWS)


def test_names_from_traces_stay_text_in_tables_and_figures(tmp_path: Path) -> None:
    for repeat in range(2):
        scene = Scene(tmp_path, lamp_task(), agent=HOSTILE, repeat=repeat)
        scene.see("Shop")
        scene.deliver()
        scene.judge({"lamp": "", "one": ""}, branches={"few-reviews": True})
        scene.end(Ending.DONE)
    write_report(tmp_path)
    text = page(tmp_path)
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert text.count("<script") == 2


def test_runs_that_cannot_be_compared_cost_their_view_and_no_other(demo: Path, tmp_path: Path) -> None:
    for part in ("one", "two"):
        shutil.copytree(demo, tmp_path / part)
    write_report(tmp_path)
    assert (tmp_path / "index.html").is_file()
    absent = page(tmp_path).partition('id="absent"')[2]
    assert "are the same run of" in absent
    assert 'id="view-main"' in page(tmp_path)


def test_the_formulas_stand_where_the_page_says(out: Path) -> None:
    assert set(FORMULAS) == set(VIEWS)
    headings = re.findall(r"^## (.+)$", (DOCS / "metrics.md").read_text(), re.MULTILINE)
    assert set(FORMULAS.values()) <= set(headings)


def test_one_episode_of_no_known_truth_gets_no_page_of_views(tmp_path: Path) -> None:
    scene = Scene(tmp_path, lamp_task())
    scene.see("Shop")
    scene.recorder.close()
    write_report(tmp_path)
    assert not (tmp_path / JOINED).exists()
    assert JOINED not in (tmp_path / "index.html").read_text()
