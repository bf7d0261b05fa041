"""The commands: what they write, and what they refuse."""

import re
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from invoices import invoices, merge_related_rows

import pearljoin as pj
from pearljoin._cli import commands, info
from pearljoin._encoders.load import DEFAULT

LEFT = {
    "name": ["The Beatles", "ABBA", None, "Kraftwerk", "007"],
    "city": ["Liverpool", "Stockholm", "Rome", "Paris", "London"],
    "code": ["01", "02", "03", "04", "05"],
}
RIGHT = {
    "name": ["abba", "the beatles", "kraftwerk", "Miles Davis", "007"],
    "city": ["Stockholm", "Liverpool", "Düsseldorf", "Alton", "London"],
    "members": [4, 4, 4, 1, 1],
}
FIXED = ("--threshold", "1")  # equal after normalisation: whatever the model says


@pytest.fixture(autouse=True)
def _tables(tmp_path: Path) -> None:
    pl.DataFrame(LEFT).write_csv(tmp_path / "left.csv")
    pl.DataFrame(RIGHT).write_parquet(tmp_path / "right.parquet")


def test_join_to_a_file(run, tmp_path: Path) -> None:
    done = run(
        "join", "left.csv", "right.parquet", "--on", "name", "--how", "inner",
        "--out", "matched.parquet", *FIXED,
    )  # fmt: skip
    assert (done.code, done.out) == (0, "")
    assert done.err == (
        "pearljoin: joined on name (text); matched 4 of 5 left rows at threshold 1"
        "; an estimated 100 % of these are right; "
        "4 rows to matched.parquet\n"
    )
    assert pl.read_parquet(tmp_path / "matched.parquet").to_dict(as_series=False) == {
        "name": ["The Beatles", "ABBA", "Kraftwerk", "007"],
        "city": ["Liverpool", "Stockholm", "Paris", "London"],
        "code": ["01", "02", "04", "05"],
        "name_right": ["the beatles", "abba", "kraftwerk", "007"],
        "city_right": ["Liverpool", "Stockholm", "Düsseldorf", "London"],
        "members": [4, 4, 4, 1],
        "match_score": [1.0, 1.0, 1.0, 1.0],
    }
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "left.csv", "matched.parquet", "right.parquet",
    ]  # fmt: skip


def test_join_to_standard_output(run) -> None:
    done = run(
        "join", "left.csv", "right.parquet", "--left-on", "name", "--right-on", "name", "--by",
        "city", "--suffix", "_l", "--suffix", "_r", "--no-score", *FIXED,
    )  # fmt: skip
    assert done.out == (
        "name_l,city,code,name_r,members\n"
        "The Beatles,Liverpool,01,the beatles,4\n"
        "ABBA,Stockholm,02,abba,4\n"
        ",Rome,03,,\n"
        "Kraftwerk,Paris,04,,\n"
        "007,London,05,007,1\n"
    )
    assert done.err.endswith(
        "matched 3 of 5 left rows at threshold 1"
        "; an estimated 100 % of these are right; 5 rows to standard output\n"
    )


def test_a_conflict_in_a_veto_column_forbids(run) -> None:
    command = ("join", "left.csv", "right.parquet", "--on", "name", "--how", "inner", *FIXED)
    done = run(*command, "--veto", "city")
    assert done.out == (
        "name,city,code,name_right,city_right,members,match_score\n"
        "The Beatles,Liverpool,01,the beatles,Liverpool,4,1.0\n"
        "ABBA,Stockholm,02,abba,Stockholm,4,1.0\n"
        "007,London,05,007,London,1,1.0\n"
    )
    refused = run(*command, "--veto", "code")
    assert refused.code == 1
    assert "no column 'code', named in --veto" in refused.err


@pytest.mark.parametrize(
    ("how", "rows"),
    [("left", 5), ("right", 5), ("full", 6), ("outer", 6), ("semi", 4), ("anti", 1)],
)
def test_every_kind_of_join(how: str, rows: int, run) -> None:
    done = run("join", "left.csv", "right.parquet", "--on", "name", "--how", how, *FIXED)
    left, right = pl.DataFrame(LEFT), pl.DataFrame(RIGHT)
    wanted = pj.fuzzy_join(left, right, on="name", how=how, threshold=1)
    assert len(wanted) == rows
    assert done.out == wanted.write_csv()


