"""Splink with the settings that its documentation publishes for linking these transactions.

From the example "Linking banking transactions" of Splink's documentation: its comparisons of
amount (relative difference), memo (Levenshtein distance) and date (days after, one-sided), its
prior of one match a record, its training (u from random pairs, then EM blocked by memo and by
amount) and its blocking rules, but for the last of them, which is called a cheat there and
proposes the pairs of equal ids, that is, the answer. Dates are parsed, amounts are numbers. The
example ends with predictions; here the tables match one to one, so
`cluster_using_single_best_links` decides, as in ``records.py``.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import splink.comparison_level_library as cll
import splink.comparison_library as cl
from splink import Linker, SettingsCreator, block_on

PACKAGES = ("splink", "duckdb")

_spec = importlib.util.spec_from_file_location(
    "splink_records", Path(__file__).with_name("records.py")
)
assert _spec is not None
assert _spec.loader is not None
generic = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generic)

SAME_START = "substr(l.memo, 1, 3) = substr(r.memo, 1, 3)"
ALIKE = "l.amount / r.amount > 0.7 and l.amount / r.amount < 1.3"
MONTH = "strftime(r.transaction_date, '%Y%m')"
WEEK = "yearweek(r.transaction_date)"
BLOCKING = [
    f"strftime(l.transaction_date, '%Y%m') = {MONTH} and {SAME_START} and {ALIKE}",
    f"strftime(l.transaction_date + 15, '%Y%m') = {MONTH} and {SAME_START} and {ALIKE}",
    "substr(l.memo, 1, 9) = substr(r.memo, 1, 9)",
    f"round(l.amount / 2, 0) * 2 = round(r.amount / 2, 0) * 2 "
    f"and {WEEK} = yearweek(l.transaction_date)",
    f"round(l.amount / 2, 0) * 2 = round((r.amount + 1) / 2, 0) * 2 "
    f"and {WEEK} = yearweek(l.transaction_date + 4)",
]


def link(
    left: dict[str, list[str | None]], right: dict[str, list[str | None]], request: dict[str, Any]
) -> dict[str, Any]:
    """Link two tables."""
    settings = SettingsCreator(
        link_type="link_only",
        probability_two_random_records_match=1 / len(left["memo"]),
        blocking_rules_to_generate_predictions=BLOCKING,
        comparisons=[_amount(), cl.LevenshteinAtThresholds("memo", [2, 6, 10]), _date()],
    )
    api = generic.database()
    tables = [
        api.register(_typed(table), dataset_display_name=label)
        for table, label in ((left, "left_table"), (right, "right_table"))
    ]
    linker = Linker(tables, settings)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
    for column in ("memo", "amount"):
        linker.training.estimate_parameters_using_expectation_maximisation(block_on(column))
    answers: dict[str, Any] = generic.answers_of_links(linker, request["constraint"], {})
    return answers


def _typed(columns: dict[str, list[str | None]]) -> pa.Table:
    table = generic.arrow_table(columns, {"amount": "number"})
    parsed = pc.cast(table["transaction_date"], pa.date32())
    return table.set_column(
        table.schema.get_field_index("transaction_date"), "transaction_date", parsed
    )


def _amount() -> dict[str, Any]:
    differences = [cll.PercentageDifferenceLevel("amount", at) for at in (0.01, 0.03, 0.1, 0.3)]
    first = [cll.NullLevel("amount"), cll.ExactMatchLevel("amount")]
    return {
        "output_column_name": "amount",
        "comparison_levels": [*first, *differences, cll.ElseLevel()],
    }


def _date() -> dict[str, Any]:
    levels = [
        {
            "sql_condition": f"transaction_date_r - transaction_date_l <= {days} "
            "and transaction_date_r >= transaction_date_l",
            "label_for_charts": f"<={days} days",
        }
        for days in (1, 4, 10, 30)
    ]
    return {
        "output_column_name": "transaction_date",
        "comparison_levels": [cll.NullLevel("transaction_date"), *levels, cll.ElseLevel()],
    }
