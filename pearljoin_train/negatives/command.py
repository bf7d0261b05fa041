"""`python -m pearljoin_train negatives`: mine hard negatives ahead of training."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pearljoin import Encoder, InputError, load_encoder
from pearljoin._atomic import atomic_file
from pearljoin._progress import progress
from pearljoin_train.augment import read_aliases
from pearljoin_train.augment.shards import read_phrases, run_shards
from pearljoin_train.common.dry_run import add_dry_run, in_words, seconds_a_text
from pearljoin_train.data import sha256_of
from pearljoin_train.negatives.hard_negative_mining import Halves, Miner, MiningOptions

__all__ = ["main", "write_negatives"]

SHARD = 20_000
"""Phrases encoded, mined and saved at once: what an interruption may cost."""


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    given = _parser().parse_args(arguments)
    options = MiningOptions(
        **{field.name: getattr(given, field.name) for field in fields(MiningOptions)}
    )
    if given.dry_run:
        texts = read_phrases(given.phrases)
        seconds = len(texts) * seconds_a_text(load_encoder(given.encoder).encode, texts)
        sys.stdout.write(
            f"mines negatives of {len(texts):,} phrases, {options.stored} each at most, into "
            f"{given.out}\nencodes them in about {in_words(seconds)}; mining comes on top\n"
        )
        return 0
    licences = () if given.no_aliases else tuple(given.licences)
    worked = write_negatives(
        given.phrases, given.out, encoder=given.encoder, licences=licences, options=options
    )
    sys.stdout.write(_summary(given.out) if worked else f"{given.out} is there already.\n")
    return 0


def write_negatives(
    phrases: Path,
    out: Path,
    *,
    encoder: str = "default",
    licences: Sequence[str] = ("A", "B", "C"),
    options: MiningOptions | None = None,
) -> bool:
    """Mine the hard negatives of a file's phrases and write them as Parquet.

    Parameters
    ----------
    phrases
        What `read_phrases` reads.
    out
        Columns ``phrase`` and ``negatives``, a list of strings, of similar spelling first.
        Vectors and shards are kept beside it until it is whole, so that a restart goes on.
    encoder
        The base model, as `pearljoin.load_encoder` names it.
    licences
        Classes of licence of the alias pairs that are masked: nothing is learned from them but
        that two names are not opposites, so all by default. Empty: none is read.
    options
        What counts as a hard negative.

    Returns
    -------
    worked
        False where the very file was there already.

    Raises
    ------
    InputError
        If there are no phrases, or another job's shards are in the way.
    DataMissingError
        If the data folder lacks the alias pairs.
    ModelError
        If the encoder cannot be had.
    """
    options = options or MiningOptions()
    texts = read_phrases(phrases)
    if not texts:
        raise InputError(f"There are no phrases. Got: {phrases}. Hint: one phrase a line.")
    settings = {
        "phrases": sha256_of(phrases), "encoder": encoder, "licences": list(licences),
        "options": asdict(options),
    }  # fmt: skip
    fingerprint = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()

    @cache
    def miner() -> Miner:
        vectors = _encode(texts, load_encoder(encoder), out.with_name(out.name + ".parts"))
        pairs = read_aliases(licences=licences, without=()) if licences else ()
        return Miner(texts, vectors, pairs, options)

    def make(shard: int) -> dict[str, list[Any]]:
        start, stop = shard * SHARD, min((shard + 1) * SHARD, len(texts))
        query, row = miner().rows(start, stop)
        ends = np.searchsorted(query, np.arange(start, stop + 1))
        negatives = [
            [texts[at] for at in row[ends[here] : ends[here + 1]]] for here in range(stop - start)
        ]
        return {"phrase": texts[start:stop], "negatives": negatives}

    return run_shards(out, fingerprint, -(-len(texts) // SHARD), make)


def _encode(texts: Sequence[str], encoder: Encoder, folder: Path) -> Halves:
    """Encode in chunks that are kept in `folder`; returns float16 of shape (n_texts, dim)."""
    vectors = np.empty((len(texts), encoder.dim), dtype=np.float16)
    starts = range(0, len(texts), SHARD)
    for start in progress(starts, total=len(starts), label="encoding", unit="chunk", verbose=None):
        path = folder / f"{start // SHARD:05d}.npy"
        if not path.exists():
            found = encoder.encode(texts[start : start + SHARD])
            with atomic_file(path) as temporary, temporary.open("wb") as file:
                np.save(file, found.astype(np.float16))
        vectors[start : start + SHARD] = np.load(path)
    return vectors


def _summary(out: Path) -> str:
    from pyarrow import compute, parquet

    lengths = compute.list_value_length(parquet.read_table(out)["negatives"]).to_numpy()
    return (
        f"{lengths.sum():,} negatives of {len(lengths):,} phrases in {out}: "
        f"{lengths.mean():.1f} each, none for {(lengths == 0).mean():.1%}\n"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m pearljoin_train negatives",
        description="Mine hard negatives of phrases (PEARL, section 3.4). Restartable.",
    )
    parser.add_argument("--phrases", type=Path, required=True, help="Parquet, or a phrase a line")
    parser.add_argument("--out", type=Path, required=True, help="Parquet to write")
    parser.add_argument("--encoder", default="default", help="base model: name, folder or hub id")
    about = {
        "stored": "negatives kept a phrase",
        "most_cosine": "phrases closer than this are none",
        "least_similarity": "least similarity of spelling",
        "candidates": "phrases a phrase whose edit distance is measured",
        "ngram": "characters of an n-gram of the index",
        "budget": "occurrences of n-grams looked up a phrase",
    }
    for name, text in about.items():
        default = getattr(MiningOptions, name)
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=type(default), default=default,
            help=f"{text} ({default})",
        )  # fmt: skip
    parser.add_argument(
        "--numbers", action="store_true", help="other numbers make a negative at any cosine"
    )
    parser.add_argument("--no-aliases", action="store_true", help="mask no alias pairs")
    parser.add_argument(
        "--licences", nargs="+", choices=("A", "B", "C"), default=("A", "B", "C"),
        help="licence classes of the alias pairs",
    )  # fmt: skip
    add_dry_run(parser)
    return parser
