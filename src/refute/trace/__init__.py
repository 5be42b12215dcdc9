"""The only record of a run: append-only events, and pictures stored by content. Everything else reads it."""

from refute.trace._disk import write_whole
from refute.trace._event import SCHEMA_VERSION, Event, UnknownEvent, parse_event, parse_line
from refute.trace._folders import REHEARSALS, episode_folders, folders_with
from refute.trace._reader import Trace, read_trace
from refute.trace._recorder import DOWNLOADS, EVENTS, SHOTS, Recorder

__all__ = [
    "DOWNLOADS",
    "EVENTS",
    "REHEARSALS",
    "SCHEMA_VERSION",
    "SHOTS",
    "Event",
    "Recorder",
    "Trace",
    "UnknownEvent",
    "episode_folders",
    "folders_with",
    "parse_event",
    "parse_line",
    "read_trace",
    "write_whole",
]
