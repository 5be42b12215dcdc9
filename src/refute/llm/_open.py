"""From the words of a command line to a backend."""

from __future__ import annotations

import os

from refute._errors import UserError
from refute.llm._model import OutputMode
from refute.llm._prices import price_table
from refute.llm._provider import PROVIDERS, origin
from refute.llm._provider_model import DEADLINE, ProviderModel

_KNOWN = ", ".join(f"{name}:NAME" for name in PROVIDERS)


def open_backend(
    model: str,
    *,
    base_url: str | None = None,
    mode: OutputMode | None = None,
    deadline: float = DEADLINE,
    must_be_priced: bool = False,
) -> ProviderModel:
    """The backend that `model` names, such as ``anthropic:claude-sonnet-4-5``.

    ``simulated`` is not opened here: the simulated model holds a site's truth, so the one who holds the site makes it.
    Raises `UserError` for an unknown prefix, a missing name, key or client library, a broken address, and, if the
    price `must_be_priced`, for a model whose price is unknown.
    """
    kind, _, name = model.partition(":")
    if kind in PROVIDERS and not name.strip():
        raise UserError(f"the model's name is missing: write {kind}:NAME")
    if kind == "simulated":
        raise UserError(
            "the simulated model answers from the truth of a bundled site, so it only works with `refute demo` and "
            f"`refute bench run arena:…`; for other pages use one of {_KNOWN}"
        )
    if kind not in PROVIDERS:
        raise UserError(
            f"unknown model {model!r}. Known: simulated (bundled sites only), {_KNOWN} "
            "(openai-chat is any server that speaks OpenAI's chat protocol; its address with --base-url)"
        )
    backend = ProviderModel(PROVIDERS[kind], name.strip(), base_url=base_url, mode=mode, deadline=deadline)
    if must_be_priced and not backend.priced:
        raise UserError(
            f"--max-cost needs a price, and {price_table()} knows none for {model} at {origin(backend.address)}; "
            "limit --max-tokens or --max-requests instead"
        )
    return backend


def address_from_environment(model: str) -> str | None:
    """The address that the environment gives for `model`'s provider, in the place of ``--base-url``; or None."""
    provider = PROVIDERS.get(model.partition(":")[0])
    return (os.environ.get(provider.address_variable, "").strip() or None) if provider else None
