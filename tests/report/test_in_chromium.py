"""The pages as a person uses them: sort, find, filter, turn pages, go through the steps, by hand and by keyboard."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page

from refute.report import write_report
from refute.revisions import Ending

from .scenes import Scene, mug_task, settings
from .screen import listen
from .stories import write_states

CONTRAST = """() => {
  const light = ([r, g, b]) => {
    const part = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const pixel = (colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const poor = [];
  for (const e of document.querySelectorAll("body *:not(svg *)")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const box = e.getBoundingClientRect();
    if (!own || !box.width || !e.checkVisibility({ visibilityProperty: true }) || e.closest(":disabled")) continue;
    const behind = [];
    for (let up = e; up; up = up.parentElement) behind.unshift(getComputedStyle(up).backgroundColor);
    const [a, b] = [pixel([...behind, getComputedStyle(e).color]), pixel(behind)].map(light);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 40)}`);
  }
  return poor;
}"""
LAMP = "fcp/shop-lamp-017/0/index.html"


@pytest.fixture(scope="module")
def written(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written") / "out"
    shutil.copytree(demo, folder)
    write_states(folder)
    write_report(folder)
    return folder


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """120 episodes of 1 to 5 steps: more than two pages of the list."""
    out = tmp_path_factory.mktemp("many")
    settings(out, "fcp", agent="fcp")
    for n in range(120):
        scene = Scene(out, mug_task(f"task-{n:03}"))
        scene.recorder.step = 1 + n % 5
        scene.judge({"mug": ""} if n % 2 else {"mug": "", "two": "", "towel": ""})
        scene.end(Ending.DONE, f"message {n}")
    write_report(out)
    return out


def pages_of(out: Path) -> list[Path]:
    return [*sorted(out.rglob("index.html")), out / "views.html"]


async def opened(chromium: Browser, path: Path, **more: Any) -> Page:
    page = await chromium.new_page(**more)
    await page.goto(path.as_uri())
    return page


async def tasks(page: Page) -> list[str]:
    return await page.locator(".list tbody tr:visible a.go").all_inner_texts()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_page_fits_and_is_readable_and_quiet(
    chromium: Browser, written: Path, width: int, scheme: Any
) -> None:
    page = await chromium.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    requested, said = listen(page)
    for path in pages_of(written):
        await page.goto(path.as_uri())
        assert await page.evaluate("document.documentElement.scrollWidth") <= width, path
        await page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
        assert await page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert await page.evaluate(CONTRAST) == [], path
    assert {url.partition(":")[0] for url in requested} <= {"file", "data"}
    assert said == []
    await page.close()


@pytest.mark.parametrize("width", [700, 900, 1130])
async def test_no_width_in_between_scrolls_sideways(chromium: Browser, written: Path, width: int) -> None:
    page = await chromium.new_page(viewport={"width": width, "height": 800})
    for name in ("index.html", LAMP):
        await page.goto((written / name).as_uri())
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
        inside = "[...document.querySelectorAll('.card')].every((c) => c.scrollWidth <= c.clientWidth)"
        assert await page.evaluate(inside)
    await page.close()


async def test_the_theme_follows_the_system_until_someone_chooses(chromium: Browser, written: Path) -> None:
    page = await opened(chromium, written / "index.html", color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = await page.evaluate(paper)
    button = page.get_by_role("button", name="Dark theme")
    assert await button.get_attribute("aria-pressed") == "false"
    await button.click()
    dark = await page.evaluate(paper)
    assert dark != light
    assert await button.get_attribute("aria-pressed") == "true"
    await page.goto((written / LAMP).as_uri())
    assert await page.evaluate(paper) == dark
    await page.get_by_role("button", name="Dark theme").click()
    assert await page.evaluate(paper) == light
    await page.evaluate("localStorage.clear()")
    await page.close()


async def test_the_list_sorts_by_any_column_both_ways(chromium: Browser, written: Path) -> None:
    page = await opened(chromium, written / "index.html")
    head = page.locator("th", has=page.get_by_role("button", name="Tokens"))
    await head.get_by_role("button").click()
    assert await head.get_attribute("aria-sort") == "descending"
    assert (await tasks(page))[0] == "shop-lamp-017"
    await head.get_by_role("button").click()
    assert await head.get_attribute("aria-sort") == "ascending"
    assert (await tasks(page))[-1] == "shop-lamp-017"
    await page.get_by_role("button", name="Task").click()
    names = await tasks(page)
    assert names == sorted(names)
    assert await head.get_attribute("aria-sort") is None
    await page.close()


async def test_the_list_is_found_filtered_and_remembers_on_the_way_back(chromium: Browser, written: Path) -> None:
    page = await opened(chromium, written / "index.html")
    everything = await tasks(page)
    await page.get_by_label("harness errors").check()
    assert await tasks(page) == ["shop-lamp-018", "broken"]
    await page.get_by_label(f"all {len(everything)}").check()
    await page.get_by_role("combobox", name="Run").select_option(label="react · simulated")
    assert await tasks(page) == ["shop-mug-004"]
    await page.get_by_role("combobox", name="Run").select_option(label="every run")
    await page.get_by_role("button", name="Task").focus()
    await page.keyboard.press("/")
    await page.keyboard.type("BLUE mug")
    found = await tasks(page)
    assert 0 < len(found) < len(everything)
    assert await page.get_by_role("search").get_by_role("status").inner_text() == f"{len(found)} of {len(everything)}"
    await page.get_by_role("link", name="torn").click()
    await page.get_by_role("link", name="All episodes").click()
    await page.go_back()
    await page.go_back()
    assert await page.get_by_label("Find").input_value() == "BLUE mug"
    assert await tasks(page) == found
    await page.close()


async def test_a_long_list_comes_in_pages_that_sorting_and_finding_respect(chromium: Browser, many: Path) -> None:
    page = await opened(chromium, many / "index.html")
    assert await tasks(page) == [f"task-{n:03}" for n in range(50)]
    pages = page.get_by_role("navigation", name="Pages of the list")
    assert await pages.get_by_role("button", name="Previous").is_disabled()
    await pages.get_by_role("button", name="Next").click()
    await pages.get_by_role("button", name="Next").click()
    assert await tasks(page) == [f"task-{n:03}" for n in range(100, 120)]
    assert await pages.get_by_role("button", name="Next").is_disabled()
    await page.get_by_role("button", name="Steps").click()
    assert await tasks(page) == [f"task-{n:03}" for n in range(120) if n % 5 == 4] + [
        f"task-{n:03}" for n in range(120) if n % 5 == 3
    ] + ["task-002", "task-007"]
    await page.get_by_label("Find").fill("task-11")
    assert sorted(await tasks(page)) == [f"task-{n}" for n in range(110, 120)]
    assert await pages.is_hidden()
    await page.close()


async def test_the_keyboard_goes_through_the_list_and_opens(chromium: Browser, written: Path) -> None:
    page = await opened(chromium, written / "index.html")
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.textContent") == "Skip to the content"
    await page.keyboard.press("Enter")
    assert await page.evaluate("document.activeElement.id") == "main"
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("k")
    assert await page.evaluate("document.activeElement.textContent") == "shop-lamp-017"
    assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/shop-lamp-017/0/index.html")
    await page.get_by_role("link", name="All episodes").click()
    await page.wait_for_url(f"{written.as_uri()}/index.html")
    await page.close()


async def test_the_steps_turn_by_key_by_thumbnail_and_from_the_plan(chromium: Browser, written: Path) -> None:
    page = await opened(chromium, written / LAMP)
    shown = page.locator("article:visible")
    assert await shown.get_attribute("id") == "step-3"  # The first one at which something was refuted.
    cursor = page.locator("#now")
    before = float(await cursor.get_attribute("x") or 0)
    await page.keyboard.press("ArrowRight")
    assert await shown.get_attribute("id") == "step-4"
    assert float(await cursor.get_attribute("x") or 0) > before
    assert await page.get_by_role("status").inner_text() == "step 4 of 10"
    await page.keyboard.press("k")
    await page.keyboard.press("k")
    assert await shown.get_attribute("id") == "step-2"
    strip = page.get_by_role("navigation", name="All steps")
    await strip.get_by_role("link").nth(9).click()
    assert await shown.get_attribute("id") == "step-9"
    assert await strip.locator("[aria-current=step]").get_attribute("href") == "#step-9"
    await page.locator(".plan a[href='#step-0']").first.click()
    assert await shown.get_attribute("id") == "step-0"
    assert await page.get_by_role("button", name="Previous step").is_disabled()
    await page.close()


async def test_a_step_can_be_linked_to(chromium: Browser, written: Path) -> None:
    page = await chromium.new_page()
    await page.goto((written / LAMP).as_uri() + "#step-7")
    assert await page.locator("article:visible").get_attribute("id") == "step-7"
    await page.close()


async def test_pictures_show_and_wait_until_they_are_needed(chromium: Browser, written: Path) -> None:
    page = await opened(chromium, written / LAMP)
    pictures = page.locator("img")
    assert await pictures.count() == 20
    assert set(await pictures.evaluate_all("all => all.map((i) => i.loading)")) == {"lazy"}
    picture = page.locator("article:visible img")
    await picture.scroll_into_view_if_needed()
    await page.wait_for_function("e => e.complete && e.naturalWidth > 0", arg=await picture.element_handle())
    await page.close()


async def test_without_scripts_everything_can_be_read(chromium: Browser, written: Path) -> None:
    page = await opened(chromium, written / LAMP, java_script_enabled=False)
    assert await page.locator("article:visible").count() == 11
    await page.goto((written / "index.html").as_uri())
    assert len(await tasks(page)) == 10
    assert await page.get_by_role("search").is_hidden()
    assert await page.locator("#theme").is_hidden()
    await page.close()


async def test_on_paper_all_steps_are_there_and_no_control_is(chromium: Browser, written: Path) -> None:
    page = await opened(chromium, written / LAMP, color_scheme="dark")
    await page.emulate_media(media="print", color_scheme="dark")
    assert await page.locator("article:visible").count() == 11
    assert await page.get_by_role("button", name="Play").is_hidden()
    assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    await page.close()
