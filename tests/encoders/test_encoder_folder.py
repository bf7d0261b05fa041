"""Untrusted model folders: each is refused with the file, the fault and what to do."""

import base64
import hashlib
import json
import math
import os
import pickle

import pytest
from encoder_samples import BUNDLED
from onnx import TensorProto, helper, save

from pearljoin import ModelError
from pearljoin._encoders import load_encoder, model_folder
from pearljoin._encoders.model_folder import read_folder
from pearljoin._encoders.tokenizer_checks import KNOWN_PATTERNS, check_tokenizer


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def put(folder, write, name, content, **changes):
    """Put a file in the folder, under a true sha256, so that only its content is at fault."""
    (folder / name).unlink(missing_ok=True)
    (folder / name).write_bytes(content)
    files = json.loads((BUNDLED / "config.json").read_text())["files"]
    write(files={**files, name: sha256(content)}, **changes)


def test_the_bundled_files_have_the_sha256_of_the_configuration():
    folder = read_folder(BUNDLED)
    assert set(folder.files) == {"model.onnx", "ngrams.npz", "scorer.json", "tokenizer.json"}
    for name, digest in folder.files.items():
        assert sha256((BUNDLED / name).read_bytes()) == digest


def test_the_bundled_model_is_small_and_keeps_its_licence():
    assert sum(path.stat().st_size for path in BUNDLED.iterdir()) < 32e6
    assert "Apache License" in (BUNDLED / "LICENSE.txt").read_text()
    assert "sentence-transformers/all-MiniLM-L6-v2" in (BUNDLED / "NOTICE").read_text()
    assert json.loads((BUNDLED / "config.json").read_text())["base_licence"] == "Apache-2.0"


def test_a_copy_elsewhere_encodes_alike(copy_of_bundled, encoder):
    folder, _ = copy_of_bundled
    assert (load_encoder(folder).encode(["Oslo"]) == encoder.encode(["Oslo"])).all()


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(ModelError, match=r"no model folder at .*nowhere"):
        read_folder(tmp_path / "nowhere")


def test_an_empty_folder(tmp_path):
    with pytest.raises(ModelError, match=r"has no config.json. Got an empty folder. Hint"):
        load_encoder(tmp_path)


def test_a_file_instead_of_a_folder(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(b"")
    with pytest.raises(ModelError, match="is a file, not a model folder"):
        load_encoder(str(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[1]", "does not hold an object. Got a list"),
        (b" " * (2**20 + 1), "too large to be a model file"),
    ],
)
def test_a_configuration_that_cannot_be_read(copy_of_bundled, content, message):
    folder, _ = copy_of_bundled
    (folder / "config.json").write_bytes(content)
    with pytest.raises(ModelError, match=rf"config\.json.*{message}"):
        load_encoder(folder)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", 2, "'format' must be 1. Got 2. Hint: update pearljoin"),
        ("format", True, "'format' must be 1"),
        ("name", 7, "'name' must be a text"),
        ("name", "", "'name' must be a text"),
        ("dim", 0, "'dim' must be a whole number from 1 to 8192"),
        ("dim", 10**9, "'dim' must be a whole number"),
        ("dim", "384", "'dim' must be a whole number"),
        ("dim", True, "'dim' must be a whole number"),
        ("max_length", 2, "'max_length' must be a whole number from 3 to 8192"),
        ("max_length", 10**12, "'max_length' must be a whole number"),
        ("pooling", "max", "'pooling' must be one of mean, cls. Got 'max'"),
        ("prefix", "q" * 201, "'prefix' must be a text of at most 200"),
        ("prefix", None, "'prefix' must be a text"),
        ("fallback_threshold", math.nan, "'fallback_threshold' must be a number from 0 to 1"),
        ("fallback_threshold", 1.5, "'fallback_threshold' must be a number from 0 to 1"),
        ("graph_inputs", "input_ids", "'graph_inputs' must list input_ids"),
        ("graph_inputs", ["input_ids", ["x"]], "'graph_inputs' must list input_ids"),
        ("architecture", [1], "'architecture' must be an object"),
        ("files", None, "'files' must map file names"),
        ("files", {"tokenizer.json": "0" * 64}, "'files' must list tokenizer.json and model.onnx"),
    ],
)
def test_a_configuration_with_a_wrong_value(copy_of_bundled, key, value, message):
    folder, write = copy_of_bundled
    write(**{key: value})
    with pytest.raises(ModelError, match=rf"config\.json.*{message}"):
        load_encoder(folder)


