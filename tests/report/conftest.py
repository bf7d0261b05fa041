"""A browser, and pages in it that must not say anything on the console nor ask for anything."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import ARGUMENTS, NONE, Open, find_browser
from made_report import SCRIPT, hostile_result, plain_result
from playwright.sync_api import Browser, Page, sync_playwright

import pearljoin as pj


@pytest.fixture(scope="session")
def result() -> pj.MatchResult:
    """A join, for tests that change nothing of it."""
    return plain_result()


@pytest.fixture(scope="session")
def report(result: pj.MatchResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return result.report(tmp_path_factory.mktemp("plain") / "report.html", title="Made names")


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report whose cells and title would harm a careless page."""
    return hostile_result().report(tmp_path_factory.mktemp("odd") / "report.html", title=SCRIPT)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        pytest.fail(NONE)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Open a file; at the end, check that it was quiet and asked for nothing else."""
    contexts, said, asked = [], [], []

    def call(path: Path, *, width: int = 1280, **options: object) -> Page:
        view = {"width": width, "height": 900}
        context = browser.new_context(viewport=view, accept_downloads=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        return page

    yield call
    for context in contexts:
        context.close()
    assert said == []
    assert [url for url in asked if not url.startswith(("file://", "blob:file"))] == []
