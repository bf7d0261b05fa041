"""What importing pearljoin costs, and a small join in a fresh process.

The limits are for wall time on an idle machine. A test cannot know that the machine is idle, but
a process never takes longer there than the CPU time it uses (no waiting for anything else is in
it), so the smaller of the two is compared, at its best of several runs.
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
JOIN_SECONDS = 4.0

RUNS = 5

IMPORT = """
import json, sys, time
wall, cpu = time.perf_counter(), time.process_time()
import pearljoin
seconds = min(time.perf_counter() - wall, time.process_time() - cpu)
print(json.dumps({"seconds": seconds, "modules": sorted(sys.modules)}))
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


@pytest.mark.timing
def test_import_is_quick() -> None:
    times = [json.loads(run_python(IMPORT))["seconds"] for _ in range(RUNS)]
    assert min(times) < IMPORT_SECONDS, times


@pytest.mark.timing
@pytest.mark.skipif(os.name != "posix", reason="the CPU time of a child is told on POSIX only")
def test_a_fresh_process_joins_a_thousand_names_quickly() -> None:
    times: list[float] = []
    while len(times) < RUNS and min(times, default=JOIN_SECONDS) >= JOIN_SECONDS:
        before = os.times()
        run_python(JOIN)
        after = os.times()
        cpu = after.children_user + after.children_system
        cpu -= before.children_user + before.children_system
        times.append(min(after.elapsed - before.elapsed, cpu))
    assert min(times) < JOIN_SECONDS, times
