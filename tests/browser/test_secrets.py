"""Secrets are typed where they may be, and are nowhere to be read: not in texts, pictures, events, errors or files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from html import escape
from io import BytesIO
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from refute import BrowserError, UserError
from refute.browser import BrowserHost, Cause, Click, Fill, Observation, Secret, Secrets, Session, read_secrets

from .site import Site, named, see

VALUE = 'Tr0ub "4dor&3'
PASSWORD = Secret(name="PASSWORD", value=VALUE, hosts=("127.0.0.1",))
ELSEWHERE = Secret(name="ELSEWHERE", value="correct horse battery", hosts=("shop.example",))
SECRETS = Secrets([PASSWORD, ELSEWHERE])
FILL = "<secret:PASSWORD>"


def says(text: str, secret: Secret) -> bool:
    """Whether a text gives the secret away, or a good part of it."""
    plain = "".join(text.split()).lower().replace("'", '"')
    value = "".join(secret.value.split()).lower()
    return value in plain or value[:6] in plain or value[-6:] in plain


def texts_of(page: Observation) -> str:
    return page.model_dump_json().replace('\\"', '"')


@pytest.fixture
async def keeper(host: BrowserHost) -> AsyncIterator[Session]:
    async with await host.session(secrets=SECRETS) as opened:
        yield opened


ECHO = """<form onsubmit="event.preventDefault(); tell(field.value)"><input id=field aria-label=Field {attributes}>
    <button>Send</button></form><input id=copy aria-label=Copy><p id=p></p><p id=split></p><a id=link>Link</a>
    <select id=list aria-label=List><option id=option></select><textarea id=area aria-label=Area></textarea>
    <a id=file download hidden></a><p id=long></p><p style="text-transform: uppercase" id=upper></p>
    <script>function tell(value) {
        p.textContent = `You typed ${value}.`; copy.value = value; document.title = 'Hello ' + value
        upper.textContent = value; area.value = 'My ' + value; option.textContent = value; link.textContent = value
        link.href = '/?q=' + encodeURIComponent(value)
        split.append(...[...value].map(c => Object.assign(document.createElement('b'), {textContent: c})))
        long.textContent = 'x '.repeat(150) + value + ' y'.repeat(300)
        history.replaceState(0, '', '?' + new URLSearchParams({q: value}))
        file.href = 'data:text/plain,x'; file.download = value + '.txt'; file.click()
        setTimeout(() => alert('You typed ' + value), 10); setTimeout(() => { throw new Error(value) }, 20)
    }</script>"""


async def test_a_field_that_cuts_a_secret_is_not_quoted_either(site: Site, keeper: Session) -> None:
    page = await see(keeper, site.serve("<input aria-label=Field maxlength=9><input aria-label=Other value='Tr0'>"))
    _, page = await keeper.step(Fill(target=named(page, "Field").id, text=FILL))
    assert (named(page, "Field").value, named(page, "Other").value) == ("(hidden)", "Tr0")
    assert not says(texts_of(page), PASSWORD), page.text


@pytest.mark.parametrize("attributes", ["", "type=password"])
async def test_a_page_that_says_a_secret_again_is_not_quoted(site: Site, keeper: Session, attributes: str) -> None:
    page = await see(keeper, site.serve(ECHO.replace("{attributes}", attributes)))
    outcome, filled = await keeper.step(Fill(target=named(page, "Field").id, text=FILL))
    assert outcome.ok
    assert named(filled, "Field").value == "(hidden)"
    _, page = await keeper.step(Click(target=named(page, "Send").id))
    whole = [filled, page, await keeper.observe()]
    for seen in whole:
        assert not says(texts_of(seen), PASSWORD), texts_of(seen)
    assert not says(keeper.url, PASSWORD)
    assert "You typed <secret:PASSWORD>." in page.text
    assert "Hello <secret:PASSWORD>" in page.title
    assert named(page, "Copy").value == FILL
    assert "<secret:PASSWORD>" in page.url


async def test_what_was_typed_is_the_value_itself(site: Site, keeper: Session) -> None:
    page = await see(
        keeper, site.serve("<form action=/sent><input name=q aria-label=Field><button>Send</button></form>")
    )
    site.serve("<h1>Sent</h1>", "/sent")
    await keeper.act(Fill(target=named(page, "Field").id, text=f"my {FILL}!"))
    await keeper.act(Click(target=named(page, "Send").id))
    assert ("127.0.0.1", "/sent?q=my+Tr0ub+%224dor%263%21") in site.log


@pytest.mark.parametrize(
    ("text", "says_why"),
    [
        ("<secret:ELSEWHERE>", "secret ELSEWHERE may not be typed into a page of 127.0.0.1"),
        ("<secret:OTHER>", "there is no secret OTHER; there is: PASSWORD, ELSEWHERE"),
    ],
)
async def test_a_secret_is_not_typed_elsewhere(site: Site, keeper: Session, text: str, says_why: str) -> None:
    page = await see(keeper, site.serve("<input aria-label=Field>"))
    outcome, page = await keeper.step(Fill(target=named(page, "Field").id, text=text))
    assert (outcome.cause, outcome.detail) == (Cause.BLOCKED, says_why)
    assert not named(page, "Field").value


async def test_the_frame_counts_and_not_the_page_around_it(site: Site, host: BrowserHost) -> None:
    local = Secret(name="LOCAL", value="correct horse", hosts=("localhost",))
    site.serve("<input aria-label=Inner>", "/inner")
    url = site.serve(f"<input aria-label=Outer><iframe src='{site.url('/inner', host='localhost')}'></iframe>")
    async with await host.session(secrets=Secrets([local])) as session:
        page = await see(session, url)
        causes = [
            (await session.act(Fill(target=named(page, name).id, text="<secret:LOCAL>"))).cause
            for name in ("Outer", "Inner")
        ]
    assert causes == [Cause.BLOCKED, None]


async def test_an_action_that_fails_does_not_say_what_was_typed(site: Site, keeper: Session) -> None:
    page = await see(
        keeper,
        site.serve("""<input aria-label=Number type=number><input aria-label=Gone
        onfocus="this.remove()"><div style="position: relative"><input aria-label=Under>
        <div style="position: absolute; inset: 0" title='Tr0ub "4dor&amp;3'></div></div>"""),
    )
    for name in ("Number", "Gone"):
        outcome = await keeper.act(Fill(target=named(page, name).id, text=FILL))
        assert not says(outcome.detail + outcome.hint, PASSWORD)
    outcome = await keeper.act(Click(target=named(page, "Under").id))
    assert outcome.cause is Cause.COVERED
    assert not says(outcome.detail, PASSWORD)
    with pytest.raises(BrowserError) as raised:
        await keeper.goto(f"http://127.0.0.1:{site.unused_port}/?q=Tr0ub+%224dor%263")
    assert "<secret:PASSWORD>" in str(raised.value)
    assert raised.value.__cause__ is None


async def test_pictures_are_painted_over_where_a_secret_can_be_read(site: Site, keeper: Session) -> None:
    body = """<body style="margin: 0; background: #fff; color: #f00; font: bold 30px monospace">
        <div style="height: 60px" id=p></div><input aria-label=Field style="position: absolute; top: 100px; left: 0;
        width: 600px; height: 50px; border: 0; font: inherit; color: #f00">
        <iframe style="position: absolute; top: 200px; left: 0; border: 0; width: 600px; height: 50px"
        srcdoc="<body style='margin: 0; color: #f00; font: bold 30px monospace' id=p>"></iframe>"""
    page = await see(
        keeper,
        site.serve(f"""{body}<button style="position: absolute; top: 300px" onclick="
        const [a, b] = [p, document.querySelector('iframe').contentDocument.body]; const value =
        document.querySelector('input').value; a.append('red ');
        b.append(value); for (const c of value) a.append(Object.assign(document.createElement('i'), {{textContent: c}}))
        ">Go</button>"""),
    )
    await keeper.act(Fill(target=named(page, "Field").id, text=FILL))
    await keeper.act(Click(target=named(page, "Go").id))
    picture = Image.open(BytesIO(await keeper.screenshot())).convert("RGB")
    red = [
        count_red(picture, box) for box in ((0, 0, 60, 60), (72, 0, 600, 60), (0, 100, 600, 150), (0, 200, 600, 250))
    ]
    assert red[0] > 50  # the word beside it
    assert red[1:] == [0, 0, 0]


