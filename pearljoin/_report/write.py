"""From what a report says to one HTML file."""

from __future__ import annotations

import base64
import hashlib
from os import PathLike
from pathlib import Path

from pearljoin._atomic import atomic_file
from pearljoin._report.content import ReportContent
from pearljoin._version import __version__

__all__ = ["render", "write_report"]

HERE = Path(__file__).parent
SCRIPTS = ("data.js", "charts.js", "table.js", "review.js", "main.js")
LIBRARIES = (("vega.min.js", "LICENSE-vega"), ("vega-lite.min.js", "LICENSE-vega-lite"))


def write_report(content: ReportContent, path: str | PathLike[str]) -> Path:
    """Write a report, in the place of a file of that name only once it is whole.

    Parameters
    ----------
    content
        What it says.
    path
        The file.

    Returns
    -------
    path
        The file.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    text = render(content)
    hint = "give a file in a folder that exists and that you may write to."
    with atomic_file(path, what="report", hint=hint) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return Path(path)


def render(content: ReportContent) -> str:
    """Return a report as HTML. What the tables hold is escaped."""
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "page"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {
        "ensure_ascii": False,
        "separators": (",", ":"),
        "allow_nan": False,
    }
    scripts = [*map(_library, LIBRARIES), "\n".join(map(_page_file, SCRIPTS))]
    return environment.get_template("report.html.jinja").render(
        report=content,
        data=content.data,
        # Trusted: files of this package.
        style=Markup(_page_file("report.css")),
        scripts=[Markup(script) for script in scripts],
        policy=_policy(scripts),
        version=__version__,
    )


def _policy(scripts: list[str]) -> str:
    """Content security policy: these scripts alone run, and nothing is fetched.

    Vega compiles its expressions, which come from the scripts, with eval.
    """
    sums = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in sums)
    return (
        f"default-src 'none'; script-src {allowed} 'unsafe-eval'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _library(names: tuple[str, str]) -> str:
    code, licence = ((HERE / "vendor" / name).read_text(encoding="utf-8") for name in names)
    return f"/*\n{licence}*/\n{code}"


def _page_file(name: str) -> str:
    return (HERE / "page" / name).read_text(encoding="utf-8")
