"""`python -m pearljoin_train augment`: write views of phrases to a file, ahead of training."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, Literal, get_args

from pearljoin import InputError
from pearljoin_train.augment.aliases import Aliases, read_aliases
from pearljoin_train.augment.mixture import Method, Mixture
from pearljoin_train.augment.paraphrase import PARROT, Paraphraser
from pearljoin_train.augment.shards import read_phrases, run_shards
from pearljoin_train.augment.token import Synonyms
from pearljoin_train.common.dry_run import add_dry_run, in_words, seconds_each, spread
from pearljoin_train.data import sha256_of

SAMPLE, PARAPHRASED = 400, 8
"""Phrases whose views are drawn, and that are paraphrased, to learn how long all take."""

__all__ = ["Sources", "ViewJob", "main", "make_mixture", "write_views"]

SynonymSource = Literal["wordnet", "ppdb", "vectors"]


@dataclass(frozen=True)
class Sources:
    """Sources of synonyms and paraphrases."""

    synonyms: tuple[SynonymSource, ...] = ("wordnet", "ppdb")
    """A run that reports Turney must leave out ``"wordnet"``, which Turney is derived from."""
    most_senses: int | None = None
    """See `Synonyms.from_wordnet`."""
    vectors: str = "default"
    """For ``"vectors"``: what `WeightedWordEncoder` takes, ``"default"`` or a file."""
    threshold: float = 0.7
    """For ``"vectors"``: least cosine of synonyms."""
    vocabulary: int = 4_000
    """For ``"vectors"``: the most frequent words of the phrases have synonyms. The bundled table
    is made of word pieces: it knows common words well, and rare ones by their spelling alone."""
    capitals: bool = True
    """Whether tokens with a capital are replaced, see `Synonyms`."""
    aliases: bool = True
    """Whether the alias pairs count as paraphrases."""
    licences: tuple[str, ...] = ("A",)
    """Classes of licence of the alias pairs and of ppdb."""
    paraphraser: str | None = PARROT
    """Hub id or folder of a text-to-text model; None: the alias pairs alone."""


@dataclass(frozen=True)
class ViewJob:
    """All that a file of views depends on."""

    phrases: Path
    views: int = 1
    """Views a phrase."""
    seed: int = 0
    weights: tuple[tuple[str, float], ...] = ()
    """Weights of methods, where they differ from those of `Mixture`."""
    sources: Sources = field(default_factory=Sources)
    otherwise: Literal["redraw", "unchanged"] = "redraw"
    shard_size: int = 20_000
    """Phrases a shard: what an interruption may cost."""

    def __post_init__(self) -> None:
        if self.views < 1 or self.shard_size < 1:
            raise InputError(
                "Views and shards are at least 1. "
                f"Got: views={self.views}, shard_size={self.shard_size}. Hint: views=1."
            )

    def fingerprint(self) -> str:
        """Return a digest that identifies the job."""
        settings = asdict(self) | {"phrases": sha256_of(self.phrases)}
        return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    options = _parser().parse_args(arguments)
    if options.dry_run:
        sys.stdout.write(_plan(_job(options), options.out, options.processes))
        return 0
    worked = write_views(_job(options), options.out, processes=options.processes)
    sys.stdout.write(_summary(options.out) if worked else f"{options.out} is there already.\n")
    return 0


def write_views(job: ViewJob, out: Path, *, processes: int = 1) -> bool:
    """Write views of phrases as Parquet.

    Parameters
    ----------
    job
        What to write. A phrase's views depend on the seed, the phrase, the mixture and its tables
        alone: not on the other phrases, the shards or the processes.
    out
        Columns ``phrase``, ``views`` and ``methods``, the last two lists of `job.views` strings.
    processes
        How many work at once. One a GPU where there is a paraphraser.

    Returns
    -------
    worked
        False where the very file was there already.

    Raises
    ------
    InputError
        If an option is out of range, or another job's shards are in the way.
    DataMissingError
        If the data folder lacks a table.
    ModelError
        If the paraphraser cannot be had.
    """
    if processes < 1:
        raise InputError(f"Processes are at least 1. Got: {processes}. Hint: --processes 1.")
    n_phrases = len(_phrases(job.phrases))
    if not n_phrases:
        raise InputError(f"There are no phrases. Got: {job.phrases}. Hint: one phrase a line.")
    n_shards = -(-n_phrases // job.shard_size)
    return run_shards(
        out, job.fingerprint(), n_shards, partial(_make_shard, job), processes=processes
    )


def _plan(job: ViewJob, out: Path, processes: int) -> str:
    """Time the views of a few phrases, and reckon the whole."""
    phrases = _phrases(job.phrases)
    mixture, sample = make_mixture(job), spread(phrases, SAMPLE)
    seconds = len(phrases) / processes * seconds_each(lambda p: _draw(mixture, p, job), sample)
    lines = [
        f"reads {len(phrases):,} phrases, draws {job.views} views of each: about "
        f"{in_words(seconds)}"
    ]
    if job.sources.paraphraser is not None and _is_on(job, "paraphrase"):
        written = _paraphraser(job.sources.paraphraser)
        each = seconds_each(written.paraphrases, [spread(phrases, PARAPHRASED)]) / PARAPHRASED
        lines.append(
            f"writes paraphrases with {job.sources.paraphraser}: about "
            f"{in_words(each * len(phrases) / processes)}"
        )
    return "\n".join([*lines, f"writes {out}\n"])


def make_mixture(job: ViewJob) -> Mixture:
    """Return a job's mixture with its tables, the paraphraser left out.

    The aliases are those of the job's phrases only; for other texts, make a `Mixture` of tables
    without that limit.
    """
    names = job.sources.aliases and _is_on(job, "paraphrase")
    pairs = read_aliases(licences=job.sources.licences) if names else ()
    known = names or job.sources.paraphraser is not None
    options: dict[str, Any] = {**dict(job.weights), "otherwise": job.otherwise}
    return Mixture(
        **options,
        synonyms=_synonyms(job) if _is_on(job, "synonym") else None,
        paraphrases=Aliases(pairs, only=_phrases(job.phrases)) if known else None,
    )


def _is_on(job: ViewJob, method: Method) -> bool:
    weight: float = dict(job.weights).get(method, getattr(Mixture, method))
    return weight > 0


def _synonyms(job: ViewJob) -> Synonyms | None:
    sources, tables = job.sources, []
    if "wordnet" in sources.synonyms:
        tables.append(Synonyms.from_wordnet(most_senses=sources.most_senses))
    if "ppdb" in sources.synonyms:
        pairs = read_aliases(sources=["ppdb_lexical"], licences=sources.licences)
        tables.append(Synonyms.from_pairs(pairs))
    if "vectors" in sources.synonyms:
        from pearljoin import WeightedWordEncoder

        counts = Counter(word for text in _phrases(job.phrases) for word in text.lower().split())
        words = [word for word, _ in counts.most_common(sources.vocabulary) if word.isalpha()]
        encoder = WeightedWordEncoder(sources.vectors, weights=[1.0], verbose=False).fit(words)
        tables.append(Synonyms.from_vectors(words, encoder, threshold=sources.threshold))
    if not tables:
        return None
    joined = tables[0]
    for table in tables[1:]:
        joined |= table
    return joined if sources.capitals else joined.for_lower_case()


# What a process needs for every shard is made once in it.
_mixture = cache(make_mixture)
_phrases = cache(read_phrases)
_paraphraser = cache(Paraphraser)


def _make_shard(job: ViewJob, shard: int) -> dict[str, list[Any]]:
    start = shard * job.shard_size
    phrases = _phrases(job.phrases)[start : start + job.shard_size]
    # The model first: it is what may be missing, and the tables take a while.
    source = job.sources.paraphraser
    paraphraser = None if source is None or not _is_on(job, "paraphrase") else _paraphraser(source)
    mixture = _mixture(job)
    if paraphraser is not None:
        mixture = _with_paraphrases(mixture, phrases, paraphraser)
    drawn = [_draw(mixture, phrase, job) for phrase in phrases]
    return {
        "phrase": phrases,
        "views": [[view for _, view in views] for views in drawn],
        "methods": [[method for method, _ in views] for views in drawn],
    }


def _with_paraphrases(
    mixture: Mixture, phrases: Sequence[str], paraphraser: Paraphraser
) -> Mixture:
    """Put what the model writes beside the aliases."""
    known = mixture.paraphrases
    written = paraphraser.paraphrases(phrases)
    pairs = [
        (phrase, other)
        for phrase, others in zip(phrases, written, strict=True)
        for other in (*(known.of(phrase) if isinstance(known, Aliases) else ()), *others)
    ]
    return replace(mixture, paraphrases=Aliases(pairs, only=phrases))


def _draw(mixture: Mixture, phrase: str, job: ViewJob) -> list[tuple[Method, str]]:
    # Of the phrase, not of its place: so neither shards nor processes matter.
    digest = hashlib.blake2b(f"{job.seed}\n{phrase}".encode(), digest_size=8).digest()
    rng = Random(int.from_bytes(digest))
    return [mixture.draw(phrase, rng) for _ in range(job.views)]


def _summary(out: Path) -> str:
    from pyarrow import parquet

    counts: Counter[str] = Counter()
    for batch in parquet.ParquetFile(out).iter_batches(columns=["methods"]):
        counts.update(batch["methods"].flatten().to_pylist())
    total = sum(counts.values())
    lines = [f"  {method:<10} {count / total:6.1%}" for method, count in counts.most_common()]
    return "\n".join([f"{total:,} views in {out}", *lines, ""])


def _job(options: argparse.Namespace) -> ViewJob:
    given = {method: getattr(options, method) for method in get_args(Method)}
    return ViewJob(
        phrases=options.phrases,
        views=options.views,
        seed=options.seed,
        weights=tuple((method, weight) for method, weight in given.items() if weight is not None),
        otherwise=options.otherwise,
        shard_size=options.shard_size,
        sources=Sources(
            synonyms=tuple(options.synonyms),
            most_senses=options.most_senses,
            vectors=options.vectors,
            threshold=options.threshold,
            vocabulary=options.vocabulary,
            capitals=not options.lower_case_only,
            aliases=not options.no_aliases,
            licences=tuple(options.licences),
            paraphraser=None if options.paraphraser == "none" else options.paraphraser,
        ),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m pearljoin_train augment",
        description="Write augmented views of phrases (PEARL, section 3.1). Restartable.",
    )
    parser.add_argument("--phrases", type=Path, required=True, help="Parquet, or a phrase a line")
    parser.add_argument("--out", type=Path, required=True, help="Parquet to write")
    parser.add_argument("--views", type=int, default=1, help="views a phrase (1)")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    parser.add_argument("--processes", type=int, default=1, help="that make views")
    parser.add_argument("--shard-size", type=int, default=ViewJob.shard_size, help="phrases")
    for method in get_args(Method):
        parser.add_argument(
            f"--{method.replace('_', '-')}", type=float, metavar="WEIGHT",
            help=f"weight of {method} views ({getattr(Mixture, method):g}); 0: off",
        )  # fmt: skip
    parser.add_argument(
        "--otherwise", choices=("redraw", "unchanged"), default="redraw",
        help="where the drawn method has nothing to give (redraw)",
    )  # fmt: skip
    parser.add_argument(
        "--synonyms", nargs="*", choices=get_args(SynonymSource), default=Sources.synonyms,
        help="tables of synonyms (wordnet ppdb); leave out wordnet to report Turney",
    )  # fmt: skip
    parser.add_argument("--most-senses", type=int, help="leave out words of more in WordNet")
    parser.add_argument("--vectors", default="default", help="word vectors: default, or a file")
    parser.add_argument("--threshold", type=float, default=0.7, help="least cosine (0.7)")
    parser.add_argument("--vocabulary", type=int, default=Sources.vocabulary, help="words (4000)")
    parser.add_argument("--lower-case-only", action="store_true", help="replace no capitalised")
    parser.add_argument("--no-aliases", action="store_true", help="no alias pairs")
    parser.add_argument(
        "--licences", nargs="+", choices=("A", "B", "C"), default=("A",),
        help="licence classes of the alias pairs",
    )  # fmt: skip
    parser.add_argument(
        "--paraphraser", default=PARROT, help=f"hub id or folder, or none ({PARROT})"
    )
    add_dry_run(parser)
    return parser
