"""The event: one thing that happened, as one line of JSON."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from refute._errors import TraceError

SCHEMA_VERSION = 1
"""Version of the trace format that this build writes. Readers accept every version up to it."""

_registry: dict[str, type[Event]] = {}
_OURS = re.compile(rb'\{"kind":"(\w+)","v":(\d{1,9}),')
"""How a line begins that `Event.to_line` wrote."""


class Event(BaseModel):
    """Base of all events. Each room declares its own beside its nouns: ``class Acted(Event, kind="acted")``.

    The recorder fills `time` and `step`; whoever creates an event leaves them alone.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: ClassVar[str] = ""

    v: int = Field(default=SCHEMA_VERSION, ge=1, description="schema version")
    time: float = Field(default=0.0, description="seconds since the epoch, by the episode's clock")
    step: int = Field(default=0, ge=0, description="number of actions returned by the agent so far")

    def __init_subclass__(cls, *, kind: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if not kind:
            return
        other = _registry.get(kind)
        if other is not None and (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
            raise TypeError(f"event kind {kind!r} is taken by {other.__qualname__}")
        cls.kind = kind
        _registry[kind] = cls

    def to_line(self) -> str:
        """The event as one line of JSON, without the newline; `kind` comes first."""
        body = self.model_dump_json()
        return f'{{"kind":"{self.kind}",{body[1:]}'

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """The event that `data` describes; its own class checks the fields."""
        return cls.model_validate(data)


class UnknownEvent(Event):
    """An event whose kind (or version) this build does not know: kept as it is, never dropped."""

    data: dict[str, Any]

    @property
    def label(self) -> str:
        """What it is, for people: its kind, and its version when that is newer than `SCHEMA_VERSION`."""
        kind = str(self.data["kind"])
        return f"{kind} v{self.v}" if self.newer else kind

    @property
    def newer(self) -> bool:
        """Whether a newer schema wrote it."""
        return self.v > SCHEMA_VERSION

    def to_line(self) -> str:
        """The line as it was read."""
        return json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))


E = TypeVar("E", bound=Event)


def well_formed(event: E) -> E:
    """The same event with U+FFFD for every half of a surrogate pair, which a page or a model can send all the same."""
    text = json.dumps(event.model_dump(mode="json"), ensure_ascii=False)
    return event.from_data(json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")))


def parse_event(data: Any) -> Event:
    """Turn a decoded line into its event. Raises `TraceError` when it is no event at all."""
    fields = cast(dict[str, Any], data) if isinstance(data, dict) else {}
    if not isinstance(fields.get("kind"), str):
        raise TraceError("not an event: an object with a text field 'kind' is needed")
    known = _registry.get(fields["kind"])
    version = fields.get("v", 1)
    if known is None or not isinstance(version, int) or version > SCHEMA_VERSION:
        time, step = fields.get("time"), fields.get("step")
        return UnknownEvent(
            v=version if isinstance(version, int) and version >= 1 else 1,
            time=time if isinstance(time, int | float) else 0.0,
            step=step if isinstance(step, int) and step >= 0 else 0,
            data=fields,
        )
    try:
        return known.from_data(fields)
    except ValueError as error:
        raise TraceError(f"an event of kind {fields['kind']!r} does not fit its schema: {error}") from error


def parse_line(line: bytes) -> Event:
    """Turn a line of a trace into its event. Raises `TraceError` or `ValueError` when it is none, and `RecursionError`
    when it is nested too deeply.

    A line that begins as `Event.to_line` writes it is read straight into its class, in a third of the time. What does
    not come out of that is read again the long way, which tolerates more and says what is wrong.
    """
    ours = _OURS.match(line)
    known = _registry.get(ours[1].decode()) if ours is not None and int(ours[2]) <= SCHEMA_VERSION else None
    if known is not None:
        try:
            return known.model_validate_json(line)
        except ValidationError:
            pass
    return parse_event(json.loads(line))
