"""A large reference is encoded on the cluster, to the vectors of one machine."""

from typing import Any

import pyarrow as pa
import pytest
from spark_laws import LEFT, RIGHT, assert_same

import pearljoin as pj
from pearljoin._spark import encode


@pytest.mark.thorough
def test_vectors_of_the_cluster_give_the_same_join(
    classic: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = classic.createDataFrame(LEFT)
    options: dict[str, Any] = {"left_on": ["name", "land"], "right_on": ["name", "city"]}
    monkeypatch.setattr(encode, "FEW_PHRASES", 3)
    monkeypatch.setattr(encode, "PHRASES_A_JOB", 5)
    asked: list[int] = []
    run = encode.encode_phrases
    monkeypatch.setattr(encode, "encode_phrases", lambda *a: asked.append(len(a[2])) or run(*a))
    found = pj.fuzzy_join(left, RIGHT, **options)
    n_names = len(set(RIGHT["name"].drop_null().to_pylist()))
    assert asked[0] == n_names
    assert_same(found, pj.fuzzy_join(LEFT, RIGHT, **options))
    table = encode.encode_phrases(classic, "default", ["Le Monde", "Die Zeit"] * 4)
    alone = pj.load_encoder("default").encode(["Le Monde", "Die Zeit"] * 4)
    assert table.vectors == pytest.approx(alone, abs=1e-5)
    assert pa.array(table.covered).to_pylist() == [True] * 8
