"""The replies of a model while a library is made, kept so that a killed `refute learn` asks nothing twice."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from refute._errors import TraceError
from refute.llm import Role

ANSWERS_FILE = "answers.jsonl"

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


class Answers:
    """A file with an answer a line, under the hash of model, role and prompt. A torn last line is cut off."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept: dict[str, Any] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            raw = path.read_bytes() if path.exists() else b""
            whole = raw[: raw.rfind(b"\n") + 1]
            if len(whole) < len(raw):
                os.truncate(path, len(whole))
        except OSError as error:
            raise TraceError(f"cannot work with {path}: {error.strerror}") from error
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                entry = cast(dict[str, Any], json.loads(line))
                self._kept[str(entry["key"])] = entry["answer"]
            except (ValueError, TypeError, KeyError) as error:
                raise TraceError(f"{path}:{number} is no answer; delete the file, and all is asked again") from error

    def known(self, key: str, role: Role[I, O]) -> O | None:
        """The answer under `key`, if there is one that still fits the role."""
        answer = self._kept.get(key)
        try:
            return None if answer is None else role.output.model_validate(answer)
        except ValueError:
            return None

    def keep(self, key: str, answer: BaseModel) -> None:
        """Append an answer. Raises `TraceError` when the disk does not take it; earlier ones stay."""
        self._kept[key] = answer.model_dump(mode="json")
        line = json.dumps({"key": key, "answer": self._kept[key]}, ensure_ascii=False) + "\n"
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            raise TraceError(f"cannot append to {self._path}: {error.strerror}; earlier answers are kept") from error


def key_of(model: str, role: Role[I, O], value: I) -> str:
    """Names a question to a model, by its very words."""
    text = "\x1f".join((model, role.name, *role.render(value)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
