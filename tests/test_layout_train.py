"""Import rules and lengths of files and functions of pearljoin_train and benchmarks."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from test_layout import imports, read_modules

ROOT = Path(__file__).parent.parent

# A folder of pearljoin_train may import the folders of the rows below its own, and itself.
# Training stands above export: the n-grams are trained on vectors of the exported model.
FOLDERS = (
    ("__main__",),
    ("finetune", "experiments"),
    ("portable",),
    ("training",),
    ("export",),
    ("record_scorer",),
    ("models", "scorer", "benchmark", "negatives"),
    ("records",),
    ("corpus", "augment", "word_weights"),
    ("data",),
    ("common",),
    ("__init__",),
)

MOST_LINES = 400
MOST_BODY_LINES = 70


def own_modules() -> dict[str, str]:
    found = read_modules(ROOT)
    return {name: text for name, text in found.items() if not name.startswith("pearljoin.")}


def row_of(folder: str) -> int | None:
    return next((depth for depth, row in enumerate(FOLDERS) if folder in row), None)


def layer_violations(modules: Mapping[str, str]) -> list[str]:
    """List the imports of folders that do not stand below, as ``module:line: target``."""
    found = []
    for name, source in modules.items():
        package, _, inside = name.partition(".")
        folder = inside.split(".")[0]
        if package != "pearljoin_train":
            continue
        row = row_of(folder)
        if row is None:
            found.append(f"{name}: its folder is not in FOLDERS")
            continue
        for line, target in imports(name, source):
            top, _, rest = target.partition(".")
            other = rest.split(".")[0]
            if top != package or other == folder:
                continue
            depth = row_of(other)
            if depth is None or depth <= row:
                found.append(f"{name}:{line}: imports {target}")
    return found


def import_graph(modules: Mapping[str, str]) -> dict[str, set[str]]:
    """Return which modules each module imports, inside functions too.

    Importing a module runs the packages above it, and these are edges as well, but for the packages
    that the importing module stands in: those are being imported already.
    """
    names = {name.removesuffix(".__init__") for name in modules}
    graph: dict[str, set[str]] = {name: set() for name in names}
    for module, source in modules.items():
        own = module.removesuffix(".__init__")
        for _, imported in imports(module, source):
            target = imported
            while target and target not in names:
                target = target.rpartition(".")[0]
            if target and target != own:
                graph[own].add(target)
            packages = target.split(".")[:-1]
            for end in range(1, len(packages) + 1):
                package = ".".join(packages[:end])
                if package in names and not f"{own}.".startswith(f"{package}."):
                    graph[own].add(package)
    return graph


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or through others."""

    def reachable(start: str) -> set[str]:
        seen: set[str] = set()
        left = list(graph.get(start, ()))
        while left:
            name = left.pop()
            if name not in seen:
                seen.add(name)
                left.extend(graph.get(name, ()))
        return seen

    reach = {name: reachable(name) for name in graph}
    groups = {
        tuple(sorted({name} | {other for other in reach[name] if name in reach[other]}))
        for name in graph
        if name in reach[name]
    }
    return [list(group) for group in sorted(groups)]


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Yield each function's name and the lines of its body, its docstring apart."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            if body:
                end = body[-1].end_lineno
                assert end is not None
                yield node.name, end - body[0].lineno + 1


def test_folders_import_only_folders_below_them():
    modules = own_modules()
    assert {"pearljoin_train.training.losses", "pearljoin_train.data.folder"} <= set(modules)
    assert layer_violations(modules) == []


def test_every_folder_stands_in_one_row():
    names = [name for row in FOLDERS for name in row]
    assert len(names) == len(set(names))
    package = ROOT / "pearljoin_train"
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    assert folders <= set(names)


def test_no_modules_import_each_other_in_a_circle():
    assert circles(import_graph(own_modules())) == []


def test_files_and_functions_are_short():
    long = []
    for name, source in own_modules().items():
        n_lines = len(source.splitlines())
        if n_lines >= MOST_LINES:
            long.append(f"{name}: {n_lines} lines")
        for function, n_body in functions(source):
            if n_body >= MOST_BODY_LINES:
                long.append(f"{name}.{function}: {n_body} lines")
    assert long == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("pearljoin_train.models.new", "from pearljoin_train.training.loop import Trainer"),
        ("pearljoin_train.models.new", "def f():\n    from pearljoin_train.export import quantise"),
        ("pearljoin_train.scorer.new", "import pearljoin_train.models.base"),
        ("pearljoin_train.common.new", "from ..data import find"),
        ("pearljoin_train.novel.new", ""),
    ],
)
def test_a_planted_import_upwards_is_found(module, source):
    found = layer_violations({module: source})
    assert len(found) == 1
    assert found[0].startswith(module)


def test_planted_circles_are_found():
    modules = {
        "p.__init__": "",
        "p.a": "from p.b import x",
        "p.b": "def f():\n    from p import c",
        "p.c": "import p.a",
        "p.q.__init__": "from p.q.inner import y",
        "p.q.inner": "from p.q import y",
        "p.free": "from p.a import x\nfrom p.q import y",
    }
    assert circles(import_graph(modules)) == [["p.a", "p.b", "p.c"], ["p.q", "p.q.inner"]]


def test_a_function_body_is_counted_without_its_docstring():
    source = 'def f():\n    """One.\n\n    Two.\n    """\n    x = 1\n    return x\n'
    assert list(functions(source)) == [("f", 2)]
