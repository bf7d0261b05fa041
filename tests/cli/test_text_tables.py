"""CSV as others write it: delimiters, encodings, compression, pipes, formulas."""

import bz2
import datetime as dt
import gzip
import io
import lzma
import sys
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import pearljoin as pj
from pearljoin._cli.csv_tables import escape_formulas
from pearljoin._cli.files import Format, format_of, read_table, write_table

TABLE = pl.DataFrame({"name": ["Zürich", None, 'a "b"; c|d\te'], "count": [1, -20, None]})
COMPRESSED = {".gz": gzip, ".bz2": bz2, ".xz": lzma}
FIXED = ("--threshold", "1")


# Compressed files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("compression", COMPRESSED)
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".jsonl", ".arrow"])
def test_compressed_files_are_read_and_written(
    suffix: str, compression: str, tmp_path: Path
) -> None:
    path = tmp_path / f"table{suffix}{compression.upper()}"
    write_table(TABLE, path, format_of(path))
    plain = tmp_path / f"table{suffix}"
    plain.write_bytes(COMPRESSED[compression].decompress(path.read_bytes()))
    assert_frame_equal(read_table(plain), TABLE)
    assert_frame_equal(read_table(path), TABLE)


def test_equal_tables_give_equal_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / "a.csv.gz", tmp_path / "b.csv.gz"]
    for seconds, path in zip((1e9, 2e9), paths, strict=True):
        monkeypatch.setattr("time.time", lambda seconds=seconds: seconds)
        write_table(TABLE, path, format_of(path))
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("compression", COMPRESSED)
@pytest.mark.parametrize("damage", ["cut", "text"])
def test_damaged_compression_is_told(compression: str, damage: str, tmp_path: Path) -> None:
    path = tmp_path / f"table.csv{compression}"
    whole = COMPRESSED[compression].compress(b"name\nx\n" * 100)
    path.write_bytes(whole[: len(whole) // 2] if damage == "cut" else b"name\nx\n")
    with pytest.raises(pj.InputError, match=rf"' cannot be decompressed as {compression}: \w"):
        read_table(path)


def test_a_compression_alone_is_no_format(tmp_path: Path) -> None:
    with pytest.raises(pj.InputError, match=r"Got '.gz'. Hint: .*; .gz, .bz2, .xz may follow it"):
        format_of(tmp_path / "table.gz")


def test_a_command_on_compressed_files(run) -> None:
    Path("names.csv.gz").write_bytes(gzip.compress(b"name\nABBA\nabba\n"))
    done = run("dedupe", "names.csv.gz", "--on", "name", *FIXED, "--out", "out.tsv.xz", "-q")
    assert done == (0, "", "")
    wanted = b"name\tcluster\tcanonical\nABBA\t0\tABBA\nabba\t0\tABBA\n"
    assert lzma.decompress(Path("out.tsv.xz").read_bytes()) == wanted
    assert sorted(path.name for path in Path().iterdir()) == ["names.csv.gz", "out.tsv.xz"]


# Pipes --------------------------------------------------------------------------------------------


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch):
    """Put bytes on standard input."""

    def put(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


def test_a_table_from_standard_input(run, pipe) -> None:
    Path("right.csv").write_text("name,n\nabba,4\n")
    pipe(b"name\nABBA\nnobody\n")
    done = run("join", "-", "right.csv", "--on", "name", *FIXED, "--out", "-")
    assert done == (
        0,
        "name,name_right,n,match_score\nABBA,abba,4,1.0\nnobody,,,\n",
        "pearljoin: joined on name (text); matched 1 of 2 left rows at threshold 1"
        "; an estimated 100 % of these are right; 2 rows to "
        "standard output\n",
    )
    pipe(b"name\nABBA\n")
    assert run("join", "right.csv", "-", "--on", "name", *FIXED, "-q").out == (
        "name,n,name_right,match_score\nabba,4,ABBA,1.0\n"
    )
    pipe("größe;x\nZürich;1\n".encode("cp1252"))
    done = run("dedupe", "-", *FIXED, "--encoding", "cp1252", "--delimiter", ";", "-q")
    assert done == (0, "größe;x;cluster;canonical_größe;canonical_x\nZürich;1;0;Zürich;1\n", "")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "Standard input is empty. Hint: a table has at least its column names."),
        (b"a,a\n1,2\n", "Standard input has several columns of one name. Got 'a' more than once"),
        (b"a\n\xe9\n", "Standard input is not utf-8 text. Got byte 0xe9 in line 2."),
        (
            "a\n1\n".encode("utf-16"),
            "Standard input is not utf-8 text. Got byte 0xff in line 1. Hint: name the file's "
            "encoding, such as --encoding utf-16.",
        ),
    ],
)
def test_bad_standard_input_is_told(data: bytes, message: str, refused, pipe) -> None:
    pipe(data)
    assert refused("dedupe", "-").startswith(message)


