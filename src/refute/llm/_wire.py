"""One request over pydantic-ai. The only module that imports it; loaded with the first request."""

from __future__ import annotations

import re
import ssl
from functools import cache
from typing import Any

import httpx2
from pydantic_ai import exceptions
from pydantic_ai.direct import model_request
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from refute.llm._body import NoReply, body_check, raised_no_reply, said
from refute.llm._failure import Cause, Failure
from refute.llm._model import OutputMode, Reply, Request, Usage

_LONGEST_REPLY = 16_384
"""Output tokens, where a provider wants a limit; no role's answer comes near it, thinking included."""
_TRANSIENT = frozenset({408, 409, 429})
_CAUSES: tuple[tuple[type[exceptions.ModelAPIError], Cause], ...] = (
    (exceptions.ModelContextWindowExceededError, Cause.CONTEXT),
    (exceptions.ModelQuotaExceededError, Cause.QUOTA),
    (exceptions.ModelAuthenticationError, Cause.KEY),
    (exceptions.ModelNotFoundError, Cause.NOT_FOUND),
    (exceptions.ModelRateLimitError, Cause.BUSY),
    (exceptions.ModelOverloadedError, Cause.BUSY),
    (exceptions.ModelUnavailableError, Cause.BROKEN),
    (exceptions.ModelServerError, Cause.BROKEN),
    (exceptions.ModelConnectionError, Cause.UNREACHABLE),
    (exceptions.ModelRequestRejectedError, Cause.REJECTED),
)
"""The first that fits counts."""
_TOO_LONG = re.compile(r"exceed\w*\b.{0,60}\bcontext (size|length|window)|context length of only", re.IGNORECASE)
"""How llama.cpp and LM Studio word an overflow, which pydantic-ai does not know."""
_MALFORMED = (ValueError, TypeError, AttributeError, LookupError, AssertionError)
"""What client libraries raise on replies that their provider would never send."""


class Wire:
    """A client of one model at one address. It never retries: that is its caller's business."""

    def __init__(self, provider: str, model: str, *, address: str, key: str) -> None:
        # No time limit of the client's own: one deadline, the caller's, covers the whole request. No redirects: a key
        # goes to the address that was named, and nowhere else.
        self._http = httpx2.AsyncClient(
            timeout=None,
            follow_redirects=False,
            verify=_certificates(),
            event_hooks={"response": [body_check(provider)]},
        )
        self._model, self._settings = _opened(provider, model, address=address, key=key, http=self._http)
        # Anthropic knows native output in its strict form only.
        self._strict = None if provider == "anthropic" else False

    async def send(self, request: Request, mode: OutputMode) -> Reply | Failure:
        """One request: the reply, or why there is none."""
        try:
            response = await model_request(
                self._model,
                _messages(request),
                model_settings=self._settings,
                model_request_parameters=_parameters(request, mode, strict=self._strict),
                instrument=False,  # prompts and pictures stay out of whatever telemetry the program has set up
            )
        except exceptions.ModelAPIError as error:
            return raised_no_reply(error) or _failure(error)
        except NoReply as error:
            return error.failure
        except exceptions.ContentFilterError as error:
            return Reply(text="", refusal=error.message)
        except exceptions.UnexpectedModelBehavior as error:
            return Failure(cause=Cause.GIBBERISH, message=error.message, status=200)
        except exceptions.UserError as error:
            return Failure(cause=Cause.UNSUPPORTED, message=error.message)
        except _MALFORMED as error:
            return Failure(cause=Cause.GIBBERISH, message=f"{type(error).__name__}: {error}", status=200)
        return _reply(response, _tool_name(request) if mode is OutputMode.TOOL else "")

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


@cache
def _certificates() -> ssl.SSLContext:
    """Reading them takes longer than a request on loopback, and every episode opens a client."""
    return httpx2.create_ssl_context()


