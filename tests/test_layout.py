"""Who may import whom. The rules are the data at the top; to move a module, move its name there."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# A folder or a file may import those of the rows below its own; a folder counts as one module,
# and what is in it may import the rest of it. The last row holds foundations, which may import
# one another. No import circle is allowed anywhere, in folders or between files.
LAYERS = (
    ("__main__",),
    ("_cli", "pandas", "polars"),
    ("__init__", "ngrams", "scoring", "spark"),
    ("_fuzzy_joiner", "_evaluate", "_spark"),
    ("_join", "_dedupe"),
    ("_matcher", "_phrase_encoder", "_weighted_words"),
    ("_result", "_fitted", "_repr"),
    ("_result_parts",),
    ("_report",),
    ("_explain", "_labelled_threshold", "_match_log", "_options"),
    ("_decision", "_clusters"),
    ("_comparison",),
    ("_scoring", "_tables", "_candidates"),
    ("_features",),
    ("_records",),
    ("_kinds",),
    ("_text", "_word_vectors", "_devices"),
    ("_search", "_encoders", "_matches"),
    (
        "_assignment_solver",
        "_atomic",
        "_cached",
        "_notebook",
        "_optional",
        "_parallel",
        "_plots",
        "_progress",
        "_ragged",
        "_sklearn",
        "_errors",
        "_typing",
        "_version",
    ),
)

# Which modules of pearljoin may import a third-party package, even inside a function.
# A package that is not listed here is free everywhere.
THIRD_PARTY = {
    "narwhals": {
        "_cli", "_dedupe", "_fuzzy_joiner", "_spark", "_tables",
    },
    "pandas": {
        "pandas", "_tables.backends", "_tables.cast_cells", "_tables.large_integers",
        "_tables.table_file",
    },
    "polars": {"_cli", "polars", "_tables.backends", "_tables.cast_cells", "_tables.table_file"},
    "pyarrow": {
        "_cli", "_spark", "_tables.backends", "_tables.cast_cells", "_tables.table_file",
    },
    "pyspark": {"_spark", "spark"},
    "faiss": {
        "_search.approximate",
        "_search.dense",
        "_search.inverted_lists",
        "_search.product_codes",
    },
    "torch": {
        "_encoders.load", "_encoders.torch_encoder", "_encoders.transformer", "_search.dense_torch",
    },
    "transformers": {"_encoders.pooling_config", "_encoders.transformer"},
    "sentence_transformers": set(),
    "onnx": set(),
    # The transformers, and the encoders that wrap a vectoriser of the user's.
    "sklearn": {
        "_clusters.evaluation", "_encoders.adapters", "_phrase_encoder", "_plots.phrases",
        "_sklearn",
    },
    "sparse_dot_topn": {"_search.sparse_products"},
    "ftfy": {"_text.normalise"},
    "rapidfuzz": {
        "_features.string_similarity", "_kinds.spelling", "_report.differences",
        "_text.token_similarity",
    },
    "jinja2": {"_report.write"},
    "markupsafe": {"_report.write"},
    # Elsewhere for the types of arguments alone.
    "matplotlib": {"_plots", "_phrase_encoder", "_result_parts.views", "_dedupe.views"},
    "dateutil": {"_kinds.read_date"},
    "phonenumbers": {"_kinds.phone"},
    "tokenizers": {"_encoders.tokenizer", "_word_vectors.token_table"},
    "typer": {"_cli"},
    "rich": {"_cli"},
    "tqdm": {"_progress"},
}  # fmt: skip

MOST_LINES = 400
"""Of a file."""

MOST_BODY_LINES = 70
"""Of a function, its docstring apart."""

MOST_FILES_AT_THE_TOP = 30
"""Of pearljoin/, beside its folders."""

# Which of the project's own packages a package may never import.
FORBIDDEN = {
    "pearljoin": {"pearljoin_train", "benchmarks", "tests", "examples"},
    "pearljoin_train": {"benchmarks", "tests", "examples"},
    "benchmarks": {"tests", "examples"},
}

# Outside pearljoin its public names are used, and these modules, which hold no behaviour of a join.
FOUNDATIONS = {"_atomic", "_errors", "_optional", "_parallel", "_progress", "_typing"}

# The search on a GPU is what this check compares.
CHECKED = {("pearljoin_train.portable.gpu_check", "pearljoin._search.dense_torch.search")}

# Calls that import the module named by their first argument.
IMPORTING_CALLS = {"require", "import_module", "__import__"}


def read_modules(root: Path) -> dict[str, str]:
    """Read the source of every module of the project, by dotted name."""
    found = {}
    for package in FORBIDDEN:
        for path in sorted((root / package).rglob("*.py")):
            if not any(part.startswith(".") for part in path.relative_to(root).parts):
                name = ".".join(path.relative_to(root).with_suffix("").parts)
                found[name] = path.read_text(encoding="utf-8")
    return found


@cache
def imports(name: str, source: str) -> tuple[tuple[int, str], ...]:
    """Return the line and dotted name of everything that a module imports; each rule asks."""
    return tuple(_imports(name, source))


def _imports(name: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and dotted name of everything that a module imports.

    ``from a import b`` yields ``a.b``: whether b is a module is for the caller to tell.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # Relative to the package, which is the module itself in an __init__.
            parent = name.split(".")[: -node.level] if node.level else []
            base = ".".join([*parent, *filter(None, [node.module])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and node.args:
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = node.args[0]
            if called in IMPORTING_CALLS and isinstance(first, ast.Constant):
                yield node.lineno, str(first.value)


def violations(modules: Mapping[str, str]) -> list[str]:
    """List the imports that break a rule, as ``module:line: what is wrong``."""
    found = []
    for name, source in modules.items():
        package, _, inside = name.partition(".")
        if package == "pearljoin" and layer_of(inside) is None:
            found.append(f"{name}: not in LAYERS. Hint: give it a layer in tests/test_layout.py")
            continue
        for line, target in imports(name, source):
            problem = judge(package, inside, target)
            if problem is not None and (name, target) not in CHECKED:
                found.append(f"{name}:{line}: imports {target}: {problem}")
    return found


def judge(package: str, inside: str, target: str) -> str | None:
    """Say which rule an import breaks, or None."""
    top, _, rest = target.partition(".")
    if top in FORBIDDEN[package]:
        return f"{package} never imports {top}"
    if package != "pearljoin":
        name = rest.split(".")[0]
        private = top == "pearljoin" and name.startswith("_") and not name.endswith("__")
        if private and name not in FOUNDATIONS:
            return f"{package} uses the public names of pearljoin only"
        return None
    if top == "pearljoin":
        return judge_layers(inside, rest)
    homes = THIRD_PARTY.get(top)
    if homes is not None and homes.isdisjoint({inside, inside.split(".")[0]}):
        return f"{top} belongs in {', '.join(sorted(THIRD_PARTY[top])) or 'no module'}"
    return None


def judge_layers(inside: str, rest: str) -> str | None:
    # `from pearljoin import fuzzy_join` imports a public name, so the package itself.
    target = rest if layer_of(rest) is not None else "__init__"
    own = inside.split(".")[0]
    if target.split(".")[0] == own:
        return None
    mine, theirs = layer_of(inside), layer_of(target)
    assert mine is not None
    assert theirs is not None
    if theirs < mine or (theirs == mine and mine < len(LAYERS) - 1):
        return f"{own} stands in a layer below or beside it"
    return None


def layer_of(inside: str) -> int | None:
    own = inside.split(".")[0]
    return next((depth for depth, layer in enumerate(LAYERS) if own in layer), None)


def import_graph(modules: Mapping[str, str], package: str) -> dict[str, set[str]]:
    """Which modules of a package each module imports, imports inside functions too."""
    names = {name.removesuffix(".__init__"): name for name in modules}
    graph = {}
    for name, source in modules.items():
        if name.partition(".")[0] != package or name == f"{package}.__init__":
            continue
        targets = set()
        for _, target in imports(name, source):
            while target and target not in names:
                target = target.rpartition(".")[0]
            if target not in ("", package, name.removesuffix(".__init__")):
                targets.add(names[target])
        graph[name] = targets
    return graph


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import one another in a circle."""
    reached = {name: reachable(name, graph) for name in graph}
    found = {
        tuple(sorted(other for other in reached[name] if name in reached.get(other, ())))
        for name in graph
        if name in reached[name]
    }
    return [list(group) for group in sorted(found)]


