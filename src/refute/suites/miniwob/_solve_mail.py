"""Solutions of tasks with mails and posts."""

from __future__ import annotations

import re
from collections.abc import Generator

from refute.browser import Action, Element
from refute.suites.miniwob._script import (
    NotOnPage,
    Page,
    Script,
    click,
    down,
    fill,
    press_button,
    quoted,
    solves,
)


@solves(
    "email-inbox", "email-inbox-noscroll", "email-inbox-delete", "email-inbox-important", "email-inbox-reply",
    "email-inbox-star-reply", "email-inbox-forward", "email-inbox-forward-nl", "email-inbox-forward-nl-turk",
    "email-inbox-nl-turk",
)  # fmt: skip
def email_inbox(goal: str, page: Page) -> Script:
    """Open the mail of a sender; delete, star, answer or forward it. The wish comes in many wordings."""
    mails, page = yield from _mails(page)
    sender, receiver = people(goal, set(mails))
    page = yield click(mails[sender])
    if quoted(goal):
        page = yield click(page.one(name="Reply"))
        page = yield fill(page.one("textbox"), quoted(goal)[0])
        yield click(page.before(r"#send-reply"))
    elif receiver:
        page = yield click(page.one(name="Forward"))
        page = yield fill(page.all("textbox")[0], receiver)
        yield click(page.before(r"#send-forward"))
    else:
        starred = re.search(r"\b([Ss]tar|[Ff]lag|[Mm]ark|[Ii]m\w*or\w*)\b", goal) and "elete" not in goal
        yield click(page.before(r"\.star\b") if starred else page.before(r"\.trash\b"))


def _mails(page: Page) -> Generator[Action, Page, tuple[dict[str, Element], Page]]:
    """Who has written, and where to click for it, from the top of the inbox to its end."""
    mails = dict[str, Element]()
    while True:
        here = {name: page.before(rf"^ *{name}$") for name in re.findall(r"^ *([A-Z]\w+)$", page.text, re.MULTILINE)}
        if here.keys() <= mails.keys():
            return mails, page
        mails = here | mails
        page = yield down(page)


def people(goal: str, senders: set[str]) -> tuple[str, str]:
    """Who wrote the mail, and whom it is to be forwarded to, or ''. Raises `NotOnPage`."""
    wish = re.sub(r'".*"', "", goal)
    named = [name for name in re.findall(r"[A-Z]\w+", wish) if name in senders or f"to {name}" in wish]
    if not named:
        raise NotOnPage("nobody in the instruction has written a mail")
    anyone = "|".join(named)
    wrote = re.search(rf"(?:from|by) ({anyone})\b|\b({anyone})(?:'s (?:[Ee]|l|m)| sent| wrote)", wish)
    sender = (wrote[1] or wrote[2]) if wrote else named[0]
    return sender, next((name for name in named if name != sender), "")


@solves("social-media-all", "social-media-some")
def social_media_all(goal: str, page: Page) -> Script:
    """One button of several posts by the same user, then Submit below all of them."""
    button, user = re.findall(r'the "(\w+)" button on .* by (@\w+)', goal)[0]
    limit = re.search(r"on (\d+) posts?\b", goal)
    left = int(limit[1]) if limit else 99
    done = set[int]()
    for _ in range(40):
        todo = [e for e in _buttons(page, user, button.lower()) if e.id not in done]
        if todo and left:
            done.add(todo[0].id)
            left -= 1
            page = yield click(todo[0])
        elif page.all("button", "Submit"):
            break
        else:
            page = yield down(page)
    yield press_button(page, "Submit")


def _buttons(page: Page, user: str, button: str) -> list[Element]:
    """The buttons of the user's posts that are in view: what follows the user's name, up to the next name."""
    posts = re.split(r"(?=@\w+)", page.text)[1:]
    numbers = [
        int(number)
        for post in posts
        if re.match(rf"{user}\b", post)
        for number in re.findall(rf"\[(\d+)\] clickable {{[^}}]*\.{button}[.}}]", post)[:1]
    ]
    return [e for e in page.elements if e.id in numbers]
