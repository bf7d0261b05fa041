"""The directive ``run``: Python that is run in the build, shown with what it prints and draws.

The blocks of a page share their names. They run in a folder of their own that holds a copy of
``examples/``. An error in one of them fails the build. ``{run} hide`` shows the output alone.
"""

import ast
import contextlib
import io
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import matplotlib.pyplot as plt
from docutils import nodes
from docutils.parsers.rst import directives
from figures import style_figures
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

EXAMPLES = Path(__file__).parents[2] / "examples"
IMAGES = "generated/figures"
ARCHIVE = "/generated/examples.zip"


@contextlib.contextmanager
def working_in(folder: str) -> Iterator[None]:
    """Make a folder the working one for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run(code: str, page: str, line: int, names: dict[str, Any]) -> tuple[str, Any]:
    """Run code; return what it prints, and the value of a last expression."""
    tree = ast.parse(code, page)
    ast.increment_lineno(tree, line)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(tree, page, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), page, "eval"), names)
    return printed.getvalue(), value


class Run(SphinxDirective):
    """Run the content, and show it with its output."""

    has_content = True
    optional_arguments = 1
    option_spec: ClassVar = {"alt": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return the code and its output."""
        code = "\n".join(self.content)
        shown: list[nodes.Node] = []
        if not self.arguments:
            shown.append(nodes.literal_block(code, code, language="python"))
        folder, names = self._session()
        style_figures()
        try:
            with working_in(folder):
                printed, value = run(code, f"{self.env.docname}.md", self.lineno, names)
        except Exception as error:
            raise self.error(f"This block fails: {type(error).__name__}: {error}") from error
        if printed.strip():
            shown.append(
                nodes.literal_block(printed, printed, language="none", classes=["run-output"])
            )
        if hasattr(value, "_repr_html_"):
            html = f'<div class="run-table">{value._repr_html_()}</div>'
            shown.append(nodes.raw(html, html, format="html"))
        elif value is not None and not plt.get_fignums():
            text = repr(value)
            shown.append(nodes.literal_block(text, text, language="none", classes=["run-output"]))
        return shown + self._figures() + self._examples(code)

    def _examples(self, code: str) -> list[nodes.Node]:
        """Say once on a page where the files are that its code reads."""
        if "examples/" not in code or self.env.temp_data.get("run_examples"):
            return []
        self.env.temp_data["run_examples"] = True
        link = addnodes.download_reference(
            "", "", nodes.literal(text="examples.zip"),
            refdoc=self.env.docname, reftarget=ARCHIVE, reftype="download", refdomain="",
            refexplicit=True, refwarn=False,
        )  # fmt: skip
        said = "The files of examples/ are in the checkout, and in "
        text = nodes.paragraph("", "", nodes.Text(said), link, nodes.Text("."))
        return [nodes.container("", text, classes=["run-examples"])]

    def _session(self) -> tuple[str, dict[str, Any]]:
        """Return the page's folder and names; both are made at its first block."""
        kept = self.env.temp_data
        if "run_folder" not in kept:
            made = tempfile.TemporaryDirectory()
            shutil.copytree(EXAMPLES, Path(made.name) / "examples")
            kept["run_folder"], kept["run_names"] = made, {"__name__": "__page__"}
        return kept["run_folder"].name, kept["run_names"]

    def _figures(self) -> list[nodes.Node]:
        found: list[nodes.Node] = []
        for number in plt.get_fignums():
            count = self.env.temp_data["run_figures"] = self.env.temp_data.get("run_figures", 0) + 1
            name = f"{IMAGES}/{self.env.docname.replace('/', '-')}-{count}.png"
            path = Path(self.env.srcdir) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            plt.figure(number).savefig(path, dpi=130)
            alt = self.options.get("alt", "What the code above draws")
            found.append(nodes.image(uri=f"/{name}", alt=alt, classes=["run-figure"]))
        plt.close("all")
        return found


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("run", Run)
    return {"parallel_read_safe": False}
