"""The soak command, for two short rounds."""

from soak import is_flat, soak


def test_a_matcher_in_a_service_answers_as_a_fresh_one(capsys) -> None:
    sizes = soak(minutes=10, clients=4, n_rows=40, most_rounds=2)
    assert len(sizes) == 2
    assert capsys.readouterr().out.startswith("2 rounds, ")


def test_memory_that_grows_is_told() -> None:
    assert is_flat([100, 120, 120, 119])
    assert not is_flat([100 * 2**20, 120 * 2**20, 120 * 2**20, 200 * 2**20])
