"""What a batch holds."""

from dataclasses import replace

import numpy as np
from tiny_models import MIXTURE, made_up_streams

from pearljoin_train.common.config import Config
from pearljoin_train.data.splits import fold
from pearljoin_train.negatives import HardNegatives
from pearljoin_train.training.batches import Batch, Batches, Streams
from pearljoin_train.training.examples import UNKNOWN, Examples

CONFIG = Config(
    alias_rows=12, paraphrase_rows=6, typed_rows=8, general_rows=6, neighbours=4, noise_rate=0.0
)


def plain(batch: Batch) -> list[object]:
    arrays = (batch.types, batch.same, batch.general, batch.teacher)
    return [batch.first, batch.second, batch.negatives, *(np.asarray(a).tolist() for a in arrays)]


def only(names: list[str], others: list[tuple[str, ...]], **kind: object) -> Streams:
    """One alias source."""
    source = Examples("names", names, others, np.full(len(names), UNKNOWN))
    return Streams([source], [], None, None, {}, MIXTURE, **kind)  # type: ignore[arg-type]


def aliases(n: int, **changes: object) -> Config:
    rows = {"alias_rows": n, "paraphrase_rows": 0, "typed_rows": 0, "general_rows": 0}
    return Config(**rows | {"phrase_rate": 1.0, "noise_rate": 0.0} | changes)  # type: ignore[arg-type]


def test_a_batch_depends_on_seed_and_step_only() -> None:
    one, two = Batches(made_up_streams(), CONFIG), Batches(made_up_streams(), CONFIG)
    in_order = [plain(one.batch(step)) for step in (0, 1, 99, 100, 250)]
    backwards = [plain(two.batch(step)) for step in (250, 100, 99, 1, 0)]
    assert in_order == backwards[::-1]
    assert in_order[0] != in_order[1]
    other = Batches(made_up_streams(), CONFIG.replace(seed=1))
    assert plain(other.batch(0)) != in_order[0]


def test_a_batch_has_the_rows_of_every_kind() -> None:
    streams = made_up_streams()
    for step in range(8):
        batch = Batches(streams, CONFIG).batch(step)
        assert len(batch.first) == len(batch.second) == CONFIG.rows == 32
        assert batch.types.dtype == np.int64
        assert batch.general.tolist() == list(range(26, 32))
        kinds = [streams.aliases[0], streams.paraphrases[0], streams.typed, streams.general]
        sizes = [12, 6, 8, 6]
        start = 0
        for source, size in zip(kinds, sizes, strict=True):
            place = {phrase: row for row, phrase in enumerate(source.phrases)}
            for row in range(start, start + size):
                at = place.get(batch.first[row], place.get(batch.second[row]))
                assert at is not None
                assert batch.types[row] == source.types[at]
            start += size


def test_the_teacher_is_the_base_models_vectors_of_the_general_rows() -> None:
    streams = made_up_streams()
    batch = Batches(streams, CONFIG).batch(0)
    at = [streams.general.phrases.index(batch.first[row]) for row in batch.general]
    assert np.array_equal(batch.teacher, streams.vectors["general"][at])
    assert Batches(streams, CONFIG.replace(distil_weight=0.0)).batch(0).teacher is None


def test_groups_that_are_half_full_still_fill_a_batch() -> None:
    streams = made_up_streams(n=34)  # leaves of 4 and 5 where 8 would fit
    config = CONFIG.replace(neighbours=8, alias_rows=24, paraphrase_rows=16)
    assert len(Batches(streams, config).batch(0).first) == config.rows


def test_rows_come_in_groups_of_neighbours() -> None:
    rng = np.random.default_rng(0)
    names = [f"{family} {n}" for family in "abcdefgh" for n in range(8)]
    centres = np.eye(8).repeat(8, axis=0) + 0.01 * rng.normal(size=(64, 8))
    vectors = centres / np.linalg.norm(centres, axis=1, keepdims=True)
    streams = replace(only(names, [(f"{n}!",) for n in names]), vectors={"names": vectors})

    def families(neighbours: int) -> float:
        batches = Batches(streams, aliases(8, neighbours=neighbours))
        return float(np.mean([len({t[0] for t in batches.batch(s).first}) for s in range(20)]))

    assert families(8) + 1.5 < families(1)


def test_names_of_one_thing_are_masked() -> None:
    names = ["NYT", "New York Times", "LA Times", "nyt ", "Bern"]
    others = [("New York  TIMES",), ("The Times",), ("LAT",), ("Other",), ("Berne", "LAT")]
    batch = Batches(only(names, others), aliases(5, neighbours=1)).batch(0)
    row = {}
    for at, texts in enumerate(zip(batch.first, batch.second, strict=True)):
        row |= {name: at for name in names if name in texts}
    expected = np.eye(5, dtype=bool)
    for one, two in (
        ("NYT", "New York Times"),  # a known name of one is the other
        ("NYT", "nyt "),  # the same text, folded
        ("LA Times", "Bern"),  # one's view is a known name of the other
    ):
        expected[row[one], row[two]] = expected[row[two], row[one]] = True
    assert batch.same.tolist() == expected.tolist()


