"""What is in the files: complete, self-contained, and right about every kind of episode."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from refute.report import _pages, write_report
from refute.report._index import episode_lines
from refute.report._listed import listed
from refute.tables import EpisodeKey, EpisodeRow, RunRow, Status, Tables, read_tables
from refute.trace import EVENTS

from .scenes import settings
from .stories import write_states


class Links(HTMLParser):
    """Every address that a page loads or leads to, and every id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"href", "src", "srcset", "action", "poster", "data"} and value:
                self.links.append(value)
            if name == "id" and value:
                self.ids.add(value)


@pytest.fixture(scope="module")
def out(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "out"
    shutil.copytree(demo, folder)
    write_report(folder)
    return folder


@pytest.fixture(scope="module")
def rare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_states(tmp_path_factory.mktemp("rare"))
    write_report(folder)
    return folder


def page(out: Path, name: str = "") -> str:
    return (out / name / "index.html").read_text(encoding="utf-8")


def words(out: Path, name: str = "") -> str:
    """The page's text, one space between words."""
    text = re.sub(r"<(style|script|title)\b.*?</\1>|<[^>]+>", " ", page(out, name), flags=re.DOTALL)
    return " ".join(html.unescape(text).split())


def test_every_episode_has_a_page_and_every_link_leads_somewhere(out: Path) -> None:
    pages = sorted(out.rglob("index.html"))
    assert len(pages) == 1 + 5
    for path in pages:
        found = Links(path.read_text(encoding="utf-8"))
        for link in found.links:
            parts = urlsplit(link)
            if link == "data:,":
                continue
            assert not parts.scheme, link
            assert not parts.netloc, link
            if parts.path:
                assert (path.parent / unquote(parts.path)).is_file(), link
            else:
                assert parts.fragment in found.ids, link


def test_a_page_runs_its_own_scripts_only_and_fetches_nothing(out: Path) -> None:
    for path in out.rglob("index.html"):
        text = path.read_text(encoding="utf-8")
        scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
        assert len(scripts) == text.count("<script") == 2
        (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
        rules = dict(rule.strip().split(" ", 1) for rule in html.unescape(policy).split(";"))
        hashes = {base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts}
        assert set(rules["script-src"].split()) == {f"'sha256-{h}'" for h in hashes}
        assert rules["default-src"] == "'none'"
        assert "@import" not in text
        assert "url(http" not in text


def test_the_index_says_simulated_and_shows_what_does_not_count(out: Path) -> None:
    text = words(out)
    assert "Simulated model." in text
    assert "5 episodes: 3 counted, 1 harness error , 1 unfinished" in text
    assert "0.67 – 1.00" in text


def test_a_conditional_episode_tells_its_whole_story(out: Path) -> None:
    text = words(out, "fcp/shop-lamp-017/0")
    for part in (
        "Revision 1 came at step 4 of 10, when its milestone had been seen.",
        "4 of 4 constraints satisfied",
        "2 repairs (1 planning, 1 execution)",
        "1 of 1 planted mistakes noticed, after 2.0 steps",
        "It costs under $60 replaced by revision 1",
        "other branch: the condition held (the best match has fewer than 3 reviews)",
        "order 100061, shipping address: 12 Oak Street",
        "✓ 7 Read the reviews of the best match, decide confirmed 2 reviews, fewer than 3",
        "↻ 5 Pick the best match under $60 rewritten",
        "✗ 1 Find lamps refuted the list holds floor lamps",
        "1 refuted · 4 rewritten · 3 confirmed",
        "− 5 Pick the best match under $60 − 6 Order it + 7 Read the reviews of the best match, decide",
        "state · commitment 1 risk for 0.35 against 0.71",
        "truth · 5 still to do · milestone 1 holds · condition few-reviews holds",
        "Model asked: executor, verifier, repairer",
        "verifier 1.7k in, 60 out · 1.4 s",
        "stopped before it ran: click('77') [button \"Place order\"] — The address shown is Elm Street",
        "Brightwell Floor Lamp $49.00",
        "covered: a banner",
        "Ordered “Arbor Pro Desk Lamp – White”",
    ):
        assert part in text


def test_a_forced_and_an_undelivered_revision_are_told_apart(out: Path) -> None:
    text = words(out, "fcp/shop-mug-004/0")
    assert "Revision 1 came at step 2 of 3, forced by an early done. 1 never came." in text
    assert "Revision 2 · never delivered · waits for: The basket was seen." in text
    assert "its revision was never delivered, so it counts as not satisfied basket: a towel" in text
    assert "a review was written" in text
    assert text.index("turned down") < text.index("Make it two mugs.")


def test_an_agent_without_a_plan_gets_no_plan(out: Path) -> None:
    text = words(out, "react/shop-mug-004/0")
    assert "this agent keeps no plan" in text
    assert "The plan in words" not in text


def test_a_harness_error_is_no_failure_of_the_agent(out: Path) -> None:
    text = words(out, "fcp/shop-lamp-018/0")
    assert "The harness failed, not the agent." in text
    assert "PageCrashed: the page's process is gone" in text
    assert "– constraints satisfied" in text


def test_an_unfinished_episode_shows_what_there_is(out: Path) -> None:
    assert "Unfinished." in words(out, "fcp/shop-mug-005/0")


def test_what_a_later_version_wrote_is_kept_as_a_raw_line(rare: Path) -> None:
    text = words(rare, "rare/later-version/0")
    assert 'Unknown event: dreamt {"kind": "dreamt"' in text
    assert "<b>sheep</b>" in text
    assert 'Unknown event: acted {"kind": "acted", "v": 99' in text


def test_a_torn_trace_and_a_broken_one_give_pages_that_say_so(rare: Path) -> None:
    text = words(rare, "rare/torn/0")
    assert "The trace has no end, and its last line is cut off" in text
    assert "select('3', 'Blue')" in text
    text = words(rare, "rare/broken/0")
    assert "The trace cannot be read." in text
    assert "events.jsonl, line 4" in text
    assert str(rare) not in text


def test_what_does_not_count_is_shown_apart_and_never_in_the_bars(rare: Path) -> None:
    text = words(rare)
    assert "outside: 1 harness error , 2 unfinished" in text
    assert re.search(r'aria-label="Ended: 1 done, not wholly satisfied, 1 gave up"', page(rare))
    assert "no episode yet" in text


def test_the_banner_tells_when_only_some_runs_are_simulated(rare: Path) -> None:
    assert "Behind some of these runs stands a simulated model" in words(rare)


def test_an_episode_without_pictures_still_shows_its_steps(rare: Path) -> None:
    text = page(rare, "rare/without-pictures/0")
    assert "<img" not in text
    assert text.count("This step has no picture") == 2
    assert text.count('class="shot none">No new page') == 1


def test_runs_that_share_agent_and_model_are_told_apart(demo: Path, tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("two", 2)):
        shutil.copytree(demo / "react", tmp_path / name)
        settings(tmp_path, name, agent="react", seed=seed)
    write_report(tmp_path)
    assert "react · milestone · append · seed 1" in words(tmp_path)
    assert "react · milestone · append · seed 2" in words(tmp_path)


def test_broken_traces_and_missing_pictures_do_not_stop_the_report(demo: Path, tmp_path: Path) -> None:
    shutil.copytree(demo, tmp_path / "out")
    broken = tmp_path / "out" / "fcp" / "shop-mug-004" / "0"
    (broken / EVENTS).write_bytes(b"{broken\n")
    shutil.rmtree(tmp_path / "out" / "fcp" / "shop-lamp-017" / "0" / "shots")
    (tmp_path / "out" / "react" / "run.json").write_text("{")
    write_report(tmp_path / "out")
    assert "The trace cannot be read." in words(tmp_path / "out", "fcp/shop-mug-004/0")
    assert "<img" not in page(tmp_path / "out", "fcp/shop-lamp-017/0")
    assert "run.json cannot be used" in words(tmp_path / "out")
    assert "2 harness errors" in words(tmp_path / "out")


def test_writing_it_again_changes_nothing(out: Path) -> None:
    before = {path: path.read_bytes() for path in out.rglob("index.html")}
    write_report(out)
    assert {path: path.read_bytes() for path in out.rglob("index.html")} == before


def test_half_a_letter_in_a_name_does_not_stop_the_report(demo: Path, tmp_path: Path) -> None:
    shutil.copytree(demo, tmp_path / "out")
    (tmp_path / "out" / "react" / "run.json").write_text('{"agent": "half \\ud800 letter [/red]"}')
    write_report(tmp_path / "out")
    assert "half ? letter [/red]" in words(tmp_path / "out")


def test_many_episodes_are_listed_as_data(
    out: Path, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(demo, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(_pages, "FIRST", 2)
    write_report(tmp_path)
    found = page(tmp_path)
    assert len(re.findall(r'class="go"', found)) == 2
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', found)
    data = json.loads(text)
    assert len(data["rows"]) == len(re.findall(r'class="go"', page(out)))
    assert "The first 2 of 5 episodes" in words(tmp_path)


def test_a_list_of_ten_thousand_episodes_is_small(tmp_path: Path) -> None:
    run = RunRow(run="run", folder=tmp_path / "run")
    title = "Order the product that this task is about, and tell me <script> what it costs. " * 2
    rows = tuple(
        EpisodeRow(
            key=EpisodeKey("run", f"task-{n:05}", 0),
            folder=tmp_path / "run" / f"task-{n:05}" / "0",
            status=Status.DONE,
            task=f"task-{n:05}",
            title=f"{n} {title}",
        )
        for n in range(10_000)
    )
    tables = Tables(out=tmp_path, runs=(run,), episodes=rows)
    text = listed(tables, episode_lines(tables))
    assert len(text.encode()) < 2_500_000
    assert "<" not in text
    assert len(json.loads(text)["rows"]) == 10_000


def test_a_page_that_would_be_the_same_is_left_alone(demo: Path, tmp_path: Path) -> None:
    shutil.copytree(demo, tmp_path, dirs_exist_ok=True)
    write_report(tmp_path)
    pages = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*/*/index.html")}
    trace = tmp_path / "fcp" / "shop-lamp-017" / "0" / EVENTS
    trace.write_bytes(trace.read_bytes())
    write_report(tmp_path)
    anew = {path.parent.parent.name for path, before in pages.items() if path.stat().st_mtime_ns != before}
    assert "shop-lamp-017" in anew
    assert "shop-mug-004" not in anew
    assert page(tmp_path, "fcp/shop-lamp-017/0").startswith("<!doctype html>")


def test_a_page_made_while_its_trace_changed_is_made_anew(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old rows must not stay under the mark of the newer trace."""
    shutil.copytree(demo, tmp_path, dirs_exist_ok=True)
    trace = tmp_path / "fcp" / "shop-lamp-017" / "0" / EVENTS

    def overtaken(out: Path) -> Tables:
        tables = read_tables(out)
        trace.write_bytes(trace.read_bytes().replace(b"12 Oak Street", b"7 Birch Road"))
        return tables

    with monkeypatch.context() as during:
        during.setattr(_pages, "read_tables", overtaken)
        write_report(tmp_path)
    assert "12 Oak Street" in page(tmp_path, "fcp/shop-lamp-017/0")
    write_report(tmp_path)
    assert "12 Oak Street" not in page(tmp_path, "fcp/shop-lamp-017/0")
