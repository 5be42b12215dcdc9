"""Which providers can be used from here, and whether one model answers."""

from __future__ import annotations

import asyncio
import os

from pydantic import BaseModel, Field

from refute._errors import ModelError, UserError
from refute._readiness import Readiness, State
from refute.llm._model import Request
from refute.llm._open import open_backend
from refute.llm._provider import PROVIDERS, Provider
from refute.llm._provider_model import ProviderModel

PART = "models"
PROBE_DEADLINE = 180.0
"""Seconds in which a model must answer a few words; loading its client library and retries are part of them."""


class Probe(BaseModel):
    """The tiny question, and its answer."""

    ok: bool = Field(description="true")


async def models_readiness(
    model: str | None = None, *, base_url: str | None = None, probe: bool = False
) -> list[Readiness]:
    """Each provider's client library and key; and `model`, if one is named, which is sent one request if `probe`."""
    lines = [_provider(provider) for provider in PROVIDERS.values()]
    if model is not None:
        lines.append(await _model(model, base_url, probe=probe))
    return lines


def _provider(provider: Provider) -> Readiness:
    if not provider.installed():
        return _line(provider.name, "its client library is not installed", cure=provider.install_command)
    address = os.environ.get(provider.address_variable, "").strip()
    where = f"; address from ${provider.address_variable}" if address else ""
    variable = next((name for name in provider.keys if os.environ.get(name, "").strip()), None)
    if variable is not None:
        return _line(provider.name, f"key in ${variable}{where}", State.READY)
    if address:
        return _line(provider.name, f"no key{where}", State.READY)
    first, *others = provider.keys
    ways = f"export {first}=…" + "".join(f" (or {name})" for name in others)
    return _line(provider.name, "no key", cure=f"{ways}; a server that needs none: --base-url URL")


async def _model(model: str, base_url: str | None, *, probe: bool) -> Readiness:
    try:
        backend = open_backend(model, base_url=base_url)
    except UserError as error:
        problem, _, ways = str(error).partition("\n")
        return _line(model, problem, State.MISSING, cure=ways)
    try:
        return await _ask(backend) if probe else _line(model, "can be asked (--probe does)", State.READY)
    finally:
        await backend.close()


async def _ask(backend: ProviderModel) -> Readiness:
    question = Request(
        role="probe",
        system="You are asked whether you can be reached.",
        user='Answer with the JSON object {"ok": true} and nothing else.',
        output_schema=Probe.model_json_schema(),
        input=Probe(ok=True),
    )
    try:
        async with asyncio.timeout(PROBE_DEADLINE):
            reply = await backend.complete(question)
    except TimeoutError:
        problem = f"no answer within {PROBE_DEADLINE:.0f} s"
        return _line(backend.name, problem, State.MISSING, cure="look at the server, or use a faster model")
    except ModelError as error:
        return _line(backend.name, str(error), State.MISSING, cure="mend that, and probe again")
    tokens = reply.usage.input_tokens + reply.usage.output_tokens
    return _line(backend.name, f"answers ({reply.seconds:.1f} s, {tokens} tokens)", State.READY)


def _line(name: str, detail: str, state: State = State.OPTIONAL, *, cure: str = "") -> Readiness:
    return Readiness(part=PART, name=name, state=state, detail=detail, cure=cure)