def test_every_shared_text_is_masked() -> None:
    streams = made_up_streams(n=20)
    for step in range(10):
        batch = Batches(streams, CONFIG.replace(typed_rows=30)).batch(step)
        assert (batch.same == batch.same.T).all()
        texts = [{fold(a), fold(b)} for a, b in zip(batch.first, batch.second, strict=True)]
        for one in range(len(texts)):
            for two in range(len(texts)):
                if texts[one] & texts[two]:
                    assert batch.same[one, two]
    assert batch.same.sum() > len(texts)  # typed rows are drawn with repetition


def test_negatives_are_drawn_in_full_and_never_a_name_in_the_batch() -> None:
    texts = ["Bern", "Berlin", "Brno", "Bergen", "Bremen", "Berne", "Paris"]
    starts, rows = np.array([0, 5, 6, 6, 6, 6, 6, 6]), np.array([1, 2, 3, 4, 5, 0])
    stored = HardNegatives(texts, starts, rows.astype(np.int32))
    streams = only(["Bern", "Berlin"], [("Berne",), ("Berlin DE",)], negatives=stored)

    def drawn(n: int) -> set[str]:
        batches = Batches(streams, aliases(2, neighbours=1, negatives=n, negatives_file="x"))
        found = [batches.batch(step).negatives for step in range(30)]
        assert all(len(set(texts)) == len(texts) <= n for texts in found)
        return {text for texts in found for text in texts}

    # Berne is Bern's other name and Berlin a row of the batch: no negatives of this batch.
    assert drawn(2) == drawn(5) == {"Brno", "Bergen", "Bremen"}
    batch = Batches(streams, aliases(2, neighbours=1, negatives=5, negatives_file="x")).batch(0)
    assert len(batch.negatives) == 3
    assert Batches(streams, aliases(2, neighbours=1)).batch(0).negatives == []


def test_views_are_turned_off_by_their_rates() -> None:
    names = [f"name {n}" for n in range(8)]
    streams = only(names, [(f"alias {n}",) for n in range(8)])
    batch = Batches(streams, aliases(8, neighbours=1)).batch(0)
    for one, two in zip(batch.first, batch.second, strict=True):
        assert {one.split()[0], two.split()[0]} == {"name", "alias"}
    off = Batches(streams, aliases(8, neighbours=1, phrase_rate=0.0)).batch(0)
    assert "alias" not in " ".join(off.first + off.second)


def test_a_source_smaller_than_its_share_gives_what_it_has() -> None:
    streams = only(["a b", "c d", "e f"], [("b",), ("d",), ("f",)])
    assert sorted(Batches(streams, aliases(50, neighbours=1)).batch(0).types) == [UNKNOWN] * 3


def test_editions_of_a_name_differ_in_their_mark_alone() -> None:
    names = [f"{word} Club" for word in ("Ajax", "Bolton", "Celtic", "Dynamo", "Everton", "Fulham")]
    streams = only(names, [(f"FC {name.split()[0]}",) for name in names])
    batch = Batches(streams, aliases(6, edition_rate=1.0)).batch(3)
    assert len(set(batch.first)) == len(set(batch.second)) == 6
    for row in range(0, 6, 2):
        for one, two in ((batch.first[row], batch.first[row + 1]), (batch.second[row : row + 2])):
            assert one != two
            # One name in both.
            kept = [word for word in (*names, "FC") if word.split()[0] in one]
            assert kept
            assert all(word.split()[0] in two for word in kept)
    # An edition is not the thing itself, whose type is known, and none is another's name.
    assert batch.types.tolist() == [UNKNOWN] * 6
    assert np.array_equal(batch.same, np.eye(6, dtype=bool))


def test_an_odd_row_and_other_kinds_of_rows_have_no_editions() -> None:
    streams = only(["Ajax", "Bolton", "Celtic"], [("A",), ("B",), ("C",)])
    batch = Batches(streams, aliases(3, edition_rate=1.0)).batch(0)
    assert {batch.first[2], batch.second[2]} in [{"Ajax", "A"}, {"Bolton", "B"}, {"Celtic", "C"}]
    config = CONFIG.replace(edition_rate=1.0, alias_rows=0)
    plain_config = CONFIG.replace(alias_rows=0)
    made_up = made_up_streams()
    assert Batches(made_up, config).batch(0).first == Batches(made_up, plain_config).batch(0).first
