"""Tests of this folder are about what is done with vectors, not about how texts get them."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def _vectors_are_kept(kept_vectors: None) -> None:
    """Encode each text once."""
