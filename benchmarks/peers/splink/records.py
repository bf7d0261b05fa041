"""Splink 5 as someone new to it would write it from its tutorial, with DuckDB.

- Comparisons by kind of column (``benchmarks/records/generic.py``): names `NameComparison`; texts
  `JaroWinklerAtThresholds`, its default thresholds, with term frequencies; dates
  `DateOfBirthComparison` where the column's name says birth (``birth``, ``dob``), else
  `AbsoluteDateDifferenceAtThresholds` of 1 day, 1 week, 1 month; e-mails `EmailComparison`;
  numbers equal, within 1 % or within 10 %; two number columns ``lat…`` and ``lon…`` together
  `DistanceInKMAtThresholds` of 1, 10, 100; codes of more than four characters
  `LevenshteinAtThresholds` 1 and 2, other codes and categories `ExactMatch`, both with term
  frequencies.
- Blocking rules for predictions: those of ``generic.py``.
- Training, in this order: `estimate_probability_two_random_records_match`, recall 0.7, with
  rules of equality that admit close to no false positives, as its documentation asks: the column
  of most distinct values with each other one, and with further columns until at most a tenth of
  the rule's pairs would be expected if columns agreed independently;
  `estimate_u_using_random_sampling` of 1e6 pairs, seed 1;
  `estimate_parameters_using_expectation_maximisation` twice, blocked by the equality of each of
  the two columns of most distinct values. A step that Splink refuses is left out and noted.
  Sets of one column are not offered: EM cannot train the comparison of the column that it blocks
  by, and `predict` fails where no comparison is trained.
- Pairs at a match probability of at least 0.5, and of at least 0.95. One table: connected
  components of them (`cluster_pairwise_predictions_at_threshold`). Two tables that match one to
  one: `cluster_using_single_best_links`. Other two tables: the pairs.
- The best candidate of a row is its pair of highest match probability among those predicted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import duckdb
import pyarrow as pa
import splink.comparison_level_library as cll
import splink.comparison_library as cl
from splink import DuckDBAPI, Linker, SettingsCreator, block_on

PACKAGES = ("splink", "duckdb")
CUTS = (0.5, 0.95)
ONE_COLUMN = "with one column no comparison can be trained by EM"
Table = dict[str, list[str | None]]


def link(left: Table, right: Table, request: dict[str, Any]) -> dict[str, Any]:
    """Link two tables."""
    if len(left) == 1:
        return {str(cut): {"not_offered": ONE_COLUMN} for cut in CUTS}
    linker, notes = _train([left, right], request, "link_only")
    return answers_of_links(linker, request["constraint"], notes)


def dedupe(table: Table, request: dict[str, Any]) -> dict[str, Any]:
    """Deduplicate one table."""
    if len(table) == 1:
        return {str(cut): {"not_offered": ONE_COLUMN} for cut in CUTS}
    linker, notes = _train([table], request, "dedupe_only")
    predictions = linker.inference.predict()
    best = best_candidates(linker, predictions, both_sides=True)
    answers = {}
    for cut in CUTS:
        found = linker.clustering.cluster_pairwise_predictions_at_threshold(
            predictions, threshold_match_probability=cut
        )
        sql = f"select cluster_id from {found.physical_name} order by unique_id"
        clusters = [label for (label,) in rows_of(linker, sql)]
        answers[str(cut)] = {"clusters": clusters, "best": best, **notes}
    return answers


def answers_of_links(linker: Linker, constraint: str, notes: dict[str, str]) -> dict[str, Any]:
    """Predict, and return the pairs at each cut."""
    predictions = linker.inference.predict()
    best = best_candidates(linker, predictions, both_sides=False)
    answers = {}
    for cut in CUTS:
        if constraint == "one_to_one":
            found = linker.clustering.cluster_using_single_best_links(
                predictions,
                duplicate_free_datasets=["left_table", "right_table"],
                threshold_match_probability=cut,
            )
            name = found.physical_name
            sql = f"""select l.unique_id, r.unique_id from {name} l join {name} r
                using (cluster_id)
                where l.source_dataset = 'left_table' and r.source_dataset = 'right_table'"""
        else:
            sql = f"""select {_row("left_table")}, {_row("right_table")}
                from {predictions.physical_name} where match_probability >= {cut}"""
        pairs = [list(pair) for pair in rows_of(linker, sql)]
        answers[str(cut)] = {"pairs": pairs, "best": best, **notes}
    return answers


def best_candidates(linker: Linker, predictions: Any, both_sides: bool) -> list[list[float]]:
    """Return each row's pair of highest match probability; of two tables each left row's."""
    name = predictions.physical_name
    if both_sides:
        pairs = f"""select unique_id_l as one, unique_id_r as two, match_probability as p
            from {name} union all select unique_id_r, unique_id_l, match_probability from {name}"""
    else:
        pairs = f"""select {_row("left_table")} as one, {_row("right_table")} as two,
            match_probability as p from {name}"""
    # The lowest row among equally probable ones, so that the answer is always the same.
    sql = f"""select one, two, p from ({pairs})
        qualify row_number() over (partition by one order by p desc, two) = 1 order by one"""
    return [list(row) for row in rows_of(linker, sql)]


def rows_of(linker: Linker, sql: str) -> list[tuple[Any, ...]]:
    """Run a query in the linker's database."""
    rows: list[tuple[Any, ...]] = linker._db_api._con.execute(sql).fetchall()
    return rows


