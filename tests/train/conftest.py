"""What the tests of training share."""

from pathlib import Path

import pytest
import torch
from tiny_models import save_tiny_bert


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    """Folder of a random BERT in Hugging Face's layout."""
    return save_tiny_bert(tmp_path_factory.mktemp("bert") / "tiny")


@pytest.fixture
def one_thread():
    """Train on one thread: two tests at a time have two cores, and sums come in one order."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