def test_a_guess_is_printed(run) -> None:
    Path("names.csv").write_text("name,country\n" + "".join(f"Firm {n},Chad\n" for n in range(12)))
    Path("legal.csv").write_text("title,country\n" + "".join(f"FIRM {n},Chad\n" for n in range(12)))
    done = run("join", "names.csv", "legal.csv", *FIXED, "--out", "out.csv")
    assert done == (
        0,
        "",
        "pearljoin: joined on name = title (text), country (not compared: one value on both "
        "sides), guessed; matched 12 of 12 left rows at threshold 1; an estimated 100 % of these "
        "are right; 12 rows to out.csv\n",
    )
    done = run("dedupe", "names.csv", *FIXED, "--out", "out.csv")
    assert done.err == (
        "pearljoin: compared name, country, guessed; 12 rows name 12 things at threshold 1; 12 "
        "rows to out.csv\n"
    )


def test_join_passes_its_options_on(run) -> None:
    options = {
        "precision": 0.8, "constraint": "m:m", "k": 2, "score": "s", "batch_size": 3,
        "nulls_equal": True, "suffix": "_x", "threshold": 0.1,
    }  # fmt: skip
    done = run(
        "join", "left.csv", "right.parquet", "--on", "name", "--on", "city", "--precision", "0.8",
        "--constraint", "m:m", "-k", "2", "--score", "s", "--batch-size", "3", "--nulls-equal",
        "--suffix", "_x", "--threshold", "0.1", "--weight", "3", "--weight", "1",
    )  # fmt: skip
    left, right = pl.DataFrame(LEFT), pl.DataFrame(RIGHT)
    wanted = pj.fuzzy_join(left, right, on=["name", "city"], weights=[3, 1], **options)
    assert done.out == wanted.write_csv()
    assert "s" in wanted.columns
    assert len(wanted) > 5


def test_join_judges_the_threshold_itself(run) -> None:
    done = run("join", "left.csv", "right.parquet", "--on", "name")
    left, right = pl.DataFrame(LEFT), pl.DataFrame(RIGHT)
    threshold = pj.match(left, right, on="name").threshold
    assert f"matched 4 of 5 left rows at threshold {threshold:.4g};" in done.err
    assert done.out == pj.fuzzy_join(left, right, on="name").write_csv()


def test_a_lone_csv_key_is_text_whatever_it_looks_like(run, tmp_path: Path) -> None:
    (tmp_path / "years.csv").write_text("film,n\n1984,1\n2001,2\n")
    (tmp_path / "films.csv").write_text("film,id\n1985,10\n02001,11\n2001,12\n")
    done = run("join", "years.csv", "films.csv", "--on", "film", "--how", "inner", *FIXED)
    assert done.out == "film,n,film_right,id,match_score\n2001,2,2001,12,1.0\n"


def test_dedupe_writes_golden_records_and_pairs(run) -> None:
    rows = "name,n\nUniv. of Oxford,1\nMIT,2\nUniversity of Oxford,5\n"
    Path("schools.csv").write_text(rows, encoding="utf-8")
    Path("rules.toml").write_text("name = 'longest'\nn = 'median'\n", encoding="utf-8")
    words = ("dedupe", "schools.csv", "--on", "name", "--precision", "0.8")
    done = run(*words, "--golden", "rules.toml", "--pairs", "pairs.csv", "--out", "golden.csv")
    said = (
        r"pearljoin: 3 rows name 2 things at threshold 0\.\d+; "
        r"an estimated \d+ % of the pairs are right; 2 rows to golden.csv\n"
    )
    assert re.fullmatch(said, done.err)
    assert Path("golden.csv").read_text(encoding="utf-8").splitlines() == [
        "cluster,n_rows,name,n",
        "0,2,University of Oxford,3.0",
        "1,1,MIT,2.0",
    ]
    pair = Path("pairs.csv").read_text(encoding="utf-8").splitlines()[1].split(",")
    assert pair[:4] == ["0", "2", "Univ. of Oxford", "University of Oxford"]
    single = run(*words, "--max-size", "1", "--quiet").out.splitlines()[1:]
    assert [line.split(",")[2] for line in single] == ["0", "1", "2"]


