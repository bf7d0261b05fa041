import json

import numpy as np
import onnx
import onnxruntime
import pytest
import safetensors.numpy
import torch
from encoder_samples import BUNDLED, NAMES
from onnx import TensorProto, helper

from pearljoin._encoders import load_encoder
from pearljoin._encoders.int8_overflow import PROBE
from pearljoin._errors import ModelError
from pearljoin_train.__main__ import main
from pearljoin_train.export.activation_ranges import calibration_names
from pearljoin_train.export.bert_graph import build
from pearljoin_train.export.bert_weights import read_weights
from pearljoin_train.export.export_int8 import export, prepare_tokenizer
from pearljoin_train.export.quantise import quantise, smoothing_factors
from pearljoin_train.models.base import MINILM, MINILM_SHA256, find_base, read_pooling


@pytest.fixture(scope="module")
def base():
    return find_base(MINILM)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """What the command makes of MiniLM."""
    folder = tmp_path_factory.mktemp("exported") / "minilm"
    assert main(["export", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def torch_vectors(base):
    """What transformers and torch give for the names, in float32, each name alone."""
    from transformers import AutoModel

    model = AutoModel.from_pretrained(str(base.folder), use_safetensors=True).eval()
    tokenizer = prepare_tokenizer(base.folder, 128)
    rows = []
    with torch.inference_mode():
        for name in NAMES:
            ids = torch.tensor([tokenizer.encode(name).ids])
            hidden = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state
            rows.append(torch.nn.functional.normalize(hidden.mean(dim=1)).numpy()[0])
    return np.stack(rows)


def run(model, tokenizer, names):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    return np.concatenate(
        [
            session.run(["vectors"], {"input_ids": np.array([tokenizer.encode(name).ids])})[0]
            for name in names
        ]
    )


def test_the_float_graph_gives_torchs_vectors(base, torch_vectors):
    model = build(read_weights(base.folder), max_length=128, quantised=False)
    vectors = run(model, prepare_tokenizer(base.folder, 128), NAMES)
    np.testing.assert_allclose(vectors, torch_vectors, atol=1e-5)


def test_exported_vectors_lie_close_to_torchs(exported, torch_vectors):
    cosines = (load_encoder(exported).encode(NAMES) * torch_vectors).sum(axis=1)
    assert cosines.mean() > 0.9985
    assert cosines.min() > 0.99


def test_the_published_folder_gives_torchs_vectors_too(base, torch_vectors):
    vectors = load_encoder(base.folder, device="cpu").encode(NAMES)
    np.testing.assert_allclose(vectors, torch_vectors, atol=1e-5)


def test_a_sentence_transformers_model_is_an_encoder(base, torch_vectors):
    sentence_transformers = pytest.importorskip("sentence_transformers")
    model = sentence_transformers.SentenceTransformer(str(base.folder), device="cpu")
    vectors = load_encoder(model).encode(NAMES)
    np.testing.assert_allclose(vectors, torch_vectors, atol=1e-5)


def test_the_bundled_folder_is_of_the_form_that_the_command_makes(exported):
    made = json.loads((exported / "config.json").read_text())
    bundled = json.loads((BUNDLED / "config.json").read_text())
    assert made["files"]["tokenizer.json"] == bundled["files"]["tokenizer.json"]
    assert made["provenance"]["weights_sha256"] == MINILM_SHA256
    assert made["provenance"]["source"] == bundled["provenance"]["trained_from"]
    assert made.keys() == bundled.keys()


def test_the_tokenizer_neither_pads_nor_cuts_as_published():
    tokenizer = json.loads((BUNDLED / "tokenizer.json").read_text())
    assert tokenizer["padding"] is None
    assert tokenizer["truncation"]["max_length"] == 128


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A random BERT of 16 columns with the bundled tokenizer, as save_pretrained writes it."""
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("tiny") / "tiny-bert"
    config = BertConfig(
        vocab_size=30522, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes((BUNDLED / "tokenizer.json").read_bytes())
    return folder


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_a_folder_of_our_own_exports_and_runs_both_ways(tiny, tmp_path, pooling):
    (tiny / "1_Pooling").mkdir(exist_ok=True)
    settings = {"pooling_mode_cls_token": pooling == "cls"}
    (tiny / "1_Pooling" / "config.json").write_text(json.dumps(settings))
    assert read_pooling(tiny) == pooling
    base = find_base(str(tiny), name="ours", licence="MIT")
    out = export(base, tmp_path / "ours", max_length=32, prefix="query: ", half=True)
    config = json.loads((out / "config.json").read_text())
    assert (config["name"], config["base_licence"]) == ("ours", "MIT")
    assert (config["dim"], config["prefix"], config["max_length"]) == (16, "query: ", 32)
    assert "# ours" in (out / "MODEL_CARD.md").read_text()
    on_cpu = load_encoder(out).encode(NAMES)
    config["files"].pop("model.onnx")
    (out / "config.json").write_text(json.dumps(config))
    in_torch = load_encoder(out, device="cpu").encode(NAMES)
    assert (on_cpu * in_torch).sum(axis=1).min() > 0.99


def test_exporting_needs_safetensors(tmp_path):
    with pytest.raises(ModelError, match=r"no model.safetensors in"):
        find_base(str(tmp_path))


def test_other_architectures_are_refused(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "mpnet", "hidden_act": "gelu"}')
    safetensors.numpy.save_file({}, tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match="Only BERT encoders"):
        read_weights(tmp_path)


def test_other_weights_in_the_package_are_refused(monkeypatch):
    monkeypatch.setattr("pearljoin_train.models.base.MINILM_SHA256", "0" * 64)
    with pytest.raises(ValueError, match="not the published ones"):
        find_base(MINILM)


def test_quantising_loses_at_most_half_a_step():
    matrix = np.random.default_rng(0).normal(size=(7, 5)).astype(np.float32)
    codes, scale = quantise(matrix, axis=0)
    assert scale.shape == (1, 5)
    assert np.abs(codes).max() == 127
    assert (np.abs(codes * scale - matrix) <= scale / 2 + 1e-6).all()


def test_smoothing_evens_channels_out(base):
    weights = read_weights(base.folder)
    largest = {("ffn_in", 0): np.ones(384, dtype=np.float32)}
    largest["ffn_in", 0][5] = 100
    even = smoothing_factors(weights, largest, strength=1.0)["ffn_in", 0]
    assert even[5] / even[6] == pytest.approx(100, rel=1e-4)
    assert np.log(even).mean() == pytest.approx(0, abs=1e-5)


def test_calibration_names_are_of_many_kinds():
    names = calibration_names()
    assert len(names) > 100
    assert len(set(names)) == len(names)
    assert not set(names) & set(NAMES)


def test_the_overflow_probe_is_one_integer_product():
    values = {"a": (TensorProto.UINT8, ["m", "k"]), "b": (TensorProto.INT8, ["k", "n"])}
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["a", "b"], ["y"])],
        "p",
        [helper.make_tensor_value_info(name, *value) for name, value in values.items()],
        [helper.make_tensor_value_info("y", TensorProto.INT32, ["m", "n"])],
    )
    opset = [helper.make_opsetid("", 20)]
    assert onnx.load_from_string(PROBE) == helper.make_model(
        graph, ir_version=9, opset_imports=opset
    )


def test_commands_are_listed(capsys):
    assert main([]) == 2
    assert "export" in capsys.readouterr().err
    assert main(["--help"]) == 0
    assert "make a model folder" in capsys.readouterr().out
    assert main(["nonsense"]) == 2
