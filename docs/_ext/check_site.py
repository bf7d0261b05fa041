"""Checks a built site: ``python docs/_ext/check_site.py site``.

Every link, image, script and style that names a file of the site is there, with its anchor, and
none is fetched from elsewhere. Links to other sites are left to ``make linkcheck``.
"""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page, what it links to, and what a browser fetches for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what a tag names."""
        found = dict(attrs)
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        if tag == "link" and found.get("rel") in {"stylesheet", "preload", "icon"}:
            self.fetched.append(found["href"])
        if tag in {"img", "script", "iframe", "source"} and found.get("src"):
            self.fetched.append(found["src"])


def broken(site: Path) -> Iterator[str]:
    """Yield what is wrong, one line each."""
    own = [path for path in site.rglob("*.html") if "_static" not in path.parts]
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in own}
    for path, page in pages.items():
        here = path.relative_to(site)
        for link in page.links + page.fetched:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.fetched and parts.scheme != "data":
                    yield f"{here}: is fetched from elsewhere: {link}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                yield f"{here}: no such file: {link}"
            elif (
                parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].anchors
            ):
                yield f"{here}: no such anchor: {link}"


def main() -> int:
    """Print what is broken; return 1 if anything is."""
    site = Path(sys.argv[1]).resolve()
    found = sorted(set(broken(site)))
    print("\n".join(found) or f"{len(list(site.rglob('*.html')))} pages: no broken link")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