def test_dedupe(run) -> None:
    Path("names.tsv").write_text("name\tx\nLe Monde\t1\nABBA\t2\nle monde\t3\nLe Monde\t4\n")
    done = run("dedupe", "names.tsv", "--on", "name", "--out", "out.jsonl")
    said = (
        r"pearljoin: 4 rows name 2 things at threshold 0\.\d+; "
        r"an estimated \d+ % of the pairs are right; 4 rows to out.jsonl\n"
    )
    assert (done.code, done.out) == (0, "")
    assert re.fullmatch(said, done.err)
    assert pl.read_ndjson("out.jsonl").to_dict(as_series=False) == {
        "name": ["Le Monde", "ABBA", "le monde", "Le Monde"],
        "x": [1, 2, 3, 4],
        "cluster": [0, 1, 0, 0],
        "canonical": ["Le Monde", "ABBA", "Le Monde", "Le Monde"],
    }
    renamed = run("dedupe", "names.tsv", "--cluster", "c", "--canonical", "d", "--by", "x", "-q")
    assert renamed.err == ""
    assert renamed.out.splitlines()[:2] == ["name,x,c,d", "Le Monde,1,0,Le Monde"]


def test_a_veto_column_keeps_duplicates_apart_and_is_not_guessed(run) -> None:
    Path("people.csv").write_text("name,town\nAnna,Oslo\nanna,Bern\nANNA,Oslo\n", encoding="utf-8")
    done = run("dedupe", "people.csv", "--veto", "town", "--canonical", "is", *FIXED)
    assert done.out.splitlines()[1:] == ["Anna,Oslo,0,Anna", "anna,Bern,1,anna", "ANNA,Oslo,0,Anna"]
    assert done.err.startswith("pearljoin: compared name, guessed; 3 rows name 2 things at ")


def test_a_column_that_may_tell_things_apart_is_told_in_options(run, monkeypatch) -> None:
    merge_related_rows(monkeypatch)
    pl.from_pandas(invoices()).write_csv("invoices.csv")
    on = ("--on", "supplier", "--on", "date", "--on", "account")
    done = run("dedupe", "invoices.csv", *on, "--threshold", "0.05", "--out", "out.csv")
    assert re.match(
        r"pearljoin: warning: .*'date' in \d+%.* --veto date keeps.* out of --on\.\n", done.err
    )
    told = run("dedupe", "invoices.csv", *on, "--veto", "date", "--out", "out.csv")
    assert "warning" not in told.err


def test_encode(run) -> None:
    done = run("encode", "left.csv", "--on", "name", "--out", "vectors.arrow")
    assert done.err == "pearljoin: encoded 'name' in 576 columns; 5 rows to vectors.arrow\n"
    found = pl.read_ipc("vectors.arrow")
    assert found.columns == [*LEFT, *(f"name_{i}" for i in range(576))]
    assert found.select(LEFT.keys()).to_dict(as_series=False) == LEFT
    vectors = found.drop(list(LEFT)).to_numpy()
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, pj.PhraseEncoder().fit_transform(LEFT["name"]))


def test_encode_in_fewer_columns(run) -> None:
    Path("one.csv").write_text("name,year\nLe Monde,1944\nDie Zeit,1946\nABBA,1972\n")
    done = run("encode", "one.csv", "--n-components", "2")
    table = pl.read_csv(done.out.encode())
    assert table.columns == ["name", "year", "name_0", "name_1"]
    wanted = pj.PhraseEncoder(n_components=2).fit_transform(["Le Monde", "Die Zeit", "ABBA"])
    np.testing.assert_allclose(table.select("name_0", "name_1").to_numpy(), wanted, atol=1e-5)


def test_warnings_are_one_line(run) -> None:
    done = run("encode", "left.csv", "--on", "name", "--n-components", "9", "--quiet")
    assert done.code == 0
    assert done.err.startswith("pearljoin: warning: There are fewer axes than asked for. Got --n-")
    assert done.err.count("\n") == 1


