"""The verifier's picture: taken where it is asked for, shown after the words, and kept in the trace by its hash."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from refute.agents import VERIFIER, Draft, FcpSettings, Verified, VerifierPicture

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

FIND = Draft(subgoal="Find the red mug")
DATA = b"\xff\xd8\xffa page with kettles"


class Camera:
    def __init__(self) -> None:
        self.taken: list[bool] = []

    async def __call__(self, *, marks: bool = False) -> bytes:
        self.taken.append(marks)
        return DATA


async def verified(stage: Scene, kind: VerifierPicture, camera: Camera | None) -> Verified:
    stage.context = replace(stage.context, screenshot=camera)
    agent = await stage.started(stage.fcp(FcpSettings(verifier_picture=kind)), FIND)
    await stage.step(agent, "click('4')", stage.page("quiet"))
    stage.will_continue()
    await stage.step(agent, "click('4')", stage.page("quiet"), changed=False)
    return stage.events(Verified)[0]


@pytest.mark.parametrize("kind", [VerifierPicture.PLAIN, VerifierPicture.MARKS])
async def test_a_picture_is_taken_when_the_verifier_is_asked_and_kept_by_its_hash(
    stage: Scene, kind: VerifierPicture
) -> None:
    camera = Camera()
    event = await verified(stage, kind, camera)

    marked = kind is VerifierPicture.MARKS
    assert camera.taken == [marked], "the quiet state took none"
    assert event.picture == f"shots/{hashlib.sha256(DATA).hexdigest()[:32]}.jpg"
    assert (stage.folder / event.picture).read_bytes() == DATA
    [question] = stage.asked(VERIFIER)
    assert [picture.data for picture in VERIFIER.pictures(question)] == [DATA]
    user = VERIFIER.render(question)[1]
    assert ("A picture of this page follows, with the numbers of its elements on it." in user) is marked
    assert "A picture of this page follows" in user


@pytest.mark.parametrize(("kind", "there"), [(VerifierPicture.NONE, True), (VerifierPicture.MARKS, False)])
async def test_without_a_wish_or_a_browser_there_is_no_picture(
    stage: Scene, kind: VerifierPicture, there: bool
) -> None:
    camera = Camera()
    event = await verified(stage, kind, camera if there else None)

    assert (event.picture, camera.taken) == ("", [])
    [question] = stage.asked(VERIFIER)
    assert VERIFIER.pictures(question) == ()
    assert "picture" not in VERIFIER.render(question)[1]
