"""Java, which a classic Spark session runs on, and a session on this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyspark
from pyspark import SparkContext
from pyspark.sql import SparkSession

from pearljoin._errors import MissingExtraError

__all__ = ["check_java", "start_local"]

OLDEST_JAVA = 17
"""That Spark 4 runs on."""

HINT = (
    f"Hint: install Java {OLDEST_JAVA}, such as the package openjdk-{OLDEST_JAVA}-jre-headless, "
    "and set JAVA_HOME if it is not on the PATH; or use Spark Connect, which needs none here."
)


def check_java() -> None:
    """Check that Java is there; raises as `pearljoin.spark.check_java`."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None:
        raise MissingExtraError(
            f"Spark runs on Java, which cannot be found. Got no java on the PATH, and no JAVA_HOME."
            f" {HINT}"
        )
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise MissingExtraError(
            f"Spark runs on Java, which cannot be started. Got: {error}. {HINT}"
        ) from error
    version = re.search(r'version "(?:1\.)?(\d+)', told.stderr + told.stdout)
    if version is None or int(version[1]) < OLDEST_JAVA:
        got = told.stderr.splitlines()[0] if told.stderr else "nothing"
        raise MissingExtraError(f"Java is too old for Spark 4. Got {got!r}. {HINT}")


def start_local(master: str, settings: Mapping[str, Any]) -> tuple[SparkSession, bool]:
    """Start a session on this machine, or take the one that runs; tell whether it is new.

    The parameters are those of `local_session`.
    """
    running = SparkSession.getActiveSession()
    if running is not None:
        return running, False
    check_java()
    # Workers of a local cluster are started by the scripts there.
    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    chosen = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # What this process imports, workers import from the same places.
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        **settings,
    }
    # Another thread's session is not active in this one, and is taken as well.
    is_new = SparkContext._active_spark_context is None
    builder = SparkSession.builder.master(master).appName("pearljoin")
    for name, value in chosen.items():
        builder = builder.config(name, str(value))
    return builder.getOrCreate(), is_new
