"""What cannot work on Spark is told at once, and in a sentence."""

import platform
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import pearljoin as pj
from pearljoin._spark import look, probe
from pearljoin._spark.settings import Settings
from pearljoin.spark import check_java, local_session

NAMES = ["Le Monde", "Die Zeit"]


@pytest.fixture
def left(classic: Any) -> Any:
    return classic.createDataFrame(pa.table({"name": NAMES, "tags": [["a"], []]}))


def test_no_java_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pj.MissingExtraError, match=r"no java on the PATH.*install Java 17"):
        check_java()


def test_java_is_too_old_or_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(pj.MissingExtraError, match="cannot be started"):
        check_java()
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_402\"' >&2\n")
    java.chmod(0o755)
    with pytest.raises(pj.MissingExtraError, match=r"too old.*1\.8\.0_402.*Java 17"):
        check_java()
    java.write_text("#!/bin/sh\necho 'openjdk version \"21.0.1\"' >&2\n")
    check_java()


def test_columns_that_cannot_be_compared_or_held(classic: Any, left: Any) -> None:
    with pytest.raises(pj.InputError, match=r"'tags' of the left table.*array<string>"):
        pj.fuzzy_join(left, left, left_on="tags", right_on="name")
    with pytest.raises(pj.InputError, match="has no column 'names', named in on="):
        pj.fuzzy_join(left, left, on="names")
    odd = classic.sql("select 'a' as name, make_interval(1) as age")
    with pytest.raises(pj.TableTypeError, match=r"'age' of the left table.*interval"):
        pj.fuzzy_join(odd, left, on="name")
    with pytest.raises(pj.TableTypeError, match=r"'age' of the right table.*interval"):
        pj.fuzzy_join(left, odd, on="name")
    twice = left.selectExpr("name", "name as Other").toDF("name", "name")
    with pytest.raises(pj.InputError, match="several columns of one name"):
        pj.fuzzy_join(twice, left, on="name")
    with pytest.raises(pj.InputError, match="Two columns of the result would have one name"):
        pj.fuzzy_join(left, left, on="name", suffix="")


def test_settings_that_cannot_be_used(classic: Any, left: Any) -> None:
    for name, value, message in (
        ("sharedPath", "/no/such/folder", "no folder of the name that spark.pearljoin.sharedPath"),
        ("largestReference", "many", "must be a whole number above 0. Got 'many'"),
        ("largestReference", "0", "must be a whole number above 0. Got .0."),
        ("orderBy", "age", "no column of the name that spark.pearljoin.orderBy gives. Got 'age'"),
    ):
        classic.conf.set(f"spark.pearljoin.{name}", value)
        try:
            with pytest.raises(pj.InputError, match=message):
                pj.fuzzy_join(left, left, on="name")
        finally:
            classic.conf.unset(f"spark.pearljoin.{name}")


def test_another_version_on_the_executors(left: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "__version__", "9.9.9")
    monkeypatch.setattr(probe, "_checked", {})
    with pytest.raises(
        pj.InputError, match=rf"another version of pearljoin.*{platform.node()}, and 9\.9\.9 here"
    ):
        pj.fuzzy_join(left, left, on="name")


def test_another_model_on_the_executors(left: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "bundled_fingerprint", lambda name: "f" * 64)
    monkeypatch.setattr(probe, "_checked", {})
    with pytest.raises(pj.InputError, match=r"another model of the same name.*ffffffffffff here"):
        pj.fuzzy_join(left, left, on="name")