def test_no_standard_input(refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert refused("dedupe", "-").startswith("Standard input is empty.")


def test_a_file_called_minus_is_a_file_by_its_path(run, pipe) -> None:
    pipe(b"name\nfrom the pipe\n")
    Path("-.csv").write_text("name\nfrom the file\n")
    assert "from the file" in run("dedupe", "./-.csv", *FIXED).out


# Delimiters and encodings -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "separator"), [(";", ";"), ("|", "|"), ("tab", "\t"), (r"\t", "\t"), (" ", " ")]
)
def test_delimiters_in_and_out(given: str, separator: str, run) -> None:
    Path("names.csv").write_text(separator.join(["name", "x"]) + f'\n"A{separator}B"{separator}1\n')
    done = run("dedupe", "names.csv", "--on", "name", "--delimiter", given, *FIXED, "-q")
    assert done.out == "\n".join(
        [
            separator.join(["name", "x", "cluster", "canonical"]),
            separator.join([f'"A{separator}B"', "1", "0", f'"A{separator}B"']) + "\n",
        ]
    )


def test_each_table_has_its_delimiter_and_encoding(run) -> None:
    Path("left.csv").write_text("größe;x\nZürich;1\n", encoding="cp1252")
    Path("right.csv").write_text("größe|y\nZÜRICH|2\n", encoding="utf-16")
    words = ("join", "left.csv", "right.csv", "--on", "größe", *FIXED, "-q", "--out", "out.csv")
    both = ("--delimiter", ";", "--delimiter", "|", "--encoding", "cp1252", "--encoding", "utf-16")
    assert run(*words, *both) == (0, "", "")
    wanted = "größe;x;größe_right;y;match_score\nZürich;1;ZÜRICH;2;1.0\n"
    assert Path("out.csv").read_text(encoding="utf-8") == wanted
    # One is for both.
    Path("right.csv").write_text("größe;y\nZÜRICH;2\n", encoding="cp1252")
    assert run(*words, "--delimiter", ";", "--encoding", "cp1252") == (0, "", "")
    assert Path("out.csv").read_text(encoding="utf-8") == wanted


@pytest.mark.parametrize(
    ("left", "right", "odd", "options"),
    [
        ("cp1252", "utf-8", "left", "--encoding cp1252 --encoding utf-8"),
        ("utf-8", "cp1252", "right", "--encoding utf-8 --encoding cp1252"),
    ],
)
def test_an_encoding_is_given_for_one_of_two_files(left, right, odd, options, run) -> None:
    Path("left.csv").write_text("größe\nZürich\n", encoding=left)
    Path("right.csv").write_text("größe\nZÜRICH\n", encoding=right)
    words = ("join", "left.csv", "right.csv", "--on", "größe", *FIXED, "-q", "--out", "out.csv")
    done = run(*words)
    assert done.code == 1
    assert f"'{odd}.csv' is not utf-8 text" in done.err
    assert f"such as {options} (left's, right's)." in done.err
    assert run(*words, *options.split()) == (0, "", "")


def test_lines_may_end_as_on_an_old_mac(run) -> None:
    Path("left.csv").write_bytes(b"name,n\rABBA,1\rnobody,2\r")
    Path("right.csv").write_bytes(b"name\nabba\n")
    done = run("join", "left.csv", "right.csv", "--on", "name", *FIXED, "-q")
    assert done == (
        0,
        "name,n,name_right,match_score\nABBA,1,abba,1.0\nnobody,2,,\n",
        "",
    )


@pytest.mark.parametrize("line", [b"sep=;\r\n", b"\xef\xbb\xbfsep=;\n"])
def test_a_first_line_that_names_the_separator_is_no_row(run, line: bytes) -> None:
    Path("left.csv").write_bytes(line + b"name;n\nABBA;1\n")
    Path("right.csv").write_bytes(b"name\nabba\n")
    words = ("join", "left.csv", "right.csv", "--on", "name", *FIXED)
    given = ("--delimiter", ";", "--delimiter", ",")
    expected = (0, "name,n,name_right,match_score\nABBA,1,abba,1.0\n", "")
    assert run(*words, "-q") == expected
    assert run(*words, "-q", *given).code == 0


