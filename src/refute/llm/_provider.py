"""The providers: what each is called, where it lives, and where its key comes from. Data, and no client library."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from refute._errors import UserError
from refute.llm._model import OutputMode


@dataclass(frozen=True, kw_only=True)
class Provider:
    """One way to reach models; `name` is the word before the colon of ``--model``."""

    name: str
    title: str
    keys: tuple[str, ...]
    """Environment variables that may hold the key; the first that is set counts."""
    address: str
    """Where requests go without ``--base-url``."""
    address_variable: str
    """Environment variable that stands in for ``--base-url``."""
    address_ends: str
    """How an address for ``--base-url`` usually ends, for people who mistyped it."""
    mode: OutputMode
    """The output mode at the provider's own address."""
    elsewhere: OutputMode
    """The output mode at an address given with ``--base-url``."""
    library: str
    """The module of the client library."""
    extra: str = ""
    """The optional extra of `refute` that brings the library; empty when it always comes along."""

    def key(self) -> str | None:
        """The key in the environment, or None."""
        return next((key for name in self.keys if (key := os.environ.get(name, "").strip())), None)

    def installed(self) -> bool:
        """Whether the client library can be imported."""
        try:
            return importlib.util.find_spec(self.library) is not None
        except ModuleNotFoundError:  # a parent is missing, such as `google` without `genai`
            return False

    @property
    def install_command(self) -> str:
        """How to get the client library."""
        return f'pip install "refute[{self.extra}]"' if self.extra else "pip install refute"


PROVIDERS = {
    provider.name: provider
    for provider in (
        Provider(
            name="openai",
            title="OpenAI",
            keys=("OPENAI_API_KEY",),
            address="https://api.openai.com/v1",
            address_variable="OPENAI_BASE_URL",
            address_ends="in /v1",
            mode=OutputMode.TOOL,
            elsewhere=OutputMode.TOOL,
            library="openai",
        ),
        Provider(
            name="anthropic",
            title="Anthropic",
            keys=("ANTHROPIC_API_KEY",),
            address="https://api.anthropic.com",
            address_variable="ANTHROPIC_BASE_URL",
            address_ends="without /v1",
            mode=OutputMode.TOOL,
            elsewhere=OutputMode.TOOL,
            library="anthropic",
            extra="anthropic",
        ),
        Provider(
            name="google",
            title="Google",
            keys=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
            address="https://generativelanguage.googleapis.com",
            address_variable="GOOGLE_GEMINI_BASE_URL",
            address_ends="without /v1beta",
            mode=OutputMode.TOOL,
            elsewhere=OutputMode.TOOL,
            library="google.genai",
            extra="google",
        ),
        Provider(
            name="openai-chat",
            title="any server that speaks OpenAI's chat protocol",
            keys=("OPENAI_API_KEY",),
            address="https://api.openai.com/v1",
            address_variable="OPENAI_BASE_URL",
            address_ends="in /v1",
            mode=OutputMode.TOOL,
            # Servers of one's own differ in what they make of tools and schemas; all of them can read and write text.
            elsewhere=OutputMode.PROMPTED,
            library="openai",
        ),
    )
}
"""By name."""

_LOCAL_SERVERS = """\
  vLLM       vllm serve MODEL              --model openai-chat:MODEL --base-url http://127.0.0.1:8000/v1
  Ollama     ollama pull MODEL             --model openai-chat:MODEL --base-url http://127.0.0.1:11434/v1
  llama.cpp  llama-server -m MODEL.gguf    --model openai-chat:MODEL --base-url http://127.0.0.1:8080/v1"""


def no_key(provider: Provider, model: str) -> UserError:
    """The one error for a missing key: every way to give one, and the ways to do without."""
    either = " or ".join(f"{name}=…" for name in provider.keys)
    ways = [
        f"  export {either}",
        f"  --base-url URL of a gateway that needs none (or export {provider.address_variable})",
    ]
    return UserError(
        f"no key for {provider.name}:{model}. Ways to give one:\n"
        + "\n".join(ways)
        + f"\nModels on your own machine need no key:\n{_LOCAL_SERVERS}\n"
        "`refute demo` needs no model at all. More: docs/models.md"
    )


def missing_library(provider: Provider) -> UserError:
    """The error for an optional client library that is not there."""
    return UserError(f"models of {provider.title} need one more package: {provider.install_command}")


def checked_address(text: str) -> str:
    """An address for ``--base-url``. Raises `UserError` unless it is a plain http(s) address without secrets."""
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        raise UserError("--base-url must be an http(s) address, such as http://127.0.0.1:8000/v1") from None
    if not usable:
        raise UserError("--base-url must be an http(s) address, such as http://127.0.0.1:8000/v1")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise UserError(
            "--base-url must hold no user name, password or query, since addresses are written into traces; "
            "give the key in the provider's environment variable"
        )
    return text


def origin(address: str) -> str:
    """Scheme, host and port of an address, for messages."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
