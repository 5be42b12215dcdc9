"""Dialogs: the agent decides, and nothing waits for a page that waits for an answer."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from refute.browser import (
    AnswerDialog,
    BrowserHost,
    Cause,
    Click,
    DialogPolicy,
    Fill,
    Goto,
    Note,
    Scroll,
    Session,
    Wait,
)

from .site import Site, named, see

ASK = """<p id=p>nothing</p><input aria-label=Field>
<button onclick="p.textContent = confirm('Delete all?')">Sure</button>
<button onclick="p.textContent = prompt('Who?', 'me')">Name</button>
<button onclick="p.textContent = [confirm('One?'), confirm('Two?')]">Twice</button>
<button onclick="setTimeout(() => { p.textContent = confirm('Late?') }, 100)">Later</button>
<button onclick="alert('Done.'); p.textContent = 'told'">Tell</button>"""


async def test_a_question_waits_for_the_agent_and_everything_else_goes_on(site: Site, session: Session) -> None:
    page = await see(session, site.serve(ASK))
    before = await session.screenshot()
    outcome, asked = await session.step(Click(target=named(page, "Sure").id))
    assert (outcome.ok, "dialog" in outcome.detail) == (True, True)
    assert asked.text.splitlines()[0].startswith('open dialog: confirm "Delete all?"')
    assert asked.text.splitlines()[1:] == page.text.splitlines()
    assert [(e.type, e.text) for e in asked.events] == [("dialog", 'confirm "Delete all?": waits for an answer')]
    assert Image.open(BytesIO(await session.screenshot())).size == (1280, 720)
    assert await session.screenshot() != before
    for action in (Click(target=named(page, "Tell").id), Goto(url="/"), Scroll(direction="down")):
        outcome = await session.act(action)
        assert (outcome.cause, "Delete all?" in outcome.detail) == (Cause.DIALOG, True)
        assert "answer_dialog" in outcome.hint
    outcome, again = await session.step(Note(text="hm"))
    assert (outcome.ok, outcome.changed, again.text) == (True, False, asked.text)
    outcome, page = await session.step(AnswerDialog(accept=False))
    assert (outcome.ok, outcome.changed) == (True, True)
    assert page.text.splitlines()[0] == "false"


async def test_each_answer_reaches_the_page(site: Site, session: Session) -> None:
    page = await see(session, site.serve(ASK))
    answers = [
        ("Sure", AnswerDialog(accept=True), "true"),
        ("Name", AnswerDialog(accept=True), "me"),
        ("Name", AnswerDialog(accept=True, text="Ann"), "Ann"),
        ("Name", AnswerDialog(accept=False, text="Ann"), ""),
        ("Later", AnswerDialog(accept=True), "true"),
    ]
    for name, answer, says in answers:
        _, asked = await session.step(Click(target=named(page, name).id))
        assert asked.text.startswith("open dialog:")
        _, page = await session.step(answer)
        assert (page.text.startswith("[") and not says) or page.text.splitlines()[0] == says
    _, asked = await session.step(Click(target=named(page, "Name").id))
    assert 'prompt "Who?" (suggests "me")' in asked.text


async def test_a_second_question_follows_the_first(site: Site, session: Session) -> None:
    page = await see(session, site.serve(ASK))
    await session.step(Click(target=named(page, "Twice").id))
    _, asked = await session.step(AnswerDialog(accept=True))
    assert 'confirm "Two?"' in asked.text
    assert "One?" not in asked.text
    _, page = await session.step(AnswerDialog(accept=False))
    assert page.text.splitlines()[0] == "true,false"
    assert (await session.act(AnswerDialog(accept=True))).cause is Cause.MISSING


async def test_an_alert_and_a_page_that_asks_whether_to_leave_hold_up_nobody(site: Site, session: Session) -> None:
    site.serve("<h1>Left</h1>", "/left")
    page = await see(
        session, site.serve(ASK + "<script>addEventListener('beforeunload', e => e.preventDefault())</script>")
    )
    _, page = await session.step(Click(target=named(page, "Tell").id))
    assert page.text.splitlines()[0] == "told"
    assert [e.text for e in page.events] == ['alert "Done.": accepted']
    assert (await session.observe()).events == ()
    _, page = await session.step(Fill(target=named(page, "Field").id, text="unsaved"))
    outcome, page = await session.step(Goto(url="/left"))
    assert (outcome.ok, page.text) == (True, "# Left")


async def test_a_page_may_ask_before_it_is_there_or_while_nobody_looks(site: Site, session: Session) -> None:
    page = await see(session, site.serve("<script>document.title = confirm('First?')</script><h1>In</h1>"))
    assert page.text.startswith('open dialog: confirm "First?"')
    assert page.elements == ()
    assert (await session.screenshot()).startswith(b"\xff\xd8\xff")
    _, page = await session.step(AnswerDialog(accept=True))
    assert (page.title, page.text) == ("true", "# In")
    poll = """let asked = false; setInterval(async () => {
        const now = (await fetch('/now')).ok; if (now && !asked) { asked = true; confirm('Now?') } }, 200)"""
    page = await see(session, site.serve(f"<h1>Calm</h1><script>{poll}</script>"))
    assert page.text == "# Calm"
    site.serve("", "/now")
    while page.text == "# Calm":
        _, page = await session.step(Wait(seconds=0.2))
    assert page.text.splitlines() == [page.text.splitlines()[0], "# Calm"]
    assert page.text.startswith('open dialog: confirm "Now?"')
    await session.goto(site.serve("<h1>Elsewhere</h1>", "/elsewhere"))  # the harness does not ask
    assert (await session.observe()).text == "# Elsewhere"


async def test_the_harness_sees_and_dismisses_what_is_open(site: Site, session: Session) -> None:
    page = await see(session, site.serve(ASK))
    assert not session.dialog_open
    await session.act(Click(target=named(page, "Sure").id))
    assert session.dialog_open
    await session.dismiss_dialogs()
    assert not session.dialog_open
    assert (await session.observe()).text.splitlines()[0] == "false"


async def test_questions_can_be_answered_by_a_setting(site: Site, host: BrowserHost) -> None:
    url = site.serve(ASK)
    policies: list[tuple[DialogPolicy, str, str]] = [
        ("accept", "true,true", "accepted"),
        ("dismiss", "false,false", "dismissed"),
    ]
    for policy, says, word in policies:
        async with await host.session(dialogs=policy) as session:
            page = await see(session, url)
            _, page = await session.step(Click(target=named(page, "Twice").id))
            assert page.text.splitlines()[0] == says
            assert [e.text for e in page.events] == [f'confirm "One?": {word}', f'confirm "Two?": {word}']


async def test_a_session_ends_with_a_question_open(site: Site, host: BrowserHost) -> None:
    async with await host.session() as session:
        page = await see(session, site.serve(ASK))
        await session.step(Click(target=named(page, "Sure").id))
    async with await host.session() as session:
        assert "nothing" in (await see(session, site.url())).text
