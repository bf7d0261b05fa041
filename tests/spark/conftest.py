"""Sessions of Spark: one a process, started when first asked for. Without Java the tests fail."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from quick_settings import SETTINGS

from pearljoin.spark import check_java, local_session


@pytest.fixture(scope="session")
def classic() -> Iterator[Any]:
    """A session in this process, whose tasks are tried again as on a cluster."""
    settings = {name.replace(".", "__"): value for name, value in SETTINGS.items()}
    with local_session("local[2,4]", **settings) as session:
        session.sparkContext.setLogLevel("ERROR")
        yield session


@pytest.fixture(scope="session")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session of Spark Connect, whose server is another process."""
    import pyspark
    from pyspark.sql.connect.session import SparkSession

    check_java()
    home = Path(pyspark.__file__).parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    chosen = SETTINGS | {"spark.ui.enabled": "false", "spark.connect.grpc.binding.port": str(port)}
    command = [str(home / "bin" / "spark-submit"), "--master", "local[2,4]"]
    command += [word for name, value in chosen.items() for word in ("--conf", f"{name}={value}")]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    command += [str(next((home / "jars").glob("spark-connect_*.jar")))]
    log = (tmp_path_factory.mktemp("connect") / "server.log").open("w+")
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        _wait_for(port, server, Path(log.name))
        session = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").create()
        yield session
        session.stop()
    finally:
        server.terminate()
        server.wait(60)
        log.close()


def _wait_for(port: int, server: Any, log: Path, seconds: float = 300) -> None:
    for _ in range(int(seconds * 5)):
        assert server.poll() is None, log.read_text(encoding="utf-8")
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise TimeoutError(log.read_text(encoding="utf-8"))
