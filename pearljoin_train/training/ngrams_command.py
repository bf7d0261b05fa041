"""`python -m pearljoin_train ngrams --model FOLDER --out FOLDER`: give a model its n-grams."""

from __future__ import annotations

import argparse
import dataclasses
import logging
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pearljoin import load_encoder
from pearljoin._atomic import atomic_folder
from pearljoin._errors import InputError
from pearljoin._progress import progress
from pearljoin_train.common.config import Config
from pearljoin_train.common.config_options import add_fields, chosen_fields
from pearljoin_train.common.dry_run import add_dry_run, in_words, seconds_a_text
from pearljoin_train.common.environment import machine
from pearljoin_train.common.facts import read_facts, write_facts
from pearljoin_train.export.export_int8 import export
from pearljoin_train.models.base import MINILM, find_base, require_mean_pooling
from pearljoin_train.models.characters import FOLDER, save_characters
from pearljoin_train.models.phrase_model import load_phrase_model
from pearljoin_train.training.examples import (
    PARAPHRASES,
    Examples,
    read_alias_examples,
    read_general_examples,
    sample,
)
from pearljoin_train.training.ngrams import (
    NamePairs,
    NgramConfig,
    OrdinaryPhrases,
    train_ngrams,
)

__all__ = ["add_ngrams", "main"]

log = logging.getLogger(__name__)

ORDINARY = 60_000
"""Ordinary phrases at most."""
LONGEST = 32
"""Tokens that are read of a name."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train ngrams", description=__doc__)
    parser.add_argument("--model", required=True, help=f"{MINILM} or a Hugging Face folder")
    parser.add_argument("--out", type=Path, required=True, help="folder to write, not there yet")
    add_dry_run(parser)
    add_fields(parser, NgramConfig)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if options.out.exists():
        raise InputError(f"There is something at {options.out} already. Hint: another --out.")
    config = NgramConfig(**chosen_fields(options, NgramConfig))
    lists = [
        sample(examples, config.source_cap, config.seed)
        for source, examples in read_alias_examples("encoder").items()
        if source not in PARAPHRASES
    ]
    ordinary = sample(read_general_examples("encoder"), ORDINARY, config.seed)
    if options.dry_run:
        names = [text for e in lists for text in e.phrases]
        n_texts = 2 * len(names) + len(ordinary)  # Another name of each is encoded too.
        encoder = load_phrase_model(Config(base=options.model))
        seconds = n_texts * seconds_a_text(encoder.encode, names)
        sys.stdout.write(
            f"reads {len(lists)} lists, {len(names):,} names, and {len(ordinary):,} ordinary "
            f"phrases\nencodes {n_texts:,} texts in at most {in_words(seconds)}: the 8-bit "
            f"graph that is used is faster\ntrains {config.steps:,} steps of {config.sources} x "
            f"{config.rows} names, minutes\n"
        )
        return 0
    add_ngrams(find_base(options.model).folder, options.out, lists, config, ordinary)
    return 0


def add_ngrams(
    folder: Path,
    out: Path,
    lists: Sequence[Examples],
    config: NgramConfig,
    ordinary: Examples | None = None,
) -> None:
    """Write a copy of a model with n-grams trained beside it.

    Parameters
    ----------
    folder
        A language model in Hugging Face's layout, as `train` and `average` write it.
    out
        The folder to write, which `export` takes.
    lists
        Names and their other names.
    config
        The settings.
    ordinary
        Phrases that are no names.

    Raises
    ------
    InputError
        If the model has a character part already, or is not pooled by mean.
    ModelError
        If it is no BERT.
    """
    started = time.monotonic()
    if (folder / FOLDER).is_dir():
        raise InputError(
            f"The model has a character part already. Got {str(folder)!r}, which holds "
            f"{FOLDER}/. Hint: give a language model alone."
        )
    require_mean_pooling(folder, "given n-grams")
    facts = read_facts(folder)
    named = [examples for examples in lists if any(examples.aliases)]
    rng = np.random.default_rng(config.seed)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        prefix = facts.get("config", {}).get("prefix", "")
        model = export(find_base(str(folder)), Path(scratch), max_length=LONGEST, prefix=prefix)
        encoder = load_encoder(model)
        encoded = [
            NamePairs.of(examples, encoder, rng, config.noise_rate)
            for examples in progress(
                named, total=len(named), label="encoding", unit="list", verbose=None
            )
        ]
        ordinary_phrases = None
        if ordinary is not None:
            ordinary_phrases = OrdinaryPhrases(ordinary.phrases, encoder.encode(ordinary.phrases))
    # Entered before the training, so that a place that cannot be written is found out first.
    with atomic_folder(out, made=False, keep=True, what="model") as partial:
        bag = train_ngrams(encoded, config, ordinary_phrases)
        facts["ngrams"] = {
            "config": dataclasses.asdict(config),
            "sources": {
                e.source: {"phrases": len(e), "licence": e.licence}
                for e in (*named, *([ordinary] if ordinary is not None else []))
            },
            "seconds": round(time.monotonic() - started),
            "machine": machine(),
        }
        shutil.copytree(folder, partial)
        save_characters(bag, config.kept_share, partial / FOLDER)
        write_facts(partial, facts)
    log.info("wrote %s in %.0f s", out, time.monotonic() - started)
