"""Write and read golden records: what a join gives, as plain text that git can compare.

``python tests/golden/recording.py`` records every case anew;
``python tests/golden/recording.py --check`` says which lines would change, to the last bit.
The tables of AutoFJ are recorded where the data folder is there.
"""

import argparse
import difflib
import hashlib
import re
import sys
from pathlib import Path

import numpy as np

import pearljoin as pj

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from cases import AUTOFJ_TABLES, CASES, autofj, example_tables

FOLDER = Path(__file__).parent / "records"
EVERY_ROW = slice(None)
NUMBER = re.compile(r"[-+]?\d+\.\d+")


def record(
    result: pj.MatchResult, *, hide_texts: bool = False, explained: slice = EVERY_ROW
) -> str:
    """All that a join gives: threshold, candidates and matches by row, and explanations."""
    matches, comparison = result.matches(), result.comparison
    lines = [f"threshold {result.threshold!r}"]
    candidates = comparison.candidates
    left_rows = comparison.left.first_row[candidates.left].tolist()
    right_rows = comparison.right.first_row[candidates.right].tolist()
    by_row: dict[int, list[tuple[int, np.float32]]] = {}
    for row, right_row, score in zip(left_rows, right_rows, candidates.score, strict=True):
        by_row.setdefault(row, []).append((right_row, score))
    for row in sorted(by_row):
        found = " ".join(f"{right}:{score!s}" for right, score in sorted(by_row[row]))
        lines.append(f"candidates {row} {found}")
    for row, right, score in zip(matches.left, matches.right, matches.score, strict=True):
        lines.append(f"match {row} {right} {score!s}")
    for row in sorted(by_row)[explained]:
        explanation = result.explain(row)
        effects = " ".join(
            f"{r.kind.replace(' ', '_')}:{r.effect:.6f}" for r in explanation.reasons
        )
        lines.append(f"effects {row} {effects}")
        told = "; ".join(line.strip() for line in str(explanation).splitlines())
        lines.append(f"explain {row} {hidden(told) if hide_texts else told}")
    return "\n".join(lines) + "\n"


def hidden(text: str) -> str:
    """A hash of a text without its decimals, which other processors may round otherwise."""
    return hashlib.sha256(NUMBER.sub("#", text).encode()).hexdigest()[:16]


def record_duplicates() -> str:
    """The clusters of the example names."""
    found = pj.deduplicate(example_tables()[0], on="name")
    columns = found["cluster"].to_list(), found["canonical"].to_list()
    return "".join(f"cluster {cluster} {name}\n" for cluster, name in zip(*columns, strict=True))


def current(name: str, data: Path | None, explained: slice = EVERY_ROW) -> str | None:
    """What a case gives by the code as it stands; None where its data are missing."""
    if name == "examples_duplicates":
        return record_duplicates()
    if name in CASES:
        return record(CASES[name](), explained=explained)
    folder = None if data is None else data / "autofj" / name.removeprefix("autofj_")
    if folder is None or not folder.is_dir():
        return None
    return record(autofj(folder), hide_texts=True, explained=explained)


NAMES = (*CASES, "examples_duplicates", *(f"autofj_{table}" for table in AUTOFJ_TABLES))


def golden(name: str, explained: slice = EVERY_ROW) -> str:
    """The record that is kept of a case, without the explanations of other rows."""
    path = FOLDER / f"{name}.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []
    rows = [line.split()[1] for line in lines if line.startswith("effects ")]
    others = {(kind, row) for kind in ("effects", "explain") for row in rows} - {
        (kind, row) for kind in ("effects", "explain") for row in rows[explained]
    }
    return "".join(line for line in lines if tuple(line.split(maxsplit=2)[:2]) not in others)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[3] / "shared" / "data")
    parser.add_argument("--only", nargs="*", default=NAMES, choices=NAMES)
    arguments = parser.parse_args()
    changed = 0
    for name in arguments.only:
        now = current(name, arguments.data)
        if now is None:
            sys.stdout.write(f"{name}: no data\n")
            continue
        before = golden(name)
        if arguments.check:
            lines = list(difflib.unified_diff(before.splitlines(), now.splitlines(), n=0))
            changed += bool(lines)
            shown = "".join(f"  {line[:160]}\n" for line in lines[2:12])
            sys.stdout.write(f"{name}: {len(lines) - 2 if lines else 0} lines of diff\n{shown}")
        else:
            FOLDER.mkdir(exist_ok=True)
            (FOLDER / f"{name}.txt").write_text(now, encoding="utf-8")
            sys.stdout.write(f"{name}: {now.count(chr(10))} lines\n")
    return int(changed > 0)


if __name__ == "__main__":
    sys.exit(main())
