"""A control that its page names nothing is told by what stands beside it, and said to be guessed."""

from __future__ import annotations

import pytest

from refute.browser import BrowserHost, Fill, Observation, Press, Session

from .site import Site, named, see

GUESSED = {
    "a placeholder": ("<input type=number placeholder=Amount>", "Amount"),
    "the text before it": ("<div>Number of guests: <input type=number></div>", "Number of guests"),
    "a word beside it": ("<div><span>Size</span> <select><option>S</option></select></div>", "Size"),
    "a word in the box before": ("<div><div>Size *</div><div><input></div></div>", "Size"),
    "the text after a box": ("<p>Toppings</p><div><input type=checkbox> Ham</div>", "Ham"),
    "the heads of row and column": (
        "<table><tr><th>Item<th>Pieces</tr><tr><td>Lamp<td><input type=number value=3></tr></table>",
        "Lamp, Pieces",
    ),
    "its name for the server": ("<form><input name=zip_code></form>", "zip code"),
    "its name, for another control stands before": ("<button>Go</button><input name=city>", "city"),
    "a region to write in": ("<div>Remarks <div contenteditable role=textbox></div></div>", "Remarks"),
}


@pytest.mark.parametrize(("body", "name"), GUESSED.values(), ids=list(GUESSED))
async def test_a_control_without_a_name(site: Site, session: Session, body: str, name: str) -> None:
    page = await see(session, site.serve(body))
    element = named(page, name)
    assert element.guessed
    assert f'{element.role} "{name}" (' in page.text
    assert "guessed name" in page.text


async def test_a_given_name_is_no_guess(site: Site, session: Session) -> None:
    page = await see(session, site.serve("<p>Before</p><input aria-label=Given title=Other name=n placeholder=P>"))
    assert not named(page, "Given").guessed
    assert "guessed" not in page.text


async def test_a_guess_in_the_papers_form(site: Site, host: BrowserHost) -> None:
    async with await host.session(form="axtree") as session:
        page = await see(session, site.serve("<div>Guests <input type=number></div>"))
    assert "spinbutton 'Guests' value='', type=number, guessed=true" in page.text


async def test_long_texts_and_long_lists_are_no_names(site: Site, session: Session) -> None:
    page = await see(session, site.serve(f"<p>{'word ' * 40}</p><input><p>{'<i>x</i>' * 20}</p><input>"))
    assert [e.name for e in page.elements] == ["", ""]


async def test_a_list_without_a_height_has_a_number(site: Site, session: Session) -> None:
    style = "position:absolute;left:20px"
    options = f"<li role=option style='{style};top:80px'>One</li><li role=option style='{style};top:140px'>Two</li>"
    page = await see(
        session,
        site.serve(f"""<ul role=listbox aria-label=Sizes tabindex=0 style="margin:0;padding:0"
        onkeydown="this.ariaLabel = 'Went ' + event.key">{options}</ul>"""),
    )
    sizes = named(page, "Sizes")
    assert "covered" not in sizes.states
    outcome, page = await session.step(Press(target=sizes.id, key="ArrowDown"))
    assert outcome.ok
    assert named(page, "Went ArrowDown").id == sizes.id


def shown(page: Observation, name: str) -> str:
    return named(page, name).value or ""


async def test_a_long_value_is_said_to_be_cut_and_seen_in_full_in_the_field_with_the_focus(
    site: Site, session: Session
) -> None:
    text = " ".join(f"word{number}" for number in range(200))
    page = await see(session, site.serve(f"<textarea aria-label=Letter>{text}</textarea><input aria-label=To value=x>"))
    assert len(shown(page, "Letter")) == 300
    assert f'shown="300 of {len(text)} characters"' in page.text
    await session.act(Press(target=named(page, "Letter").id, key="Control+Home"))
    page = await session.observe()
    assert shown(page, "Letter") == text
    assert "word199" in page.text
    assert "characters" not in page.text
    _, page = await session.step(Fill(target=named(page, "To").id, text="y"))
    assert len(shown(page, "Letter")) == 300