RED = "<body style='margin: 0; background: #fff; color: #f00; font: bold 30px monospace'>"


async def test_pictures_show_the_rest_on_the_slower_channel_too(site: Site) -> None:
    async with (
        BrowserHost(loopback_only=True, direct_answers=False) as slower,
        await slower.session(secrets=SECRETS) as session,
    ):
        await session.goto(site.serve(f"{RED}<p style='margin: 0; height: 60px'>red</p><p>{escape(VALUE)}"))
        picture = Image.open(BytesIO(await session.screenshot())).convert("RGB")
    assert count_red(picture, (0, 0, 600, 60)) > 50
    assert count_red(picture, (0, 60, 600, 200)) == 0


async def test_what_moves_while_the_picture_is_taken_is_not_seen(site: Site, keeper: Session) -> None:
    await keeper.goto(
        site.serve(f"""{RED}<p id=p style='position: absolute'>{escape(VALUE)}</p><script>(function move() {{
        p.style.top = performance.now() % 600 + 'px'; requestAnimationFrame(move) }})()</script>""")
    )
    for _ in range(3):
        picture = Image.open(BytesIO(await keeper.screenshot())).convert("RGB")
        assert count_red(picture, (0, 0, 1280, 720)) == 0


def count_red(picture: Image.Image, box: tuple[int, int, int, int]) -> int:
    pixels = picture.crop(box).tobytes()
    return sum(pixels[i] > 150 and pixels[i + 1] < 110 and pixels[i + 2] < 110 for i in range(0, len(pixels), 3))


