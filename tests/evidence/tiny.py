"""Models of a few kB, made here and loaded by the real code: real ONNX files, real tokenizers, made-up weights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def write_tokenizer(path: Path, words: Sequence[str]) -> dict[str, int]:
    """A tokenizer that knows these words, with [CLS] and [SEP] as BERT places them; returns its vocabulary."""
    vocabulary = {word: number for number, word in enumerate((*SPECIAL, *words))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()  # pyright: ignore[reportAttributeAccessIssue]
    tokenizer.post_processor = TemplateProcessing(  # pyright: ignore[reportAttributeAccessIssue]
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    tokenizer.save(str(path))
    return vocabulary


def write_model(
    path: Path,
    nodes: Sequence[Any],
    *,
    inputs: dict[str, tuple[int, list[Any]]],
    outputs: dict[str, list[Any]],
    weights: dict[str, NDArray[Any]],
) -> None:
    """An ONNX file of these nodes; inputs are (element type, shape), outputs float32."""
    graph = helper.make_graph(
        list(nodes),
        "tiny",
        [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    path.write_bytes(model.SerializeToString())


def write_word_vectors(path: Path, vectors: NDArray[np.float32]) -> None:
    """A model that gives each token the row of its number: states of shape (texts, tokens, d)."""
    write_model(
        path,
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        inputs={"input_ids": (TensorProto.INT64, ["texts", "tokens"])},
        outputs={"last_hidden_state": ["texts", "tokens", vectors.shape[1]]},
        weights={"table": vectors},
    )


def write_nli(folder: Path, labels: Sequence[str], *, words: Sequence[str], entailing: str, denying: str) -> Path:
    """A cross-encoder whose labels stand in this order: it sees entailment wherever the word `entailing` occurs,
    contradiction where `denying` does, and is neutral otherwise. Padding says nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = write_tokenizer(folder / "tokenizer.json", words)
    says = np.zeros((len(vocabulary), len(labels)), dtype=np.float32)
    for label, word in (("entailment", entailing), ("contradiction", denying)):
        if label in labels:
            says[vocabulary[word], labels.index(label)] = 5
    config = {"id2label": {str(n): label for n, label in enumerate(labels)}, "max_position_embeddings": 64}
    (folder / "config.json").write_text(json.dumps(config))
    write_model(
        folder / "model.onnx",
        [
            helper.make_node("Gather", ["says", "input_ids"], ["of_each"]),
            helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["mask", "last"], ["column"]),
            helper.make_node("Mul", ["of_each", "column"], ["unpadded"]),
            helper.make_node("ReduceSum", ["unpadded", "tokens"], ["logits"], keepdims=0),
        ],
        inputs={name: (TensorProto.INT64, ["pairs", "tokens"]) for name in ("input_ids", "attention_mask")},
        outputs={"logits": ["pairs", len(labels)]},
        weights={"says": says, "last": np.array([-1], dtype=np.int64), "tokens": np.array([1], dtype=np.int64)},
    )
    return folder


def write_siglip(folder: Path, *, words: Sequence[str], scale: float, bias: float) -> Path:
    """A model of two towers: a picture is its mean color, a text the color that its words name (red, green, blue), and
    they fit by their product, scaled and shifted as SigLIP does."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = write_tokenizer(folder / "tokenizer.json", words)
    colors = np.zeros((len(vocabulary), 3), dtype=np.float32)
    for channel, word in enumerate(("red", "green", "blue")):
        colors[vocabulary[word], channel] = 1
    (folder / "config.json").write_text(json.dumps({"text_config": {"max_position_embeddings": 8}}))
    prepared = {"size": {"width": 4, "height": 2}, "resample": 2, "image_mean": [0, 0, 0], "image_std": [1, 1, 1]}
    (folder / "preprocessor_config.json").write_text(json.dumps(prepared))
    write_model(
        folder / "model.onnx",
        [
            helper.make_node("ReduceMean", ["pixel_values"], ["image_embeds"], axes=[2, 3], keepdims=0),
            helper.make_node("Gather", ["colors", "input_ids"], ["of_each"]),
            helper.make_node("ReduceSum", ["of_each", "tokens"], ["text_embeds"], keepdims=0),
            helper.make_node("Transpose", ["text_embeds"], ["turned"], perm=[1, 0]),
            helper.make_node("MatMul", ["image_embeds", "turned"], ["similarity"]),
            helper.make_node("Mul", ["similarity", "scale"], ["scaled"]),
            helper.make_node("Add", ["scaled", "bias"], ["logits_per_image"]),
        ],
        inputs={
            "pixel_values": (TensorProto.FLOAT, ["pictures", 3, 2, 4]),
            "input_ids": (TensorProto.INT64, ["texts", 8]),
        },
        outputs={"logits_per_image": ["pictures", "texts"], "image_embeds": ["pictures", 3]},
        weights={
            "colors": colors,
            "tokens": np.array([1], dtype=np.int64),
            "scale": np.array(scale, dtype=np.float32),
            "bias": np.array(bias, dtype=np.float32),
        },
    )
    return folder
