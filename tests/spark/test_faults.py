"""Workers that are killed, tasks that run twice, jobs that are cancelled."""

import os
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from frames import TrigramEncoder
from spark_laws import LEFT, RIGHT, assert_same, ordered

import pearljoin as pj
from pearljoin._spark import one_to_one, ship


class KilledOnce(TrigramEncoder):
    """An encoder that ends the first worker that it encodes in, in the middle of its partition."""

    def __init__(self, flag: Path, driver: int) -> None:
        super().__init__()
        self.flag, self.driver = flag, driver

    def encode(self, phrases: Sequence[str]) -> np.ndarray:
        is_second = self.calls > 0 and len(phrases) > 1
        if os.getpid() != self.driver and is_second and not self.flag.exists():
            self.flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().encode(phrases)


class Slow(TrigramEncoder):
    """An encoder that takes its time, outside of the driver."""

    def __init__(self, driver: int, begun: Path) -> None:
        super().__init__()
        self.driver, self.begun = driver, begun

    def encode(self, phrases: Sequence[str]) -> np.ndarray:
        if os.getpid() != self.driver and len(phrases) > 3:
            self.begun.touch()
            time.sleep(60)
        return super().encode(phrases)


def test_a_killed_worker_changes_nothing(classic: Any, tmp_path: Path) -> None:
    flag = tmp_path / "killed"
    encoder = KilledOnce(flag, os.getpid())
    classic.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "5")
    try:
        left = classic.createDataFrame(LEFT).repartition(2)
        right = classic.createDataFrame(RIGHT)
        options: dict[str, Any] = {"on": "name", "threshold": 0.35, "how": "full"}
        joined = pj.fuzzy_join(left, right, encoder=encoder, **options)
        expected = pj.fuzzy_join(ordered(left), ordered(right), encoder=TrigramEncoder(), **options)
        assert_same(joined, expected)
    finally:
        classic.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    assert flag.exists()


def test_a_cancelled_job_leaves_no_files(classic: Any, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    left = classic.createDataFrame(LEFT).repartition(1)
    encoder = Slow(os.getpid(), begun)
    joined = pj.fuzzy_join(left, RIGHT, on="name", threshold=0.35, encoder=encoder)
    archives = set(ship._scratch().iterdir())
    failed: list[Exception] = []

    def run() -> None:
        try:
            joined.toArrow()
        except Exception as error:  # noqa: BLE001 - of Spark or of py4j
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while not begun.exists():
        time.sleep(0.1)
        assert thread.is_alive()
    classic.sparkContext.cancelAllJobs()
    thread.join(60)
    assert len(failed) == 1
    assert "cancelled" in str(failed[0])
    # The archive stays for the frame, which may be asked again; it goes with this process.
    assert set(ship._scratch().iterdir()) == archives


def test_a_reference_is_sent_once(classic: Any) -> None:
    left = classic.createDataFrame(pa.table({"name": ["le monde", "Die Zeit."]}))
    matcher = pj.Matcher().fit(pa.table({"name": ["Le Monde", "Die Zeit"]}))
    before = len(list(ship._scratch().glob("*.zip")))
    for _ in range(2):
        assert matcher.match(left).join("inner").count() == 2
    assert len(list(ship._scratch().glob("*.zip"))) <= before + 1


def test_a_shared_path_takes_the_place_of_artifacts(classic: Any, tmp_path: Path) -> None:
    classic.conf.set("spark.pearljoin.sharedPath", str(tmp_path))
    try:
        left = classic.createDataFrame(pa.table({"name": ["le monde", "Die Zeit."]}))
        joined = pj.fuzzy_join(left, ["Le Monde", "Die Zeit"], left_on="name", how="inner")
    finally:
        classic.conf.unset("spark.pearljoin.sharedPath")
    # Another driver has a folder of its own, so that the end of one takes nothing from the other.
    assert [path.name.split("-")[-1] for path in tmp_path.iterdir()] == [ship._driver()]
    assert joined.count() == 2


@pytest.mark.thorough
def test_rounds_on_the_cluster_choose_as_the_driver_does(
    classic: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["Le Monde", "le monde", "Le Monde", "Acme Corp", "Acme Corporation", "Acme"]
    left = classic.createDataFrame(pa.table({"name": names, "row": range(6)})).coalesce(1)
    right = pa.table({"name": ["Le Monde", "Le Monde.", "Acme Corp.", "Acme Corporations"]})
    result = pj.match(left, right, on="name", constraint="1:1", threshold=0.01)
    on_driver = result.matches().toArrow()
    assert on_driver.num_rows == right.num_rows
    monkeypatch.setattr(one_to_one, "FEW_PAIRS", 0)
    assert_same(result.matches(), on_driver)
