"""The experiments of De Boom et al. (2016): tables 1 and 2 on the text of the data folder.

Related and unrelated pairs of short texts are separated by a threshold on the distance of their
vectors. Weights are learned on the training part, the threshold comes from the validation part,
and errors are counted on the test part; no article has pairs in two parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin import WeightedWordEncoder
from pearljoin._progress import progress
from pearljoin_train.word_weights.articles import article_pairs, split_articles
from pearljoin_train.word_weights.idf_rank_weights import (
    EPOCH_BATCHES,
    LossName,
    choose_kappa,
    learn_weights,
)
from pearljoin_train.word_weights.losses import pair_grams
from pearljoin_train.word_weights.metrics import (
    best_threshold,
    binomial_p,
    jensen_shannon,
    split_error,
)
from pearljoin_train.word_weights.pairs import PairSet
from pearljoin_train.word_weights.texts import (
    Article,
    novels,
    read_text,
    wikipedia_sentences,
    wikitext,
)
from pearljoin_train.word_weights.tweets import Tweet, tweet_pairs
from pearljoin_train.word_weights.vectors import CBOW, NOVELS_ONLY, SKIPGRAM, trained_table

__all__ = ["LENGTHS", "MEDIAN", "METHODS", "Split", "run_experiment", "run_experiments"]

PARTS = (0.4, 0.3, 0.3)
"""Shares of training, validation and test; the paper has 1.5, 1.9 and 1.5 million pairs."""
LENGTHS = {"20 words": (20, 20), "10 to 30 words": (10, 30)}
FOR_TWEETS = "WikiText, 10 to 30 words"
"""The experiment whose weights are measured on tweets: there are too few of those to learn from."""
TRAINING_STEPS = {"WikiText": 2, "Novels": 10}
"""Training pairs of a paragraph start so many words apart, and so overlap; test pairs never do."""
MOST_TRAINING_PAIRS = 20_000
MOST_PAIRS = 10_000
"""Related pairs for training, and for threshold and test, at most (the novels have far more)."""

CONTRASTIVE, MEDIAN = "Learned weights, contrastive", "Learned weights, median"
LOSSES: dict[str, LossName] = {CONTRASTIVE: "contrastive", MEDIAN: "median"}
METHODS: dict[str, dict[str, Any]] = {
    "Tf-idf": {"pooling": "tf-idf"},
    "Mean": {"pooling": "mean"},
    "Max": {"pooling": "max"},
    "Min": {"pooling": "min"},
    "Min/max": {"pooling": "min-max"},
    "Mean, top 30% idf": {"pooling": "mean", "top": 0.3},
    "Max, top 30% idf": {"pooling": "max", "top": 0.3},
    "Min, top 30% idf": {"pooling": "min", "top": 0.3},
    "Min/max, top 30% idf": {"pooling": "min-max", "top": 0.3},
    "Mean, idf-weighted": {"pooling": "idf-mean"},
}
"""The baselines of section 5.1, as options of `WeightedWordEncoder`."""


@dataclass(frozen=True)
class Split:
    """Pairs for training, for the threshold, and for the test."""

    training: PairSet
    validation: PairSet
    test: PairSet


def run_experiments(
    *, seed: int = 0, epoch_batches: int = EPOCH_BATCHES, verbose: bool | None = None
) -> dict[str, Any]:
    """Run the experiments on all text there is.

    Parameters
    ----------
    seed
        Deals articles into parts, draws pairs, and shuffles batches.
    epoch_batches
        Batches of an epoch, at least; see `learn_weights`.
    verbose
        Progress bars.

    Returns
    -------
    results
        By experiment (``"WikiText, 20 words"``): ``pairs`` (counts), ``kappa`` (split error of
        each value in cross-validation), ``weights`` (of both losses), ``tables`` (by table of
        word vectors and method: ``split_error``, ``js_divergence``, ``p_against_median``), and
        ``histograms`` of test distances.
    """
    texts = {"WikiText": wikitext(), "Novels": novels()}
    paragraphs = {
        name: [words for article in articles for words in article.paragraphs]
        for name, articles in texts.items()
    }
    everything = [*paragraphs["WikiText"], *wikipedia_sentences(), *paragraphs["Novels"]]
    tables: dict[str, Any] = {
        recipe.name: trained_table(recipe, everything) for recipe in (SKIPGRAM, CBOW)
    }
    tables[NOVELS_ONLY.name] = trained_table(NOVELS_ONLY, paragraphs["Novels"])
    tables["bundled token table"] = "default"
    counted = WeightedWordEncoder({"": [0.0, 1.0]}).fit([" ".join(words) for words in everything])
    frequencies = counted.document_frequencies_
    options = {"document_frequencies": (frequencies.counts, frequencies.n_documents)}
    splits = {
        f"{name}, {length}": _split(articles, LENGTHS[length], TRAINING_STEPS[name], seed)
        for name, articles in texts.items()
        for length in LENGTHS
    }
    results = {
        name: run_experiment(
            split, tables, options, LENGTHS[name.split(", ")[1]][1], seed, epoch_batches
        )
        for name, split in progress(
            splits.items(), total=len(splits), label="word weights", unit="run", verbose=verbose
        )
    }
    learned = results[FOR_TWEETS]["weights"]
    results["Tweets (no times)"] = _measure_all(_tweets(seed), tables, options, learned)
    return results


def _split(articles: Sequence[Article], lengths: tuple[int, int], step: int, seed: int) -> Split:
    rng = np.random.default_rng(seed)
    training, validation, test = split_articles(articles, PARTS, rng)
    return Split(
        article_pairs(training, lengths, rng, step=step, at_most=MOST_TRAINING_PAIRS),
        article_pairs(validation, lengths, rng, at_most=MOST_PAIRS),
        article_pairs(test, lengths, rng, at_most=MOST_PAIRS),
    )


def _tweets(seed: int) -> Split:
    """Pair the tweets there are. Their times are not known, so rule 3 cannot be kept.

    They are few: one half of the pairs gives the threshold and the other the error, and no
    weights are learned from them.
    """
    lines = read_text("short_text/twitter/tweeteval_sentiment/test_text.txt").splitlines()
    tweets = [Tweet.parse(line.replace("@user", " "), float("nan")) for line in lines]
    rng = np.random.default_rng(seed)
    pairs = tweet_pairs(tweets, rng, minutes_apart=None, at_most=MOST_PAIRS)
    rows = rng.permutation(len(pairs))
    none, half, other = np.split(rows, [0, len(rows) // 2])
    return Split(pairs.take(none), pairs.take(half), pairs.take(other))


def run_experiment(
    split: Split,
    tables: Mapping[str, Any],
    options: Mapping[str, Any],
    n_max: int,
    seed: int,
    epoch_batches: int = EPOCH_BATCHES,
) -> dict[str, Any]:
    """Learn weights with the first table, and measure every method with every table.

    Parameters
    ----------
    split
        The pairs.
    tables
        Word vectors by name, as `WeightedWordEncoder` takes them.
    options
        What all encoders share: the document frequencies.
    n_max
        Number of weights.
    seed
        Deals pairs into folds and batches.
    epoch_batches
        Batches of an epoch, at least.

    Returns
    -------
    result
        One experiment of `run_experiments`.
    """
    first = next(iter(tables.values()))
    rng = np.random.default_rng(seed)
    encoder = WeightedWordEncoder(first, verbose=False, **options).fit([])
    grams = pair_grams(encoder, split.training, n_max)
    related = split.training.related
    errors = choose_kappa(grams, related, rng)
    kappa = min(errors, key=errors.__getitem__)
    runs = {
        name: learn_weights(grams, related, loss, rng, kappa=kappa, epoch_batches=epoch_batches)
        for name, loss in LOSSES.items()
    }
    learned = {name: run.weights.tolist() for name, run in runs.items()}
    return {
        "kappa": {f"{value:g}": error for value, error in errors.items()},
        "chosen_kappa": kappa,
        "epochs": {name: len(run.losses) for name, run in runs.items()},
        "weights": learned,
        **_measure_all(split, tables, options, learned),
    }


def _measure_all(
    split: Split,
    tables: Mapping[str, Any],
    options: Mapping[str, Any],
    learned: Mapping[str, Sequence[float]],
) -> dict[str, Any]:
    methods = {**METHODS, **{name: {"weights": list(w)} for name, w in learned.items()}}
    results: dict[str, Any] = {}
    histograms: dict[str, Any] = {}
    for table, vectors in tables.items():
        rows: dict[str, dict[str, float]] = {}
        right: dict[str, NDArray[np.bool_]] = {}
        for method, chosen in methods.items():
            encoder = WeightedWordEncoder(vectors, verbose=False, **options, **chosen).fit([])
            distance = _pair_distance(encoder)
            found = distance(split.test)
            threshold = best_threshold(distance(split.validation), split.validation.related)
            right[method] = (found <= threshold) == split.test.related
            rows[method] = {
                "split_error": split_error(found, split.test.related, threshold),
                "js_divergence": jensen_shannon(found, split.test.related),
            }
            if table == SKIPGRAM.name and method in ("Mean", CONTRASTIVE, MEDIAN):
                histograms[method] = _histogram(found, split.test.related, threshold)
        for method, row in rows.items():
            row["p_against_median"] = binomial_p(right[MEDIAN], right[method])
        results[table] = rows
    parts = {"training": split.training, "validation": split.validation, "test": split.test}
    related = {name: int(part.related.sum()) for name, part in parts.items()}
    return {"related_pairs": related, "tables": results, "histograms": histograms}


def _pair_distance(encoder: WeightedWordEncoder) -> Callable[[PairSet], NDArray[np.float64]]:
    """Euclidean distance, as the paper has it throughout; cosine for tf-idf alone."""

    def euclidean(pairs: PairSet) -> NDArray[np.float64]:
        difference = encoder.transform(pairs.first) - encoder.transform(pairs.second)
        return np.asarray(np.linalg.norm(difference, axis=1), dtype=np.float64)

    def cosine(pairs: PairSet) -> NDArray[np.float64]:
        first, second = encoder.transform(pairs.first), encoder.transform(pairs.second)
        dot = np.asarray(first.multiply(second).sum(axis=1), dtype=np.float64).ravel()
        squares = [np.asarray(m.multiply(m).sum(axis=1)).ravel() for m in (first, second)]
        lengths = np.sqrt(squares[0] * squares[1])
        return np.asarray(1.0 - dot / np.where(lengths > 0, lengths, 1.0), dtype=np.float64)

    return cosine if encoder.pooling == "tf-idf" else euclidean


def _histogram(
    distance: NDArray[np.float64], related: NDArray[np.bool_], threshold: float
) -> dict[str, Any]:
    edges = np.linspace(distance.min(), distance.max(), 41)
    return {
        "edges": [round(float(edge), 5) for edge in edges[[0, -1]]],
        "related": np.histogram(distance[related], edges)[0].tolist(),
        "unrelated": np.histogram(distance[~related], edges)[0].tolist(),
        "threshold": threshold,
    }
