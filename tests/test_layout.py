"""Who may import whom. The rules are the data at the top; to move a module, move its name there."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# A module may import modules of the layers below its own, and modules of its own subpackage.
# A folder counts as one module: "_encoders" stands for everything in it.
LAYERS = (
    ("__main__",),
    ("_cli",),
    ("__init__", "ngrams", "scoring"),
    ("_evaluate", "_join", "_dedupe", "_fuzzy_joiner", "_spark"),
    ("_matcher", "_phrase_encoder", "_weighted_words"),
    ("_result",),
    ("_expected", "_explain", "_labels", "_pair_table"),
    ("_assemble", "_decide", "_reasons", "_report", "_row_pairs", "_suggest", "_table_evidence"),
    ("_keys", "_match", "_native", "_options", "_store"),
    ("_tables",),
    ("_columns", "_agreement", "_candidates", "_duplicates", "_thresholds"),
    ("_equality", "_describe", "_veto"),
    ("_side",),
    ("_em", "_scoring", "_scorer"),
    ("_claims", "_false_claims", "_records"),
    ("_features", "_left_over"),
    ("_facts", "_leads"),
    ("_vocabulary",),
    ("_index", "_lexical", "_encoders"),
    ("_torch_search", "_matches", "_word_vectors"),
    ("_assignment", "_protobuf", "_standing", "_text", "_words"),
    ("_optional", "_parallel", "_progress"),
    ("_errors", "_typing", "_version"),
)

# Which modules of pearljoin may import a third-party package, even inside a function.
# A package that is not listed here is free everywhere.
THIRD_PARTY = {
    "narwhals": {
        "_assemble", "_cli", "_columns", "_dedupe", "_fuzzy_joiner", "_native",
        "_phrase_encoder", "_report", "_spark", "_tables", "_weighted_words",
    },
    "pandas": {"_native", "_spark"},
    "polars": {"_cli", "_native"},
    "pyarrow": {"_cli", "_native", "_spark"},
    "faiss": {"_index"},
    "torch": {"_encoders._load", "_encoders._torch", "_encoders._transformer", "_torch_search"},
    "transformers": {"_encoders._recipes", "_encoders._transformer"},
    "sentence_transformers": set(),
    "onnxruntime": {"_encoders._onnx", "_encoders._overflow"},
    "onnx": set(),
    "pyspark": {"_spark"},
    # The transformers, and the encoders that wrap a vectoriser of the user's.
    "sklearn": {"_encoders._adapters", "_fuzzy_joiner", "_phrase_encoder", "_weighted_words"},
    "sparse_dot_topn": {"_lexical"},
    "ftfy": {"_text"},
    "rapidfuzz": {"_false_claims", "_features", "_vocabulary"},
    "tokenizers": {"_encoders._tokens", "_word_vectors._spelling"},
    "typer": {"_cli"},
    "rich": {"_cli"},
    "tqdm": {"_progress"},
    "jinja2": {"_report"},
}  # fmt: skip

# Which of the project's own packages a package may never import.
FORBIDDEN = {
    "pearljoin": {"pearljoin_train", "benchmarks", "tests", "examples"},
    "pearljoin_train": {"benchmarks", "tests", "examples"},
    "benchmarks": {"tests", "examples"},
}

# Outside pearljoin its public names are used, and these modules, which hold no behaviour of a join.
FOUNDATIONS = {"_errors", "_optional", "_progress", "_typing"}

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


def imports(name: str, source: str) -> Iterator[tuple[int, str]]:
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
            if problem is not None:
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
    if theirs <= mine:
        return f"{own} stands in a layer below or beside it"
    return None


def layer_of(inside: str) -> int | None:
    own = inside.split(".")[0]
    return next((depth for depth, layer in enumerate(LAYERS) if own in layer), None)


def test_the_project_keeps_its_import_directions() -> None:
    modules = read_modules(ROOT)
    assert {"pearljoin.__init__", "pearljoin._errors", "pearljoin_train.__init__"} <= set(modules)
    assert violations(modules) == []


def test_every_layer_names_modules_once() -> None:
    names = [name for layer in LAYERS for name in layer]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("module", "source", "problem"),
    [
        ("pearljoin._match", "import narwhals.stable.v2 as nw", "narwhals belongs in"),
        ("pearljoin._match", "def f():\n    import pandas as pd", "pandas belongs in"),
        ("pearljoin._scoring", "from faiss import IndexFlatIP", "faiss belongs in _index"),
        ("pearljoin._encoders._onnx", "import torch", "torch belongs in _encoders"),
        ("pearljoin._match", "torch = require('torch', extra='torch')", "torch belongs in"),
        ("pearljoin._index", "import importlib\nimportlib.import_module('torch')", "torch belongs"),
        ("pearljoin._candidates", "import sklearn.feature_extraction.text", "sklearn belongs in"),
        ("pearljoin._match", "import pearljoin_train.data", "pearljoin never imports"),
        ("pearljoin._index", "from benchmarks import autofj", "pearljoin never imports"),
        ("pearljoin._text", "from pearljoin._match import Matcher", "layer below or beside"),
        ("pearljoin._matches", "from ._match import Matcher", "layer below or beside"),
        ("pearljoin._encoders._onnx", "from .._match import Matcher", "layer below or beside"),
        ("pearljoin._result", "from pearljoin import fuzzy_join", "layer below or beside"),
        ("pearljoin._index", "from pearljoin import _lexical", "layer below or beside"),
        ("pearljoin._novel", "", "not in LAYERS"),
        ("pearljoin_train.loop", "import benchmarks.autofj", "pearljoin_train never imports"),
        ("pearljoin_train.loop", "from pearljoin._match import Matcher", "public names"),
        ("benchmarks.scale.run", "from pearljoin import _match", "public names"),
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
        ("pearljoin._match", "from ._encoders import Encoder\nfrom . import _typing"),
        ("pearljoin._encoders._torch", "import torch\nfrom ._protocol import Encoder"),
        ("pearljoin._encoders.__init__", "from ._protocol import Encoder\nfrom .._text import x"),
        ("pearljoin._cli", "import pearljoin as pj\nfrom pearljoin import __version__"),
        ("pearljoin_train.loop", "import torch\nfrom pearljoin import load_encoder, __version__"),
        ("benchmarks.scale.run", "import pearljoin as pj\nimport pearljoin_train.data"),
    ],
)
def test_what_is_allowed_passes(module: str, source: str) -> None:
    assert violations({module: source}) == []
