"""One request over pydantic-ai. The only module that imports it; loaded with the first request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from openai import AsyncOpenAI
from pydantic_ai import exceptions
from pydantic_ai.direct import model_request
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.tools import ToolDefinition

from refute.llm._model import OutputMode, Reply, Request, Usage

_TRANSIENT = frozenset({408, 409, 429})


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why a request brought no reply. `again`: another try may help; `retry_after` in seconds, if the server said."""

    message: str
    status: int = 0
    again: bool = False
    refused: bool = False
    retry_after: float | None = None


class Wire:
    """A client of one model on one server. It never retries: that is its caller's business."""

    def __init__(self, model: str, *, base_url: str | None, key: str) -> None:
        # No time limit of the client's own: one deadline, the caller's, covers the whole request.
        self._client = AsyncOpenAI(api_key=key, base_url=base_url, max_retries=0, timeout=None)
        self._model = OpenAIChatModel(model, provider=OpenAIProvider(openai_client=self._client))
        self._priced = base_url is None

    async def send(self, request: Request, mode: OutputMode) -> Reply | Failure:
        """One request: the reply, or why there is none."""
        try:
            response = await model_request(
                self._model, _messages(request), model_request_parameters=_parameters(request, mode)
            )
        except exceptions.ModelHTTPError as error:
            return _http_failure(error)
        except exceptions.ModelAPIError as error:
            return Failure(message=_innermost(error), again=True, retry_after=error.retry_after)
        except exceptions.ContentFilterError as error:
            return Failure(message=error.message, status=200, refused=True)
        except exceptions.UnexpectedModelBehavior as error:
            return Failure(message=f"not a chat completion: {error.message}", status=200)
        return Reply(text=_text(response), usage=_usage(response), dollars=self._dollars(response))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _dollars(self, response: ModelResponse) -> float | None:
        if not self._priced:
            return None
        try:
            return float(response.cost().total_price)
        except (LookupError, ValueError):
            return None


def _messages(request: Request) -> list[ModelMessage]:
    first = ModelRequest(parts=[SystemPromptPart(content=request.system), UserPromptPart(content=request.user)])
    if not request.attempt:
        return [first]
    # The bad reply goes back as plain text, whatever its form was: servers differ in how they take a tool's answer.
    again = f"Your reply could not be used: {request.problem}\nReply again, in the form that was asked for."
    previous = ModelResponse(parts=[TextPart(content=request.previous_reply or "(empty)")])
    return [first, previous, ModelRequest(parts=[UserPromptPart(content=again)])]


def _parameters(request: Request, mode: OutputMode) -> ModelRequestParameters:
    name, schema = request.role.replace(".", "_"), request.output_schema
    if mode is OutputMode.TOOL:
        tool = ToolDefinition(
            name=name, description="Give your answer.", parameters_json_schema=schema, kind="output", strict=False
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    if mode is OutputMode.NATIVE:
        output = OutputObjectDefinition(json_schema=schema, name=name, strict=False)
        return ModelRequestParameters(output_mode="native", output_object=output)
    return ModelRequestParameters()


def _text(response: ModelResponse) -> str:
    """The first tool call's arguments as they came, else the text."""
    for part in response.parts:
        if isinstance(part, ToolCallPart):
            return part.args if isinstance(part.args, str) else part.args_as_json_str()
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def _usage(response: ModelResponse) -> Usage:
    usage = response.usage
    return Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_tokens=usage.cache_read_tokens,
        reasoning_tokens=usage.output_reasoning_tokens,
    )


def _http_failure(error: exceptions.ModelHTTPError) -> Failure:
    status = error.status_code
    out_of_money = error.provider_error_code == "insufficient_quota"
    transient = (status in _TRANSIENT or status >= 500) and not out_of_money
    return Failure(
        message=_said(error.body) or "no explanation",
        status=status,
        again=transient,
        refused=400 <= status < 500,
        retry_after=error.retry_after,
    )


def _said(body: object) -> str:
    """The message in a provider's error body; the usual shapes only."""
    if isinstance(body, dict):
        fields = cast("dict[str, Any]", body)
        return _said(fields.get("message") or fields.get("error") or fields.get("detail") or "")
    return str(body or "")


def _innermost(error: BaseException) -> str:
    """The cause at the bottom: 'connection refused' says more than 'connection error'."""
    seen = error
    while seen.__cause__ is not None:
        seen = seen.__cause__
    return str(seen) or type(seen).__name__
