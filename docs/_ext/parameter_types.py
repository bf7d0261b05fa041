"""Adds the annotated types to the parameters, attributes and returns of numpydoc docstrings.

The docstrings say what a parameter means, the annotations say its type: neither repeats the other.
"""

import inspect
import re
from typing import Any

from sphinx.application import Sphinx

SECTION = re.compile(r"^(Parameters|Attributes|Other Parameters)$")
ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)$")

ALIASES = (
    "TableLike", "RowLike", "ColumnLike", "Columns", "ThresholdLike", "Threshold", "EncoderLike",
    "Kind", "HowName", "ConstraintName", "Device", "Weights", "Rules",
)  # fmt: skip
"""Names of types that the page of types explains."""
ALIAS = re.compile(rf"\b({'|'.join(ALIASES)})\b")


def readable(annotation: Any) -> str:
    """Return an annotation as text, with links to the page of types."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Z])", "", text)  # module names
    text = text.replace("NDArray[Any]", "ndarray").replace("NDArray", "ndarray")
    text = re.sub(r"\bLiteral\[([^\]]*)\]", lambda m: m[1].replace(", ", " | "), text)
    text = text.replace("*", r"\*").replace("`", "")
    return ALIAS.sub(lambda m: f":ref:`{m[1]} <type-{m[1].lower()}>`", text)


def annotations(what: str, found: Any) -> dict[str, Any]:
    """Return the annotations of a function, or of a class's ``__init__`` and attributes."""
    if what == "class":
        own = dict(getattr(found, "__annotations__", {}))
        return own | dict(getattr(found.__init__, "__annotations__", {}))
    function = found.fget if isinstance(found, property) else found
    return dict(getattr(inspect.unwrap(function), "__annotations__", {})) if function else {}


def add_types(
    app: Sphinx, what: str, name: str, found: Any, options: Any, lines: list[str]
) -> None:
    """Write `` : type`` after the names of a section's entries; called before numpydoc."""
    if what not in {"class", "function", "method"}:
        return
    known = annotations(what, found)
    inside = False
    for i, line in enumerate(lines):
        below = lines[i + 1] if i + 1 < len(lines) else ""
        if below and set(below.strip()) == {"-"} and line.strip():
            inside = bool(SECTION.match(line.strip()))
        elif inside and (entry := ENTRY.match(line)):
            kinds = [known.get(one.lstrip("*")) for one in entry[1].split(", ")]
            texts = list(dict.fromkeys(readable(kind) for kind in kinds if kind is not None))
            if texts:
                lines[i] = f"{line} : {', '.join(texts)}"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the hook before numpydoc's, whose priority is 500."""
    app.connect("autodoc-process-docstring", add_types, priority=400)
    return {"parallel_read_safe": True}
