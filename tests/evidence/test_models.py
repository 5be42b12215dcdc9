"""Scorers that are models: the real loading code on models of a few kB, without a network."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from io import BytesIO
from itertools import permutations
from math import exp
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from refute import LocalModelError, UserError
from refute.evidence import (
    Label,
    NliScorer,
    SiglipScorer,
    bge_m3,
    open_embedder,
    open_image_scorer,
    open_scorer,
)
from refute.evidence._models._vectors import content_key
from refute.run import RunSettings
from refute.run._casting import embedder_of

from .tiny import write_nli, write_siglip, write_tokenizer, write_word_vectors

LABELS = ("entailment", "neutral", "contradiction")
WORDS = ("the", "order", "was", "placed", "yes", "no", "price")


def nli(folder: Path, labels: tuple[str, ...] = LABELS) -> Path:
    return write_nli(folder, labels, words=WORDS, entailing="yes", denying="no")


@pytest.mark.parametrize("labels", list(permutations(LABELS)))
async def test_the_models_own_order_of_labels_counts(tmp_path: Path, labels: tuple[str, ...]) -> None:
    scorer = NliScorer(str(nli(tmp_path, labels)))
    (holds,) = await scorer.score("the order yes", ["the order was placed"])
    (denied,) = await scorer.score("the order no", ["the order was placed"])
    (open_one,) = await scorer.score("the order", ["the order was placed"])
    assert (holds.label, denied.label, open_one.label) == (Label.SUPPORTED, Label.CONTRADICTED, Label.UNKNOWN)
    assert holds.support == pytest.approx(exp(5) / (exp(5) + 2), abs=1e-4)
    assert denied.contradiction == pytest.approx(holds.support)


async def test_a_model_of_two_classes_contradicts_nothing(tmp_path: Path) -> None:
    scorer = NliScorer(str(nli(tmp_path, ("not_entailment", "entailment"))))
    (verdict,) = await scorer.score("the order no", ["the order was placed"])
    assert (verdict.label, verdict.contradiction) == (Label.UNKNOWN if verdict.support < 0.5 else Label.SUPPORTED, 0)


async def test_support_is_the_best_of_the_chunks_and_shows_its_lines(tmp_path: Path) -> None:
    page = "\n".join(["the order"] * 10 + ["the order yes"] + ["the order"])
    (verdict,) = await NliScorer(str(nli(tmp_path))).score(page, ["the order was placed"])
    assert verdict.label is Label.SUPPORTED
    assert set(verdict.lines) <= set(page.splitlines())


async def test_lines_that_share_nothing_with_the_statement_are_not_read(tmp_path: Path) -> None:
    page = "\n".join(["the order was placed"] * 12 + ["yes"] * 20)
    (verdict,) = await NliScorer(str(nli(tmp_path))).score(page, ["the order was placed"])
    assert verdict.label is Label.UNKNOWN


async def test_many_statements_of_many_lengths_keep_their_places(tmp_path: Path) -> None:
    scorer = NliScorer(str(nli(tmp_path)))
    statements = [f"{'the ' * (n % 7)}order {'yes' if n % 3 == 0 else 'no'}" for n in range(40)]
    verdicts = await scorer.score("price", statements)
    assert [v.label is Label.SUPPORTED for v in verdicts] == [n % 3 == 0 for n in range(40)]
    assert await scorer.score("price", statements[::-1]) == verdicts[::-1]


async def test_an_empty_page_leaves_everything_open(tmp_path: Path) -> None:
    scorer = NliScorer(str(nli(tmp_path)))
    assert [v.label for v in await scorer.score("\n \n", ["yes", "no"])] == [Label.UNKNOWN, Label.UNKNOWN]
    assert await scorer.score("the order", []) == ()


def test_models_in_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    one = NliScorer(str(nli(tmp_path / "a" / "model")))
    same = NliScorer(str(nli(tmp_path / "b" / "model")))
    tuned = write_nli(tmp_path / "c" / "model", LABELS, words=WORDS, entailing="no", denying="yes")
    assert one.name == same.name != NliScorer(str(tuned)).name
    (tmp_path / "b" / "model" / "model.onnx_data").write_bytes(b"weights beside the graph")
    assert NliScorer(str(tmp_path / "b" / "model")).name != one.name


async def test_episodes_side_by_side_get_their_own_verdicts(tmp_path: Path) -> None:
    scorer = NliScorer(str(nli(tmp_path)))
    pages = [f"the order {word}" for word in ("yes", "no") * 5]
    verdicts = await asyncio.gather(*(scorer.score(page, ["the order was placed"]) for page in pages))
    assert [v.label for (v,) in verdicts] == [Label.SUPPORTED, Label.CONTRADICTED] * 5


def test_a_model_without_a_label_for_entailment_is_refused(tmp_path: Path) -> None:
    nli(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}))
    with pytest.raises(LocalModelError, match="label_0, label_1; just one must be entailment"):
        NliScorer(str(tmp_path))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(LocalModelError, match="does not say what is needed: id2label"):
        NliScorer(str(tmp_path))


def picture(color: tuple[int, int, int]) -> bytes:
    file = BytesIO()
    Image.new("RGB", (40, 20), color).save(file, "PNG")
    return file.getvalue()


async def test_a_picture_fits_by_the_models_own_scale_and_bias(tmp_path: Path) -> None:
    scorer = SiglipScorer(str(write_siglip(tmp_path, words=("red", "green", "blue", "a"), scale=10, bias=-4)))
    fits = await scorer.score(picture((255, 0, 0)), ["a red", "Blue"])
    assert fits == pytest.approx((1 / (1 + exp(-6)), 1 / (1 + exp(4))), abs=1e-5)
    half = await scorer.score(picture((102, 0, 0)), ["red"])
    assert half == pytest.approx((0.5,), abs=1e-5)


async def test_a_picture_is_prepared_as_the_model_says(tmp_path: Path) -> None:
    folder = write_siglip(tmp_path, words=("red", "green", "blue"), scale=1, bias=0)
    prepared = json.loads((folder / "preprocessor_config.json").read_text())
    (folder / "preprocessor_config.json").write_text(
        json.dumps(prepared | {"image_mean": [0.5] * 3, "image_std": [0.5] * 3})
    )
    fits = await SiglipScorer(str(folder)).score(picture((255, 0, 0)), ["red", "green"])
    assert fits == pytest.approx((1 / (1 + exp(-1)), 1 / (1 + exp(1))), abs=1e-5)


async def test_what_is_no_picture_is_told(tmp_path: Path) -> None:
    scorer = SiglipScorer(str(write_siglip(tmp_path, words=("red", "green", "blue"), scale=1, bias=0)))
    with pytest.raises(LocalModelError, match="picture of the page cannot be read"):
        await scorer.score(b"GIF89a", ["red"])


def test_a_model_for_pictures_of_any_size_is_refused(tmp_path: Path) -> None:
    folder = write_siglip(tmp_path, words=("red", "green", "blue"), scale=1, bias=0)
    (folder / "preprocessor_config.json").write_text(json.dumps({"patch_size": 16, "max_num_patches": 256}))
    with pytest.raises(LocalModelError, match="does not say what is needed: size"):
        SiglipScorer(str(folder))


def test_one_tower_alone_is_refused(tmp_path: Path) -> None:
    folder = write_siglip(tmp_path, words=("red", "green", "blue"), scale=1, bias=0)
    write_word_vectors(folder / "model.onnx", np.eye(7, dtype=np.float32))
    with pytest.raises(LocalModelError, match="the export of both towers"):
        SiglipScorer(str(folder))


def test_the_first_token_stands_for_the_text_in_bge(tmp_path: Path) -> None:
    write_tokenizer(tmp_path / "tokenizer.json", ("red", "mug"))
    write_word_vectors(tmp_path / "model.onnx", np.eye(6, dtype=np.float32))
    rows = bge_m3(str(tmp_path)).embed(["red", "mug"])
    assert np.array_equal(rows, np.tile(np.eye(6, dtype=np.float32)[2], (2, 1)))


def test_names_open_models_and_share_them(tmp_path: Path) -> None:
    given = f"nli:{nli(tmp_path / 'nli')}"
    assert open_scorer(given) is open_scorer(given)
    assert open_scorer(given).name.startswith("nli:nli@")
    picture_model = write_siglip(tmp_path / "siglip", words=("red", "green", "blue"), scale=1, bias=0)
    assert open_image_scorer(f"siglip:{picture_model}").name.startswith("siglip:siglip@")
    (tmp_path / "bge").mkdir()
    write_tokenizer(tmp_path / "bge" / "tokenizer.json", ("red", "mug"))
    write_word_vectors(tmp_path / "bge" / "model.onnx", np.eye(6, dtype=np.float32))
    found = embedder_of(RunSettings(suite="s", agent="fcp", model="simulated", embedder=f"bge-m3:{tmp_path / 'bge'}"))
    assert found is not None
    assert found.name.startswith("bge@")
    assert open_embedder("minilm").name.startswith("all-MiniLM-L6-v2")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("bert", "unknown scorer 'bert'; known: lexical"),
        ("lexical:/models", "comes with the package"),
        ("nli:/nowhere/at/all", "neither a folder nor"),
    ],
)
def test_a_scorer_that_cannot_be_opened_is_named(given: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        open_scorer(given)


def test_vectors_of_a_pair_are_not_those_of_its_joined_texts() -> None:
    assert content_key("ab", "c") != content_key("a", "bc") != content_key("abc")


_HUB = """
import asyncio, sys
from refute import LocalModelError
from refute.evidence import NliScorer
for source in sys.argv[1:]:
    try:
        scorer = NliScorer(source)
        print(scorer.name, *[v.label for v in asyncio.run(scorer.score("the order yes", ["the order was placed"]))])
    except LocalModelError as error:
        print(error)
"""


def from_hub(home: Path, *sources: str) -> list[str]:
    """What happens to models of the hub on a machine without a network, a line each or more."""
    environment = {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", _HUB, *sources], capture_output=True, text=True, check=True, timeout=60, env=environment
    )
    return done.stdout.splitlines()


def test_a_model_of_the_hub_needs_no_network_once_it_is_here(tmp_path: Path) -> None:
    commit = "c0ffee00" * 5
    kept = tmp_path / "hub" / "models--somebody--nli"
    nli(kept / "snapshots" / commit)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(commit)
    said = from_hub(tmp_path, "somebody/nli", f"somebody/nli@{commit}", "somebody/else@0123abc")
    assert said[:2] == ["nli:somebody/nli@c0ffee00 supported"] * 2
    assert "somebody/else (revision 0123abc) cannot be taken from the hub" in said[2]
    assert "name the folder" in said[3]
