"""The trace keeps everything that happened, whatever happens to the process or the file."""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute import TraceError
from refute.browser import Acted, Click, Done, Observed
from refute.trace import EVENTS, Event, Recorder, UnknownEvent, parse_event, parse_line, read_trace, write_whole


def test_events_come_back_as_they_were_recorded(tmp_path: Path) -> None:
    with Recorder(tmp_path, now=lambda: 12.5) as recorder:
        first = recorder.record(Observed(url="http://127.0.0.1/", text="a\nb “quoted”"))
        recorder.step = 1
        second = recorder.record(Acted(action=Click(target=3), text="click('3')"))
    trace = read_trace(tmp_path)
    assert trace.events == (first, second)
    assert (first.time, first.step, second.step) == (12.5, 0, 1)
    assert trace.of(Acted) == (second,)
    assert not trace.torn


def test_a_torn_last_line_is_left_out_and_reported(tmp_path: Path) -> None:
    with Recorder(tmp_path) as recorder:
        kept = recorder.record(Observed(url="http://127.0.0.1/"))
        recorder.record(Observed(url="http://127.0.0.1/next"))
    path = tmp_path / EVENTS
    path.write_bytes(path.read_bytes()[:-9])
    trace = read_trace(tmp_path)
    assert trace.events == (kept,)
    assert trace.torn


def test_a_broken_line_in_the_middle_is_an_error_with_its_number(tmp_path: Path) -> None:
    with Recorder(tmp_path) as recorder:
        recorder.record(Observed(url="http://127.0.0.1/"))
    path = tmp_path / EVENTS
    path.write_bytes(b"\xff\xfe not json\n" + path.read_bytes())
    with pytest.raises(TraceError, match="line 1"):
        read_trace(tmp_path)


def test_an_unknown_future_event_is_kept_as_it_is(tmp_path: Path) -> None:
    with Recorder(tmp_path) as recorder:
        recorder.record(Observed(url="http://127.0.0.1/"))
    line = {"kind": "from_the_future", "v": 7, "time": 1.0, "step": 2, "payload": [1, {"a": None}]}
    with (tmp_path / EVENTS).open("a") as file:
        file.write(json.dumps(line) + "\n")
    event = read_trace(tmp_path).events[-1]
    assert isinstance(event, UnknownEvent)
    assert json.loads(event.to_line()) == line


def test_a_newer_version_of_a_known_kind_is_kept_too() -> None:
    event = parse_event({"kind": "observed", "v": 2, "address": "renamed field"})
    assert isinstance(event, UnknownEvent)
    assert event.data["address"] == "renamed field"


def test_two_kinds_cannot_share_a_name() -> None:
    with pytest.raises(TypeError, match="taken"):
        type("Again", (Event,), {"__module__": __name__}, kind="observed")


def test_pictures_are_stored_once_by_content(tmp_path: Path) -> None:
    with Recorder(tmp_path) as recorder:
        names = {recorder.picture(data) for data in (b"one", b"two", b"one")}
    assert len(names) == 2
    assert sorted((tmp_path / name).read_bytes() for name in names) == [b"one", b"two"]


def test_time_never_goes_back(tmp_path: Path) -> None:
    times = iter([10.0, 7.0, 11.0])
    with Recorder(tmp_path, now=lambda: next(times)) as recorder:
        stamps = [recorder.record(Observed(url="x:")).time for _ in range(3)]
    assert stamps == [10.0, 10.0, 11.0]


def test_a_full_disk_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / EVENTS).symlink_to("/dev/full")
    recorder = Recorder(tmp_path)
    with pytest.raises(TraceError, match="earlier events are kept"):
        recorder.record(Observed(url="http://127.0.0.1/"))