def test_utf8_that_is_read_as_another_encoding_is_warned_of(run) -> None:
    Path("left.csv").write_text("name\nBäckerei\n", encoding="utf-8")
    Path("right.csv").write_text("name\nBäckerei\n", encoding="latin-1")
    words = ("join", "left.csv", "right.csv", "--on", "name", *FIXED, "-q", "--out", "out.csv")
    done = run(*words, "--encoding", "latin-1")
    assert done.code == 0
    assert "'left.csv' is read as latin-1, and its bytes are UTF-8 text." in done.err
    assert "Got 'BÃ¤ckerei' for 'Bäckerei'." in done.err
    assert "--encoding utf-8 --encoding latin-1 (left's, right's)." in done.err
    assert "right.csv" not in done.err
    Path("left.csv").write_text("name\nBackerei €\n", encoding="utf-8")
    assert "for '€'" in run(*words, "--encoding", "latin-1").err
    Path("left.csv").write_text("name\nBackerei\n", encoding="utf-8")
    assert run(*words, "--encoding", "latin-1").err == ""


def test_a_delimiter_is_of_csv_alone(run) -> None:
    Path("names.tsv").write_text("name\tx\nA;B\t1\n")
    done = run("dedupe", "names.tsv", "--on", "name", "--delimiter", ";", *FIXED, "-o", "out.tsv")
    assert done.code == 0
    assert Path("out.tsv").read_text() == "name\tx\tcluster\tcanonical\nA;B\t1\t0\tA;B\n"


@pytest.mark.parametrize(("separator", "shown"), [(";", "';'"), ("\t", "tab"), ("|", "'|'")])
def test_a_delimiter_is_recognised(separator: str, shown: str, run) -> None:
    lines = [["name", "price"], ["A B", "1,50"], [f'"C{separator}D"', "2,5"]]
    Path("names.csv").write_text("\n".join(map(separator.join, lines)) + "\n")
    done = run("dedupe", "names.csv", "--on", "name", *FIXED, "-q")
    third = f"C{separator}D"
    assert done.out == (
        f'name,price,cluster,canonical\nA B,"1,50",0,A B\n{third},"2,5",1,{third}\n'
    )
    assert done.err == (
        "pearljoin: warning: 'names.csv' is read with another delimiter than ','. Got "
        f"{shown} in each line. Hint: --delimiter {shown} says so, and is for the output, too.\n"
    )


@pytest.mark.filterwarnings("ignore:.*has one column")
@pytest.mark.parametrize(
    "text", ["a;b,c;d\n1;2,3;4\n", "a;b\nA;B\nC\n", "a;b\n", '"a,b;c"\nx\n', "name\nA;B\n"]
)
def test_commas_part_the_cells_of_what_others_do_not_in_each_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("names.csv").write_text(text)
    assert read_table(Path("names.csv")).columns == pl.read_csv("names.csv").columns


def test_a_long_file_is_looked_at_in_its_first_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("names.csv").write_text("name;x\n" + "Acme Corporation;1\n" * 10_000 + "Globex;2;3\n")
    is_told = pytest.raises(pj.InputError, match="line 10002, whose first cell is 'Globex'")
    with pytest.warns(pj.PearljoinWarning, match="Got ';' in each line"), is_told:
        read_table(Path("names.csv"))


@pytest.mark.parametrize("given", ["", ";;", '"', "\n", "é"])
def test_bad_delimiters(given: str, refused) -> None:
    message = refused("dedupe", "names.csv", "--delimiter", given, code=2)
    assert message == (
        f"--delimiter takes one character, such as ';' or '|', or tab. Got {given!r}."
    )


@pytest.mark.parametrize(
    ("columns", "given", "option"),
    [
        ("name;x", ",", "';'"),
        ("name\tx", ",", "tab"),
        ("name|x", ",", "'|'"),
        ("name,x", ";", "','"),
    ],
)
def test_one_column_that_looks_like_several_is_warned_of(
    columns: str, given: str, option: str, run
) -> None:
    Path("names.csv").write_text(f"{columns}\nA B\n")
    assert run("dedupe", "names.csv", *FIXED, "-q", "--delimiter", given).err == (
        f"pearljoin: warning: 'names.csv' has one column. Got {columns!r}. Hint: --delimiter "
        f"{option}, if that parts its cells.\n"
    )


