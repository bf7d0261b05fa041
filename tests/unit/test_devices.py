"""One device option of a join: where it encodes, and where it searches."""

import sys

import pytest
from frames import TrigramEncoder

import pearljoin as pj
from pearljoin import _devices
from pearljoin._encoders import load as load_module
from pearljoin._errors import InputError, MissingExtraError
from pearljoin._search import dense, dense_torch

LEFT, RIGHT = ["Alpha", "beta!", "gamma"], ["alpha", "beta", "delta"]


@pytest.fixture
def gpu(monkeypatch) -> list[str]:
    """A GPU for the search, which torch plays on the CPU; lists the devices searched on."""
    asked: list[str] = []
    search = dense_torch.search

    def on_cpu(queries, reference, k, device):
        asked.append(device)
        return search(queries, reference, k, "cpu")

    monkeypatch.setattr(_devices, "gpu_by_torch", lambda: True)
    monkeypatch.setattr(dense_torch, "search", on_cpu)
    return asked


@pytest.fixture
def no_gpu(monkeypatch) -> None:
    monkeypatch.setattr(_devices, "gpu_by_faiss", lambda: False)
    monkeypatch.setattr(_devices, "gpu_by_torch", lambda: False)


@pytest.mark.parametrize(
    ("device", "encodes", "searches"),
    [("cpu", "cpu", "cpu"), ("cuda", "auto", "cuda"), ("cuda:1", "auto", "cuda:1")],
)
def test_a_device_that_is_named_is_used(gpu, device: str, encodes: str, searches: str) -> None:
    assert _devices.encoder_device(device) == encodes
    assert _devices.search_device(device) == searches


def test_auto_searches_on_a_gpu_where_torch_is_in_use(gpu, monkeypatch) -> None:
    assert _devices.encoder_device("auto") == "auto"
    monkeypatch.setitem(sys.modules, "torch", sys)
    assert _devices.search_device("auto") == "cuda"
    monkeypatch.delitem(sys.modules, "torch")
    assert _devices.search_device("auto") == "cpu"
    monkeypatch.setitem(sys.modules, "torch", None)
    assert _devices.search_device("auto") == "cpu"


def test_auto_and_cpu_need_no_gpu(no_gpu) -> None:
    for device in ("auto", "cpu"):
        assert _devices.encoder_device(device) == device
        assert _devices.search_device(device) == "cpu"
        result = pj.match(LEFT, RIGHT, device=device, encoder=TrigramEncoder(), threshold=0.1)
        assert result.matches().right.tolist()[:2] == [0, 1]


@pytest.mark.parametrize("encoder", ["default", TrigramEncoder()], ids=["default", "an object"])
def test_a_gpu_that_is_not_there_is_an_error(no_gpu, encoder) -> None:
    message = r"device='cuda' needs a GPU that faiss or torch can use\. Got none\. Hint: device='au"
    with pytest.raises(InputError, match=message):
        pj.match(LEFT, RIGHT, device="cuda", encoder=encoder)


def test_a_gpu_without_torch_names_the_extra(monkeypatch) -> None:
    monkeypatch.setattr(_devices, "gpu_by_faiss", lambda: False)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"needs the package 'torch'.*\[gpu\]"):
        pj.match(LEFT, RIGHT, device="cuda")


def test_a_faiss_that_sees_a_gpu_needs_no_torch(monkeypatch) -> None:
    monkeypatch.setattr(_devices, "gpu_by_faiss", lambda: True)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert _devices.search_device("cuda") == "cuda"


def many(names: list[str]) -> list[str]:
    """More texts than are all compared with all, so that they are searched."""
    return [f"{name} {number}" for name in names for number in range(30)]


def test_the_bundled_model_encodes_on_the_cpu_and_is_searched_on_the_gpu(gpu) -> None:
    pytest.importorskip("torch")
    wanted = pj.match(many(LEFT), many(RIGHT), device="cpu").matches()
    assert gpu == []
    result = pj.match(many(LEFT), many(RIGHT), device="cuda")
    found = result.matches()
    assert gpu
    assert set(gpu) == {"cuda"}
    assert (found.left.tolist(), found.right.tolist()) == (
        wanted.left.tolist(),
        wanted.right.tolist(),
    )


def test_a_folder_with_weights_for_it_encodes_on_the_gpu_too(gpu, monkeypatch) -> None:
    pytest.importorskip("torch")
    loaded = []

    def torch_encoder(folder, device, batch_size, verbose):
        loaded.append(device)
        return TrigramEncoder()

    monkeypatch.setattr(load_module, "_torch", torch_encoder)
    monkeypatch.setattr(load_module, "gpu_is_there", lambda: True)
    monkeypatch.setattr(load_module.ModelFolder, "has", lambda self, name: name != load_module.TOKENS)
    pj.Matcher(device="cuda").fit(RIGHT)
    assert loaded == ["auto"]
    pj.Matcher(device="cpu").fit(RIGHT)
    assert loaded == ["auto"]


def test_faiss_says_whether_it_sees_a_gpu(monkeypatch) -> None:
    faiss = pytest.importorskip("faiss")
    for number in (0, 2):
        monkeypatch.setattr(faiss, "get_num_gpus", lambda number=number: number)
        assert dense.gpu_by_faiss() is (number > 0)
