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


class Window:
    """A window of a context of its own, which notes what its page says and asks for."""

    def __init__(self, browser: Browser, **options: object) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.context = browser.new_context(accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def show(self, path: Path, width: int, color_scheme: str) -> None:
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=color_scheme)
        self.page.goto(path.as_uri())

    def clear(self) -> None:
        """Leave nothing for the next test: no other page, no labels, no button under the mouse."""
        for other in self.context.pages[1:]:
            other.close()
        self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")
        self.said.clear()
        self.asked.clear()


@pytest.fixture(scope="session")
def windows() -> list[Window]:
    """Windows that no test has now. To open one takes two seconds, most of it for its frame."""
    return []


@pytest.fixture
def open_page(browser: Browser, windows: list[Window]) -> Iterator[Open]:
    """Open a file, each in a context; at the end, check that all were quiet and asked for nothing.

    A page with options of a context other than its colours has a window that no other test gets.
    """
    used: list[Window] = []
    own: list[Window] = []

    def call(
        path: Path, *, width: int = 1280, color_scheme: str = "light", **options: object
    ) -> Page:
        if options:
            own.append(Window(browser, **options))
        else:
            used.append(windows.pop() if windows else Window(browser))
        window = (own if options else used)[-1]
        window.show(path, width, color_scheme)
        return window.page

    yield call
    said = [text for window in (*used, *own) for text in window.said]
    asked = [url for window in (*used, *own) for url in window.asked]
    for window in own:
        window.context.close()
    for window in used:
        window.clear()
        windows.append(window)
    assert said == []
    assert [url for url in asked if not url.startswith(("file://", "blob:file"))] == []


@pytest.fixture(scope="module", autouse=True)
def _vectors_are_kept(kept_vectors: None) -> None:
    """Encode each text once: one table is reported on again and again."""