def reachable(name: str, graph: Mapping[str, set[str]]) -> set[str]:
    """All that a module imports, directly or not."""
    seen: set[str] = set()
    ahead = list(graph.get(name, ()))
    while ahead:
        here = ahead.pop()
        if here not in seen:
            seen.add(here)
            ahead.extend(graph.get(here, ()))
    return seen


def too_long(name: str, source: str) -> list[str]:
    """Say which of a file and its functions are too long."""
    n_lines = source.count("\n")
    found = [f"{name}: {n_lines} lines"] if n_lines > MOST_LINES else []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            if length > MOST_BODY_LINES:
                found.append(f"{name}:{node.lineno}: {node.name}() has a body of {length} lines")
    return found


def test_the_project_keeps_its_import_directions() -> None:
    modules = read_modules(ROOT)
    assert {"pearljoin.__init__", "pearljoin._errors", "pearljoin_train.__init__"} <= set(modules)
    assert violations(modules) == []


def test_every_layer_names_modules_once() -> None:
    names = [name for layer in LAYERS for name in layer]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("package", FORBIDDEN)
def test_no_import_circles(package: str) -> None:
    assert circles(import_graph(read_modules(ROOT), package)) == []


def test_no_import_circles_between_folders() -> None:
    folders: dict[str, set[str]] = {}
    for name, targets in import_graph(read_modules(ROOT), "pearljoin").items():
        home = name.split(".")[1]
        folders.setdefault(home, set()).update(t.split(".")[1] for t in targets)
        folders[home].discard(home)
    assert circles(folders) == []


