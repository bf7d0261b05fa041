"""The classifier, the tasks that use it, and clustering."""

import numpy as np
import pytest

from pearljoin_train.benchmark.tasks.clustering import Clustering
from pearljoin_train.benchmark.tasks.paraphrase import Paraphrase
from pearljoin_train.benchmark.tasks.probe import ProbeConfig, probe_accuracies, split_positions
from pearljoin_train.benchmark.tasks.short_text import ShortText, cut_at_median

from .helpers import TableEncoder, degrees

torch = pytest.importorskip("torch")

FAST = ProbeConfig(learning_rate=0.01, batch_size=16)


def blobs(n_classes: int, n: int = 120):
    """Points near one corner a class: separable without error."""
    generator = np.random.default_rng(0)
    labels = np.arange(n) % n_classes
    features = np.eye(n_classes, dtype=np.float32)[labels]
    return features + generator.normal(0, 0.01, features.shape).astype(np.float32), labels


@pytest.mark.parametrize(("n", "sizes"), [(20, (14, 3, 3)), (23, (17, 3, 3)), (10, (7, 2, 1))])
def test_split_holds_every_row_once_in_parts_of_70_15_15(n, sizes):
    parts = split_positions(n, torch.Generator().manual_seed(0))
    assert tuple(len(part) for part in parts) == sizes
    assert sorted(torch.cat(parts).tolist()) == list(range(n))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_classifier_learns_what_can_be_learned(n_classes):
    features, labels = blobs(n_classes)
    assert probe_accuracies(features, labels, seeds=[0, 1], config=FAST).tolist() == [1.0, 1.0]


def test_classifier_on_no_information_is_at_chance():
    generator = np.random.default_rng(0)
    features = generator.normal(size=(2000, 4)).astype(np.float32)
    labels = generator.integers(2, size=2000)
    accuracies = probe_accuracies(features, labels, seeds=range(3))
    assert 0.42 < accuracies.mean() < 0.58


def test_same_seeds_give_the_same_accuracies_whatever_the_global_state():
    generator = np.random.default_rng(0)
    features = generator.normal(size=(300, 6)).astype(np.float32)
    labels = (features[:, 0] * features[:, 1] > 0).astype(np.int64)
    torch.manual_seed(1)
    first = probe_accuracies(features, labels, seeds=[3, 4], config=FAST)
    torch.manual_seed(2)
    state = torch.random.get_rng_state()
    second = probe_accuracies(features, labels, seeds=[3, 4], config=FAST)
    assert first.tolist() == second.tolist()
    assert first[0] != first[1]
    assert torch.equal(torch.random.get_rng_state(), state)


def test_training_stops_once_patience_runs_out(monkeypatch):
    from pearljoin_train.benchmark.tasks import probe

    asked = []

    def accuracy(model, inputs, targets):
        asked.append(len(targets))
        return [0.5, 0.6, 0.6, 0.55, 0.7, 0.1, 0.7, 0.9][len(asked) - 1]

    monkeypatch.setattr(probe, "_accuracy", accuracy)
    features, labels = blobs(2)
    inputs, targets = torch.from_numpy(features), torch.from_numpy(labels)
    parts = split_positions(len(labels), torch.Generator().manual_seed(0))
    config = ProbeConfig(patience=2, max_epochs=8)
    probe.train_probe(inputs, targets, parts[0], parts[1], torch.Generator().manual_seed(0), config)
    # 0.6 is reached in epoch 2 and not passed in epochs 3 and 4: a tie is no better.
    assert len(asked) == 4


def test_paraphrase_sees_both_phrases_of_a_pair():
    # Only the pair tells: each phrase is as often in a paraphrase as not.
    phrases = dict(zip("abcd", np.eye(4).tolist(), strict=True))
    same = {("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("a", "a"), ("c", "c")}
    pairs = [(x, y, (x, y) in same) for x in "abcd" for y in "abcd" if x != y or x in "ac"]
    task = Paraphrase(pairs * 20, seeds=[0, 1], config=FAST)
    metrics = task.evaluate(TableEncoder(phrases))
    assert metrics == {"accuracy": 1.0, "std": 0.0, "n": len(pairs) * 20}


def test_short_text_reports_the_runs_and_the_mean_length():
    texts = [("good film", "pos"), ("a very bad film", "neg")] * 30
    encoder = TableEncoder({"good film": [1, 0], "a very bad film": [0, 1]})
    metrics = ShortText(texts, seeds=[0, 1, 2], config=FAST).evaluate(encoder)
    assert metrics == {"accuracy": 1.0, "std": 0.0, "n": 60, "mean_length": 3.0}


def test_short_text_marks_a_substitute():
    texts = [("up", "pos"), ("down", "neg")] * 20
    encoder = TableEncoder({"up": [1, 0], "down": [0, 1]})
    task = ShortText(texts, substitute=True, seeds=[0], config=FAST)
    assert task.evaluate(encoder)["substitute"] is True


def test_cut_at_the_median_puts_texts_of_median_length_with_the_short():
    texts = [(" ".join("w" * n), str(n)) for n in (1, 2, 2, 3, 9)]
    assert [label for _, label in cut_at_median(texts, "short")] == ["1", "2", "2"]
    assert [label for _, label in cut_at_median(texts, "long")] == ["3", "9"]


def test_clustering_of_separate_types_is_perfect():
    table = dict(zip("abcdef", degrees(0, 1, 2, 120, 121, 122), strict=True))
    mentions = [(m, "X" if m in "abc" else "Y") for m in "abcdef"]
    metrics = Clustering(mentions, seeds=(0, 1)).evaluate(TableEncoder(table))
    assert metrics == {
        "nmi": pytest.approx(1.0),
        "nmi_mean": pytest.approx(1.0),
        "nmi_std": pytest.approx(0.0),
        "n": 6,
    }


def test_clustering_value_of_a_mixed_cluster():
    # Two tight clusters of 4 and 2; types X X X Y | Y Y. Entropies: types ln 2; clusters
    # H(2/3). Mutual information by hand from the table of counts (3, 1, 0, 2) / 6.
    table = dict(zip("abcdef", degrees(0, 1, 2, 3, 120, 121), strict=True))
    mentions = list(zip("abcdef", "XXXYYY", strict=True))
    log = np.log
    information = 3 / 6 * log(3 * 6 / (4 * 3)) + 1 / 6 * log(1 * 6 / (4 * 3)) + 2 / 6 * log(2)
    clusters = -(2 / 3 * log(2 / 3) + 1 / 3 * log(1 / 3))
    expected = information / ((log(2) + clusters) / 2)
    metrics = Clustering(mentions, seeds=(0,)).evaluate(TableEncoder(table))
    assert metrics["nmi"] == pytest.approx(expected)


def test_clustering_counts_every_occurrence():
    # Without repeats the two mentions would be one a cluster; a third of another type, at the
    # place of the first, mixes it: the same counts as (2, 1 | 1).
    table = {"a": [1, 0], "b": [0, 1]}
    mentions = [("a", "X"), ("a", "X"), ("a", "Y"), ("b", "Y")]
    log = np.log
    information = 2 / 4 * log(2 * 4 / (3 * 2)) + 1 / 4 * log(4 / (3 * 2)) + 1 / 4 * log(4 / 2)
    clusters = -(3 / 4 * log(3 / 4) + 1 / 4 * log(1 / 4))
    metrics = Clustering(mentions, seeds=(0,)).evaluate(TableEncoder(table))
    assert metrics["nmi"] == pytest.approx(information / ((log(2) + clusters) / 2))