def _opened(
    provider: str, name: str, *, address: str, key: str, http: httpx2.AsyncClient
) -> tuple[Model[Any], ModelSettings]:
    """The provider's model and its settings, on our HTTP client and without retries of its own."""
    if provider == "anthropic":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        client = AsyncAnthropic(api_key=key, base_url=address, http_client=http, max_retries=0, timeout=None)
        # Without a limit pydantic-ai asks for the model's longest possible reply, and streams it for that reason.
        settings = ModelSettings(max_tokens=_LONGEST_REPLY)
        return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client)), settings
    if provider == "google":
        from google.genai.client import Client
        from google.genai.types import HttpOptions
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        # It makes a synchronous client too, which nobody uses; at least it need not read the certificates again.
        options = HttpOptions(
            base_url=address, httpx_async_client=http, client_args={"verify": _certificates()}, retry_options=None
        )
        google = Client(vertexai=False, api_key=key, http_options=options)
        return GoogleModel(name, provider=GoogleProvider(client=google)), ModelSettings()

    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel, OpenAIResponsesModelSettings
    from pydantic_ai.providers.openai import OpenAIProvider

    openai = AsyncOpenAI(api_key=key, base_url=address, http_client=http, max_retries=0, timeout=None)
    if provider == "openai":
        # Each request stands alone, so there is no reason to leave copies with the provider.
        settings = OpenAIResponsesModelSettings(openai_store=False)
        return OpenAIResponsesModel(name, provider=OpenAIProvider(openai_client=openai)), settings
    return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=openai)), ModelSettings()


def _messages(request: Request) -> list[ModelMessage]:
    shown = [BinaryContent(data=picture.data, media_type=picture.media_type) for picture in request.pictures]
    user = UserPromptPart(content=[request.user, *shown] if shown else request.user)
    first = ModelRequest(parts=[SystemPromptPart(content=request.system), user])
    if not request.attempt:
        return [first]
    # The bad reply goes back as plain text, whatever its form was: servers differ in how they take a tool's answer.
    again = f"Your reply could not be used: {request.problem}\nReply again, in the form that was asked for."
    previous = ModelResponse(parts=[TextPart(content=request.previous_reply or "(empty)")])
    return [first, previous, ModelRequest(parts=[UserPromptPart(content=again)])]


def _tool_name(request: Request) -> str:
    return request.role.replace(".", "_")


def _parameters(request: Request, mode: OutputMode, *, strict: bool | None) -> ModelRequestParameters:
    name, schema = _tool_name(request), request.output_schema
    if mode is OutputMode.TOOL:
        tool = ToolDefinition(
            name=name, description="Give your answer.", parameters_json_schema=schema, kind="output", strict=False
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    if mode is OutputMode.NATIVE:
        output = OutputObjectDefinition(json_schema=schema, name=name, strict=strict)
        return ModelRequestParameters(output_mode="native", output_object=output)
    return ModelRequestParameters()


def _reply(response: ModelResponse, tool: str) -> Reply:
    """The response as a reply: the arguments of its tool calls as they came, else its text. Thinking is left out."""
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    if calls:
        text = "\n".join(call.args if isinstance(call.args, str) else call.args_as_json_str() for call in calls)
    else:
        text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    refusal, unusable = "", ""
    if response.finish_reason == "content_filter":
        said = (response.provider_details or {}).get("refusal")
        refusal = str(said or text or "the provider's content filter stopped the reply")
    elif response.finish_reason == "length":
        unusable = "the reply was cut off at the limit of output tokens; make it shorter"
    elif wrong := sorted({call.tool_name for call in calls} - {tool}):
        unusable = f"there is no tool {', '.join(wrong)}; " + (f"call {tool}" if tool else "reply without tools")
    return Reply(text=text, usage=_usage(response), refusal=refusal, unusable=unusable)


def _usage(response: ModelResponse) -> Usage:
    """What the provider counted. pydantic-ai's totals include the parts, for every provider."""
    usage = response.usage
    return Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        reasoning_tokens=usage.output_reasoning_tokens,
    )


def _failure(error: exceptions.ModelAPIError) -> Failure:
    status = error.status_code if isinstance(error, exceptions.ModelHTTPError) else 0
    cause = next((cause for kind, cause in _CAUSES if isinstance(error, kind)), None)
    if cause is None or cause is Cause.REJECTED:
        transient = status in _TRANSIENT or status >= 500
        cause = Cause.BROKEN if transient else cause or (Cause.REJECTED if status else Cause.GIBBERISH)
    message = _innermost(error) if cause is Cause.UNREACHABLE else said(error.body) or error.message
    if cause is Cause.REJECTED and _TOO_LONG.search(message):
        cause = Cause.CONTEXT
    return Failure(cause=cause, message=message, status=status, retry_after=error.retry_after)


def _innermost(error: BaseException) -> str:
    """The cause at the bottom: 'connection refused' says more than 'connection error'."""
    seen = error
    while seen.__cause__ is not None:
        seen = seen.__cause__
    return str(seen) or type(seen).__name__
