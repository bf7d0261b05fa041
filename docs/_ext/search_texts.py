"""Texts of the pages for the search of a site opened from disk, where no page can be fetched.

They go into a script that ``search_from_disk.js`` loads on the search page, from disk alone.
"""

import json
import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

MOST = 3_000
"""Characters of a paragraph, table or listing that are kept."""

UNSEEN = (nodes.raw, nodes.Invisible)


def as_sections(node: nodes.Node) -> str:
    """Return text as HTML of nothing but sections, whose anchors the search looks for."""
    if isinstance(node, nodes.document | nodes.section):
        anchor = escape(next(iter(node["ids"]), ""))
        return f'<section id="{anchor}">{"".join(map(as_sections, node.children))}</section>'
    end = ". " if isinstance(node, nodes.title) else " "
    return escape(re.sub(r"\s+", " ", node.astext())[:MOST]) + end


def write_texts(app: Sphinx, failed: Exception | None) -> None:
    """Write the texts of all pages; called when a build is finished."""
    if failed or app.builder.format != "html":
        return
    texts = {}
    for page in sorted(app.env.found_docs):
        document = app.env.get_doctree(page)
        for node in [*document.findall(lambda one: isinstance(one, UNSEEN))]:
            node.parent.remove(node)
        texts[page] = as_sections(document)
    script = f"var PAGE_TEXTS = {json.dumps(texts, ensure_ascii=False)};\n"
    (Path(app.outdir) / "_static" / "search_texts.js").write_text(script, encoding="utf-8")


def add_scripts(app: Sphinx, page: str, *_: object) -> None:
    """Let the search page read them; called before each page is written."""
    if page == "search":
        app.add_js_file("search_from_disk.js")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register both."""
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True}
