"""What importing pearljoin costs, and a small join in a fresh process.

The limit of importing is for wall time on an idle machine; a join is measured beside other work. A
test cannot know that the machine is idle, but a process never takes longer there than the CPU time
it uses (no waiting for anything else is in it), so the smaller of the two is compared, at its best
of several runs.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = ("torch", "transformers", "faiss", "onnxruntime", "pandas", "polars")
IMPORT_SECONDS = 0.4
JOIN_TIMES = 8.0
"""How often as long as `PLAIN` a small join may take. It is 2.5 where nothing else runs, and 5
where another process keeps the second core: the join works on two, the other work on one."""

RUNS = 5

IMPORT = """
import json, sys, time
wall, cpu = time.perf_counter(), time.process_time()
import pearljoin
seconds = min(time.perf_counter() - wall, time.process_time() - cpu)
print(json.dumps({"seconds": seconds, "modules": sorted(sys.modules)}))
"""

# Work that pearljoin has no part in: about a second.
PLAIN = """
import hashlib
words = [hashlib.sha256(str(n).encode()).hexdigest() for n in range(400_000)]
counts = {}
for word in sorted(words):
    counts[word[:4]] = counts.get(word[:4], 0) + len(word.split("a"))
"""

# Made-up names: 1,000 on either side, of which 800 are in both, written differently.
JOIN = """
import pearljoin as pj
syllables = ["ba", "cor", "den", "fil", "gar", "hom", "jun", "kel", "lin", "pel"]
words = [(a + b + c).title() for a in syllables for b in syllables for c in syllables]
right = [f"{word} Holdings Limited" for word in words]
left = [f"The {word} Company" for word in words[:800]]
left += [f"{word.lower()} Bakery of {word[::-1]}" for word in words[800:]]
result = pj.match(left, right)
assert 0 < result.threshold <= 1
matches = result.matches(threshold=0.0)
found = sum(i == j < 800 for i, j in zip(matches.left.tolist(), matches.right.tolist()))
assert len(right) == len(left) == 1000
assert found > 600, found
# Half a second in all, which a join of names without accents does not need.
import sys
unused = {"scipy.spatial", "scipy.optimize", "ftfy", "pearljoin._report.content"}
assert unused.isdisjoint(sys.modules), unused & set(sys.modules)
"""


def run_python(source: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_loads_nothing_heavy() -> None:
    modules = set(json.loads(run_python(IMPORT))["modules"])
    assert "pearljoin" in modules
    assert modules.isdisjoint(HEAVY)


def test_help_and_wrong_usage_do_not_wait_for_what_a_join_needs() -> None:
    run_python(
        "import sys\n"
        "from pearljoin._cli import main\n"
        "assert main(['join', '--help']) == 0\n"
        "assert main(['join']) == 2\n"
        "assert {'scipy', 'pandas', 'polars'}.isdisjoint(sys.modules)"
    )


def test_duplicates_are_found_without_scikit_learn() -> None:
    run_python(
        "import sys, pearljoin as pj\n"
        "assert len(pj.find_duplicates(['Acme Inc', 'ACME Inc.', 'Globex'] * 9).clusters()) == 27\n"
        "assert 'sklearn' not in sys.modules"
    )


@pytest.mark.timing
def test_import_is_quick() -> None:
    times = [json.loads(run_python(IMPORT))["seconds"] for _ in range(RUNS)]
    assert min(times) < IMPORT_SECONDS, times


@pytest.mark.timing
@pytest.mark.skipif(os.name != "posix", reason="the CPU time of a child is told on POSIX only")
def test_a_fresh_process_joins_a_thousand_names_quickly() -> None:
    plain: list[float] = []
    join: list[float] = []
    while len(join) < RUNS and (not join or min(join) >= JOIN_TIMES * min(plain)):
        plain.append(seconds(PLAIN))
        join.append(seconds(JOIN))
    assert min(join) < JOIN_TIMES * min(plain), (plain, join)


def seconds(code: str) -> float:
    """Wall or processor time of a fresh process, whichever is less."""
    before = os.times()
    run_python(code)
    after = os.times()
    cpu = after.children_user + after.children_system
    cpu -= before.children_user + before.children_system
    return min(after.elapsed - before.elapsed, cpu)
