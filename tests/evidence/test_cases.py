"""The project's labelled cases: a page, a statement, and what the page says about it.

Each case must come out with its label. Those in `ABSTAINED` need more than words (that 'Car' is not walking, that a
page which offers 'Request access' is not yet a member's); there the matcher must abstain, never guess.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from refute.evidence import Label, lexical

ABSTAINED = {"ev044", "ev054", "ev061", "ev062", "ev064"}
MOST_WRONG = 2


class Case(BaseModel):
    id: str
    page: str
    evidence: str
    label: Label


CASES = [
    Case.model_validate(json.loads(line)) for line in (Path(__file__).parent / "cases.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_has_its_label_or_is_left_open(case: Case) -> None:
    verdict = lexical(case.page, case.evidence)
    expected = Label.UNKNOWN if case.id in ABSTAINED else case.label
    assert verdict.label is expected, f"{case.evidence!r}: {verdict}"


def test_the_matcher_is_seldom_confidently_wrong() -> None:
    verdicts = [(case, lexical(case.page, case.evidence)) for case in CASES]
    wrong = [case.id for case, verdict in verdicts if verdict.label not in (case.label, Label.UNKNOWN)]
    assert len(CASES) == 36
    assert len(wrong) <= MOST_WRONG, wrong


def test_an_unknown_case_is_never_taken_for_supported() -> None:
    unknown = [case for case in CASES if case.label is Label.UNKNOWN]
    assert unknown
    assert all(lexical(case.page, case.evidence).label is not Label.SUPPORTED for case in unknown)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_lines_of_a_verdict_are_lines_of_the_page(case: Case) -> None:
    on_page = {line.strip() for line in case.page.splitlines()}
    assert set(lexical(case.page, case.evidence).lines) <= on_page
