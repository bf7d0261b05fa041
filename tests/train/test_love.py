"""The character encoder: its network, its input, and what is written and read back."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import pearljoin as pj
from pearljoin_train.models.love.encoder import LoveEncoder
from pearljoin_train.models.love.network import Love, LoveConfig, build, n_parameters, sinusoids
from pearljoin_train.models.love.phrases import PhraseCharacters
from pearljoin_train.models.love.vocabulary import LoveVocabulary

WORDS = ["form", "from", "forms", "former", "platform", "storm", "pearl", "pears", "earl", "sea"]
ODD = ["", "a", "🎉", "👩‍👩‍👧", "ß", "İ", "naïve", "\ud800", "a b", "\n", "日本", "x" * 500, "é"]
VOCABULARY = LoveVocabulary.learn(WORDS, size=60)


def small(seed: int = 0, **options: object) -> Love:
    # Large embeddings, so that attention tells places apart without training.
    options = {"dim": 12, "attention_dim": 4, "embedding_std": 1.0} | options
    return build(LoveConfig(vocabulary_size=len(VOCABULARY), **options), seed).eval()


def run(love: Love, words: list[str]) -> np.ndarray:
    with torch.inference_mode():
        return love(torch.from_numpy(VOCABULARY.encode(words))).numpy()


def test_a_word_is_its_characters_then_its_pieces() -> None:
    spelt = VOCABULARY.spell("Forms")
    assert spelt[:8] == ["[CLS]", "f", "o", "r", "m", "s", "[SUB]", "form"]
    assert spelt[8:] == ["##s", "[SEP]"]


def test_a_character_and_a_piece_written_alike_are_one_entry() -> None:
    row = VOCABULARY.encode(["s"])[0]
    assert row[1] == row[3] == VOCABULARY.entries.index("s")


@pytest.mark.parametrize(
    ("kind", "spelt"),
    [
        ("characters", ["[CLS]", "s", "e", "a", "[SEP]"]),
        ("pieces", ["[CLS]", "s", "##e", "##a", "[SEP]"]),
    ],
)
def test_characters_or_pieces_alone(kind: str, spelt: list[str]) -> None:
    assert LoveVocabulary.learn(["sea"], size=12, fewest=9, kind=kind).spell("sea") == spelt


def test_what_is_not_in_the_vocabulary_is_unknown() -> None:
    assert VOCABULARY.spell("🎉") == ["[CLS]", "[UNK]", "[SUB]", "[UNK]", "[SEP]"]
    assert VOCABULARY.spell("") == ["[CLS]", "[SUB]", "[SEP]"]


def test_learning_a_vocabulary_twice_gives_the_same() -> None:
    words = [f"{one}{other}" for one in WORDS for other in WORDS]
    first, second = (LoveVocabulary.learn(words, size=50).entries for _ in range(2))
    assert first == second
    assert len(first) == 50
    assert {"m", "##m", "##at"} < set(first)


def test_a_crowd_of_rare_characters_leaves_room_for_pieces() -> None:
    rare = [chr(0x4E00 + number) for number in range(500)]
    entries = LoveVocabulary.learn([*rare, *WORDS], size=50).entries
    assert {"o", "##r", "##or", "form"} < set(entries)


@pytest.mark.parametrize("words", [[], ["a\nb", "  "]])
def test_words_that_are_none_add_no_entries(words: list[str]) -> None:
    assert len(LoveVocabulary.learn(words, size=50)) == 5


def test_a_vocabulary_without_its_special_entries_is_refused() -> None:
    with pytest.raises(pj.ModelError, match=r"starts with \[PAD\]"):
        LoveVocabulary(["a", "b"])
    with pytest.raises(pj.InputError, match="no such input"):
        LoveVocabulary(VOCABULARY.entries, "letters")


def by_hand(love: Love, row: list[int]) -> np.ndarray:
    """Section 4.2 of the paper, one word, one number after the other."""
    weights = {name: value.numpy() for name, value in love.state_dict().items()}
    x = weights["embedding.weight"][row]
    n, dim = x.shape

    def layer(name: str, inputs: np.ndarray) -> np.ndarray:
        return np.maximum(inputs @ weights[f"{name}.weight"].T + weights[f"{name}.bias"], 0)

    def attention(query: np.ndarray, key: np.ndarray) -> np.ndarray:
        out = np.zeros_like(x)
        for i in range(n):
            e = np.array([query[i] @ key[j] / key.shape[1] ** love.config.scale for j in range(n)])
            share = np.exp(e - e.max()) / np.exp(e - e.max()).sum()
            out[i] = sum(share[j] * x[j] for j in range(n))
        return out

    position = np.array(
        [
            [
                (np.sin if c % 2 == 0 else np.cos)(p / 10_000 ** (c // 2 * 2 / dim))
                for c in range(dim)
            ]
            for p in range(n)
        ]
    )
    content = attention(layer("query", x), layer("key", x))
    order = layer("positional", attention(position, position))
    merged = layer("merge", np.concatenate([content, order], axis=1))
    centred = merged - merged.mean(axis=1, keepdims=True)
    normed = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
    total = (x + normed * weights["norm.weight"] + weights["norm.bias"]).sum(axis=0)
    return total / np.linalg.norm(total)


@pytest.mark.parametrize("scale", [0.25, 0.5])
def test_the_network_computes_what_the_paper_says(scale: float) -> None:
    love = small(scale=scale)
    row = VOCABULARY.encode(["platform"])[0].tolist()
    assert run(love, ["platform"])[0] == pytest.approx(by_hand(love, row), abs=1e-5)


def test_transposing_exchanges_queries_and_keys() -> None:
    plain, transposed = small(), small(transposed=True)
    weights = plain.state_dict()
    swapped = {
        name.translate({}).replace("query", "?").replace("key", "query").replace("?", "key"): value
        for name, value in weights.items()
    }
    assert np.abs(run(plain, WORDS) - run(transposed, WORDS)).max() > 1e-3
    transposed.load_state_dict(swapped)
    assert run(transposed, WORDS) == pytest.approx(run(plain, WORDS), abs=1e-6)


@pytest.mark.parametrize("transposed", [False, True])
def test_padding_changes_nothing(transposed: bool) -> None:
    love = small(transposed=transposed)
    ids = torch.from_numpy(VOCABULARY.encode(["sea"]))
    with torch.inference_mode():
        alone, padded = love(ids), love(torch.nn.functional.pad(ids, (0, 9)))
    assert padded.numpy() == pytest.approx(alone.numpy(), abs=1e-6)
    assert np.linalg.norm(alone.numpy()) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("transposed", [False, True])
def test_a_row_of_padding_is_zeros_and_harms_no_gradient(transposed: bool) -> None:
    love = small(transposed=transposed).train()
    ids = torch.from_numpy(VOCABULARY.encode(["", "sea"]))
    ids[0] = 0
    made = love(ids)
    assert made[0].abs().max() == 0.0
    torch.autograd.backward((made * torch.arange(12.0)).sum())
    assert all(parameter.grad.isfinite().all() for parameter in love.parameters())


def test_positions_meet_by_distance_alone() -> None:
    position = sinusoids(40, 16).double()
    products = position @ position.T
    for distance in (0, 1, 7):
        diagonal = products.diagonal(distance)
        assert diagonal.numpy() == pytest.approx(float(diagonal[0]), abs=1e-4)
    assert products[0, 0] > products[0, 1] > products[0, 2]


def test_the_same_seed_builds_the_same_network_and_leaves_chance_alone() -> None:
    before = torch.random.get_rng_state()
    assert (run(small(3), WORDS) == run(small(3), WORDS)).all()
    assert np.abs(run(small(3), WORDS) - run(small(4), WORDS)).max() > 1e-3
    assert (torch.random.get_rng_state() == before).all()


def test_sizes_that_cannot_be_are_refused() -> None:
    with pytest.raises(pj.InputError, match="sizes of at least 1"):
        LoveConfig(dim=0)
    with pytest.raises(pj.InputError, match="dropout"):
        LoveConfig(dropout=1.0)


@pytest.mark.parametrize(("layers", "dim", "millions"), [(12, 384, 40), (12, 768, 116)])
def test_pearl_with_characters_has_the_parameters_of_the_paper(
    layers: int, dim: int, millions: int
) -> None:
    transformers = pytest.importorskip("transformers")
    shape = transformers.BertConfig(
        vocab_size=30_522,
        hidden_size=dim,
        num_hidden_layers=layers,
        num_attention_heads=12,
        intermediate_size=4 * dim,
    )
    with torch.device("meta"):
        phrases = transformers.BertModel(shape)
        characters = PhraseCharacters(Love(LoveConfig()), VOCABULARY)
    assert n_parameters(characters.love) == 6_667_564
    assert round((n_parameters(phrases) + n_parameters(characters)) / 1e6) == millions


def test_words_come_in_any_number_and_order() -> None:
    encoder = LoveEncoder(small(), VOCABULARY)
    found = encoder.encode_words([*WORDS, *ODD, *WORDS])
    assert found.shape == (33, encoder.dim)
    assert found.dtype == np.float32
    assert np.linalg.norm(found, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert found[: len(WORDS)] == pytest.approx(run(encoder.love, WORDS), abs=1e-6)
    assert (found[: len(WORDS)] == found[-len(WORDS) :]).all()
    assert encoder.encode_words([]).shape == (0, 12)


@pytest.mark.parametrize("transposed", [False, True])
def test_a_saved_folder_gives_the_same_vectors_with_and_without_torch(
    tmp_path: Path, transposed: bool
) -> None:
    saved = LoveEncoder(small(transposed=transposed), VOCABULARY, {"words": 10})
    saved.save(tmp_path / "love")
    loaded = LoveEncoder.load(tmp_path / "love")
    words = [*WORDS, *ODD, "aeplrr"]
    assert (loaded.encode_words(words) == saved.encode_words(words)).all()
    assert loaded.about == {"words": 10}
    assert loaded.encode([]).shape == (0, loaded.dim)
    names = {path.name for path in (tmp_path / "love").iterdir()}
    assert names == {"config.json", "vocabulary.txt", "model.safetensors"}


@pytest.mark.parametrize("missing", ["config.json", "vocabulary.txt", "model.safetensors"])
def test_a_folder_that_is_not_whole_is_refused(tmp_path: Path, missing: str) -> None:
    LoveEncoder(small(), VOCABULARY).save(tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(pj.ModelError, match="holds no character encoder"):
        LoveEncoder.load(tmp_path)


def test_a_folder_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"format": 1, "dim": 4}))
    with pytest.raises(pj.ModelError, match="of kind None"):
        LoveEncoder.load(tmp_path)


def test_a_network_and_a_vocabulary_that_differ_are_refused() -> None:
    with pytest.raises(pj.ModelError, match="do not belong together"):
        LoveEncoder(small(), LoveVocabulary(VOCABULARY.entries[:-1]))


def test_it_serves_a_word_table_for_unknown_words(tmp_path: Path) -> None:
    LoveEncoder(small(), VOCABULARY).save(tmp_path)
    characters = LoveEncoder.load(tmp_path)
    table = {word: 3.0 * row for word, row in zip(WORDS, run(small(1), WORDS), strict=True)}
    texts = pj.WeightedWordEncoder(table, pooling="mean", unknown=characters).fit(WORDS)
    expected = 3.0 * characters.encode(["peral"])
    assert texts.transform(["peral"]) == pytest.approx(expected, abs=1e-4)
    assert texts.transform(["pearl"])[0] == pytest.approx(table["pearl"], abs=1e-5)


def test_a_phrase_is_the_mean_of_its_words() -> None:
    part = PhraseCharacters(small(), VOCABULARY, dim=5).eval()
    phrases = ["Pearl, earl & sea", "sea", "", "sea sea pearl", "🎉"]
    batch = part.collate(phrases)
    assert batch["characters"].shape[0] == 1 + len({"Pearl", "earl", "sea", "pearl", "🎉"})
    with torch.inference_mode():
        found = part(**batch).numpy()
        words = [["pearl", "earl", "sea"], ["sea"], None, ["sea", "sea", "pearl"], ["🎉"]]
        mean = [run(part.love, row).mean(axis=0) if row else np.zeros(12, "f4") for row in words]
        expected = part.reduce(torch.from_numpy(np.stack(mean))).numpy()
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("phrases", [[], [""], ["", " "]])
def test_phrases_without_words_have_the_bias(phrases: list[str]) -> None:
    part = PhraseCharacters(small(), VOCABULARY, dim=5)
    found = part(**part.collate(phrases))
    assert found.shape == (len(phrases), 5)
    assert (found == part.reduce.bias).all()


def test_gradients_reach_the_embeddings_of_a_phrase() -> None:
    part = PhraseCharacters(small(), VOCABULARY, dim=5)
    torch.autograd.backward(part(**part.collate(["sea"])).square().sum())
    touched = part.love.embedding.weight.grad.abs().sum(dim=1).nonzero().flatten().tolist()
    assert touched == sorted(set(VOCABULARY.encode(["sea"])[0].tolist()))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=12), max_size=5))
def test_any_text_has_a_unit_vector_of_its_own_batch(words: list[str]) -> None:
    encoder = LoveEncoder(small(), VOCABULARY)
    together = encoder.encode_words(words)
    assert np.linalg.norm(together, axis=1) == pytest.approx(1.0, abs=1e-5)
    for word, row in zip(words, together, strict=True):
        assert encoder.encode_words([word])[0] == pytest.approx(row, abs=1e-5)
