"""Losses and gradients against automatic ones, and algorithm 1 on pairs whose answer is known."""

import numpy as np
import pytest

from pearljoin import InputError, WeightedWordEncoder
from pearljoin_train.word_weights.idf_rank_weights import choose_kappa, learn_weights
from pearljoin_train.word_weights.losses import (
    contrastive_loss,
    distances,
    median_loss,
    pair_grams,
)
from pearljoin_train.word_weights.pairs import PairSet


def random_pairs(n_pairs: int = 100, n_max: int = 7, dim: int = 12):
    """Word vectors of pairs of texts of n_max words, sorted; half of the pairs related."""
    rng = np.random.default_rng(0)
    words = rng.standard_normal((2, n_pairs, n_max, dim)).astype(np.float32)
    difference = (words[0] - words[1]) / n_max
    return words, difference @ difference.transpose(0, 2, 1), np.arange(n_pairs) % 2 == 0


WEIGHTS = np.array([1.0, 0.8, 0.6, 0.4, 0.3, 0.2, -0.1])


def torch_losses(words, related, kappa=None):
    """The loss as the paper writes it, from word vectors, and its automatic gradient."""
    torch = pytest.importorskip("torch")
    weights = torch.tensor(WEIGHTS, requires_grad=True)
    texts = (torch.tensor(words, dtype=torch.float64) * weights[:, None]).mean(dim=2)
    distance = (texts[0] - texts[1]).norm(dim=1)
    sign = torch.tensor(np.where(related, 1.0, -1.0))
    if kappa is None:
        loss = (sign * distance).mean()
    else:
        median = distance.median()  # the lower of the middle two, as here
        loss = torch.log1p(torch.exp(-kappa * sign * (median - distance))).mean()
    loss.backward()
    return loss.item(), weights.grad.numpy()


class TestGradients:
    def test_equation_7_agrees_with_the_automatic_gradient(self) -> None:
        words, grams, related = random_pairs()
        loss, gradient = contrastive_loss(grams, related, WEIGHTS)
        expected_loss, expected = torch_losses(words, related)
        assert loss == pytest.approx(expected_loss, rel=1e-5)
        np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-7)

    @pytest.mark.parametrize("kappa", [1.0, 20.0, 160.0])
    def test_equation_11_agrees_with_the_automatic_gradient(self, kappa: float) -> None:
        words, grams, related = random_pairs()
        loss, gradient = median_loss(grams, related, WEIGHTS, kappa)
        expected_loss, expected = torch_losses(words, related, kappa)
        assert loss == pytest.approx(expected_loss, rel=1e-5)
        np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-6)

    def test_equation_11_as_printed_does_not(self) -> None:
        # With the median couple's own sign, half of the couples push the median the wrong way.
        words, grams, related = random_pairs()
        found = distances(grams, WEIGHTS)
        middle = np.argsort(found, kind="stable")[(len(found) - 1) // 2]
        sign = np.where(related, 1.0, -1.0)
        image = (grams @ WEIGHTS.astype(np.float32)) / found[:, None]
        factor = 20.0 / (1 + np.exp(20.0 * sign * (found[middle] - found)))
        printed = factor[:, None] * (sign[:, None] * image - sign[middle] * image[middle])
        expected = torch_losses(words, related, 20.0)[1]
        assert np.abs(printed.mean(axis=0) - expected).max() > 0.1 * np.abs(expected).max()

    def test_equal_texts_have_no_gradient(self) -> None:
        grams = np.zeros((2, 7, 7), dtype=np.float32)
        _, gradient = contrastive_loss(grams, np.array([True, False]), WEIGHTS)
        np.testing.assert_array_equal(gradient, np.zeros(7))


class TestGrams:
    def test_distances_are_those_of_the_encoders_vectors(self) -> None:
        rng = np.random.default_rng(1)
        table = {f"w{i}": rng.standard_normal(6) for i in range(40)}
        texts = [" ".join(rng.choice(list(table), size=n)) for n in rng.integers(1, 12, size=60)]
        pairs = PairSet(tuple(texts[:30]), tuple(texts[30:]), np.ones(30, dtype=bool))
        counts = ({word: i % 9 + 1 for i, word in enumerate(table)}, 20)
        options = {"document_frequencies": counts, "verbose": False}
        encoder = WeightedWordEncoder(table, **options).fit([])
        found = distances(pair_grams(encoder, pairs, 7), WEIGHTS)
        weighted = WeightedWordEncoder(table, weights=WEIGHTS, **options).fit([])
        difference = weighted.transform(pairs.first) - weighted.transform(pairs.second)
        np.testing.assert_allclose(found, np.linalg.norm(difference, axis=1), rtol=1e-4)


def informative_pairs(n_pairs: int = 600):
    """Pairs whose first word tells whether they are related; the other three are noise."""
    rng = np.random.default_rng(2)
    related = np.arange(n_pairs) < n_pairs // 2
    difference = rng.standard_normal((n_pairs, 4, 20)).astype(np.float32)
    difference[related, 0] *= 0.3
    return difference @ difference.transpose(0, 2, 1), related


class TestAlgorithm1:
    @pytest.mark.parametrize(("loss", "kappa"), [("contrastive", 1.0), ("median", 1.0)])
    def test_the_informative_rank_gets_the_weight(self, loss: str, kappa: float) -> None:
        grams, related = informative_pairs()
        rng = np.random.default_rng(3)
        run = learn_weights(
            grams, related, loss, rng, kappa=kappa, epoch_batches=50, most_epochs=60
        )
        assert run.weights[0] > 3 * np.abs(run.weights[1:]).max()
        assert run.losses[-1] < run.losses[0]

    def test_it_stops_once_an_epoch_at_the_low_rate_gains_too_little(self) -> None:
        grams, related = informative_pairs()
        run = learn_weights(grams, related, "median", np.random.default_rng(3), epoch_batches=50)
        assert run.stopped
        gains = -np.diff(run.losses)
        # The rate falls after the first epoch that lost ground; from the next one on an epoch
        # must gain 0.0005, and only the last one does not.
        first_loss = int(np.flatnonzero(gains < 0)[0])
        assert (gains[first_loss + 1 : -1] >= 0.0005).all()
        assert gains[-1] < 0.0005

    def test_a_bound_on_epochs_ends_it_too(self) -> None:
        grams, related = informative_pairs()
        run = learn_weights(
            grams, related, "contrastive", np.random.default_rng(3), most_epochs=2, epoch_batches=50
        )
        assert not run.stopped
        assert len(run.losses) == 2

    def test_the_same_seed_gives_the_same_weights(self) -> None:
        grams, related = informative_pairs()
        runs = [
            learn_weights(
                grams, related, "median", np.random.default_rng(4), most_epochs=3, epoch_batches=50
            )
            for _ in range(2)
        ]
        np.testing.assert_array_equal(runs[0].weights, runs[1].weights)

    def test_too_few_pairs_for_a_batch(self) -> None:
        grams, related = informative_pairs(80)
        with pytest.raises(InputError, match=r"50 unrelated pairs\. Got 40 and 40"):
            learn_weights(grams, related, "median", np.random.default_rng(0))

    def test_cross_validation_prefers_a_kappa_that_learns(self) -> None:
        grams, related = informative_pairs()
        errors = choose_kappa(grams, related, np.random.default_rng(5), kappas=(1e-6, 2.0))
        assert errors[2.0] < errors[1e-6]
        assert 0.0 <= errors[2.0] < 0.2
