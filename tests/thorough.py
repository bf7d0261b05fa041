"""Run the tests marked thorough, and write what they gave: `python -m tests.thorough`.

They check more cases of the laws that `make test` checks, or take long. ``tests/thorough.json``
names the commit that they ran on, and those that did not pass. It is not written where they were
stopped.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

from pearljoin_train.common.environment import commit, machine

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "thorough.json"

PASSED, FAILED = 0, 1
"""Exit codes of pytest, where all tests ran."""


def main() -> int:
    """Run the tests; returns the exit code of pytest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--out", type=Path, default=RESULTS, help="JSON file for what they gave")
    options = parser.parse_args()
    found = {"commit": commit(), "date": str(date.today()), "machine": machine()}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-m", "thorough", "-n", str(options.jobs)]
        command += ["--dist", "loadfile", f"--junitxml={report}", str(FOLDER)]
        done = subprocess.run(command, check=False)
        if done.returncode not in (PASSED, FAILED) or not report.is_file():
            return done.returncode or FAILED
        found |= summary(ElementTree.parse(report).getroot())
    options.out.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return done.returncode


def summary(root: ElementTree.Element) -> dict:
    """Count the outcomes, and the tests of each module or class; name those that did not pass."""
    outcomes: Counter[str] = Counter()
    of_module: Counter[str] = Counter()
    not_passed = []
    for case in root.iter("testcase"):
        other = next((kind for kind in ("failure", "error", "skipped") if has(case, kind)), None)
        outcomes[other or "passed"] += 1
        of_module[case.get("classname", "")] += 1
        if other:
            not_passed.append(f"{case.get('classname')}::{case.get('name')}: {other}")
    seconds = sum(float(case.get("time", 0)) for case in root.iter("testcase"))
    return {
        "outcomes": dict(sorted(outcomes.items())),
        "seconds_in_all": round(seconds),
        "modules": dict(sorted(of_module.items())),
        "not_passed": sorted(not_passed),
    }


def has(case: ElementTree.Element, kind: str) -> bool:
    """Whether a test has such an outcome."""
    return case.find(kind) is not None


if __name__ == "__main__":
    sys.exit(main())
