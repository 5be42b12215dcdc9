"""Solutions of tasks with mails and posts."""

from __future__ import annotations

import re

from refute.browser import Element
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
    sender = _first(goal, *SENDER)
    for _ in range(5):
        if re.search(rf"^ *{sender}$", page.text, re.MULTILINE):
            break
        page = yield down(page)
    page = yield click(page.before(rf"^ *{sender}$"))
    if re.search(r"forward|\bwants?\b|waiting|to be sent|^Give|[Ss]end|^I want the mail", goal) and not quoted(goal):
        receiver = _first(goal.replace(f"to {sender}", ""), *RECEIVER)
        page = yield click(page.one(name="Forward"))
        page = yield fill(page.all("textbox")[0], receiver)
        yield click(page.before(r"#send-forward"))
    elif quoted(goal):
        page = yield click(page.one(name="Reply"))
        page = yield fill(page.one("textbox"), quoted(goal)[0])
        yield click(page.before(r"#send-reply"))
    else:
        starred = re.search(r"star|important", goal)
        yield click(page.before(r"\.star\b") if starred else page.before(r"\.trash\b"))


SENDER = (
    r"(?:from|by) ([A-Z]\w+)", r"([A-Z]\w+)'s", r"([A-Z]\w+) (?:sent|wants his)", r"([A-Z]\w+) email",
    r"(?:to|tell|Tell|email|Email) ([A-Z]\w+)",
)  # fmt: skip
"""Where the sender stands, the surest wording first."""
RECEIVER = (r"\bto ([A-Z]\w+)", r"(?:[Ff]orward|[Ss]end|Give) ([A-Z]\w+)", r"^([A-Z]\w+) (?:wants the|is waiting)")


def _first(goal: str, *patterns: str) -> str:
    for pattern in patterns:
        found = re.search(pattern, goal)
        if found:
            return found[1]
    raise NotOnPage("the instruction names no sender")


@solves("social-media-all", "social-media-some")
def social_media_all(goal: str, page: Page) -> Script:
    """One button of several posts by the same user, then Submit below all of them."""
    button, user = re.findall(r'the "(\w+)" button on .* by (@\w+)', goal)[0]
    limit = re.search(r"on (\d+) posts", goal)
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