@pytest.mark.parametrize(
    "name", ["../model.onnx", "/etc/passwd", "a/b.json", "..", "a\\b.json", "C:x.json", "run.py"]
)
def test_a_file_outside_the_folder_or_of_another_kind(copy_of_bundled, name):
    folder, write = copy_of_bundled
    files = json.loads((BUNDLED / "config.json").read_text())["files"]
    write(files={**files, name: "0" * 64})
    with pytest.raises(ModelError, match="not a plain name of a file in the folder"):
        load_encoder(folder)


@pytest.mark.parametrize("digest", ["", "0" * 63, "Z" * 64, None, ["0" * 64]])
def test_a_file_without_a_sha256(copy_of_bundled, digest):
    folder, write = copy_of_bundled
    write(files={"tokenizer.json": digest, "model.onnx": "0" * 64})
    with pytest.raises(ModelError, match=r"'tokenizer.json' without a sha256"):
        load_encoder(folder)


class Bomb:
    def __reduce__(self):
        return (os.mkdir, ("exploded",))


def test_weights_as_a_pickle_are_refused_and_not_opened(copy_of_bundled, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder, write = copy_of_bundled
    content = pickle.dumps(Bomb())
    for name in ("pytorch_model.bin", "model.pt", "scorer.pkl", "vectoriser.joblib"):
        put(folder, write, name, content)
        with pytest.raises(ModelError, match="a pickle, which could run code"):
            load_encoder(folder)
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [("model.onnx", "is not an ONNX model"), ("tokenizer.json", "is not a tokenizer")],
)
def test_a_pickle_under_a_good_name(copy_of_bundled, tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    folder, write = copy_of_bundled
    put(folder, write, name, pickle.dumps(Bomb()))
    with pytest.raises(ModelError, match=rf"{name}' {message}"):
        load_encoder(folder).encode(["a"])
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_truncated_or_changed_file(copy_of_bundled, name):
    folder, _ = copy_of_bundled
    content = (BUNDLED / name).read_bytes()
    (folder / name).unlink()
    with pytest.raises(ModelError, match=rf"has no {name}"):
        load_encoder(folder)
    for damaged in (content[:-100], content[:1000] + b"?" + content[1001:], b""):
        (folder / name).write_bytes(damaged)
        with pytest.raises(ModelError, match=rf"{name}' is damaged or was changed: its sha256"):
            load_encoder(folder)


def own_file(path):
    """Put a file in place of a link to it, written just now; return its bytes."""
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)
    return content


def test_files_are_checked_once_until_they_are_written_again(copy_of_bundled, monkeypatch):
    monkeypatch.setattr(model_folder, "_SETTLED_NS", 0)
    folder, read = read_folder(copy_of_bundled[0]), []
    content = bytearray(own_file(folder.path / "scorer.json"))
    bytes_of = model_folder._read_bytes
    monkeypatch.setattr(
        model_folder, "_read_bytes", lambda path: read.append(path.name) or bytes_of(path)
    )
    folder.verify()
    assert sorted(read) == sorted(folder.files)
    folder.verify()
    assert len(read) == len(folder.files)
    content[-3] ^= 1
    (folder.path / "scorer.json").write_bytes(content)
    with pytest.raises(ModelError, match=r"scorer.json' is damaged or was changed"):
        folder.verify()


