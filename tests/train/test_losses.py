"""The objective, against values worked out by hand."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin_train.training.losses import distillation, nt_xent, type_loss


def unit(n: int, d: int, seed: int) -> torch.Tensor:
    rows = torch.randn(n, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return torch.nn.functional.normalize(rows)


def by_hand(first, second, same, temperature, negatives) -> float:
    """The formula, view by view."""
    n = len(first)
    views = [*first.tolist(), *second.tolist()]
    terms = []
    for i, view in enumerate(views):

        def near(other, view=view) -> float:
            return math.exp(sum(a * b for a, b in zip(view, other, strict=True)) / temperature)

        positive = near(views[(i + n) % (2 * n)])
        others = [near(views[j]) for j in range(2 * n) if not same[i % n][j % n]]
        others += [near(text) for text in negatives.tolist()]
        terms.append(-math.log(positive / (positive + sum(others))))
    return sum(terms) / len(terms)


@given(
    n=st.integers(1, 6),
    m=st.integers(0, 4),
    seed=st.integers(0, 99),
    linked=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=4),
)
@settings(max_examples=40, deadline=None)
def test_nt_xent_is_the_formula(n, m, seed, linked) -> None:
    same = torch.eye(n, dtype=torch.bool)
    for one, two in linked:
        same[one % n, two % n] = same[two % n, one % n] = True
    first, second, negatives = unit(n, 5, seed), unit(n, 5, seed + 1), unit(m, 5, seed + 2)
    expected = by_hand(first, second, same.tolist(), 0.3, negatives)
    assert float(nt_xent(first, second, same, 0.3, negatives)) == pytest.approx(expected)


def test_nt_xent_of_four_views() -> None:
    # Both rows' views are equal and the rows at right angles: e^1 against two of e^0.
    views, same = torch.eye(2), torch.eye(2, dtype=torch.bool)
    expected = math.log((math.e + 2) / math.e)
    assert float(nt_xent(views, views, same, 1.0)) == pytest.approx(expected)
    everything = torch.ones(2, 2, dtype=torch.bool)
    assert float(nt_xent(views, views, everything, 1.0)) == 0
    further = torch.tensor([[-1.0, 0.0]])  # e^-1 to the first row's views, e^0 to the second's
    first, second = math.log((math.e + 2 + 1 / math.e) / math.e), math.log((math.e + 3) / math.e)
    found = nt_xent(views, views, same, 1.0, further)
    assert float(found) == pytest.approx((first + second) / 2)


def test_masked_rows_get_no_gradient_from_each_other() -> None:
    first, second = unit(2, 4, 0).requires_grad_(), unit(2, 4, 1).requires_grad_()
    nt_xent(first, second, torch.ones(2, 2, dtype=torch.bool), 0.1).backward()
    assert float(first.grad.abs().max()) == pytest.approx(0, abs=1e-12)


def test_the_type_loss_ignores_what_is_not_known() -> None:
    logits = torch.tensor([[2.0, 0.0], [0.0, 9.0], [0.0, 1.0]], requires_grad=True)
    loss = type_loss(logits, torch.tensor([0, -1, 1]))
    expected = (math.log(1 + math.exp(-2)) + math.log(1 + math.exp(-1))) / 2
    assert float(loss.detach()) == pytest.approx(expected)
    loss.backward()
    assert logits.grad[1].tolist() == [0, 0]
    assert logits.grad[0].abs().min() > 0


def test_the_type_loss_of_no_known_type_is_0_and_has_a_gradient() -> None:
    logits = torch.randn(3, 2, requires_grad=True)
    loss = type_loss(logits, torch.full((3,), -1))
    assert float(loss.detach()) == 0
    loss.backward()
    assert logits.grad.abs().max() == 0


def test_distillation_is_0_where_the_similarities_are_equal() -> None:
    vectors = unit(5, 4, 0)
    turned = torch.linalg.qr(torch.randn(6, 4, dtype=torch.float64)).Q  # another dimension
    assert float(distillation(vectors, vectors @ turned.T, 0.05)) == pytest.approx(0, abs=1e-9)
    assert float(distillation(unit(5, 4, 1), vectors, 0.05)) > 0.1


def test_distillation_is_the_divergence_of_neighbours() -> None:
    # Three texts, so that each row has two neighbours: KL of two distributions over two.
    student, teacher = unit(3, 4, 0), unit(3, 4, 1)
    total = 0.0
    for row in range(3):
        others = [other for other in range(3) if other != row]
        p, q = (
            torch.softmax(torch.stack([v[row] @ v[other] for other in others]) / 0.5, 0)
            for v in (teacher, student)
        )
        total += float((p * (p / q).log()).sum())
    assert float(distillation(student, teacher, 0.5)) == pytest.approx(total / 3)
