"""Which browser the report is tested in. Run as a program: print it, or say that there is none."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
"""What opens a file in a page."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NONE = (
    "The report is tested in Chromium, and none is installed. Hint: apt-get install chromium, or "
    "python -m playwright install chromium, or PEARLJOIN_BROWSER=/path/to/chrome."
)

# A browser that asks nobody for anything, and runs as root in a container.
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def find_browser() -> str | None:
    """Path of an installed Chromium, or of Playwright's own; None without one."""
    given = os.environ.get("PEARLJOIN_BROWSER")
    if given:
        return given if Path(given).exists() else None
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is not None:
        return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


if __name__ == "__main__":
    path = find_browser()
    if path is None:
        print(NONE, file=sys.stderr)
        sys.exit(1)
    print(f"The report is tested in {path}")