def test_no_package_on_the_executors(left: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Without(look.Look):
        def __call__(self, batches: Any) -> Any:
            import sys

            names = [name for name in sys.modules if name.split(".")[0] == "pearljoin"]
            kept = {name: sys.modules.pop(name) for name in names}
            sys.modules["pearljoin"] = None  # type: ignore[assignment]
            try:
                yield from super().__call__(batches)
            finally:
                sys.modules.update(kept)

    monkeypatch.setattr(probe, "_checked", {})
    monkeypatch.setattr(probe.look, "Look", Without)
    with pytest.raises(pj.InputError, match=r"cannot import pearljoin.*install pearljoin"):
        pj.fuzzy_join(left, left, on="name")


def test_an_executor_that_does_not_see_the_shared_path(tmp_path: Path) -> None:
    told = next(look.Look((), str(tmp_path / "missing"))(iter([]))).to_pylist()[0]
    row = type("Row", (), told)
    settings = Settings(shared_path=str(tmp_path))
    with pytest.raises(pj.InputError, match="does not see the folder"):
        probe._judge(row, "", settings)
    (tmp_path / "there").touch()
    told = next(look.Look((), str(tmp_path / "there"))(iter([]))).to_pylist()[0]
    probe._judge(type("Row", (), told), "", settings)


def test_a_session_that_runs_is_taken_and_left_running(classic: Any) -> None:
    with local_session("local[1]") as session:
        assert session.sparkContext is classic.sparkContext
    assert classic.range(3).count() == 3


def test_a_session_of_another_thread_is_taken_and_left_running(classic: Any) -> None:
    def use() -> Any:
        with local_session("local[1]") as session:
            return session.sparkContext

    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(use).result() is classic.sparkContext
    assert classic.range(3).count() == 3


@pytest.mark.parametrize("name", ["a.b", "a`b"])
def test_names_that_spark_loses_are_refused(classic: Any, name: str) -> None:
    odd = classic.createDataFrame(pa.table({name: NAMES}))
    with pytest.raises(pj.InputError, match="holds a dot or a backtick"):
        pj.fuzzy_join(
            odd, classic.createDataFrame(pa.table({"name": NAMES})), left_on=name, right_on="name"
        )


def test_duplicates_in_the_reference_are_warned_of(left: Any) -> None:
    twice = left.sparkSession.createDataFrame(pa.table({"name": [*NAMES, NAMES[0]]}))
    with pytest.warns(pj.DuplicateReferenceWarning, match="1 of 3 rows repeat"):
        pj.match(left, twice, on="name")


def test_other_functions_refuse_frames(left: Any) -> None:
    with pytest.raises(pj.TableTypeError, match="rows of this frame are on a cluster"):
        pj.Matcher(on="name").fit(NAMES).calibrate(left)


def test_a_table_that_is_too_large_to_be_collected(classic: Any, left: Any) -> None:
    classic.conf.set("spark.pearljoin.largestReference", "1")
    try:
        for collects in (pj.Matcher(on="name").fit, pj.find_duplicates):
            with pytest.raises(pj.InputError, match="too many rows to be held by each executor"):
                collects(left)
    finally:
        classic.conf.unset("spark.pearljoin.largestReference")


def test_names_that_differ_in_their_case(classic: Any, left: Any) -> None:
    odd = left.selectExpr("name", "name as age").toDF("name", "Name")
    for frames, side in (((odd, left), "left"), ((left, odd), "right")):
        with pytest.raises(pj.InputError, match=f"{side} table.*'name' and 'Name'.*caseSensitive"):
            pj.fuzzy_join(*frames, on="name")
    classic.conf.set("spark.sql.caseSensitive", "true")
    try:
        joined = pj.fuzzy_join(odd, NAMES, left_on="Name").toArrow()
    finally:
        classic.conf.unset("spark.sql.caseSensitive")
    assert joined["match_score"].to_pylist() == [1.0, 1.0]


def test_frames_where_tables_are_needed(left: Any) -> None:
    for takes in (
        pj.Deduplicator(on="name").fit,
        pj.FuzzyJoiner(NAMES).fit,
        pj.PhraseEncoder().fit,
    ):
        with pytest.raises(
            pj.TableTypeError, match=r"rows of this frame are on a cluster.*toArrow"
        ):
            takes(left)


def test_a_session_that_was_stopped(left: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    result = pj.match(left, NAMES, left_on="name")
    # What stop() leaves behind, without the end of a session that other tests need.
    monkeypatch.setattr(left.sparkSession.sparkContext, "_jsc", None)
    for uses in (
        result.join,
        result.matches,
        result.pairs,
        lambda: result.left,
        lambda: result.right,
        lambda: pj.fuzzy_join(left, NAMES, left_on="name"),
        lambda: pj.find_duplicates(left, on="name"),
    ):
        with pytest.raises(pj.InputError, match="session of this frame was stopped"):
            uses()
