"""Library files: what is written is read back, what is wrong is told by line, and what must not be in one is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refute import UserError
from refute.agents.memory import (
    FailureRepair,
    Library,
    LibraryInfo,
    Origin,
    RepairStrategy,
    Skill,
    check_library,
    diff_libraries,
    load_library,
    raw_references,
    save_library,
)

SEARCH = Skill(name="search", keywords=("find",), applicability="Something is looked for.", steps=("Press Search.",))
ORIGIN = Origin(site="shop", task="buy-one.mug", template="buy-one", split="train", run="r1")
CASE = FailureRepair(
    query="Buy a mug.",
    pattern="The list holds other things.",
    analysis="Kettles were listed.",
    strategy=RepairStrategy.LOCAL_REPAIR,
    plan="Search again with the whole name.",
    sources=(ORIGIN,),
)

texts = st.text(max_size=40)
origins = st.builds(Origin, site=texts, task=texts, template=texts, split=texts, run=texts)
skills = st.builds(
    Skill,
    name=st.text(min_size=1, max_size=20),
    keywords=st.lists(texts, max_size=3).map(tuple),
    applicability=texts,
    steps=st.lists(texts, max_size=4).map(tuple),
    success=texts,
    precautions=texts,
    sources=st.lists(origins, max_size=2).map(tuple),
)
failures = st.builds(
    FailureRepair,
    query=st.text(min_size=1, max_size=20),
    pattern=st.text(min_size=1, max_size=20),
    analysis=texts,
    strategy=st.sampled_from(RepairStrategy),
    plan=texts,
    lessons=texts,
    sources=st.lists(origins, max_size=2).map(tuple),
)


@settings(max_examples=25)  # each example is flushed to the disk six times
@given(st.lists(skills, max_size=4).map(tuple), st.lists(failures, max_size=4).map(tuple), texts)
def test_what_is_written_is_read_back_and_written_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    some_skills: tuple[Skill, ...],
    some_failures: tuple[FailureRepair, ...],
    model: str,
) -> None:
    folder = tmp_path_factory.mktemp("library")
    library = Library(skills=some_skills, failures=some_failures, info=LibraryInfo(model=model))
    save_library(library, folder)
    assert load_library(folder) == library
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    save_library(load_library(folder), folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_line_begins_with_its_version_and_keeps_the_order_of_the_record(tmp_path: Path) -> None:
    save_library(Library(skills=(SEARCH,), failures=(CASE,)), tmp_path)
    skill = json.loads((tmp_path / "skills.jsonl").read_text())
    assert list(skill) == ["v", "name", "keywords", "applicability", "steps", "success", "precautions", "sources"]
    failure = json.loads((tmp_path / "failures.jsonl").read_text())
    assert list(failure) == ["v", "query", "pattern", "analysis", "strategy", "plan", "lessons", "sources"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"v":1,"name":"a","steps":["x"],"colour":"red"}', "unknown field 'colour'"),
        ('{"v":1,"steps":["x"]}', "name: Field required"),
        ('{"v":2,"name":"a","steps":["x"]}', "format version 2"),
        ('{"v":1,"name":"a", steps}', "not JSON"),
        ('["a"]', "one JSON object a line"),
        ("[" * 5000, ""),
    ],
)
def test_a_wrong_line_is_told_with_file_and_number(tmp_path: Path, line: str, told: str) -> None:
    save_library(Library(skills=(SEARCH,)), tmp_path)
    path = tmp_path / "skills.jsonl"
    path.write_text(f"{path.read_text()}\n{line}\n")
    with pytest.raises(UserError) as error:
        load_library(tmp_path)
    assert f"{path}:3: " in str(error.value)
    assert told in str(error.value)


def test_a_repair_in_other_words_is_read_and_one_that_nobody_can_do_is_not(tmp_path: Path) -> None:
    line = '{{"v":1,"query":"q","pattern":"p","strategy":"{}"}}\n'
    words = {
        "Skill switching": RepairStrategy.SKILL_SWITCH,
        "local repair": RepairStrategy.LOCAL_REPAIR,
        "backtracking": RepairStrategy.BACKTRACK,
        "FCU rewriting": RepairStrategy.COMMITMENT_REWRITE,
        "global replanning": RepairStrategy.REPLAN,
    }
    path = tmp_path / "failures.jsonl"
    path.write_text("".join(line.format(text) for text in words))
    assert [failure.strategy for failure in load_library(tmp_path).failures] == list(words.values())
    path.write_text(line.format("prayer"))
    with pytest.raises(UserError, match=r"failures.jsonl:1: strategy: .*'prayer' is no repair"):
        load_library(tmp_path)


def test_a_folder_that_is_no_library_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no library"):
        load_library(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "click('12')",
        "fill('3', 'mug')",
        'Press [12] button "Go".',
        "element 12",
        "id=7",
        "click at (120, 45)",
        "x=3",
        "the box at 40px",
        "//div[2]/a",
        "the node 4",
    ],
)
def test_references_to_one_page_are_found(text: str) -> None:
    assert raw_references(text)


@pytest.mark.parametrize(
    "text",
    [
        'Press "Place order".',
        "Choose 12 Oak Street.",
        "It costs $60.00, or less.",
        "Rated 4 of 5 (12 reviews)",
        "Order 100013 is open.",
        "https://shop.example/basket",
        "Put <number> of <text> into the basket.",
    ],
)
def test_what_users_say_is_no_reference_to_one_page(text: str) -> None:
    assert raw_references(text) == ()


def test_a_sound_library_has_no_problems_and_each_defect_is_named() -> None:
    sound = Library(skills=(SEARCH,), failures=(CASE,))
    assert check_library(sound) == ()
    left = Origin(site="shop", task="reprice.tripod", split="test")
    bad = Library(
        skills=(
            SEARCH,
            SEARCH.model_copy(update={"steps": (" ",)}),
            SEARCH.model_copy(update={"name": "click", "steps": ("click('12')",), "sources": (left,)}),
            SEARCH.model_copy(update={"name": "bare", "steps": (), "applicability": ""}),
        ),
        failures=(CASE, CASE, CASE.model_copy(update={"plan": "", "pattern": "Look at (3, 4)."})),
    )
    told = "\n".join(map(str, check_library(bad)))
    for defect in (
        "skill search: another skill has the same name",
        "skill search: has an empty step",
        "skill click: element id",
        "skill click: comes from the task reprice.tripod of the test split",
        "skill bare: has no steps",
        "skill bare: does not say when it applies",
        "the same case occurs twice",
        "gives no advice",
        "coordinates '(3, 4)'",
    ):
        assert defect in told


def test_a_difference_is_told_by_record_and_field() -> None:
    first = Library(skills=(SEARCH,), failures=(CASE,))
    assert diff_libraries(first, first).equal
    other = SEARCH.model_copy(update={"success": "Results.", "keywords": ()})
    new = Skill(name="buy", steps=("Press Buy.",))
    found = diff_libraries(first, Library(skills=(new, other)))
    assert found.added == ("skill buy",)
    assert found.removed == (f"failure {CASE.id}",)
    assert found.changed == ("skill search: keywords, success",)


def test_a_site_has_its_own_records_and_those_of_nobody() -> None:
    wiki = SEARCH.model_copy(update={"name": "wiki", "sources": (Origin(site="wiki", task="t"),)})
    library = Library(skills=(SEARCH, wiki), failures=(CASE,))
    assert library.of_site("shop") == Library(skills=(SEARCH,), failures=(CASE,))
    assert library.of_site("wiki") == Library(skills=(SEARCH, wiki))
    assert library.of_site("") is library
