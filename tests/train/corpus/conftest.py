from pathlib import Path

import pytest

from pearljoin_train.corpus.models import train_chunker, train_names

from .samples import write_lexicons, write_lists


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_lexicons(folder / "lexicon")
    write_lists(folder / "train")
    return folder


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    """A folder of models learned from the small data folder."""
    folder = tmp_path_factory.mktemp("models")
    train_chunker(folder, data)
    train_names(folder, data)
    return folder
