"""`refute evidence score`: what it prints of a file of cases, and what it says of a bad one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from refute import UserError
from refute.cli._main import cli
from refute.evidence import read_cases
from refute.evidence._cases import auc

from .tiny import write_nli

PAGE = "RootWebArea 'Basket'\n  heading 'Basket'\n  StaticText 'The basket is empty.'"
GOOD = [
    {"id": "a", "page": PAGE, "evidence": "The basket is empty", "label": "supported"},
    {"id": "b", "page": PAGE, "evidence": 'A button "Pay" is visible', "label": "contradicted"},
    {"id": "c", "page": PAGE, "evidence": "The mug is blue", "label": "unknown"},
    {"id": "d", "page": PAGE, "evidence": "The basket is empty!", "label": "contradicted"},
]


def file_of(folder: Path, *cases: object) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join(f"{json.dumps(case)}\n" for case in cases))
    return path


def test_one_object_says_how_the_scorer_did(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["evidence", "score", str(file_of(tmp_path, *GOOD)), "--json"])
    said = json.loads(done.output)
    assert (said["scorer"], said["cases"], said["auc"]) == ("lexical", 4, 0.75)  # one pair is a tie, the other is right
    assert (said["accepted"], said["rejected"], said["abstained"]) == (2, 1, 1)
    assert (said["right"], said["wrong"]) == (2, 1)
    assert (said["accepted_wrongly"], said["rejected_wrongly"]) == (["d"], [])
    assert said["ms_per_call"] > 0


def test_a_table_says_the_same(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["evidence", "score", str(file_of(tmp_path, *GOOD))])
    assert done.exit_code == 0
    assert "0.750" in done.output
    assert "2, 1 of them wrongly" in done.output


def test_without_both_labels_there_is_no_auc(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["evidence", "score", str(file_of(tmp_path, GOOD[0])), "--json"])
    assert json.loads(done.output)["auc"] is None


def test_a_local_model_scores_the_cases(tmp_path: Path) -> None:
    model = write_nli(
        tmp_path / "model",
        ("contradiction", "entailment", "neutral"),
        words=("The", "basket", "is", "empty"),
        entailing="empty",
        denying="basket",
    )
    command = ["evidence", "score", str(file_of(tmp_path, *GOOD)), "--scorer", f"nli:{model}", "--json"]
    said = json.loads(CliRunner().invoke(cli, command).output)
    assert said["scorer"].startswith("nli:model@"), "a folder is known by what lies in it"
    assert said["accepted"] + said["rejected"] + said["abstained"] == 4


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not a case"),
        ('{"id": "x", "page": "", "evidence": "y", "label": "maybe"}', "line 2: .*label"),
        ('{"id": "x", "page": ""}', "line 2: .*evidence: Field required"),
        ("[]", "line 2: not a case"),
        (json.dumps(GOOD[0]), "line 2: the id 'a' was given before"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = file_of(tmp_path, GOOD[0])
    path.write_text(path.read_text() + line)
    with pytest.raises(UserError, match=message):
        read_cases(path)


@pytest.mark.parametrize("data", [b"\n \n", b"\xff\xfe"])
def test_a_file_without_cases_is_no_score(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "cases.jsonl").write_bytes(data)
    with pytest.raises(UserError):
        read_cases(tmp_path / "cases.jsonl")
    with pytest.raises(UserError, match="cannot be read"):
        read_cases(tmp_path / "none.jsonl")


def test_line_breaks_inside_a_page_do_not_end_a_case(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(GOOD[0] | {"page": "one\u2028two"}, ensure_ascii=False), encoding="utf-8")
    assert read_cases(path)[0].page == "one\u2028two"


SCORES = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=1, max_size=12)


@given(above=SCORES, below=SCORES)
def test_auc_is_the_share_of_pairs_in_the_right_order(above: list[float], below: list[float]) -> None:
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in above for b in below]
    found, turned = auc(above, below), auc(below, above)
    assert found == pytest.approx(sum(pairs) / len(pairs), abs=1e-4)
    assert turned == pytest.approx(1 - sum(pairs) / len(pairs), abs=1e-4)