def database() -> DuckDBAPI:
    """Return a database that uses two threads, as every method."""
    return DuckDBAPI(connection=duckdb.connect(config={"threads": 2}))


def arrow_table(columns: Table, kinds: dict[str, str]) -> pa.Table:
    """Make a table with the rows' positions as ids; numbers are numbers, all else is text."""
    made = {"unique_id": pa.array(range(len(next(iter(columns.values())))), pa.int64())}
    for name, values in columns.items():
        if kinds.get(name) == "number":
            made[name] = pa.array([_number(value) for value in values], pa.float64())
        else:
            made[name] = pa.array(values, pa.string())
    return pa.table(made)


def _row(table: str) -> str:
    """SQL for the row of one of the two tables: Splink orders the sides of a pair by itself."""
    return f"case when source_dataset_l = '{table}' then unique_id_l else unique_id_r end"


def _train(
    tables: list[Table], request: dict[str, Any], link_type: str
) -> tuple[Linker, dict[str, str]]:
    # Splink quotes nothing: columns are renamed to what SQL takes as a name.
    names = {name: f"c{number}_{_letters(name)}" for number, name in enumerate(tables[0])}
    kinds = {names[name]: kind for name, kind in request["kinds"].items()}
    renamed = [{names[name]: values for name, values in table.items()} for table in tables]
    rules = [
        block_on(*[_expression(names[name], length) for name, length in rule])
        for rule in request["blocking"]
    ]
    settings = SettingsCreator(
        link_type=link_type,
        comparisons=_comparisons(kinds, renamed),
        blocking_rules_to_generate_predictions=rules,
    )
    api = database()
    labels = ("left_table", "right_table")[: len(tables)]
    registered = [
        api.register(arrow_table(table, kinds), dataset_display_name=label)
        for table, label in zip(renamed, labels, strict=True)
    ]
    linker = Linker(registered if len(tables) > 1 else registered[0], settings)
    columns = _most_distinct_first(renamed)
    rules = [block_on(*rule) for rule in _strict_rules(columns, renamed)]
    return linker, _estimate(linker, columns, rules)


def _strict_rules(columns: list[str], tables: list[Table]) -> list[list[str]]:
    """Return sets of columns whose common equality is rarely a coincidence."""
    chance = {name: _equal_pairs([name], tables) / _all_pairs(tables) for name in columns}
    rules: list[list[str]] = []
    for other in columns[1:]:
        rule = [columns[0], other]
        further = [name for name in columns if name not in rule]
        while further and _expected(rule, chance, tables) > 0.1 * _equal_pairs(rule, tables):
            rule.append(further.pop(0))
        if set(rule) not in [set(each) for each in rules]:
            rules.append(rule)
    return rules


