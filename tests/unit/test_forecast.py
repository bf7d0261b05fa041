"""What the log says before a long encoding."""

import logging
import time

import numpy as np
import pytest

from pearljoin._records import forecast
from pearljoin._records.forecast import encode_announced, seconds_text


class Slow:
    """An encoder that takes a while for each text."""

    dim = 2

    def __init__(self, seconds: float, name: str = "slow") -> None:
        self.seconds = seconds
        self.name = name

    def encode(self, phrases):
        # Encoding them all at once would take as long as is foretold.
        time.sleep(self.seconds * min(len(phrases), 20))
        return np.array([[len(phrase), 1.0] for phrase in phrases], dtype=np.float32)


@pytest.fixture
def few_are_many(monkeypatch) -> None:
    monkeypatch.setattr(forecast, "MANY", 100)
    monkeypatch.setattr(forecast, "SAMPLED", 10)


def test_a_long_encoding_is_foretold(few_are_many, monkeypatch, caplog) -> None:
    monkeypatch.setattr(forecast, "LONG", 1.0)
    texts = ["a" * n for n in range(1_000)]
    with caplog.at_level(logging.INFO, "pearljoin"):
        vectors, covered = encode_announced(Slow(0.005), texts)
    assert covered.all()
    assert vectors[:, 0].tolist() == list(range(1_000))
    seconds = int(caplog.messages[0].split()[-2])
    assert caplog.messages[0].startswith("1,000 distinct phrases, about")
    assert 4 <= seconds <= 20


def test_a_short_one_is_not(few_are_many, caplog) -> None:
    with caplog.at_level(logging.INFO, "pearljoin"):
        encode_announced(Slow(0.0), ["a"] * 1_000)
        encode_announced(Slow(0.01), ["a"] * 99)
    assert not caplog.messages


def test_the_faster_model_is_named(few_are_many, monkeypatch, caplog) -> None:
    monkeypatch.setattr(forecast, "LONG", 0.5)
    with caplog.at_level(logging.INFO, "pearljoin"):
        encode_announced(Slow(0.005, "pearl-mini"), [f"name {n}" for n in range(1_000)])
    assert "; encoder='pearl-nano' about" in caplog.messages[0]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "about 1 s"),
        (99, "about 99 s"),
        (6 * 60, "about 6 minutes"),
        (7200, "about 2.0 hours"),
    ],
)
def test_times_in_words(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text