def test_a_file_that_was_written_just_now_is_checked_again(copy_of_bundled):
    folder = read_folder(copy_of_bundled[0])
    own_file(folder.path / "scorer.json")
    folder.verify()
    assert str(folder.path / "scorer.json") not in model_folder._CHECKED


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
def test_a_device_instead_of_a_file_is_not_read(copy_of_bundled):
    folder, _ = copy_of_bundled
    (folder / "model.onnx").unlink()
    (folder / "model.onnx").symlink_to("/dev/zero")
    with pytest.raises(ModelError, match=r"has no model.onnx"):
        load_encoder(folder)


def external_model(kind):
    """A model whose one tensor lies in another file, kept in the place that `kind` names."""
    tensor = helper.make_tensor("w", TensorProto.FLOAT, [1], [1.0])
    tensor.ClearField("float_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="../../../../etc/passwd")
    nodes, tensors = [helper.make_node("Identity", ["w"], ["y"])], [tensor]
    if kind == "attribute":
        nodes, tensors = [helper.make_node("Constant", [], ["y"], value=tensor)], []
    if kind == "subgraph":
        inner = helper.make_graph(
            [helper.make_node("Constant", [], ["z"], value=tensor)],
            "inner",
            [],
            [helper.make_tensor_value_info("z", TensorProto.FLOAT, [1])],
        )
        nodes, tensors = (
            [helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner)],
            [],
        )
    graph = helper.make_graph(
        nodes, "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])], tensors
    )
    return helper.make_model(graph).SerializeToString()


@pytest.mark.parametrize("kind", ["initializer", "attribute", "subgraph"])
def test_a_model_that_reads_other_files(copy_of_bundled, kind):
    folder, write = copy_of_bundled
    put(folder, write, "model.onnx", external_model(kind))
    with pytest.raises(ModelError, match=r"model\.onnx' keeps tensors in other files"):
        load_encoder(folder).encode(["a"])


def small_model(path, *, output=("n", 384), inputs=("input_ids",), cast=TensorProto.FLOAT):
    """Vectors without a transformer: token ids, cast and stretched."""
    given = [helper.make_tensor_value_info(n, TensorProto.INT64, ["n", "l"]) for n in inputs]
    nodes = [helper.make_node("Cast", [inputs[0]], ["y"], to=cast)]
    graph = helper.make_graph(
        nodes, "g", given, [helper.make_tensor_value_info("y", cast, ["n", "l"])]
    )
    model = helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 20)])
    save(model, path)
    return path.read_bytes()


def test_a_model_that_gives_other_shapes_or_types(copy_of_bundled, tmp_path):
    folder, write = copy_of_bundled
    put(folder, write, "model.onnx", small_model(tmp_path / "m.onnx"))
    with pytest.raises(ModelError, match=r"gave float32 of shape \(1, 3\), where float32 of shape"):
        load_encoder(folder).encode(["a"])
    wrong = small_model(tmp_path / "m.onnx", cast=TensorProto.INT32)
    put(folder, write, "model.onnx", wrong, dim=3 + 192)
    with pytest.raises(ModelError, match=r"gave int32 of shape \(1, 3\)"):
        load_encoder(folder).encode(["a"])


def test_a_model_with_other_inputs(copy_of_bundled, tmp_path):
    folder, write = copy_of_bundled
    put(folder, write, "model.onnx", small_model(tmp_path / "m.onnx", inputs=("secret",)))
    with pytest.raises(ModelError, match=r"takes other inputs.*Got \['secret'\]"):
        load_encoder(folder).encode(["a"])


def test_a_model_of_unknown_operators(copy_of_bundled):
    folder, write = copy_of_bundled
    graph = helper.make_graph(
        [helper.make_node("RunThis", ["input_ids"], ["y"], domain="evil")],
        "g",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n", "l"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 384])],
    )
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("evil", 1)]
    )
    put(folder, write, "model.onnx", model.SerializeToString())
    with pytest.raises(ModelError, match=r"uses operators that .* may not: .* Got evil.RunThis. "):
        load_encoder(folder).encode(["a"])


