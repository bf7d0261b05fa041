import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
import torch
from encoder_samples import BUNDLED, NAMES

from pearljoin import InputError, MissingExtraError, ModelError
from pearljoin._encoders import CoverageEncoder, bundled_names, load_encoder
from pearljoin._encoders.load import DEFAULT
from pearljoin._encoders.pooling_config import KNOWN_MODELS
from pearljoin._encoders.torch_encoder import TorchEncoder
from pearljoin._encoders.transformer import in_few_sizes


@pytest.fixture
def tiny(tmp_path):
    """A random BERT of 16 columns with a tokenizer, as save_pretrained writes it."""
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    folder = tmp_path / "tiny"
    config = BertConfig(
        vocab_size=30522, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes((BUNDLED / "tokenizer.json").read_bytes())
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer"}')
    return folder


def by_hand(folder, phrase, *, pooling="mean"):
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(str(folder)).eval()
    tokenizer = AutoTokenizer.from_pretrained(str(folder))
    with torch.inference_mode():
        given = tokenizer(phrase, return_tensors="pt")
        hidden = model(
            input_ids=given["input_ids"], attention_mask=given["attention_mask"]
        ).last_hidden_state[0]
    keep = hidden[given["attention_mask"][0].bool()]
    vector = (keep[0] if pooling == "cls" else keep.mean(dim=0)).numpy()
    return vector / np.linalg.norm(vector)


def test_a_hugging_face_folder_gives_its_own_vectors(tiny):
    encoder = load_encoder(str(tiny), device="cpu")
    assert isinstance(encoder, CoverageEncoder)
    assert (encoder.dim, encoder.fallback_threshold) == (16, None)
    vectors = encoder.encode(NAMES)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(vectors[0], by_hand(tiny, NAMES[0]), atol=1e-5)
    alone = np.concatenate([encoder.encode([name]) for name in NAMES])
    np.testing.assert_allclose(alone, vectors, atol=1e-6)
    small = TorchEncoder(tiny, device="cpu", batch_size=3).encode(NAMES)
    np.testing.assert_allclose(small, vectors, atol=1e-6)
    assert encoder.encode([]).shape == (0, 16)


@pytest.mark.parametrize(
    "settings",
    [
        {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False},
        {"pooling_mode": "cls", "include_prompt": True},
    ],
)
def test_pooling_is_read_as_sentence_transformers_writes_it(tiny, settings):
    (tiny / "1_Pooling").mkdir()
    (tiny / "1_Pooling" / "config.json").write_text(json.dumps(settings))
    vectors = load_encoder(tiny, device="cpu").encode(NAMES[:3])
    np.testing.assert_allclose(vectors[1], by_hand(tiny, NAMES[1], pooling="cls"), atol=1e-5)


def test_a_pooling_that_is_not_supported(tiny):
    (tiny / "1_Pooling").mkdir()
    (tiny / "1_Pooling" / "config.json").write_text('{"pooling_mode_max_tokens": true}')
    with pytest.raises(
        ModelError, match=r"pools its tokens .* not supported. Got \['max_tokens'\]"
    ):
        load_encoder(tiny, device="cpu")


def test_texts_are_cut_where_positions_end(tiny):
    encoder = load_encoder(tiny, device="cpu")
    assert encoder.covers(["word " * 62, "word " * 63, "🎉"]).tolist() == [True, False, False]
    long, longer = encoder.encode(["word " * 63, "word " * 90])
    np.testing.assert_allclose(long, longer, atol=1e-6)


def test_a_pickle_is_a_path(tiny):
    encoder = load_encoder(tiny, device="cpu", batch_size=5)
    stored = pickle.dumps(encoder)
    assert len(stored) < 1_000
    again = pickle.loads(stored)
    np.testing.assert_allclose(again.encode(NAMES[:4]), encoder.encode(NAMES[:4]), atol=1e-6)


def test_weights_as_a_pickle_are_refused(tiny):
    from safetensors.torch import load_file

    torch.save(load_file(tiny / "model.safetensors"), tiny / "pytorch_model.bin")
    (tiny / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"cannot be loaded as a transformer.*pickles .* refused"):
        load_encoder(tiny, device="cpu")


def test_incomplete_weights_are_refused(tiny):
    from safetensors.torch import load_file, save_file

    tensors = load_file(tiny / "model.safetensors")
    tensors.pop("encoder.layer.0.output.dense.weight")
    save_file(tensors, tiny / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match=r"incomplete. Got none for encoder.layer.0.output.dense"):
        load_encoder(tiny, device="cpu")


def test_truncated_weights_are_refused(tiny):
    content = (tiny / "model.safetensors").read_bytes()
    (tiny / "model.safetensors").write_bytes(content[:5000])
    with pytest.raises(ModelError, match="cannot be loaded as a transformer"):
        load_encoder(tiny, device="cpu")


def test_a_model_that_brings_code_is_not_run(tiny, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tiny / "evil.py").write_text("import os\nos.mkdir('exploded')\n")
    config = json.loads((tiny / "config.json").read_text())
    config |= {"model_type": "evil", "auto_map": {"AutoModel": "evil.M", "AutoConfig": "evil.C"}}
    (tiny / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match="cannot be loaded as a transformer"):
        load_encoder(tiny, device="cpu")
    assert not (tmp_path / "exploded").exists()


def test_a_hub_id_that_cannot_be_fetched_is_told_at_once(monkeypatch):
    import socket

    asked = []

    def no_address(host, *_args, **_options):
        asked.append(host)
        raise socket.gaierror(-2, f"Name or service not known: {host}")

    monkeypatch.setattr(socket, "getaddrinfo", no_address)
    monkeypatch.setattr("urllib.request.getproxies", dict)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "https://huggingface.co")
    with pytest.raises(ModelError, match=r"'nobody/nothing'.*Hint: .*encoder='default'"):
        load_encoder("nobody/nothing")
    assert set(asked) == {"huggingface.co"}
    assert len(asked) <= 2  # the hub's client alone would ask twelve times, for a minute


