"""The pages that the environments are timed on; written to a folder and served over loopback."""

from __future__ import annotations

from pathlib import Path

COUNTER = "<button id=t onclick=\"this.textContent='n'+(window.n=(window.n||0)+1)\">n0</button>"
"""What is clicked: its text changes, so that there is something to see."""
SENTENCE = "The quick brown fox jumps over the lazy dog, and the dog does not mind it at all today."


def write_pages(folder: Path) -> None:
    """Write ``items.html`` (500 items), ``text.html``, ``large.html`` (30,000 elements), and two that link."""
    items = "".join(
        f"<div><a href='#{i}'>Item {i}</a><button>Add {i}</button><input aria-label='q{i}' value=1>"
        f"<p>text {i} in <b>stock</b></p></div>"
        for i in range(500)
    )
    paragraph = " ".join([SENTENCE] * 12)
    text = "".join(f"<h2>Section {i}</h2><p>{paragraph} <a href='#s{i}'>link {i}</a></p>" for i in range(150))
    large = "".join(f"<p>{i} <a href='#{i}'>link {i}</a> <button>button {i}</button></p>" for i in range(10_000))
    pages = {"items": COUNTER + items, "text": COUNTER + text, "large": COUNTER + large}
    pages |= {
        here: f"<a href='{there}.html'>Go {there}</a>" + "<p>some text</p>" * 40
        for here, there in (("here", "there"), ("there", "here"))
    }
    for name, body in pages.items():
        html = f"<!doctype html><meta charset=utf-8><title>{name}</title><body>{body}</body>"
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