def test_a_line_that_the_disk_took_half_of_is_taken_back(tmp_path: Path) -> None:
    with Recorder(tmp_path) as recorder:
        first = recorder.record(Observed(url="http://127.0.0.1/"))
        size = (tmp_path / EVENTS).stat().st_size
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, before[1]))
        try:
            with pytest.raises(TraceError, match="earlier events are kept"):
                recorder.record(Observed(url="http://127.0.0.1/too-long"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert (tmp_path / EVENTS).stat().st_size == size
        second = recorder.record(Observed(url="http://127.0.0.1/again"))
    assert read_trace(tmp_path).events == (first, second)


def test_a_recorder_on_a_torn_trace_removes_the_torn_part_first(tmp_path: Path) -> None:
    with Recorder(tmp_path) as recorder:
        kept = recorder.record(Observed(url="http://127.0.0.1/"))
    with (tmp_path / EVENTS).open("ab") as file:
        file.write(b'{"kind":"observed","v":1,"ti')
    with Recorder(tmp_path) as recorder:
        added = recorder.record(Observed(url="http://127.0.0.1/next"))
    assert read_trace(tmp_path).events == (kept, added)


def test_half_a_surrogate_pair_becomes_a_replacement_character(tmp_path: Path) -> None:
    with Recorder(tmp_path, now=lambda: 1.0) as recorder:
        event = recorder.record(Acted(action=Done(message="half \udc00, whole 😀"), text="done('\ud800')"))
    assert event.text == "done('�')"
    assert event.action == Done(message="half �, whole 😀")
    assert read_trace(tmp_path).events == (event,)
    json.loads((tmp_path / EVENTS).read_text(encoding="utf-8", errors="strict"))


def test_unknown_events_are_counted_by_kind_and_version(tmp_path: Path) -> None:
    (tmp_path / EVENTS).write_text(
        '{"kind":"from_a_plugin","v":1}\n{"kind":"observed","v":2}\n{"kind":"observed","v":1,"url":"x:"}\n'
        '{"kind":"from_a_plugin","v":1}\n'
    )
    trace = read_trace(tmp_path)
    assert trace.unknown == {"from_a_plugin": 2, "observed v2": 1}
    assert len(trace.events) == 4


def test_a_line_nested_beyond_reason_is_an_error_with_its_number(tmp_path: Path) -> None:
    (tmp_path / EVENTS).write_text("[" * 200_000 + "\n")
    with pytest.raises(TraceError, match="line 1"):
        read_trace(tmp_path)


def test_a_file_that_is_rewritten_and_killed_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    path, script = (
        tmp_path / "run.json",
        """
import itertools, sys
from pathlib import Path
from refute.trace import write_whole
for n in itertools.count():
    write_whole(Path(sys.argv[1]), f"{n} " * 100_000)
    print(n, flush=True)
""",
    )
    for _ in range(5):
        process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)
        words = path.read_text().split()
        assert len(words) == 100_000
        assert len(set(words)) == 1


def test_what_a_kill_left_is_removed_some_day_and_what_another_writes_stays(tmp_path: Path) -> None:
    path, other = tmp_path / "run[1].json", tmp_path / ".another.json.1.part"
    left, new = (tmp_path / f".run[1].json.{n}.part" for n in (1, 2))
    for part in (left, new, other):
        part.write_text("be")
    for part in (left, other):
        os.utime(part, (0, 0))
    write_whole(path, "mine")
    assert set(tmp_path.iterdir()) == {path, new, other}


def test_a_file_that_cannot_be_replaced_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    write_whole(path, "old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        with pytest.raises(TraceError, match="nothing that was there has changed"):
            write_whole(path, "new and longer than the disk")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_process_loses_nothing_that_was_recorded(tmp_path: Path) -> None:
    script = """
import sys, time
from pathlib import Path
from refute.browser import Observed
from refute.trace import Recorder
recorder = Recorder(Path(sys.argv[1]))
for n in range(50):
    recorder.record(Observed(url=f"http://127.0.0.1/{n}"))
print("recorded", flush=True)
time.sleep(60)
"""
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "recorded"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)
    assert [event.url for event in read_trace(tmp_path).of(Observed)][-1].endswith("/49")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_any_decoded_line_is_an_event_or_a_trace_error(data: object) -> None:
    with contextlib.suppress(TraceError):
        assert isinstance(parse_event(data), Event)


@given(url=st.text(), text=st.text(), title=st.text())
def test_any_text_survives_the_line_format(url: str, text: str, title: str) -> None:
    event = Observed(url=url, text=text, title=title, time=time.time())
    line = event.to_line()
    assert "\n" not in line
    assert parse_event(json.loads(line)) == event


LINES = (
    Observed(url="http://127.0.0.1/", text="a\nb “quoted” 😀", digest="d", milliseconds=0.1 + 0.2).to_line(),
    Acted(action=Done(message="half"), text="done('half')").to_line(),
    '{"kind":"observed","v":1,"url":"\\ud800"}',
    '{"kind":"observed","v":1,"url":"x:","milliseconds":NaN}',
    '{"kind":"observed","v":1,"url":3}',
    '{"kind":"observed","v":1,"step":-1,"url":"x:"}',
    '{"kind":"observed","v":2,"url":"x:"}',
    '{"kind":"observed","v":0,"url":"x:"}',
    '{"kind":"from_afar","v":1}',
    '{"v":1,"kind":"observed","url":"x:"}',
    '{"kind":"observed","v":1,"url":"x:"',
    '{"kind":"observed","v":1,}',
    "[]",
)


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_is_read_fast_gives_what_the_long_way_gives(line: str) -> None:
    def way(read: Callable[[], Event]) -> str:
        try:
            return repr(read())
        except (TraceError, ValueError) as error:
            return str(error)

    assert way(lambda: parse_line(line.encode())) == way(lambda: parse_event(json.loads(line)))