def test_the_papers_models_pool_by_the_mean():
    assert KNOWN_MODELS["Lihuchen/pearl_small"].pooling == "mean"
    assert KNOWN_MODELS["Lihuchen/pearl_small"].prefix == ""
    assert KNOWN_MODELS["intfloat/e5-small-v2"].prefix == "query: "


@pytest.mark.skipif(torch.cuda.is_available(), reason="has a GPU")
def test_a_gpu_that_is_not_there(tiny):
    with pytest.raises(ModelError, match="device='cuda' needs a GPU that torch can use"):
        load_encoder(tiny, device="cuda")


@pytest.mark.parametrize(("n", "wanted"), [(1, 64), (64, 64), (65, 128), (200, 256), (2184, 2560)])
def test_batches_on_a_gpu_are_of_few_sizes(n, wanted):
    ids = np.arange(3 * n).reshape(n, 3)
    padded = in_few_sizes(ids)
    assert padded.shape == (wanted, 3)
    np.testing.assert_array_equal(padded[:n], ids)
    assert (padded[n:] == ids[0]).all()


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_gpu_gives_nearly_the_same_vectors(tiny):
    on_gpu = load_encoder(tiny, device="cuda").encode(NAMES)
    on_cpu = load_encoder(tiny, device="cpu").encode(NAMES)
    assert (on_gpu * on_cpu).sum(axis=1).min() > 0.999


def test_without_torch_the_extra_is_named(tiny, monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pearljoin\[torch\]'"):
        load_encoder(tiny)


def test_bundled_names():
    assert bundled_names() == ("default", DEFAULT, "pearl-nano")


@pytest.mark.parametrize("spec", ["defualt", "", "pearl", "../nowhere", "a/b/c", "/no/such/folder"])
def test_names_of_nothing(spec):
    with pytest.raises(InputError, match=rf"There is no encoder called .*default, {DEFAULT}"):
        load_encoder(spec)


def test_options_that_cannot_be_used():
    with pytest.raises(InputError, match=r"device must be one of auto, cpu, cuda. Got 'gpu'"):
        load_encoder(device="gpu")
    with pytest.raises(InputError, match=r"batch_size must be at least 1. Got 0"):
        load_encoder(batch_size=0)


def test_the_default_needs_no_torch():
    code = (
        "import sys\n"
        "from pearljoin._encoders import load_encoder\n"
        "load_encoder().encode(['a'])\n"
        "heavy = {'torch', 'transformers', 'faiss', 'pandas', 'polars', 'sklearn'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_training_imports_no_search_library():
    code = (
        "import sys\n"
        "import pearljoin_train.export.command, pearljoin_train.__main__\n"
        "print(sorted({'faiss', 'rapidfuzz', 'polars'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
