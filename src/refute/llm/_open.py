"""From the words of a command line to a backend."""

from __future__ import annotations

from refute._errors import UserError
from refute.llm._model import Backend, OutputMode
from refute.llm._openai_chat import OpenAIChat

_KNOWN = "openai-chat:NAME (any server that speaks the OpenAI chat protocol; its address with --base-url)"


def open_backend(model: str, *, base_url: str | None = None, mode: OutputMode | None = None) -> Backend:
    """The backend that `model` names, such as ``openai-chat:gpt-5-mini``.

    ``simulated`` is not opened here: the simulated model holds a site's truth, so the one who holds the site makes it.
    Raises `UserError` for an unknown prefix, a missing name, a broken address or a missing key.
    """
    kind, _, name = model.partition(":")
    if kind == "openai-chat" and name.strip():
        return OpenAIChat(name.strip(), base_url=base_url, mode=mode or OutputMode.TOOL)
    if kind == "openai-chat":
        raise UserError("the model's name is missing: write openai-chat:NAME, such as openai-chat:gpt-5-mini")
    if kind == "simulated":
        raise UserError(
            "the simulated model answers from the truth of a bundled site, so it only works with `refute demo` and "
            f"`refute bench run arena:…`; for other pages use {_KNOWN}"
        )
    raise UserError(f"unknown model {model!r}. Known: simulated (bundled sites only), {_KNOWN}")
