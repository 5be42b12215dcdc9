"""Replies kept on disk, by content: the same question is answered once, and a recording answers without any model.

A question is everything that can change a reply: the model and its settings, the messages (a retry's included), the
pictures, the schema, and the repetition index, by which the same question can be asked several times on purpose.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from refute._errors import NotRecorded, TraceError
from refute.llm._model import Backend, OutputMode, Reply, Request
from refute.llm._stand_in import StandIn

_TEXTS = ("system", "user", "previous_reply", "problem")
"""Fields of a request that may tell a site's address."""
_FORMAT = 1
"""Part of every key: a change of what a key is made of must not find old replies."""


class _Kept(BaseModel):
    """One file: the question as it was asked, for people and for checks, and its reply."""

    model_config = ConfigDict(frozen=True)

    question: dict[str, Any]
    reply: Reply


class ReplyFolder:
    """A folder of replies, ``FOLDER/ab/abcdef….json``, each named by the SHA-256 of its question.

    Files appear whole, by a rename, so several processes may share a folder, and a kill loses no reply that was kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, question: Mapping[str, Any]) -> Reply | None:
        """The reply to `question`, or None. A damaged file counts as none: it is asked again and replaced."""
        try:
            kept = _Kept.model_validate_json(self._path(question).read_bytes())
        except (OSError, ValidationError):
            return None
        return kept.reply.model_copy(update={"cached": True})

    def keep(self, question: Mapping[str, Any], reply: Reply) -> None:
        """Store `reply`. Raises `TraceError` when the disk does not take it."""
        path = self._path(question)
        part = path.with_name(f"{path.stem}.{os.getpid()}.part")
        text = json.dumps({"question": question, "reply": reply.model_dump(mode="json")}, indent=1)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(text, encoding="utf-8")
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise TraceError(
                f"cannot keep a reply in {self.folder}: {error.strerror}; earlier ones are kept"
            ) from error

    def _path(self, question: Mapping[str, Any]) -> Path:
        name = _name(question)
        return self.folder / name[:2] / f"{name}.json"


class _Questions:
    """How requests are told apart: what `CachedBackend` and `ReplayBackend` have in common."""

    def __init__(
        self, *, model: str, mode: OutputMode, settings: Mapping[str, str], repeat: int, origin: str, each_time: bool
    ) -> None:
        self._model = model
        self._mode = mode
        self._settings = dict(settings)
        self._repeat = repeat
        self._site = StandIn(origin)
        self._asked = Counter[str]() if each_time else None

    def of(self, request: Request) -> dict[str, Any]:
        """The question that `request` is, the same one on any run."""
        texts = {name: self._site.hide(getattr(request, name)) for name in _TEXTS}
        question = question_of(
            request.model_copy(update=texts),
            model=self._model,
            mode=self._mode,
            settings=self._settings,
            repeat=self._repeat,
        )
        if self._asked is None:
            return question
        name = _name(question)
        self._asked[name] += 1
        return {**question, "time": self._asked[name]}

    def kept(self, reply: Reply) -> Reply:
        """`reply` as it is written down."""
        return reply.model_copy(update={"text": self._site.hide(reply.text)})

    def told(self, reply: Reply) -> Reply:
        """A reply that was written down, as it reads on this run."""
        return reply.model_copy(update={"text": self._site.show(reply.text)})


class CachedBackend:
    """A backend that asks another one only what its folder does not hold.

    `settings` are those of the model that change its replies and that no request tells, such as its address. `repeat`
    >= 0 is the repetition index. `origin` is the address of a site that has another one on each run: a stable name
    stands for it in what is kept, so that the same pages make the same question. With `each_time`, a question that is
    asked again here counts as another one: an episode that comes back to a page may get another answer there, as it
    would from the model. A refusal is not kept, and a simulated model must not stand behind this: its replies follow
    from a truth that is no part of the question.
    """

    def __init__(
        self,
        backend: Backend,
        folder: Path,
        *,
        settings: Mapping[str, str] | None = None,
        repeat: int = 0,
        origin: str = "",
        each_time: bool = False,
    ) -> None:
        if backend.simulated:
            raise ValueError("the replies of a simulated model depend on more than its questions")
        self.name = backend.name
        self.simulated = backend.simulated
        self.mode = backend.mode
        self._backend = backend
        self._replies = ReplyFolder(folder)
        self._questions = _Questions(
            model=self.name,
            mode=self.mode,
            settings=settings or {},
            repeat=repeat,
            origin=origin,
            each_time=each_time,
        )

    async def complete(self, request: Request) -> Reply:
        """The kept reply, with `Reply.cached` set, or a new one. Raises what the backend raises, and `TraceError`."""
        question = self._questions.of(request)
        kept = self._replies.find(question)
        if kept is not None:
            return self._questions.told(kept)
        reply = await self._backend.complete(request)
        if not reply.refusal:
            self._replies.keep(question, self._questions.kept(reply))
        return reply

    async def close(self) -> None:
        """Close the backend."""
        await self._backend.close()


class ReplayBackend:
    """Answers from a folder that a `CachedBackend` filled, and from nothing else.

    `model`, `mode`, `settings`, `repeat` and `each_time` must be those of the recording; `origin` is that of now.
    """

    simulated = False

    def __init__(
        self,
        folder: Path,
        *,
        model: str,
        mode: OutputMode,
        settings: Mapping[str, str] | None = None,
        repeat: int = 0,
        origin: str = "",
        each_time: bool = False,
    ) -> None:
        self.name = model
        self.mode = mode
        self._replies = ReplyFolder(folder)
        self._questions = _Questions(
            model=model, mode=mode, settings=settings or {}, repeat=repeat, origin=origin, each_time=each_time
        )

    async def complete(self, request: Request) -> Reply:
        """The recorded reply. Raises `NotRecorded` for a question that is not in the recording."""
        reply = self._replies.find(self._questions.of(request))
        if reply is None:
            raise NotRecorded(
                f"the recording in {self._replies.folder} has no reply of {self.name} to this question of the role "
                f"{request.role!r} (try {request.attempt + 1}): the model, its settings, the prompt or the schema has "
                "changed since. Record it again."
            )
        return self._questions.told(reply)

    async def close(self) -> None:
        """Nothing to release."""


def question_of(
    request: Request, *, model: str, mode: OutputMode, settings: Mapping[str, str], repeat: int
) -> dict[str, Any]:
    """Everything that can change the reply to `request`, as plain data; its hash is the key."""
    return {
        "format": _FORMAT,
        "model": model,
        "mode": mode.value,
        "settings": dict(settings),
        "repeat": repeat,
        "role": request.role,
        "system": request.system,
        "user": request.user,
        "schema": request.output_schema,
        "pictures": [hashlib.sha256(picture.data).hexdigest() for picture in request.pictures],
        "attempt": request.attempt,
        "previous_reply": request.previous_reply,
        "problem": request.problem,
    }


def _name(question: Mapping[str, Any]) -> str:
    """The SHA-256 of a question."""
    return hashlib.sha256(json.dumps(question, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
