"""Draw the pictures of the documentation: `python tests/report/pictures.py [FOLDER]`.

Without a folder, those in docs/assets. With one, every view in dark and light, wide and at the
width of a telephone, to be looked at.
"""

import sys
import tempfile
from pathlib import Path

import polars as pl
from browser import ARGUMENTS, NONE, find_browser
from made_report import NAMES, plain_result
from playwright.sync_api import Browser, Page, sync_playwright

import pearljoin as pj

ROOT = Path(__file__).parents[2]
ASSETS, EXAMPLES = ROOT / "docs" / "assets", ROOT / "examples"
MOST_BYTES = 200_000

PEOPLE = {
    "name": ["Anna Schmidt", "Schmidt, Anna", "Ana Schmid", "Peter Hansen", "P. Hansen"],
    "email": ["anna@acme.com", None, "anna@acme.com", "ph@globex.dk", "ph@globex.dk"],
    "city": ["Berlin", "Berlin", None, "Aarhus", "Århus"],
}


def duplicates() -> pj.DedupeResult:
    """Clusters of people, and of companies that are named in two ways."""
    people = pl.DataFrame(PEOPLE)
    names = [f"{name} {kind}" for name in NAMES[:24] for kind in ("Company", "Co.")]
    cities = ["Berlin", "Aarhus", "Porto", None]
    others = pl.DataFrame(
        {
            "name": names,
            "email": [
                f"info@{n.split()[0].lower()}.com" if at % 3 else None for at, n in enumerate(names)
            ],
            "city": [cities[at // 2 % 4] for at in range(len(names))],
        }
    )
    return pj.find_duplicates(pl.concat([people, others]), on=["name", "email", "city"])


def demo() -> pj.MatchResult:
    """The join of `make demo`."""
    left, right = (pl.read_csv(EXAMPLES / f"{name}.csv") for name in ("everyday", "official"))
    return pj.match(left, right, left_on="name", right_on="legal_name", by="country")


def open_page(browser: Browser, path: Path, width: int, scheme: str, height: int = 900) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_load_state("load")
    page.wait_for_timeout(500)
    return page


def draw_all(browser: Browser, folder: Path) -> None:
    """Every view, to be looked at."""
    joined, found = plain_result(), duplicates()
    reports = {
        "join": joined.report(folder / "join.html"),
        "duplicates": found.report(folder / "duplicates.html"),
    }
    matcher = pj.Matcher(on="company").fit(pl.DataFrame({"company": NAMES}))
    views = [joined, joined.explain(41), matcher, found, found.explain(0, 1)]
    body = "<hr>".join(view._repr_html_() for view in views)
    notebook = folder / "notebook.html"
    notebook.write_text(
        f'<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<style>:root {{ color-scheme: light dark }}</style><body>{body}",
        encoding="utf-8",
    )
    for scheme in ("light", "dark"):
        for width in (1280, 390):
            end = f"{scheme}-{width}.png"
            for name, path in (reports | {"notebook": notebook}).items():
                page = open_page(browser, path, width, scheme)
                if path != notebook:
                    page.get_by_role("button", name="Why").first.click()
                    page.wait_for_timeout(300)
                page.evaluate("scrollTo(0, 0)")  # where the links to the sections stay in sight
                page.screenshot(path=folder / f"{name}-{end}", full_page=True)
                if path != notebook:
                    draw_review(page, folder / f"{name}-review-{end}")
                page.context.close()


def draw_review(page: Page, picture: Path) -> None:
    page.click("#start")
    page.keyboard.press("y")
    page.wait_for_timeout(300)
    page.screenshot(path=picture)


def draw_for_docs(browser: Browser, folder: Path) -> None:
    """The head of the reports, and the review."""
    title = "everyday.csv joined with official.csv"
    path = demo().report(folder / "report.html", title=title)
    page = open_page(browser, path, 1100, "light", 1000)
    page.fill("#cut", "0.5")
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(300)
    page.screenshot(path=ASSETS / "report.png")
    draw_review(page, ASSETS / "report_review.png")
    path = duplicates().report(folder / "duplicates.html", title="Duplicates in contacts.csv")
    page = open_page(browser, path, 1100, "light")
    page.screenshot(path=ASSETS / "report_duplicates.png")
    assert all(picture.stat().st_size < MOST_BYTES for picture in ASSETS.glob("report*.png"))


def main() -> None:
    path = find_browser()
    if path is None:
        sys.exit(NONE)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as scratch:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        if len(sys.argv) > 1:
            folder = Path(sys.argv[1])
            folder.mkdir(parents=True, exist_ok=True)
            draw_all(browser, folder)
        else:
            draw_for_docs(browser, Path(scratch))
        browser.close()


if __name__ == "__main__":
    main()
