"""Files: what pages let one save is kept safely, and only what the task gives can be uploaded."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute import UserError
from refute.browser import Action, BrowserHost, Cause, Click, Session, Upload
from refute.browser._downloads import safe_name
from refute.browser._events import Events

from .site import Page, Site, named, see


async def test_downloads_are_kept_in_the_episodes_folder_and_reported(
    site: Site, host: BrowserHost, tmp_path: Path
) -> None:
    site.pages["/file"] = Page(body="a,b\n", headers={"Content-Disposition": 'attachment; filename="../../up.csv"'})
    async with await host.session(downloads=tmp_path / "kept") as session:
        page = await see(session, site.serve("<a href=/file>Get</a><a href=/file download=own.txt>Named</a>"))
        outcome, after = await session.step(Click(target=named(page, "Get").id))
        assert (outcome.ok, after.url) == (True, site.url())
        (event,) = [e for e in after.events if e.type == "download"]
        assert event.file is not None
        assert (event.file.size, event.file.sha256) == (4, hashlib.sha256(b"a,b\n").hexdigest())
        await session.step(Click(target=named(page, "Get").id))
        names = [file.name for file in session.downloads]
        assert len(set(names)) == 2
        assert listed(tmp_path / "kept") == set(names)
        assert all((tmp_path / "kept" / name).read_text() == "a,b\n" for name in names)
        assert listed(tmp_path) == {"kept"}


async def test_a_download_that_grows_too_large_is_cut_off(site: Site, host: BrowserHost, tmp_path: Path) -> None:
    site.pages["/endless"] = Page(body="x" * 1000, repeat=20_000, headers={"Content-Disposition": "attachment"})
    site.pages["/large"] = Page(body="x" * 100_001, headers={"Content-Disposition": "attachment"})
    async with await host.session(downloads=tmp_path, largest_download=100_000) as session:
        page = await see(session, site.serve("<a href=/endless>Endless</a><a href=/large>Large</a>"))
        for name in ("Endless", "Large"):
            _, page = await session.step(Click(target=named(page, name).id))
            assert ["larger than 100,000 bytes" in e.text for e in page.events if e.type == "download"] == [True]
        assert session.downloads == ()
    assert listed(tmp_path) == set()


def listed(folder: Path) -> set[str]:
    """The names in a folder."""
    return {path.name for path in folder.iterdir()}


UPLOAD = """<input type=file aria-label=One onchange="show(this)">
<input type=file multiple aria-label=Many onchange="show(this)">
<input type=file id=h style="display:none" onchange="show(this)"><button onclick="h.click()">Choose</button>
<button>Dull</button><p id=p></p><script>async function show(field) {
 const said = [...field.files].map(async file => file.name + '=' + await file.text());
 p.textContent = (await Promise.all(said)).join() }</script>"""


async def test_files_of_the_task_are_uploaded_by_name(site: Site, host: BrowserHost, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name[0])
    site.serve("data", "/file", Content_Disposition="attachment; filename=c.txt")
    files = (tmp_path / "a.txt", tmp_path / "b.txt")
    async with await host.session(uploads=files) as session:
        page = await see(session, site.serve(UPLOAD + "<a href=/file>Get</a>"))
        await session.step(Click(target=named(page, "Get").id))
        cases: list[tuple[Action, str]] = [
            (Upload(target=named(page, "One").id, file="a.txt"), "a.txt=a"),
            (Upload(target=named(page, "Many").id, file="a.txt", more=("b.txt",)), "a.txt=a,b.txt=b"),
            (Upload(target=named(page, "Choose").id, file="b.txt"), "b.txt=b"),
            (Upload(target=named(page, "One").id, file="c.txt"), "c.txt="),  # what was downloaded may go up again
        ]
        for action, says in cases:
            outcome, page = await session.step(action)
            assert outcome.ok, outcome
            assert says in page.text
        refused: list[tuple[str, str, Cause]] = [
            ("One", "/etc/hostname", Cause.NO_SUCH_OPTION),
            ("One", "../a.txt", Cause.NO_SUCH_OPTION),
            ("One", str(tmp_path / "a.txt"), Cause.NO_SUCH_OPTION),
            ("Dull", "a.txt", Cause.INVALID),
        ]
        for field, file, cause in refused:
            outcome, page = await session.step(Upload(target=named(page, field).id, file=file))
            assert outcome.cause is cause
        outcome = await session.act(Upload(target=named(page, "One").id, file="no"))
        assert outcome.hint == 'There are: "a.txt", "b.txt", "c.txt".'
        outcome = await session.act(Upload(target=named(page, "One").id, file="a.txt", more=("b.txt",)))
        assert (outcome.cause, "one file" in outcome.detail) == (Cause.INVALID, True)


async def test_a_task_without_files_says_so(site: Site, session: Session) -> None:
    page = await see(session, site.serve(UPLOAD))
    outcome = await session.act(Upload(target=named(page, "One").id, file="a.txt"))
    assert (outcome.cause, outcome.hint) == (Cause.NO_SUCH_OPTION, "This task comes with no files.")


async def test_files_to_upload_have_to_exist_and_names_to_differ(host: BrowserHost, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no file"):
        await host.session(uploads=[tmp_path / "gone.txt"])
    (tmp_path / "in").mkdir()
    for path in (tmp_path / "a.txt", tmp_path / "in" / "a.txt"):
        path.write_text("")
    with pytest.raises(UserError, match=r"called a\.txt"):
        await host.session(uploads=[tmp_path / "a.txt", tmp_path / "in" / "a.txt"])


@given(st.text())
def test_no_name_that_a_page_suggests_leads_out_of_the_folder(suggested: str) -> None:
    name = safe_name(suggested)
    assert 0 < len(name.encode()) <= 255
    assert Path("/kept", name).resolve().parent == Path("/kept")
    assert not set(name) & set('/\\:*?"<>|\0\n')


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("report.csv", "report.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\y.txt", "y.txt"),
        ("..", "_"),
        (".bashrc", "bashrc"),
        ("con.txt", "_con.txt"),
        ("a\nb:c.txt", "a_b_c.txt"),
        ("ä" * 200 + ".txt", "ä" * 80 + ".txt"),
    ],
)
def test_names_stay_readable(suggested: str, name: str) -> None:
    assert safe_name(suggested) == name


def test_a_flood_of_events_is_cut() -> None:
    events = Events()
    for number in range(100):
        events.note("console_error", f"{number}" + "x" * 1000)
    taken = events.take()
    assert len(taken) == 20
    assert all(len(event.text) == 300 for event in taken)
    assert events.take() == ()
