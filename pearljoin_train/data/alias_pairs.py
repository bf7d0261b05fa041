"""Reading the alias pairs of the data folder: different names of one thing."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pearljoin_train.data.folder import DataDamagedError, find

__all__ = [
    "ALIAS_PAIRS",
    "OPEN_UPSTREAM",
    "PARAPHRASES",
    "WORDNET",
    "AliasPair",
    "read_alias_pairs",
    "read_fields",
]

ALIAS_PAIRS = "train/alias_pairs.tsv.gz"
OPEN_UPSTREAM = frozenset(
    {
        "csl_ncbi_journals",
        "drugbank_vocabulary",
        "esco_occupations",
        "geonames_cities15000",
        "onet_job_titles",
        "ror_organizations",
    }
)
"""Sources whose repository states no licence and whose data is open upstream."""
WORDNET = "oewn_synonyms"
PARAPHRASES = frozenset({"ppdb_lexical", WORDNET})
"""Sources of words of one meaning, which are not names of one thing."""


class AliasPair(NamedTuple):
    """One alias pair. `benchmarks` names the benchmarks that contain it."""

    name: str
    alias: str
    kind: str
    source: str
    licence: str
    benchmarks: str

    def is_allowed(self, licences: str = "A") -> bool:
        """Return whether it may be trained on: in no benchmark, of one of these licences.

        Sources that are open upstream come with class A.
        """
        is_open = "A" in licences and self.source in OPEN_UPSTREAM
        return (self.licence in licences or is_open) and not self.benchmarks


def read_alias_pairs(path: Path | None = None) -> Iterator[AliasPair]:
    """Yield every pair of a file like ``train/alias_pairs.tsv.gz``; by default that one.

    Raises
    ------
    DataMissingError, DataDamagedError
        If the file is not in the data folder, or a line has not its six fields.
    """
    for fields in read_fields(path or find(ALIAS_PAIRS), len(AliasPair._fields)):
        yield AliasPair(*fields)


def read_fields(path: Path, n_fields: int) -> Iterator[list[str]]:
    """Yield the rows of a gzipped table of tab-separated fields, its header left out."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        next(lines, None)
        for number, line in enumerate(lines, 2):
            fields = line.rstrip("\n").split("\t")
            if len(fields) != n_fields:
                raise DataDamagedError(path, f"line {number} has {len(fields)} fields")
            yield fields
