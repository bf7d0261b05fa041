"""The script of the guide runs under spark-submit, on a cluster of two worker processes."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest
from quick_settings import JAVA_OPTIONS, SETTINGS

from pearljoin.spark import check_java

ROOT = Path(__file__).parent.parent.parent
SEEN = ["school,year", "York Uni,1990", "Univ. of Washington,1991", "nowhere,1992"]
OFFICIAL = ["name,city", "University of York,York", "University of Washington,Seattle"]


@pytest.mark.thorough
def test_the_script_of_the_guide(tmp_path: Path) -> None:
    check_java()
    for name, lines in (("seen", SEEN), ("official", OFFICIAL)):
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    home = Path(pyspark.__file__).parent
    environment = os.environ | {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(tmp_path / "work"),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)]),
    }
    paths = [str(tmp_path / name) for name in ("seen.csv", "official.csv", "out")]
    command = [str(home / "bin" / "spark-submit"), "--master", "local-cluster[2,1,1024]"]
    # Each worker process starts a machine of its own.
    chosen = SETTINGS | {
        "spark.ui.enabled": "false",
        "spark.executor.extraJavaOptions": JAVA_OPTIONS,
    }
    command += [word for name, value in chosen.items() for word in ("--conf", f"{name}={value}")]
    command += [str(ROOT / "examples" / "spark_join.py"), *paths]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    rows = []
    for path in (tmp_path / "out").glob("part-*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            rows += [(row["school"], row["name"], row["city"]) for row in csv.DictReader(file)]
    assert sorted(rows) == [
        ("Univ. of Washington", "University of Washington", "Seattle"),
        ("York Uni", "University of York", "York"),
    ]