async def test_a_session_without_secrets_types_the_words(site: Site, session: Session) -> None:
    page = await see(session, site.serve("<input aria-label=Field>"))
    outcome = await session.act(Fill(target=named(page, "Field").id, text=FILL))
    assert (outcome.cause, outcome.detail) == (Cause.BLOCKED, "there is no secret PASSWORD; there is: none")


@settings(deadline=None, max_examples=30)
@given(st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="\"'…"), min_size=4, max_size=20))
def test_no_spelling_of_a_value_passes(value: str) -> None:
    secrets = Secrets([Secret(name="X", value=value, hosts=("a.test",))])
    for text in (value, " ".join(value), quote(value), quote_plus(value), quote(value, safe="").lower(), repr(value)):
        assert "<secret:X>" in secrets.redact(f"before {text} after")
        assert value not in secrets.redact(f"before {text} after").replace("<secret:X>", "")
    assert secrets.redact(f"cut {value[:-1]}…") == ("cut <secret:X>" if len(value) > 4 else f"cut {value[:-1]}…")
    assert value not in repr(secrets) + repr(Secret(name="X", value=value, hosts=("a.test",)))


def test_secrets_come_from_a_file_and_from_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "secrets.toml"
    file.write_text('[A]\nvalue = "aaaa1"\nhosts = ["a.test"]\n[B]\nvariable = "OTHER"\nhosts = ["*.b.test:443"]\n')
    environment = {"OTHER": "bbbb1", "REFUTE_SECRET_A": "aaaa2", "REFUTE_SECRET_C": "cccc1", "REFUTE_SECRET_D": ""}
    secrets = read_secrets(file, hosts=("shop.example",), environment=environment)
    assert repr(secrets) == "Secrets(A, B, C)"
    assert secrets.reveal("<secret:A>", "http://a.test/") == "aaaa1"
    assert secrets.reveal("<secret:B>", "https://x.b.test/") == "bbbb1"
    assert secrets.reveal("<secret:C>", "http://shop.example/") == "cccc1"
    assert not read_secrets(environment=environment)
    named = read_secrets(file, names={"B", "C"}, hosts=("shop.example",), environment=environment)
    assert repr(named) == "Secrets(B, C)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[A]\nvalue = "abc"\nhosts = ["a.test"]', "fewer than 4 characters"),
        ('[A]\nvalue = "tell-tale"', "needs `hosts`"),
        ('[A]\nvalue = "tell-tale"\nhosts = []', "needs `hosts`"),
        ('[A]\nvalue = "tell-tale"\nhosts = ["http://a.test"]', "names no host"),
        ('[A]\nvalue = "tell-tale"\nvariable = "B"\nhosts = ["a.test"]', "either `value` or `variable`"),
        ('[A]\nvariable = "B"\nhosts = ["a.test"]', "the variable B is empty"),
        ('["a-b"]\nvalue = "tell-tale"\nhosts = ["a.test"]', "cannot name a secret"),
        ('A = "tell-tale"', "either `value` or `variable`"),
        ("A = tell-tale", "is no TOML"),
    ],
)
def test_a_file_that_is_wrong_is_refused_without_quoting_it(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "secrets.toml"
    file.write_text(text)
    with pytest.raises(UserError, match=message) as raised:
        read_secrets(file, environment={})
    assert "tell-tale" not in str(raised.value)