def _expected(rule: list[str], chance: dict[str, float], tables: list[Table]) -> float:
    return math.prod(chance[name] for name in rule) * _all_pairs(tables)


def _all_pairs(tables: list[Table]) -> int:
    first, last = (len(next(iter(table.values()))) for table in (tables[0], tables[-1]))
    return first * last if len(tables) > 1 else first * (first - 1) // 2


def _equal_pairs(columns: list[str], tables: list[Table]) -> int:
    """Count the pairs that are equal, and not missing, in all of the columns."""
    counts = [
        Counter(row for row in zip(*(table[name] for name in columns), strict=True) if all(row))
        for table in tables
    ]
    if len(counts) == 1:
        return sum(count * (count - 1) // 2 for count in counts[0].values())
    return sum(count * counts[1][key] for key, count in counts[0].items())


def _estimate(linker: Linker, columns: list[str], equal: list[Any]) -> dict[str, str]:
    training = linker.training
    steps: dict[str, Callable[[], object]] = {
        "probability of two random records": lambda: (
            training.estimate_probability_two_random_records_match(equal, recall=0.7)
        ),
        "u": lambda: training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1),
    }
    for column in columns[:2]:
        steps[f"EM blocked by {column}"] = partial(
            training.estimate_parameters_using_expectation_maximisation, block_on(column)
        )
    refused = []
    for name, step in steps.items():
        try:
            step()
        except Exception as error:  # noqa: BLE001 - Splink raises bare exceptions too
            refused.append(f"{name} ({str(error).strip().splitlines()[0][:120]})")
    return {"note": f"Splink refused: {'; '.join(refused)}."} if refused else {}


def _comparisons(kinds: dict[str, str], tables: list[Table]) -> list[Any]:
    numbers = [name for name, kind in kinds.items() if kind == "number"]
    latitude = next((name for name in numbers if _plain(name).startswith("lat")), None)
    longitude = next((name for name in numbers if _plain(name).startswith("lon")), None)
    made = []
    if latitude and longitude:
        made.append(cl.DistanceInKMAtThresholds(latitude, longitude, [1, 10, 100]))
        kinds = {name: kinds[name] for name in kinds if name not in (latitude, longitude)}
    for name, kind in kinds.items():
        values = [value for table in tables for value in table[name] if value]
        made.append(_comparison(name, kind, values))
    return made


def _comparison(name: str, kind: str, values: list[str]) -> Any:
    if kind.startswith("date:"):
        form = kind.partition(":")[2]
        if "birth" in name.lower() or "dob" in name.lower():
            return cl.DateOfBirthComparison(name, input_is_string=True, datetime_format=form)
        return cl.AbsoluteDateDifferenceAtThresholds(
            name,
            input_is_string=True,
            metrics=["day", "day", "month"],
            thresholds=[1, 7, 1],
            datetime_format=form,
        )
    if kind == "number":
        return {
            "output_column_name": name,
            "comparison_levels": [
                cll.NullLevel(name),
                cll.ExactMatchLevel(name),
                cll.PercentageDifferenceLevel(name, 0.01),
                cll.PercentageDifferenceLevel(name, 0.1),
                cll.ElseLevel(),
            ],
        }
    if kind == "email":
        return cl.EmailComparison(name)
    if kind == "name":
        return cl.NameComparison(name)
    if kind == "text":
        made = cl.JaroWinklerAtThresholds(name)
    elif kind == "code" and max(map(len, values), default=0) > 4:
        made = cl.LevenshteinAtThresholds(name, [1, 2])
    else:
        made = cl.ExactMatch(name)
    return made.configure(term_frequency_adjustments=True)


def _most_distinct_first(tables: list[Table]) -> list[str]:
    distinct = {
        name: len({value for table in tables for value in table[name]}) for name in tables[0]
    }
    return sorted(distinct, key=lambda name: -distinct[name])


def _expression(name: str, length: int | None) -> str:
    return name if length is None else f"substr({name}, 1, {length})"


def _letters(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name).lower()


def _plain(name: str) -> str:
    return name.partition("_")[2]


def _number(value: str | None) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        return None
