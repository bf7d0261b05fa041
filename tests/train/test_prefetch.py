"""Batches made ahead, neighbours sought anew, and what the two leave as it is."""

import dataclasses

import numpy as np
import pytest
from tiny_models import made_up_streams, tiny_config

from pearljoin_train.models.phrase_model import load_phrase_model
from pearljoin_train.negatives import HardNegatives
from pearljoin_train.training.batches import Batch, Batches
from pearljoin_train.training.prefetch import Prefetched
from pearljoin_train.training.remine import in_memory, remined
from pearljoin_train.training.run import Run
from pearljoin_train.training.streams import lazy_vectors

pytestmark = pytest.mark.usefixtures("one_thread")


def plain(batch: Batch) -> list[object]:
    assert batch.tokens is not None
    arrays = (batch.types, batch.pairs, batch.general, batch.tokens.ids, batch.tokens.starts)
    teacher = [] if batch.teacher is None else batch.teacher.tolist()
    return [batch.first, batch.second, batch.negatives, teacher, *(a.tolist() for a in arrays)]


def test_processes_give_the_batches_of_one(tiny) -> None:
    config = tiny_config(tiny)
    model, batches = load_phrase_model(config), Batches(made_up_streams(), config)
    alone = Prefetched(batches, model.tokenise, workers=0)
    ahead = Prefetched(batches, model.tokenise, workers=2, first=3)
    found = [plain(ahead.batch(step)) for step in range(3, 8)]
    assert found == [plain(alone.batch(step)) for step in range(3, 8)]
    with pytest.raises(ValueError, match="Got step 3, expected 8"):
        ahead.batch(3)
    ahead.close()
    texts = batches.batch(3).texts
    assert alone.batch(3).tokens.ids.tolist() == model.tokenise(texts).ids.tolist()


class Letters:
    """Sees the first letter of a text."""

    dim = 26

    def encode(self, phrases):
        return np.eye(26, dtype=np.float32)[[ord(text[0]) - ord("a") for text in phrases]]


def test_neighbours_are_the_new_models_and_the_teacher_stays(tiny) -> None:
    streams = made_up_streams()
    found = remined(streams, Letters())
    rows = np.array([3, 1])
    wanted = Letters().encode([streams.aliases[0].phrases[row] for row in rows])
    np.testing.assert_array_equal(found.vectors["one"][rows], wanted)
    np.testing.assert_array_equal(found.teacher, streams.vectors["general"])
    assert found.negatives is None
    again = remined(dataclasses.replace(streams, teacher=np.ones((48, 2))), Letters())
    assert again.teacher.shape == (48, 2)
    whole = in_memory(found)
    assert isinstance(whole.vectors["two"], np.ndarray)
    assert whole.vectors["two"].shape == (48, 26)

    def families(streams) -> float:
        config = tiny_config(tiny, alias_rows=16, paraphrase_rows=0, typed_rows=0, phrase_rate=0)
        batches = [Batches(streams, config).batch(step) for step in range(12)]
        return float(np.mean([len({t[0] for t in b.first[:16]}) for b in batches]))

    assert families(found) < families(streams)


def test_mined_negatives_are_sought_anew(tiny) -> None:
    texts = ["abcdefgh", "abcdefgx", "xbcdefgh"]
    before = HardNegatives(texts, np.array([0, 0, 0, 0]), np.zeros(0, np.int32))
    streams = dataclasses.replace(made_up_streams(), negatives=before)
    found = remined(streams, Letters()).negatives
    # Spelt alike and, by this model, of another meaning: the first letter is another.
    assert found.of("abcdefgh") == ("xbcdefgh",)


@pytest.mark.thorough
def test_a_run_that_seeks_anew_is_gone_on_with_to_the_same_weights(tiny, tmp_path) -> None:
    config = tiny_config(tiny, steps=8, cooldown=0.0, remine_at=0.5, checkpoint_every=1)
    made = made_up_streams()
    sources = [made.general, *made.aliases, *made.paraphrases]

    def streams():
        return in_memory(dataclasses.replace(made, vectors=lazy_vectors(config, sources)))

    whole = Run(config, streams(), tmp_path / "whole")
    assert whole.steps()
    assert (tmp_path / "whole" / "remined" / "model.safetensors").is_file()
    stopped = Run(config, streams(), tmp_path / "parts")
    stopped.trainer.config = config.replace(steps=6, remine_at=4 / 6)
    assert stopped.steps()
    rest = Run(config, streams(), tmp_path / "parts")
    assert rest.trainer.done == 6
    assert rest.steps()
    for name, weight in whole.kept().state_dict().items():
        assert weight.equal(rest.kept().state_dict()[name]), name
    other = Run(config.replace(remine_at=0.0), streams(), tmp_path / "never")
    other.steps()
    apart = [
        not weight.equal(other.kept().state_dict()[name])
        for name, weight in whole.kept().state_dict().items()
    ]
    assert any(apart)
