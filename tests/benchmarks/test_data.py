"""A data file that is missing or damaged is an error that says which, where, and what to do."""

import hashlib
import json
import zipfile

import pytest

import pearljoin_train.data.folder as data_module
from pearljoin_train.common.commands import run_command
from pearljoin_train.data import (
    DataDamagedError,
    DataMissingError,
    cache_folder,
    data_folder,
    find,
    manifest,
    sha256_of,
    verify,
)
from pearljoin_train.data.autofj import load_table, table_names
from pearljoin_train.data.fetch import main as data_command
from pearljoin_train.data.fetch import unpack_autofj


def test_the_tables_are_read_with_the_sides_swapped(data):
    table = load_table("Cities")
    assert table_names() == ["Cities", "Teams"]
    assert table.reference == ("London", "Paris", "Rome", "Berlin")
    assert table.query_ids == ("0", "1", "2", "3")
    assert table.gold == (("0", "0"), ("1", "1"), ("2", "2"))
    assert table.gold_titles[2] == ("Rome", "Rome (city)")
    assert "Atlantis" not in table.answers


def test_two_references_of_one_query_are_both_right(data):
    gold = data / "autofj" / "Cities" / "gt.csv"
    gold.write_text(gold.read_text() + "3,Berlin,0,London (city)\n")
    assert load_table("Cities").answers["London (city)"] == {"London", "Berlin"}


def test_the_variable_wins_and_nothing_else_is_looked_at(data, tmp_path, monkeypatch):
    assert data_folder() == data
    assert find("autofj/Cities/gt.csv") == data / "autofj" / "Cities" / "gt.csv"
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(DataMissingError, match=r"No data folder.*nowhere.*PEARLJOIN_DATA"):
        data_folder()


def test_a_missing_file_is_named_with_the_place_it_was_sought(data):
    (data / "autofj" / "Cities" / "gt.csv").unlink()
    with pytest.raises(DataMissingError, match=r"'autofj/Cities/gt\.csv'.*Sought: .*Hint: .*fetch"):
        load_table("Cities")


def test_the_cache_is_sought_last(data, tmp_path, monkeypatch):
    monkeypatch.delenv("PEARLJOIN_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    # As if the module stood in a checkout without a data folder beside it.
    module = tmp_path / "src" / "checkout" / "package" / "data" / "folder.py"
    monkeypatch.setattr(data_module, "__file__", str(module))
    kept = cache_folder() / "pearl_benchmark" / "made_up.txt"
    with pytest.raises(DataMissingError, match=r"Sought: .*shared.*cache"):
        find("pearl_benchmark/made_up.txt")
    kept.parent.mkdir(parents=True)
    kept.write_text("x")
    assert find("pearl_benchmark/made_up.txt") == kept


@pytest.mark.parametrize(
    ("file", "content", "problem"),
    [
        ("left.csv", "", "got an empty file"),
        ("left.csv", "id,name\n0,London\n", r"header should be \['id', 'title'\]"),
        ("right.csv", "id,title\n0\n", "row 1 has 1 fields, not 2"),
        ("right.csv", "id,title\n0,a\n0,b\n", "an id occurs twice"),
        ("left.csv", 'id,title\n0,"Lon', "not CSV in UTF-8"),
        ("gt.csv", "id_l,title_l,id_r,title_r\n9,Oslo,0,London (city)\n", "9 'Oslo'"),
        ("gt.csv", "id_l,title_l,id_r,title_r\n0,Oslo,0,London (city)\n", "0 'Oslo'"),
    ],
)
def test_a_damaged_file_is_named_with_what_is_wrong(data, file, content, problem):
    (data / "autofj" / "Cities" / file).write_text(content)
    with pytest.raises(DataDamagedError, match=rf"Cities/{file} is damaged: .*{problem}.*verify"):
        load_table("Cities")


def test_bytes_that_are_no_utf8_are_damage(data):
    (data / "autofj" / "Cities" / "left.csv").write_bytes(b"id,title\n0,Orl\xe9ans\n")
    with pytest.raises(DataDamagedError, match=r"left\.csv is damaged: it is not CSV in UTF-8"):
        load_table("Cities")


def test_the_committed_manifest_lists_the_fifty_tables():
    tables = {path.split("/")[1] for path in manifest() if path.startswith("autofj/")}
    assert len(tables) == 50
    assert all(len(value) == 64 for value in manifest().values())


@pytest.fixture
def made_manifest(data, tmp_path, monkeypatch):
    target = tmp_path / "manifest.json"
    files = sorted(path for path in data.rglob("*") if path.is_file())
    sums = {path.relative_to(data).as_posix(): sha256_of(path) for path in files}
    assert len(sums) == 6
    target.write_text(json.dumps({"sha256": sums}))
    monkeypatch.setattr(data_module, "MANIFEST_FILE", target)
    manifest.cache_clear()
    yield json.loads(target.read_text())["sha256"]
    manifest.cache_clear()


def test_the_manifest_holds_sha256_sums(made_manifest, data):
    content = (data / "autofj" / "Teams" / "gt.csv").read_bytes()
    assert made_manifest["autofj/Teams/gt.csv"] == hashlib.sha256(content).hexdigest()


def test_verify_tells_ok_changed_and_absent(made_manifest, data, capsys):
    (data / "autofj" / "Cities" / "left.csv").write_text("id,title\n")
    (data / "autofj" / "Teams" / "gt.csv").unlink()
    states = {state.path: state.state for state in verify(data, "autofj/")}
    assert states["autofj/Cities/left.csv"] == "changed"
    assert states["autofj/Teams/gt.csv"] == "absent"
    assert states["autofj/Teams/left.csv"] == "ok"
    assert data_command(["verify"]) == 1
    printed = capsys.readouterr().out
    assert "changed autofj/Cities/left.csv\nabsent  autofj/Teams/gt.csv" in printed
    assert "4 ok, 1 changed, 1 absent" in printed


def test_verify_of_a_folder_that_lacks_files_is_no_failure(made_manifest, data):
    (data / "autofj" / "Teams" / "gt.csv").unlink()
    assert data_command(["verify", "--folder", str(data)]) == 0


def test_the_command_says_where_it_sought_the_data(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "nowhere"))
    assert run_command("data", ["verify"]) == 1
    assert str(tmp_path / "nowhere") in capsys.readouterr().err


def test_fetching_an_unknown_set_names_the_known_ones(tmp_path, capsys):
    assert run_command("data", ["fetch", "twitter", "--folder", str(tmp_path)]) == 1
    assert "Got 'twitter'. Hint: one of autofj, pearl_benchmark" in capsys.readouterr().err


def test_the_tables_are_unpacked_from_a_wheel(tmp_path):
    wheel = tmp_path / "autofj-0.0.6-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("autofj/benchmark/Cities/left.csv", "id,title\n0,London\n")
        archive.writestr("autofj/benchmark/.DS_Store", "x")
        archive.writestr("autofj/datasets.py", "x")
    assert unpack_autofj(wheel, tmp_path / "data") == 1
    files = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert files == [tmp_path / "data" / "autofj" / "Cities" / "left.csv"]
    assert files[0].read_text() == "id,title\n0,London\n"