def test_one_column_is_no_matter_of_delimiters(run) -> None:
    Path("names.tsv").write_text("name,x\nA B\n")  # of TSV there is no other
    assert run("dedupe", "names.tsv", *FIXED, "-q").err == ""
    Path("names.csv").write_text('name\n"A;B"\n')
    assert run("dedupe", "names.csv", *FIXED, "-q").err == ""
    Path("names.csv").write_text('"name;s",x\nA,1\n')
    assert run("dedupe", "names.csv", "--on", "name;s", *FIXED, "-q").err == ""


def test_no_more_delimiters_than_tables(refused) -> None:
    words = ("--delimiter", ";") * 3
    assert refused("join", "a.csv", "b.csv", *words, code=2) == (
        "--delimiter is given at most once a table. Got it 3 times."
    )


# Formulas -----------------------------------------------------------------------------------------

HOSTILE = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"]
HARMLESS = ["a=1", "'=1", " 1", "1-2", "", None, "Zürich"]


def test_text_that_may_be_a_formula_is_escaped() -> None:
    cells = [*HOSTILE, *HARMLESS]
    escaped = [*(f"'{cell}" for cell in HOSTILE), *HARMLESS]
    table = pl.DataFrame(
        {
            "text": cells,
            "=category": pl.Series(cells, dtype=pl.Categorical),
            "number": [-1] * len(cells),
            "share": [-0.5] * len(cells),
            "day": [dt.date(2024, 2, 29)] * len(cells),
        }
    )
    found = escape_formulas(table)
    assert found.columns == ["text", "'=category", "number", "share", "day"]
    assert found["text"].to_list() == found["'=category"].to_list() == escaped
    assert_frame_equal(found.select("number", "share", "day"), table.select(pl.nth(2, 3, 4)))
    assert_frame_equal(escape_formulas(found), found)


def test_formulas_are_escaped_when_asked_for(run) -> None:
    Path("names.csv").write_text("name,n\n=1+1,-5\nABBA,-6\n")
    words = ("dedupe", "names.csv", "--on", "name", *FIXED, "-q")
    assert run(*words).out == "name,n,cluster,canonical\n=1+1,-5,0,=1+1\nABBA,-6,1,ABBA\n"
    escaped = "name,n,cluster,canonical\n'=1+1,-5,0,'=1+1\nABBA,-6,1,ABBA\n"
    assert run(*words, "--escape-formulas").out == escaped
    assert run(*words, "--escape-formulas", "--out", "out.csv").code == 0
    assert Path("out.csv").read_text() == escaped
    assert run(*words, "--escape-formulas", "--out", "out.tsv").code == 0
    assert Path("out.tsv").read_text() == escaped.replace(",", "\t")


def test_two_names_that_become_one_are_told() -> None:
    table = pl.DataFrame({"=a": [1], "'=a": [2]})
    with pytest.raises(pj.InputError, match=r"cannot be written as csv: .*'=a"):
        write_table(table, None, Format("csv"), True)


def test_other_formats_have_no_formulas(refused) -> None:
    words = ("dedupe", "names.csv", "--escape-formulas", "--out", "out.parquet")
    assert refused(*words, code=2).startswith(
        "--escape-formulas is for CSV and TSV. Got --out 'out"
    )


def test_a_line_of_more_cells_says_which_delimiter_may_part_them(refused) -> None:
    Path("names.csv").write_text("name;price\nAcme;1,50\n")
    words = ("dedupe", "names.csv", "--on", "name", "--delimiter", ",")
    assert refused(*words, code=1) == (
        "'names.csv' has a line with more cells than the first line, which has 1. Got line 2, "
        "whose first cell is 'Acme;1'. Hint: --delimiter ';', if that parts its cells."
    )
    Path("names.csv").write_text("name,city\nAcme, Inc.,Rome\n")
    assert refused("dedupe", "names.csv", "--on", "name", code=1).endswith(
        "Got line 2, whose first cell is 'Acme'. Hint: quote cells that hold ','."
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name,x\nfoo,1\nb,2,3\n", "line 3, whose first cell is 'b'"),
        ('name,x\n"two\nlines",1\n\n"a,b",2,3\n', "line 5, whose first cell is 'a,b'"),
        ("\ufeffname,x\r\nfoo,1\r\n,2,3\r\n", "line 3, whose first cell is ''"),
        (f'name,x\n"{"long " * 40_000}",1\nb,2,3', "line 3, whose first cell is 'b'"),
    ],
)
def test_the_line_of_more_cells_is_named(text: str, told: str, refused) -> None:
    Path("names.csv").write_text(text, encoding="utf-8", newline="")
    message = refused("dedupe", "names.csv", "--on", "name", code=1)
    assert f"which has 2. Got {told}. Hint: quote" in message
