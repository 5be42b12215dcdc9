"""Many episodes: what is left out, what is kept, what a kill, a limit or a dead model does."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

import filelock
import pytest

from refute import ModelRefused, RunStopped, UserError
from refute.budget import Limits
from refute.judge import (
    Claim,
    ClaimChecked,
    ClaimOutput,
    ConstraintJudged,
    JudgeEnded,
    JudgeIdentity,
    JudgeResult,
    SimpleOutput,
    Verdict,
    Why,
    judge_runs,
    judges_of,
    read_judgement,
    trace_digest,
)
from refute.llm import MeteredBackend, Reply, Request
from refute.revisions import Ending
from refute.tables import Status, read_judged, read_tables
from refute.trace import EVENTS, Recorder

from .episodes import Script, Scripted, constraint, shopping, task

ME = JudgeIdentity(name="me", model="scripted")
SCRIPT: Script = {
    "claim_generator": lambda x: ClaimOutput(
        claims=(Claim(kind="simple", subject="lamp", assertion="A price is stated."),)
    ),
    "simple_claim_verifier": lambda x: SimpleOutput(verified=True, quote=x.message),
}


def write(out: Path, count: int = 3) -> list[Path]:
    return [shopping(out, task(constraint(), name=f"lamp-{n}")).end() for n in range(count)]


async def judge(out: Path, backend: Scripted | None = None, *, identity: JudgeIdentity = ME) -> JudgeResult:
    model = backend or Scripted(SCRIPT)
    return await judge_runs(out, identity, lambda trace: model)


def test_kills_at_random_moments_lose_nothing(tmp_path: Path) -> None:
    script = Path(__file__).with_name("killed.py")
    ran = subprocess.run(
        [sys.executable, str(script), str(tmp_path), "12"], capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert (found["judged"], found["lost"], found["asked_at_the_end"]) == (12, 0, 0)
    assert found["partly"] > 0
    # A kill may fall between a reply and its file: at most one for each of the two workers.
    assert found["different"] == 12 * 4 * 2
    assert found["asked"] <= found["different"] + 12 * 2


async def test_every_finished_episode_is_judged_and_the_others_are_counted(tmp_path: Path) -> None:
    good = write(tmp_path)
    shopping(tmp_path, task(constraint(), name="broken")).end(Ending.HARNESS_ERROR, "PageCrashed")
    shopping(tmp_path, task(constraint(), name="running")).recorder.close()
    (shopping(tmp_path, task(constraint(), name="torn")).end() / EVENTS).write_bytes(b"\x00\n{}\n")
    headless = shopping(tmp_path, task(constraint(), name="headless")).end() / EVENTS
    headless.write_bytes(headless.read_bytes().partition(b"\n")[2])

    result = await judge(tmp_path)

    assert [end.score for end in result.judged] == [1.0, 1.0, 1.0]
    assert result.left_out == {"harness_error": 1, "unfinished": 1, "unreadable": 2}
    assert [folder for folder in good if judges_of(folder) == ("me",)] == good
    assert len(read_tables(tmp_path).episodes) == 7


async def test_rehearsals_are_no_episodes_whatever_lies_above(tmp_path: Path) -> None:
    out = tmp_path / "rehearsals" / "out"
    (folder,) = write(out, 1)
    rehearsal = folder / "rehearsals" / "1"
    rehearsal.mkdir(parents=True)
    shutil.copy(folder / EVENTS, rehearsal / EVENTS)

    result = await judge(out)

    assert len(result.judged) == len(read_tables(out).episodes) == 1
    assert (judges_of(folder), judges_of(rehearsal)) == (("me",), ())


async def test_only_the_last_attempt_in_a_folder_is_judged(tmp_path: Path) -> None:
    (folder,) = write(tmp_path, 1)
    file = folder / EVENTS
    finished = file.read_bytes()
    begun = finished.splitlines(keepends=True)[0]

    file.write_bytes(finished + begun)
    assert (await judge(tmp_path)).left_out == {"unfinished": 1}
    assert read_tables(tmp_path).episodes[0].status is Status.UNFINISHED

    file.write_bytes(begun + finished)
    assert [end.score for end in (await judge(tmp_path)).judged] == [1.0]


async def test_what_is_finished_is_left_alone(tmp_path: Path) -> None:
    first, *_ = write(tmp_path)
    await judge(tmp_path)
    content = (first / "judges" / "me.jsonl").read_bytes()
    (tmp_path / "run" / "lamp-2" / "0" / "judges" / "me.jsonl").unlink()

    backend = Scripted(SCRIPT)
    result = await judge_runs(tmp_path, ME, lambda trace: backend)

    assert (len(result.judged), result.kept) == (1, 2)
    assert (first / "judges" / "me.jsonl").read_bytes() == content
    again = await judge_runs(tmp_path, ME, lambda trace: backend, again=True)
    assert (len(again.judged), again.kept) == (3, 0)
    assert (first / "judges" / "me.jsonl").read_bytes().startswith(content)


async def test_a_verdict_is_about_the_trace_that_was_judged(tmp_path: Path) -> None:
    (folder,) = write(tmp_path, 1)
    await judge(tmp_path)
    assert read_judgement(folder, "me") is not None
    with (folder / EVENTS).open("a") as file:
        file.write('{"kind":"dreamt","v":1,"time":1780000100.0,"step":0}\n')
    assert read_judgement(folder, "me") is None


async def test_a_judging_that_was_cut_off_hides_no_earlier_one(tmp_path: Path) -> None:
    (folder,) = write(tmp_path, 1)
    await judge(tmp_path)
    file = folder / "judges" / "me.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + whole[: len(whole) // 2])
    judgement = read_judgement(folder, "me")
    assert judgement is not None
    assert judgement.ended.score == 1.0


async def test_odd_files_among_the_verdicts_are_no_judges(tmp_path: Path) -> None:
    (folder,) = write(tmp_path, 1)
    await judge(tmp_path)
    judges = folder / "judges"
    shutil.copy(judges / "me.jsonl", judges / "me (copy).jsonl")
    (judges / ".hidden.jsonl").touch()
    (judges / "odd..jsonl").touch()
    assert judges_of(folder) == ("me",)
    assert [row.judge for row in read_judged(read_tables(tmp_path))] == ["me"]


async def test_a_verified_claim_that_rests_on_nothing_is_read_all_the_same(tmp_path: Path) -> None:
    (folder,) = write(tmp_path, 1)
    started = ME.started(trace_digest(folder))
    with Recorder(folder / "judges", file="me.jsonl", now=lambda: 0.0) as recorder:
        recorder.record(started)
        recorder.record(ClaimChecked(constraint="priced", number=1, verdict=Verdict.VERIFIED, reason="so it is"))
        recorder.record(ConstraintJudged(constraint="priced", counts=True, satisfied=True, why=Why.CLAIMS))
        recorder.record(JudgeEnded(satisfied=1, undecided=0, counting=1, score=1.0))
    (row,) = read_judged(read_tables(tmp_path))
    assert row.constraints[0].evidence == "verified: so it is"


async def test_judges_stand_side_by_side_and_a_name_belongs_to_one(tmp_path: Path) -> None:
    (folder,) = write(tmp_path, 1)
    await judge(tmp_path)
    await judge(tmp_path, identity=JudgeIdentity(name="other", model="scripted", seed=1))
    assert judges_of(folder) == ("me", "other")
    with pytest.raises(UserError, match=r"seed: 0 there, 1 now.*Choose another --name"):
        await judge(tmp_path, identity=JudgeIdentity(name="me", model="scripted", seed=1))


async def test_a_name_is_taken_wherever_it_was_used(tmp_path: Path) -> None:
    write(tmp_path, 2)
    other = JudgeIdentity(name="me", model="other")
    await judge_runs(tmp_path, ME, lambda trace: Scripted(SCRIPT), tasks="lamp-0")
    with pytest.raises(UserError, match="model: scripted there, other now"):
        await judge_runs(tmp_path, other, lambda trace: Scripted(SCRIPT), tasks="lamp-1")


async def test_two_commands_on_overlapping_folders_share_the_episodes(tmp_path: Path) -> None:
    folders = write(tmp_path)
    first, second = await asyncio.gather(judge(tmp_path), judge(tmp_path / "run"))
    assert len(first.judged) + len(second.judged) == 3
    starts = [(folder / "judges" / "me.jsonl").read_text().count('"judge_started"') for folder in folders]
    assert starts == [1, 1, 1]


async def test_an_episode_that_another_process_judges_is_left_to_it(tmp_path: Path) -> None:
    first, *_ = write(tmp_path)
    (first / "judges").mkdir()
    with filelock.FileLock(first / "judges" / "me.lock"):
        result = await judge(tmp_path)
    assert (len(result.judged), result.left_out, result.left) == (2, {"at_work": 1}, 0)


@pytest.mark.parametrize("name", ["", "a/b", "../up", "a b", "x" * 81, "dot."])
async def test_a_name_that_can_be_no_file_is_refused(name: str, tmp_path: Path) -> None:
    write(tmp_path, 1)
    with pytest.raises(UserError, match="no judge's name"):
        await judge(tmp_path, identity=JudgeIdentity(name=name, model="scripted"))


async def test_nothing_to_judge_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no folder"):
        await judge(tmp_path / "nowhere")
    with pytest.raises(UserError, match="no episodes"):
        await judge(tmp_path)
    write(tmp_path, 1)
    with pytest.raises(UserError, match=r"no task in .* matches 'chair"):
        await judge_runs(tmp_path, ME, lambda trace: Scripted(SCRIPT), tasks="chair*")


async def test_a_limit_stops_and_says_what_is_left(tmp_path: Path) -> None:
    folders = write(tmp_path)
    metered = MeteredBackend(Scripted(SCRIPT), Limits(requests=3))
    result = await judge_runs(tmp_path, ME, lambda trace: metered)
    assert (len(result.judged), result.limit, result.left) == (1, "requests", 2)
    assert [read_judgement(folder, "me") is not None for folder in folders] == [True, False, False]


class Refusing(Scripted):
    """Turns down what is asked about some tasks."""

    async def complete(self, request: Request) -> Reply:
        if getattr(request.input, "constraint", "") == "refused":
            raise ModelRefused("no")
        return await super().complete(request)


async def test_an_episode_that_cannot_be_judged_stops_nobody_else(tmp_path: Path) -> None:
    shopping(tmp_path, task(constraint("refused"), name="a")).end()
    shopping(tmp_path, task(constraint(), name="b")).end()
    result = await judge(tmp_path, Refusing(SCRIPT))
    assert (len(result.judged), list(result.failed.values()), result.left) == (1, ["ModelRefused: no"], 0)


async def test_a_model_that_is_gone_stops_the_judging(tmp_path: Path) -> None:
    for n in range(5):
        shopping(tmp_path, task(constraint("refused"), name=f"a{n}")).end()
    backend = Refusing(SCRIPT)
    with pytest.raises(RunStopped, match="3 episodes in a row"):
        await judge(tmp_path, backend)
