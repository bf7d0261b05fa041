"""Looks at a built site in Chromium, from disk: ``python docs/_ext/check_layout.py site``.

No page may scroll sideways, at the width of a desktop or of a phone. No code, output or table may
be cut off at that of a desktop, or code at that of a phone. The search must find the pages that a
newcomer looks for, and show excerpts of them.
``--pictures FOLDER --pages PAGE ...`` takes pictures of pages instead, wide and narrow, light and
dark.
"""

import argparse
import sys
from pathlib import Path
from urllib.parse import quote_plus

from playwright.sync_api import Page, TimeoutError, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "report"))
from browser import ARGUMENTS, find_browser

WIDTHS = {"wide": (1280, 900), "phone": (390, 844)}
WIDER = """() => {
  const most = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= most) return [];
  return [...document.querySelectorAll('main *')]
    .filter(one => one.getBoundingClientRect().right > most + 1)
    .slice(0, 3).map(one => one.tagName + '.' + one.className);
}"""


# What scrolls in its own box is cut off until someone scrolls it.
CUT = """boxes => [...document.querySelectorAll(boxes)]
  .filter(one => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
  .slice(0, 3).map(one => one.innerText.slice(0, 60))"""
BOXES = {"wide": "main pre, main table, .run-table", "phone": "main pre"}

ASKED = {
    "deduplicate customer table": "howto/deduplicate.html",
    "serve lookups": "howto/serve.html",
    "pick a threshold": "howto/choose-a-threshold.html",
    "fine-tune own pairs": "howto/fine-tune.html",
    "train on own pairs": "howto/fine-tune.html",
}
"""What newcomers search for, and the page that tells them, which must come first."""

FIRST = "#search-results ul.search > li:first-child"


def too_wide(page: Page, site: Path) -> list[str]:
    """Return the pages that scroll sideways, with what reaches beyond their edge."""
    found = []
    for path in sorted(page for page in site.rglob("*.html") if "_static" not in page.parts):
        page.goto(path.as_uri())
        for name, (width, height) in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            wider = page.evaluate(WIDER)
            if wider:
                found.append(f"{path.relative_to(site)}: too wide at {name}: {wider}")
            cut = page.evaluate(CUT, BOXES[name])
            if cut:
                found.append(f"{path.relative_to(site)}: cut off at {name}: {cut}")
    return found


def not_found(page: Page, site: Path) -> list[str]:
    """Return the questions whose page the search, from disk, does not find first, or not show."""
    found = []
    for words, wanted in ASKED.items():
        page.goto((site / "search.html").as_uri() + f"?q={quote_plus(words)}")
        try:
            page.wait_for_selector(f"{FIRST} a[href*='{wanted}']", timeout=30_000)
        except TimeoutError:
            found.append(f"the search for {words!r} does not find {wanted} first")
            continue
        try:
            excerpt = page.wait_for_selector(f"{FIRST} p.context", timeout=30_000).inner_text()
        except TimeoutError:
            excerpt = ""
        # The search looks for stems; the start of a word is one, or nearly.
        if not any(word[:5] in excerpt.lower() for word in words.split() if len(word) > 3):
            found.append(f"the search for {words!r} shows no excerpt of {wanted}: {excerpt!r}")
    return found


def take_pictures(page: Page, site: Path, folder: Path, names: list[str]) -> None:
    """Write a picture of each page in both widths and both colours."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        page.goto((site / f"{name}.html").as_uri())
        for wide, (width, height) in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            for mode in ("light", "dark"):
                page.evaluate(f"document.documentElement.dataset.theme = '{mode}'")
                file = folder / f"{name.replace('/', '-')}-{wide}-{mode}.png"
                page.screenshot(path=file, full_page=wide == "wide")


def main() -> int:
    """Check the site, or take pictures; return 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--pages", nargs="+", default=["index"])
    given = parser.parse_args()
    site = given.site.resolve()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        page = browser.new_page()
        page.set_default_timeout(300_000)
        if given.pictures:
            take_pictures(page, site, given.pictures, given.pages)
            return 0
        wrong = [*too_wide(page, site), *not_found(page, site)]
        print("\n".join(wrong) or "nothing is cut off, and the search works from disk")
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