def endless_model():
    """A graph whose loop ends after 2**62 rounds."""
    true = helper.make_tensor("true", TensorProto.BOOL, [], [True])
    rounds = helper.make_tensor("rounds", TensorProto.INT64, [], [2**62])
    value = helper.make_tensor_value_info
    body = helper.make_graph(
        [helper.make_node("Identity", [name], [f"{name}_"]) for name in ("more", "x")],
        "body",
        [value("i", TensorProto.INT64, []), value("more", TensorProto.BOOL, []),
         value("x", TensorProto.FLOAT, None)],
        [value("more_", TensorProto.BOOL, []), value("x_", TensorProto.FLOAT, None)],
    )  # fmt: skip
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["x"], to=TensorProto.FLOAT),
        helper.make_node("Loop", ["rounds", "true", "x"], ["y"], body=body),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [value("input_ids", TensorProto.INT64, ["n", "l"])],
        [value("y", TensorProto.FLOAT, ["n", "l"])],
        [rounds, true],
    )
    model = helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 20)])
    return model.SerializeToString()


def test_a_model_with_a_loop_is_refused(copy_of_bundled):
    folder, write = copy_of_bundled
    put(folder, write, "model.onnx", endless_model())
    with pytest.raises(ModelError, match=r"none that repeats or branches. Got Loop. Hint: "):
        load_encoder(folder).encode(["a"])


def test_a_first_phrase_that_takes_too_long_is_given_up(copy_of_bundled, monkeypatch):
    monkeypatch.setattr("pearljoin._encoders.onnx_encoder.check_onnx", lambda *_: None)
    monkeypatch.setattr("pearljoin._encoders.onnx_encoder._FIRST_SECONDS", 0.2)
    folder, write = copy_of_bundled
    put(folder, write, "model.onnx", endless_model())
    with pytest.raises(ModelError, match=r"model\.onnx' took more than 0.2 seconds"):
        load_encoder(folder).encode(["a"])


def replace(pattern, content):
    return {"type": "Replace", "pattern": pattern, "content": content}


def split(regex):
    return {
        "type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False,
    }  # fmt: skip


