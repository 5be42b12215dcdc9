"""The embedded default, loaded for real, and what is kept of it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute import LocalModelError
from refute.evidence import Embedder, bm25, minilm
from refute.evidence._models._embedder import OnnxEmbedder, Pooling
from refute.evidence._models._session import Session
from refute.evidence._models._tokens import Tokenizer
from refute.evidence._models._vectors import VectorCache, content_key

from .tiny import write_tokenizer, write_word_vectors

TEXTS = (
    "The parcel was delivered on Monday",
    "Put two mugs in the basket",
    "Your package has arrived",
    "Basket: 2 mugs",
)


def test_texts_of_like_meaning_lie_closest() -> None:
    rows = minilm().embed(TEXTS)
    assert rows.shape == (4, 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    alike = rows @ rows.T
    np.fill_diagonal(alike, -1)
    assert alike.argmax(axis=1).tolist() == [2, 3, 0, 1]


def test_a_text_has_the_same_vector_in_any_company() -> None:
    together = minilm(most=1).embed(TEXTS)
    alone = minilm(most=2).embed([TEXTS[3]])
    assert np.allclose(together[3], alone[0], atol=1e-6)


def test_what_is_beyond_the_models_limit_is_cut() -> None:
    long = "word " * 300
    rows = minilm().embed([long, f"{long} and then something else entirely", ""])
    assert np.array_equal(rows[0], rows[1])
    assert np.isfinite(rows).all()


def test_no_texts_are_no_rows() -> None:
    assert minilm().embed([]).shape == (0, 384)


def test_the_model_is_loaded_once() -> None:
    assert minilm() is minilm()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    write_tokenizer(tmp_path / "tokenizer.json", ("red", "mug", "blue"))
    write_word_vectors(tmp_path / "model.onnx", np.eye(7, dtype=np.float32))
    return tmp_path


def opened(model: Path, cache: VectorCache, *, pooling: Pooling = Pooling.MEAN) -> Embedder:
    session, tokenizer = Session(model / "model.onnx"), Tokenizer(model / "tokenizer.json", limit=8)
    return OnnxEmbedder("tiny", session=session, tokenizer=tokenizer, pooling=pooling, cache=cache)


def test_the_mean_leaves_padding_out(model: Path) -> None:
    rows = opened(model, VectorCache()).embed(["red", "red mug blue"])
    # [CLS] red [SEP], each a direction of its own
    assert np.allclose(rows[0], np.array([0, 0, 1, 1, 1, 0, 0]) / np.sqrt(3))
    assert np.allclose(rows[1], np.array([0, 0, 1, 1, 1, 1, 1]) / np.sqrt(5))


def test_the_first_token_can_stand_for_the_text(model: Path) -> None:
    rows = opened(model, VectorCache(), pooling=Pooling.FIRST).embed(["red", "mug"])
    assert np.array_equal(rows, np.tile([0, 0, 1, 0, 0, 0, 0], (2, 1)))


def test_a_known_text_is_not_computed_again(model: Path) -> None:
    marked = np.full(7, 0.5, dtype=np.float32)
    cache = VectorCache()
    cache.put({content_key("red"): marked})
    rows = opened(model, cache).embed(["red", "mug", "red"])
    assert np.array_equal(rows[0], marked)
    assert np.array_equal(rows[2], marked)
    assert not np.array_equal(rows[1], marked)


def test_the_least_recently_used_vector_leaves_first() -> None:
    cache = VectorCache(most=2)
    one, two, three = (content_key(text) for text in ("one", "two", "three"))
    vector = np.ones(3, dtype=np.float32)
    cache.put({one: vector, two: vector})
    cache.get([one])
    cache.put({three: vector})
    assert set(cache.get([one, two, three])) == {one, three}


def test_more_texts_than_the_cache_holds_all_get_their_vector(model: Path) -> None:
    rows = opened(model, VectorCache(most=1)).embed(["red", "mug", "blue", "red mug"])
    assert len({row.tobytes() for row in rows}) == 4


def test_a_model_that_was_changed_is_not_loaded(model: Path) -> None:
    path = model / "model.onnx"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    Session(path, sha256=digest)
    path.write_bytes(path.read_bytes() + b"\0")
    with pytest.raises(LocalModelError, match="not the file it should be"):
        Session(path, sha256=digest)


def test_files_that_are_no_models_are_named(model: Path) -> None:
    for path in (model / "model.onnx", model / "tokenizer.json"):
        path.write_text("{}")
    with pytest.raises(LocalModelError, match=r"model\.onnx cannot be opened"):
        Session(model / "model.onnx")
    with pytest.raises(LocalModelError, match=r"tokenizer\.json cannot be read"):
        Tokenizer(model / "tokenizer.json", limit=8)
    with pytest.raises(LocalModelError, match="is missing"):
        Session(model / "other.onnx")


def test_a_rare_word_tells_more_than_a_common_one() -> None:
    scores = bm25(["red mug", "red lamp", "red chair", "blue chair"], "a red lamp")
    assert scores.argmax() == 1
    assert scores[0] == scores[2] > scores[3] == 0


def test_words_meet_by_their_stems_and_numbers_as_they_stand() -> None:
    scores = bm25(["Orders of 2023", "Ordered in 2024"], "order 2024")
    assert scores[1] > scores[0] > 0


@given(documents=st.lists(st.text(max_size=40), max_size=6), query=st.text(max_size=40))
def test_scores_are_finite_and_never_negative(documents: list[str], query: str) -> None:
    scores = bm25(documents, query)
    assert scores.shape == (len(documents),)
    assert np.isfinite(scores).all()
    assert (scores >= 0).all()


@given(documents=st.lists(st.text("ab c", max_size=12), min_size=1, max_size=6), query=st.text("ab c", max_size=8))
def test_only_shared_words_score(documents: list[str], query: str) -> None:
    for score, document in zip(bm25(documents, query), documents, strict=True):
        shared = {w for w in query.split() if w != "a"} & set(document.split())
        assert (score > 0) == bool(shared)
