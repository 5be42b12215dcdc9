"""Write docs/trace-types.md: every event of the trace and every object in one, from the code that writes them.

python scripts/trace_types.py [--print]
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from pydantic.json_schema import models_json_schema

from refute.trace import SCHEMA_VERSION, Event

PAGE = Path(__file__).parents[1] / "docs" / "trace-types.md"
ROOMS = ("goals", "browser", "llm", "agents", "revisions", "judge", "suites", "run")
HEAD = f"""# Types of the trace

Made by `python scripts/trace_types.py` from the code that writes traces (schema version {SCHEMA_VERSION}); a test keeps
it true. What the events mean, and in which order they come: [the trace](trace.md). Beside these fields each event has
`kind`, `v`, `time` and `step`.

`text` is a JSON string, `integer` and `number` are JSON numbers, *list of* is an array, *object of* an object with any
keys. A field with a default may be missing in traces of older builds, and has that value then; a reader passes over
fields that it does not know.
"""


def page() -> str:
    """The whole page."""
    for room in ROOMS:
        import_module(f"refute.{room}")
    events = sorted(kinds(Event), key=lambda event: event.kind)
    _, schema = models_json_schema([(event, "validation") for event in events], ref_template="{model}")
    found: dict[str, Any] = schema["$defs"]
    named = {event.__name__: event.kind for event in events}
    own = "".join(table(named[name], found[name]) for name in sorted(named, key=lambda name: named[name]))
    rest = "".join(table(title(name), found[name]) for name in sorted(found) if name not in named)
    return f"{HEAD}\n## Events\n{own}\n## Objects and words\n{rest}"


def kinds(event: type[Event]) -> set[type[Event]]:
    """Every event of this package."""
    found = {kind for kind in event.__subclasses__() if kind.kind and kind.__module__.startswith("refute.")}
    return found.union(*(kinds(kind) for kind in event.__subclasses__()))


def table(name: str, schema: dict[str, Any]) -> str:
    """The fields of one object, or the words of one choice."""
    fields = {key: value for key, value in schema.get("properties", {}).items() if key not in Event.model_fields}
    if not fields:
        said = "No further fields." if "properties" in schema else f"{kind_of(schema)}."
        return f"\n### {name}\n\n{said}\n"
    needed = schema.get("required", ())
    lines = [
        f"| `{key}` | {kind_of(value)} | {'–' if key in needed else default(value)} |" for key, value in fields.items()
    ]
    return "\n".join((f"\n### {name}\n", "| field | type | default |", "|---|---|---|", *lines, ""))


def title(name: str) -> str:
    """An object's name; of two that share one, each with its room."""
    room, _, own = name.removeprefix("refute__").partition("__")
    return f"{own.rpartition('__')[2]} of {room}" if own else name


def kind_of(schema: dict[str, Any]) -> str:
    """A type in words."""
    if "$ref" in schema:
        name = title(schema["$ref"])
        return f"[{name}](#{name.lower().replace(' ', '-')})"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"])
    choices = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    if choices:
        return " or ".join(kind_of(choice) for choice in choices)
    match schema.get("type"):
        case "array":
            return f"list of {kind_of(schema['items'])}" if "items" in schema else "list"
        case "object":
            inside = schema.get("additionalProperties")
            return f"object of {kind_of(cast(dict[str, Any], inside))}" if isinstance(inside, dict) else "object"
        case "string":
            return "text"
        case "null":
            return "null"
        case str() as plain:
            return plain
        case _:
            return "any"


def default(schema: dict[str, Any]) -> str:
    """A default as JSON; one that is made anew each time is empty."""
    return f"`{json.dumps(schema['default'], ensure_ascii=False)}`" if "default" in schema else "empty"


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        sys.stdout.write(page())
    else:
        PAGE.write_text(page(), encoding="utf-8")