HOSTILE = {
    "slow pattern": ("pre_tokenizer", split("(a+)+$"), r"expression '\(a\+\)\+\$' is none that"),
    "slow pattern without a group": (
        "pre_tokenizer",
        split("a*a*a*a*a*$"),
        r"is none that is known",
    ),
    "slow replacement": ("normalizer", replace({"Regex": "(a|a)*b"}, ""), r"is none that is known"),
    "long replacement": ("normalizer", replace({"String": "a"}, "b" * 10**6), r"1,000,000 charac"),
    "replacements of replacements": (
        "normalizer",
        {"type": "Sequence", "normalizers": [replace({"String": "a"}, "a" * 100)] * 5},
        r"10,000,000,000 times as long",
    ),
    "long beginning": (
        "normalizer",
        {"type": "Prepend", "prepend": "a" * 10**6},
        r"'prepend' of 1",
    ),
    "long character map": (
        "normalizer",
        {
            "type": "Precompiled",
            "precompiled_charsmap": base64.b64encode(b"\0\0\0\0" + b"a" * 10**4 + b"\0").decode(),
        },
        r"a character that is replaced by 10,000 bytes",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_tokenizer_that_could_take_for_ever_is_refused(copy_of_bundled, name):
    part, content, message = HOSTILE[name]
    folder, write = copy_of_bundled
    tokenizer = json.loads((BUNDLED / "tokenizer.json").read_text())
    put(folder, write, "tokenizer.json", json.dumps({**tokenizer, part: content}).encode())
    with pytest.raises(ModelError, match=rf"tokenizer\.json' is not a tokenizer. Got .*{message}"):
        load_encoder(folder).encode(["a" * 40])


def test_a_tokenizer_nested_too_deeply_is_refused(copy_of_bundled):
    folder, write = copy_of_bundled
    put(folder, write, "tokenizer.json", b'{"normalizer": ' + b"[" * 10**5)
    with pytest.raises(ModelError, match=r"tokenizer\.json' is not a tokenizer"):
        load_encoder(folder).encode(["a"])


@pytest.mark.parametrize("regex", [" {2,}", "\\s+", "[^a-z]", *sorted(KNOWN_PATTERNS)])
def test_patterns_of_published_tokenizers_are_read(regex):
    check_tokenizer({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [split(regex)]}})


def test_a_tokenizer_with_more_words_than_the_model(copy_of_bundled):
    folder, write = copy_of_bundled
    tokenizer = json.loads((BUNDLED / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"]["zzyzx"] = 30522
    put(folder, write, "tokenizer.json", json.dumps(tokenizer).encode())
    with pytest.raises(ModelError, match=r"model\.onnx' cannot run"):
        load_encoder(folder).encode(["zzyzx"])


def test_a_folder_without_what_the_device_needs(copy_of_bundled):
    folder, _ = copy_of_bundled
    with pytest.raises(ModelError, match=r"runs on the CPU only: its folder has no model\.safet"):
        load_encoder(folder, device="cuda")


@pytest.fixture
def half_precision(tmp_path, copy_of_bundled):
    """A model folder of a tiny random BERT in half precision, and a way to change it."""
    import torch
    from safetensors.torch import save
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    shape = {
        "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": 16, "vocab_size": 30522, "max_position_embeddings": 128,
        "type_vocab_size": 2, "pad_token_id": 0, "layer_norm_eps": 1e-12, "hidden_act": "gelu",
    }  # fmt: skip
    model = BertModel(BertConfig(**shape)).half()
    folder, write = copy_of_bundled
    tensors = dict(model.state_dict())
    tokenizer = json.loads((BUNDLED / "config.json").read_text())["files"]["tokenizer.json"]

    def change(content=None, drop=(), architecture=None):
        kept = {key: value for key, value in tensors.items() if key not in drop}
        content = save(kept) if content is None else content
        (folder / "model.safetensors").write_bytes(content)
        write(
            dim=8,
            architecture={"model_type": "bert", **shape, **(architecture or {})},
            files={"tokenizer.json": tokenizer, "model.safetensors": sha256(content)},
        )
        return folder

    return change


def test_half_precision_weights_run_in_torch(half_precision):
    encoder = load_encoder(half_precision(), device="cpu")
    vectors = encoder.encode(["New York", "Oslo", ""])
    assert vectors.shape == (3, 8)
    assert encoder.fallback_threshold == read_folder(BUNDLED).fallback_threshold
    again = pickle.loads(pickle.dumps(encoder)).encode(["Oslo"])
    assert again[0] @ vectors[1] == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"content": pickle.dumps(Bomb())}, r"model\.safetensors' is not a safetensors file"),
        ({"content": b""}, r"model\.safetensors' is not a safetensors file"),
        ({"content": b"\xff" * 64}, r"model\.safetensors' is not a safetensors file"),
        (
            {"drop": ["encoder.layer.0.output.dense.weight"]},
            r"model\.safetensors' is incomplete. Got none of encoder.layer.0.output",
        ),
        ({"architecture": {"hidden_size": 16}}, "does not fit the architecture in config.json"),
        ({"architecture": {"hidden_size": 10**9}}, "'hidden_size', a whole number from 1 to 8192"),
        ({"architecture": {"num_hidden_layers": "1"}}, "needs 'num_hidden_layers'"),
        ({"architecture": {"model_type": "evil"}}, "must be a BERT with GELU"),
        ({"architecture": {"layer_norm_eps": None}}, "must be a BERT with GELU and a layer_norm"),
    ],
)
def test_half_precision_weights_that_are_wrong(half_precision, change, message):
    with pytest.raises(ModelError, match=message):
        load_encoder(half_precision(**change), device="cpu")
