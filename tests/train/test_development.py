"""The development split: what is measured, and on which names."""

from types import SimpleNamespace

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tiny_models import made_up_names, made_up_streams, tiny_config

from pearljoin_train.common.config import Config
from pearljoin_train.corpus.phrase_types import label_names
from pearljoin_train.scorer import joins as scorer_joins
from pearljoin_train.training import development as module
from pearljoin_train.training import run as training
from pearljoin_train.training.development import Development
from pearljoin_train.training.examples import UNKNOWN, Examples

NAMES = made_up_names(24)
TYPED = ("PERSON", "GPE", "ORG", "DISEASE", "CHEMICAL")


class Seen:
    """Sees of a text the number of its thing alone, which stands at its end.

    Of what is asked for, and so is no name, it sees the number of another thing, `off` further.
    """

    dim = 200

    def __init__(self, off: int = 0) -> None:
        self.off = off

    def encode(self, phrases):
        things = [int(t.split()[-1]) + self.off * t.startswith("asked") for t in phrases]
        return np.eye(self.dim, dtype=np.float32)[things]


def examples(source: str, things: list[int], types=UNKNOWN) -> Examples:
    """Names of things, each with one other name."""
    phrases = [f"{name} {thing}" for name, thing in zip(NAMES, things, strict=True)]
    others = [(f"asked {thing}",) for thing in things]
    return Examples(source, phrases, others, np.broadcast_to(types, len(NAMES)).copy())


@pytest.fixture
def parts(monkeypatch) -> list[str]:
    """The split's data made up; returns the parts that were asked for."""
    asked: list[str] = []

    def reader(found):
        return lambda part, **options: asked.append(part) or found

    n = len(NAMES)
    aliases = {
        "one": examples("one", list(range(n))),
        "ppdb_lexical": examples("ppdb_lexical", list(range(50, 50 + n))),
    }
    # Of one type, one thing, for k-means to tell the types apart; in fives and threes.
    labels = [label_names("fine").index(TYPED[at % 5]) for at in range(n)]
    typed = examples("typed", [150 + at % 5 for at in range(n)], labels)
    general = examples("general", [100 + at % 3 for at in range(n)])
    monkeypatch.setattr(module, "read_alias_examples", reader(aliases))
    monkeypatch.setattr(module, "read_typed_examples", reader(typed))
    monkeypatch.setattr(module, "read_general_examples", reader(general))
    monkeypatch.setattr(scorer_joins, "alias_names", dict)
    right = [f"row {at}" for at in range(10)]
    left = ["asked 3", "asked 4", "none 5"]
    join = SimpleNamespace(left=left, right=right, answers=[{"row 3"}, {"row 5"}, set()])
    large = SimpleNamespace(left=["asked 0"], right=right * 61, answers=[{"row 1"}])
    made = [join, large]
    monkeypatch.setattr(scorer_joins, "make_joins", lambda names, nicknames, **options: made)
    return asked


def test_each_measure_is_the_share_that_it_says(parts) -> None:
    measure = Development(Config(), Seen())
    assert parts == ["scorer"] * 3
    # One of the two answered rows of the join has another answer; the large join is left out.
    expected = {"retrieval": 1, "joins": 0.5, "paraphrase": 1, "clustering": 1, "like_base": 1}
    assert measure(Seen()) == pytest.approx(expected | {"mean": 0.9}, abs=1e-6)
    expected |= {"retrieval": 0, "paraphrase": 0}
    assert measure(Seen(off=1)) == pytest.approx(expected | {"mean": 0.5}, abs=1e-6)


def test_what_was_measured_is_in_both_logs(tiny, tmp_path, monkeypatch) -> None:
    values = iter([0.25, 0.5, 0.75])
    monkeypatch.setattr(training, "Development", lambda *_: lambda model: {"mean": next(values)})
    config = tiny_config(tiny, evaluate_every=2)
    training.train(config, made_up_streams(), tmp_path, development=True)
    events = EventAccumulator(str(tmp_path)).Reload()
    shown = [(event.step, event.value) for event in events.Scalars("development/mean")]
    assert shown == [(2, 0.25), (4, 0.5), (6, 0.75)]
    assert [event.step for event in events.Scalars("loss/nt_xent")] == [1, 2, 3, 4, 5, 6]