def test_the_comparison_knows_no_tables() -> None:
    graph = import_graph(read_modules(ROOT), "pearljoin")
    needed = reachable("pearljoin._comparison.large", graph)
    assert "pearljoin._scoring.scorer" in needed
    assert [name for name in needed if name.startswith("pearljoin._tables")] == []


def test_a_planted_circle_is_found() -> None:
    modules = {
        "pearljoin._a.one": "from pearljoin._b import two",
        "pearljoin._b.two": "def f():\n    from pearljoin._c import three",
        "pearljoin._c": "import pearljoin._a.one",
        "pearljoin._d": "import pearljoin._a.one",
    }
    found = circles(import_graph(modules, "pearljoin"))
    assert found == [["pearljoin._a.one", "pearljoin._b.two", "pearljoin._c"]]


def test_files_and_functions_are_small() -> None:
    modules = {n: s for n, s in read_modules(ROOT).items() if n.startswith("pearljoin.")}
    assert [problem for item in modules.items() for problem in too_long(*item)] == []


def test_a_long_function_is_found() -> None:
    docstring = '"""Say.\n' + "\n" * 100 + '"""'
    body = "\n    ".join([docstring, *["x = 1"] * MOST_BODY_LINES])
    assert too_long("m", f"def short():\n    {body}\n") == []
    assert too_long("m", f"def long():\n    {body}\n    y = 2\n")[0].startswith("m:1: long()")
    assert too_long("m", "x = 1\n" * (MOST_LINES + 1)) != []


def test_few_files_stand_beside_the_folders() -> None:
    files = [path for path in (ROOT / "pearljoin").iterdir() if path.is_file()]
    assert len(files) <= MOST_FILES_AT_THE_TOP


def test_only_the_top_has_underscores() -> None:
    names = [name.removesuffix(".__init__") for name in read_modules(ROOT)]
    inside = [name.split(".")[2:] for name in names if name.startswith("pearljoin.")]
    assert [parts for parts in inside if any(part.startswith("_") for part in parts)] == []


@pytest.mark.parametrize(
    ("module", "source", "problem"),
    [
        ("pearljoin._comparison.large", "import narwhals.stable.v2 as nw", "narwhals belongs in"),
        ("pearljoin._comparison.large", "def f():\n    import pandas as pd", "pandas belongs in"),
        ("pearljoin._records.similarity", "from faiss import IndexFlatIP", "faiss belongs in"),
        ("pearljoin._encoders.onnx_encoder", "import torch", "torch belongs in _encoders"),
        (
            "pearljoin._comparison.large",
            "torch = require('torch', extra='torch')",
            "torch belongs in",
        ),
        ("pearljoin._search.dense", "import importlib\nimportlib.import_module('torch')", "torch"),
        ("pearljoin._candidates.blocking", "import sklearn.feature_extraction", "sklearn belongs"),
        ("pearljoin._comparison.large", "import pearljoin_train.data", "pearljoin never imports"),
        ("pearljoin._search.dense", "from benchmarks import autofj", "pearljoin never imports"),
        ("pearljoin._candidates.blocking", "import pearljoin._tables.read_table", "layer below"),
        (
            "pearljoin._text.tokens",
            "from pearljoin._comparison import x",
            "layer below or beside",
        ),
        (
            "pearljoin._matches",
            "from ._comparison import large",
            "layer below or beside",
        ),
        (
            "pearljoin._encoders.load",
            "from .._comparison import large",
            "layer below",
        ),
        ("pearljoin._result", "from pearljoin import fuzzy_join", "layer below or beside"),
        ("pearljoin._search.dense", "from pearljoin import _matches", "layer below or beside"),
        ("pearljoin._novel", "", "not in LAYERS"),
        ("pearljoin_train.loop", "import benchmarks.autofj", "pearljoin_train never imports"),
        ("pearljoin_train.loop", "from pearljoin._matcher import Matcher", "public names"),
        ("benchmarks.scale.run", "from pearljoin import _matcher", "public names"),
        ("benchmarks.scale.run", "from tests import test_layout", "benchmarks never imports"),
    ],
)
def test_a_planted_violation_is_found(module: str, source: str, problem: str) -> None:
    found = violations({module: source})
    assert len(found) == 1
    assert problem in found[0]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("pearljoin._join", "from pearljoin._result import MatchResult"),
        ("pearljoin._comparison.large", "from .._encoders import Encoder\nfrom .. import _typing"),
        ("pearljoin._encoders.torch_encoder", "import torch\nfrom .protocol import Encoder"),
        ("pearljoin._word_vectors.__init__", "from .pooling import x\nfrom .._encoders import x"),
        ("pearljoin._optional", "from pearljoin._errors import MissingExtraError"),
        ("pearljoin._cli", "import pearljoin as pj\nfrom pearljoin import __version__"),
        ("pearljoin_train.loop", "import torch\nfrom pearljoin import load_encoder, __version__"),
        ("benchmarks.scale.run", "import pearljoin as pj\nimport pearljoin_train.data"),
    ],
)
def test_what_is_allowed_passes(module: str, source: str) -> None:
    assert violations({module: source}) == []
