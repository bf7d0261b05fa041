import json

import pytest
from encoder_samples import BUNDLED
from threads import one_torch_thread

from pearljoin._encoders import load_encoder


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Tiny models are slower on several threads, far slower on a busy machine."""
    with one_torch_thread():
        yield


@pytest.fixture(scope="session")
def encoder():
    return load_encoder("default")


@pytest.fixture
def copy_of_bundled(tmp_path):
    """A folder of links to the bundled model's files, with a configuration that can be changed."""
    folder = tmp_path / "model"
    folder.mkdir()
    for path in BUNDLED.iterdir():
        if path.name != "config.json":
            (folder / path.name).symlink_to(path)
    config = json.loads((BUNDLED / "config.json").read_text())

    def write(**changes):
        (folder / "config.json").write_text(json.dumps({**config, **changes}))
        return folder

    write()
    return folder, write