def test_info(run, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("info")
    lines = dict(line.rstrip().split("  ", 1) for line in done.out.splitlines())
    lines = {key: value.strip() for key, value in lines.items()}
    assert lines["version"] == pj.__version__
    assert lines[f"model {DEFAULT}"] == (
        "576 columns, licence Apache-2.0, sha256 of every file as recorded"
    )
    assert lines["extra cli"] == "installed"
    assert lines["devices"].startswith("cpu")
    assert done.code == 0


def test_info_finds_a_damaged_model(run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    name = DEFAULT
    shutil.copytree(info.MODELS / name, tmp_path / name)
    with (tmp_path / name / "tokenizer.json").open("ab") as file:
        file.write(b" ")
    monkeypatch.setattr(info, "MODELS", tmp_path)
    done = run("info")
    assert done.code == 1
    assert "unusable: " in done.out
    assert "tokenizer.json' is damaged or was changed" in done.out


def test_version(run) -> None:
    assert run("--version") == (0, f"pearljoin {pj.__version__}\n", "")


def test_warnings_name_options(run) -> None:
    Path("twice.csv").write_text("name\nABBA\nabba\nMiles Davis\n")
    done = run("join", "left.csv", "twice.csv", "--on", "name", *FIXED, "-q")
    assert done.err == (
        "pearljoin: warning: The reference has duplicates: 1 of 3 rows repeat the key of an "
        "earlier one, such as row 1 that of row 0. A match means the first. Hint: tell them apart "
        "by a --by or key column, or ask for --constraint many_to_many.\n"
    )


def test_help(run) -> None:
    assert run("--help").out == run().out
    assert "join" in run().out
    assert "--left-on" in run("join", "--help").out


JOIN = ("join", "left.csv", "right.parquet")
EVERY_BY = ("--by", "name", "--by", "city", "--by", "code")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*JOIN, "--on", "names"), "no column 'names'.*did you mean 'name'?"),
        ((*JOIN, "--on", "name", "--encoder", "pearl"), "no encoder called 'pearl'"),
        (
            (*JOIN, "--on", "name", "--score", "city"),
            "Got --score city, which is a column of the result. Hint: .*, or --no-score to leave",
        ),
        (
            (*JOIN, "--on", "name", "--suffix", "_x", "--suffix", "_x"),
            "with --suffix _x --suffix _x. Hint: .*, --suffix _left --suffix _right",
        ),
        (
            (*JOIN, "--left-on", "members", "--right-on", "name"),
            r"no column 'members', named in --left-on.*right table has it: did you mean "
            r"--right-on members\?$",
        ),
        (("dedupe", "right.parquet", "--on", "name", "--cluster", "city"), "columns .'city'. alr"),
        (
            ("encode", "right.parquet", "--on", "members"),
            "^encode takes text. Got a column of numbers, 'members'. Hint: turn it into text.$",
        ),
        ((*JOIN, "--on", "name", "--out", "no/out.csv"), "cannot be written. Got 'no/out.csv'"),
        (("join", "lef.csv", "right.parquet"), r"no file 'lef.csv'. Hint: did you mean 'left.csv'"),
        (("dedupe", "left.csv", "--on", "names"), "no column 'names'"),
        (("dedupe", "left.csv", *EVERY_BY), "Got 0 text columns.*Hint: name it with --on.$"),
        (("encode", "left.csv"), "not one text column but 3. Got columns 'name', 'city', 'code'"),
        (
            ("encode", "left.csv", "--on", "names"),
            "The table has no column 'names', named in --on. Got columns 'name', .*mean 'name'",
        ),
    ],
)
def test_bad_input_is_one_line_and_code_1(words, message: str, refused) -> None:
    found = refused(*words)
    assert re.search(message, found), found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("join", "left.csv"), "Missing argument .*Hint: pearljoin join --help"),
        (("joyn",), "No such command 'joyn'"),
        ((*JOIN, "--oops"), "No such option: --oops"),
        (
            (*JOIN, "--on", "name", "--how", "cross"),
            "^--how is not understood. Got 'cross'. Hint: one of 'left', 'inner', 'right', 'full', "
            "'outer', 'semi', 'anti'.$",
        ),
        ((*JOIN, "--on", "name", "--how", "outter"), r"'anti'; did you mean 'outer'\?$"),
        ((*JOIN, "--on", "name", "-k", "two"), "^-k takes a whole number above 0. Got 'two'.$"),
        ((*JOIN, "--on", "name", "--precision", "x"), "^--precision takes a number. Got 'x'.$"),
        ((*JOIN, "--on", "name", "--precision", "2"), "precision must be .* 0 to 1. Got 2.0"),
        ((*JOIN, "--on", "name", "--weight", "x"), "^--weight takes a number. Got 'x'.$"),
        ((*JOIN, "--on", "name", "--left-on", "name"), "^Both --on and --left-on are given"),
        ((*JOIN, "--left-on", "name"), "^--left-on is given without --right-on. Got --left-on na"),
        (
            (*JOIN, "--on", "name", "--left-by", "city"),
            "^--left-by is given without --right-by. Got --left-by city. Hint: give --right-by "
            "too, or --by for a name that both tables have.$",
        ),
        ((*JOIN, "--on", "name", "--on", "name"), "--on names a column twice"),
        (
            (*JOIN, "--left-on", "name", "--left-on", "city", "--right-on", "name"),
            "^--left-on and --right-on must name equally many columns. Got 2",
        ),
        ((*JOIN, "--on", "name", "--threshold", "2"), "threshold must be .* Got 2.0"),
        (
            (*JOIN, "--on", "name", "--threshold", "high"),
            "^--threshold is not understood. Got 'high'. Hint: a number from 0 to 1, or auto.$",
        ),
        ((*JOIN, "--on", "name", "--constraint", "1:n"), "^--constraint is not .* Got '1:n'"),
        (
            (*JOIN, "--on", "name", "-k", "2"),
            "^-k limits the matches of a left row, and under --constraint many_to_one there is at "
            "most one. Got -k 2. Hint: leave -k out, or set --constraint many_to_many.$",
        ),
        ((*JOIN, "--on", "name", "--device", "tpu"), "--device is not understood. Got 'tpu'"),
        ((*JOIN, "--on", "name", "--batch-size", "0"), "--batch-size takes a whole .* Got '0'"),
        ((*JOIN, "--on", "name", "--weight", "1", "--weight", "2"), "one number a key column"),
        (
            (*JOIN, "--on", "name", "--weight", "-1"),
            "^--weight must be 0 or more.* Hint: --weight 2 --weight 1 lets the first",
        ),
        (
            (*JOIN, "--on", "name", "--suffix", "a", "--suffix", "b", "--suffix", "c"),
            "^--suffix is given at most twice. Got it 3 times",
        ),
        ((*JOIN, "--on", "name", "--out", "out.xls"), "names no format. Got '.xls'"),
        (("join", "left.xls", "right.parquet"), "names no format. Got '.xls'"),
        ((*JOIN, "--on", "name", "--encoding", "utf-9"), "no text encoding 'utf-9'"),
        (
            ("dedupe", "left.parquet", "--golden", "longest"),
            "^--golden is not readable. .* Hint: it takes a TOML file with a rule for each column: "
            "in rules.toml, the two lines name = 'longest' and year = 'median', and then "
            "--golden rules.toml.$",
        ),
        (
            (*JOIN, "--left-on", "Account Name", "Billing City"),
            "Hint: give the option again for each column: --left-on 'Account Name' "
            "--left-on 'Billing City'.",
        ),
        (("dedupe", "left.csv", "--cluster", "c", "--canonical", "c"), "must differ. Got 'c' for"),
        (("encode", "left.csv", "--on", "name", "--n-components", "0"), "--n-components takes a"),
        (("encode", "left.csv", "--on", "name", "--device", "tpu"), "--device is not understood"),
    ],
)
def test_bad_usage_is_one_line_and_code_2(words, message: str, refused) -> None:
    found = refused(*words, code=2)
    assert re.search(message, found), found


