"""Reading and writing tables, told apart by suffix."""

import datetime as dt
import io
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import pearljoin as pj
from pearljoin._cli.files import format_of, read_table, write_table

TABLE = pl.DataFrame(
    {
        "name": ["Zürich", None, 'a "quoted", cell\nwith a line break', ""],
        "count": [1, -20, None, 0],
        "share": [0.5, 1e22, -3.0, None],
        "open": [True, None, False, True],
        "since": [dt.date(2024, 2, 29), None, dt.date(1900, 1, 1), dt.date(9999, 12, 31)],
    }
)
SUFFIXES = [".csv", ".tsv", ".parquet", ".pq", ".jsonl", ".ndjson", ".arrow", ".ipc", ".feather"]


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".CSV"])
def test_what_is_written_is_read_back(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"table{suffix}"
    write_table(TABLE, path, format_of(path))
    found = read_table(path)
    if format_of(path).kind == "json lines":  # has no dates
        found = found.with_columns(pl.col("since").str.to_date())
    assert_frame_equal(found, TABLE)


def test_arrow_streams_are_read(tmp_path: Path) -> None:
    path = tmp_path / "table.arrow"
    TABLE.write_ipc_stream(path)
    assert_frame_equal(read_table(path), TABLE)


def test_formats_are_what_their_suffix_says(tmp_path: Path) -> None:
    table = pl.DataFrame({"a": ["x"], "b": [1]})
    starts = {".csv": b"a,b\nx,1\n", ".tsv": b"a\tb\nx\t1\n", ".jsonl": b'{"a":"x","b":1}\n',
              ".parquet": b"PAR1", ".arrow": b"ARROW1"}  # fmt: skip
    for suffix, start in starts.items():
        path = tmp_path / f"table{suffix}"
        write_table(table, path, format_of(path))
        assert path.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1", "20", ""], [1, 20, None]),
        (["-5", "0"], [-5, 0]),
        (["007", "12"], ["007", "12"]),
        (["+1", "2"], ["+1", "2"]),
        (["12345678901234567890"], ["12345678901234567890"]),
        (["1.5", "-2.25"], [1.5, -2.25]),
        (["1.50", "2.25"], ["1.50", "2.25"]),
        (["1.1", "1.10"], ["1.1", "1.10"]),
        (["1", "1.5"], ["1", "1.5"]),
        (["NaN", "inf"], ["NaN", "inf"]),
        (["true", "false"], [True, False]),
        (["True", "no"], ["True", "no"]),
        (["2024-02-29"], [dt.date(2024, 2, 29)]),
        (["2024-02-30"], ["2024-02-30"]),
        (["2024-2-3"], ["2024-2-3"]),
        ([" x ", "NA", "null"], [" x ", "NA", "null"]),
        (["", ""], [None, None]),
    ],
)
def test_csv_cells_change_only_where_they_are_written_the_same(
    cells: list[str], values: list[object], tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    path.write_text("".join(f"{cell},x\n" for cell in ["column", *cells]))
    found = read_table(path)
    assert found["column"].to_list() == values
    written = tmp_path / "again.csv"
    write_table(found, written)
    assert written.read_text() == path.read_text()
    assert read_table(path, text=["column"])["column"].to_list() == [cell or None for cell in cells]


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16", "utf-8-sig", "UTF_8"])
def test_other_encodings_are_read(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("größe\nZürich\n", encoding=encoding)
    assert read_table(path, encoding=encoding).to_dict(as_series=False) == {"größe": ["Zürich"]}


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(b"\xef\xbb\xbfname\nx\n")
    assert read_table(path).columns == ["name"]


def test_a_header_alone_is_an_empty_table(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("name,city\n")
    assert read_table(path).shape == (0, 2)


def parquet() -> bytes:
    data = io.BytesIO()
    TABLE.write_parquet(data)
    return data.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.csv", b"", "'.*empty.csv' is empty. Hint: a table has at least its column names"),
        ("empty.parquet", b"", "is empty"),
        ("blank.csv", b"\n\n", "cannot be read as csv: empty CSV"),
        (
            "long.csv",
            b"a,b\n1,2,3\n",
            "has a line with more cells than the first line, which has 2",
        ),
        ("open.csv", b'a,b\n"1,2\n3,4\n', "cannot be read as csv: could not parse"),
        ("twice.csv", b"a,b,a\n1,2,3\n", "several columns of one name. Got 'a' more than once"),
        ("latin.csv", b"a,b\n1,2\n3,\xe9\n", "not utf-8 text. Got byte 0xe9 in line 3. Hint: name"),
        ("wide.csv", "a\n1\n".encode("utf-16"), "is not utf-8 text. Got byte 0xff in line 1"),
        ("cut.parquet", parquet()[:-20], "cannot be read as parquet: "),
        ("text.parquet", b"name\nx\n", "cannot be read as parquet: "),
        ("mixed.parquet", parquet()[:4] + bytes(200) + parquet()[204:], "cannot be read as parq"),
        ("cut.jsonl", b'{"a": 1}\n{"a":', "cannot be read as json lines: "),
        ("list.jsonl", b"[1, 2]\n", "cannot be read as json lines: "),
        ("text.arrow", b"name\nx\n", "cannot be read as arrow: "),
        ("cut.arrow", b"ARROW1\0\0xx", "cannot be read as arrow: "),
        ("table.xls", b"PK", r"names no format. Got '.xls'. Hint: one of .csv, .tsv, "),
        ("table", b"x", "names no format. Got ''"),
    ],
)
def test_unreadable_files(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(pj.InputError, match=message) as caught:
        read_table(path)
    assert "\n" not in str(caught.value)


def test_missing_files_name_those_near(tmp_path: Path) -> None:
    (tmp_path / "official.csv").write_text("a\n1\n")
    with pytest.raises(pj.InputError, match=r"no file .* Hint: did you mean 'official.csv'\?"):
        read_table(tmp_path / "official1.csv")
    with pytest.raises(pj.InputError, match=r"no file .* Hint: check the path"):
        read_table(tmp_path / "nowhere" / "x.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(pj.InputError, match=r"A table is a file\. Got the folder "):
        read_table(tmp_path / "folder.csv")


def test_an_unknown_encoding(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a\n1\n")
    with pytest.raises(pj.InputError, match="no text encoding 'utf-9'"):
        read_table(path, encoding="utf-9")


def test_lists_do_not_fit_in_csv(tmp_path: Path) -> None:
    table = pl.DataFrame({"a": [[1]]})
    with pytest.raises(pj.InputError, match=r"cannot be written as csv: .*nested"):
        write_table(table, tmp_path / "out.csv")


def test_damage_that_makes_polars_panic_is_an_error_and_prints_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = io.BytesIO()
    pl.DataFrame({"name": ["x", "y"]}).write_ipc(data)
    path = tmp_path / "table.arrow"
    footer = len(data.getvalue()) - 150
    refused = 0
    for place in range(footer, footer + 100, 3):
        damaged = bytearray(data.getvalue())
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        try:
            read_table(path)
        except pj.InputError as error:
            refused += "cannot be read as arrow: " in str(error)
    assert refused > 5
    assert capfd.readouterr() == ("", "")