def test_exit_codes_are_documented(run, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parents[2] / "docs" / "command-line.md"
    table = page.read_text(encoding="utf-8").partition("## Exit codes")[2]
    documented = {
        int(code)
        for code in re.findall(r"\d+", " ".join(re.findall(r"^\| ([\d, ]+) \|", table, re.M)))
    }
    join = (*JOIN, "--on", "name", *FIXED)
    found = {run(*join).code, run(*join, "--by", "zzz").code, run(*join, "--oops").code}
    help_text = " ".join(run("join", "--help").out.split())
    listed = help_text.partition("Exit codes: ")[2]
    assert {int(code) for code in re.findall(r"\b(\d+), ", listed)} == documented
    assert listed in " ".join(run("--help").out.split())
    monkeypatch.setattr(commands, "read_table", interrupt)
    found.add(run(*join).code)
    assert found == {0, 1, 2, 130}
    assert documented == {*found, 141, 143}  # the last two need a process of their own


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_full_disk_is_one_line_and_code_1(refused, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "out.csv")

    monkeypatch.setattr(commands, "write_table", full)
    found = refused(*JOIN, "--on", "name", *FIXED, "--out", "out.csv")
    assert found == "No space left on device: 'out.csv'."


def test_vectors_do_not_overwrite_columns(refused) -> None:
    Path("one.csv").write_text("name,name_3\nLe Monde,1\n")
    assert "already has columns of the vectors' names. Got 'name_3'" in refused(
        "encode", "one.csv", "--on", "name"
    )


def test_an_error_leaves_the_old_output(refused) -> None:
    Path("out.csv").write_text("old")
    refused("join", "left.csv", "right.parquet", "--on", "names", "--out", "out.csv")
    assert Path("out.csv").read_text() == "old"


def test_empty_tables_join(run) -> None:
    Path("none.csv").write_text("name,z\n")
    done = run("join", "none.csv", "right.parquet", "--on", "name")
    assert done.out == "name,z,name_right,city,members,match_score\n"
    done = run("join", "left.csv", "none.csv", "--on", "name", "--how", "anti", "-q")
    assert done.out == pl.DataFrame(LEFT).write_csv()
