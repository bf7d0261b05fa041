"""Training the character encoder: that it learns, repeats, resumes, and what the command writes."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
import torch

import pearljoin as pj
from pearljoin_train.__main__ import main
from pearljoin_train.models.love import training as love_training
from pearljoin_train.models.love.encoder import LoveEncoder
from pearljoin_train.models.love.network import Love, LoveConfig, build
from pearljoin_train.models.love.scores import imitation_scores, misspelling_accuracy, misspellings
from pearljoin_train.models.love.targets import (
    Targets,
    frequent_words,
    read_targets,
    read_words,
    split_targets,
)
from pearljoin_train.models.love.training import LoveTraining, imitation_loss, train_love
from pearljoin_train.models.love.vocabulary import LoveVocabulary
from pearljoin_train.models.love.word_negatives import lookalikes

WORDS = [
    "form", "from", "forms", "former", "platform", "storm", "pearl", "pears", "earl", "early",
    "sea", "seas", "seal", "ocean", "canoe", "river", "rivers", "driver", "drive", "arrive",
]  # fmt: skip
VOCABULARY = LoveVocabulary.learn(WORDS, size=80)
DIM = 24
QUICK = LoveTraining(epochs=3, batch=8)


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


TARGETS = Targets(WORDS, unit(np.random.default_rng(0).normal(size=(len(WORDS), DIM))))


def fresh(seed: int = 0, dropout: float = 0.1) -> Love:
    size = len(VOCABULARY)
    shape = LoveConfig(vocabulary_size=size, dim=DIM, attention_dim=8, dropout=dropout)
    return build(shape, seed)


def test_the_loss_is_that_of_the_formula() -> None:
    rng = np.random.default_rng(1)
    targets, produced = (unit(rng.normal(size=(4, 5))) for _ in range(2))
    word = [3, 1, 1, 2]  # rows 1 and 2 are of one word
    views, words, terms = np.concatenate([targets, produced]), word + word, []
    for i in range(8):
        partner = (i + 4) % 8
        others = [j for j in range(8) if j == partner or words[j] != words[i]]
        near = np.exp(views[others] @ views[i] / 0.07)
        terms.append(-np.log(np.exp(views[partner] @ views[i] / 0.07) / near.sum()))
    loss = imitation_loss(
        torch.from_numpy(targets), torch.from_numpy(produced), torch.tensor(word), 0.07
    )
    assert float(loss) == pytest.approx(float(np.mean(terms)), rel=1e-5)


def test_it_learns_a_small_table_by_heart() -> None:
    love = fresh(dropout=0.0)
    config = LoveTraining(epochs=120, batch=10, learning_rate=5e-3, decay=1.0, misspelt=0.0)
    losses = train_love(love, VOCABULARY, TARGETS, config)
    assert np.mean(losses[-10:]) < 0.5 < 3.0 < losses[0]
    scores = imitation_scores(LoveEncoder(love, VOCABULARY).encode_words, TARGETS, TARGETS)
    assert scores["nearest"] == 1.0
    assert scores["cosine"] > 0.5


def test_the_spelling_loss_is_between_two_readings_of_a_word() -> None:
    config = LoveTraining(epochs=1, batch=20, misspelt=0.0, spelling=2.0)
    near = lookalikes(WORDS, TARGETS.vectors, cosine=config.negative_cosine)
    _, rows, _ = next(love_training._batches(near, config, start=0))
    made = fresh(dropout=0.0)(torch.from_numpy(VOCABULARY.encode([WORDS[row] for row in rows])))
    vectors = torch.from_numpy(TARGETS.vectors)[rows]
    expected = imitation_loss(vectors, made, rows, 0.07)
    expected = expected + 2.0 * imitation_loss(made, made, rows, 0.07)
    losses = train_love(fresh(dropout=0.0), VOCABULARY, TARGETS, config)
    assert losses == pytest.approx([float(expected.detach())], rel=1e-5)


def test_the_same_seed_gives_the_same_losses_and_weights() -> None:
    first, second, other = fresh(), fresh(), fresh()
    losses = train_love(first, VOCABULARY, TARGETS, QUICK)
    assert train_love(second, VOCABULARY, TARGETS, QUICK) == losses
    assert len(losses) == 3 * 3
    for name, value in first.state_dict().items():
        assert torch.equal(value, second.state_dict()[name])
    elsewhere = train_love(other, VOCABULARY, TARGETS, LoveTraining(epochs=3, batch=8, seed=1))
    assert elsewhere != losses


def test_training_leaves_the_global_source_of_chance_alone() -> None:
    before = torch.random.get_rng_state()
    train_love(fresh(), VOCABULARY, TARGETS, LoveTraining(epochs=1))
    assert torch.equal(torch.random.get_rng_state(), before)


def test_the_learning_rate_decays_by_the_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []

    class Watched(torch.optim.Adam):
        def step(self, closure: object = None) -> None:
            seen.append(self.param_groups[0]["lr"])
            super().step(closure)

    monkeypatch.setattr(torch.optim, "Adam", Watched)
    train_love(fresh(), VOCABULARY, TARGETS, LoveTraining(epochs=3, batch=10))
    expected = [2e-3, 2e-3, 2e-3 * 0.97, 2e-3 * 0.97, 2e-3 * 0.97**2, 2e-3 * 0.97**2]
    assert seen == pytest.approx(expected)


@pytest.mark.parametrize("killed_at", [2, 5, 8])
def test_a_resumed_run_equals_one_that_was_not_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed_at: int
) -> None:
    whole = fresh()
    losses = train_love(whole, VOCABULARY, TARGETS, QUICK)
    checkpoint = tmp_path / "checkpoint.pt"
    often = LoveTraining(epochs=3, batch=8, checkpoint_every=2)
    calls = 0

    def dying(*arguments: object) -> torch.Tensor:
        nonlocal calls
        calls += 1
        if calls > killed_at:
            raise KeyboardInterrupt
        return imitation_loss(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(love_training, "imitation_loss", dying)
        with pytest.raises(KeyboardInterrupt):
            train_love(fresh(), VOCABULARY, TARGETS, often, checkpoint=checkpoint)
    kept = torch.load(checkpoint, weights_only=True)["losses"]
    assert kept == losses[: killed_at - killed_at % 2]
    resumed = fresh(seed=5)
    assert train_love(resumed, VOCABULARY, TARGETS, often, checkpoint=checkpoint) == losses
    for name, value in whole.state_dict().items():
        assert torch.equal(value, resumed.state_dict()[name])


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    checkpoint = tmp_path / "checkpoint.pt"
    often = LoveTraining(epochs=1, batch=8, checkpoint_every=1)
    train_love(fresh(), VOCABULARY, TARGETS, often, checkpoint=checkpoint)
    other = LoveTraining(epochs=1, batch=8, seed=1)
    with pytest.raises(pj.InputError, match="seed = 1, there 0"):
        train_love(fresh(), VOCABULARY, TARGETS, other, checkpoint=checkpoint)
    with pytest.raises(pj.InputError, match=r"dropout = 0\.0, there 0\.1"):
        train_love(fresh(dropout=0.0), VOCABULARY, TARGETS, often, checkpoint=checkpoint)
    fewer = TARGETS.take([True] * 19 + [False])
    with pytest.raises(pj.InputError, match="words = "):
        train_love(fresh(), VOCABULARY, fewer, often, checkpoint=checkpoint)


@pytest.mark.parametrize(
    ("option", "value"),
    [("epochs", 0), ("misspelt", 1.5), ("negatives", -1), ("spelling", -1.0), ("temperature", 0.0)],
)
def test_options_out_of_range_are_refused(option: str, value: float) -> None:
    with pytest.raises(pj.InputError, match=f"{option} is out of range"):
        LoveTraining(**{option: value})


def test_lookalikes_are_near_in_letters_and_far_in_meaning() -> None:
    words = ["cat", "cats", "cart", "act", "cut", "dog", "catalogue"]
    vectors = np.eye(7, dtype=np.float32)
    vectors[1] = vectors[0]  # "cats" means what "cat" means
    near = [[words[row] for row in rows] for rows in lookalikes(words, vectors)]
    assert near[0] == ["cart", "cut", "act"]
    assert near[5] == near[6] == []
    assert [len(rows) for rows in lookalikes(words, vectors, most=1)] == [1, 1, 1, 1, 1, 0, 0]


def test_words_of_any_text_file_are_its_first_fields(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("sea 0.1 0.2\n\nriver\nsea 1 1\nocean\n", encoding="utf-8")
    assert read_words(path, 10) == ["sea", "river", "ocean"]
    assert read_words(path, 2) == ["sea", "river"]


def test_vectors_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "table.vec"
    path.write_text("3 2\nsea 3 4\nriver 0 2\nnil 0 0\n", encoding="utf-8")
    found = read_targets(str(path), ["Sea", "ocean", "river", "sea", "nil"])
    assert found.words == ["sea", "river"]
    assert found.vectors == pytest.approx(np.array([[0.6, 0.8], [0.0, 1.0]]))
    with pytest.raises(pj.InputError, match=r"too few words to imitate\. Got 1"):
        read_targets(str(path), ["sea", "ocean"])


def test_vectors_come_from_the_bundled_encoder_or_its_tokens() -> None:
    words = ["sea", "river"]
    encoded = read_targets("default", words)
    assert encoded.vectors == pytest.approx(pj.load_encoder("default").encode(words), abs=1e-6)
    tokens = read_targets("tokens", words)
    assert tokens.vectors.shape == (2, 384)
    assert np.linalg.norm(tokens.vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_frequent_words_are_counted_over_all_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path))
    (tmp_path / "text").mkdir()
    texts = ["The sea, the <unk> sea!\n", "the 2nd sea x x x\n", "a river\nof a sea\n", "River\n"]
    names = ["wikipedia_sentences", "wikitext2_valid", "wikitext2_test", "gutenberg_novels"]
    for name, text in zip(names, texts, strict=True):
        with gzip.open(tmp_path / "text" / f"{name}.txt.gz", "wt", encoding="utf-8") as file:
            file.write(text)
    assert frequent_words(10, fewest=2) == ["sea", "the", "river"]
    assert frequent_words(1) == ["sea"]


def test_the_split_goes_by_the_word() -> None:
    words = [f"word{number}" for number in range(2000)]
    everything = Targets(words, np.ones((2000, 1), dtype=np.float32))
    learnt, held = split_targets(everything, 0.1)
    assert sorted(learnt.words + held.words) == sorted(words)
    assert 150 < len(held) < 250
    again = split_targets(everything.take([True] * 1000 + [False] * 1000), 0.1)[1]
    assert again.words == [word for word in held.words if int(word[4:]) < 1000]
    assert len(split_targets(everything, 0.0)[1]) == 0


def test_scores_by_hand() -> None:
    table = Targets(["a", "b", "c"], np.eye(3, dtype=np.float32))
    made = {"b": [0.0, 0.8, 0.6], "c": [0.0, 0.8, 0.6], "bb": [0.0, 1.0, 0.0], "ca": [1.0, 0, 0]}

    def encode(words: list[str]) -> np.ndarray:
        return np.array([made[word] for word in words], dtype=np.float32)

    scores = imitation_scores(encode, table.take([False, True, True]), table)
    assert scores == pytest.approx({"cosine": 0.7, "nearest": 0.5})
    pairs = [("bb", "b"), ("ca", "c")]
    assert misspelling_accuracy(encode, pairs, table.words, table.vectors) == 0.5


def test_misspellings_leave_out_benchmarks_and_words(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv.gz"
    rows = [
        "name\talias\tkind\tsource\tlicence\tin_benchmark",
        "Receive\trceeive\ttypo:x\tmisspellings\tC\t",
        "receive\trceeive\ttypo:y\tmisspellings\tB\t",
        "receive\treceeve\ttypo:x\tmisspellings\tC\tppdb",
        "receive\trelieve\ttypo:x\tmisspellings\tC\t",
        "receive\tget\tsynonym\tppdb_lexical\tA\t",
        "believe\tbeleive\ttypo:x\tmisspellings\tC\t",
    ]
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")
    assert misspellings(["receive", "relieve"], path) == [("rceeive", "receive")]


def test_the_command_trains_and_writes_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path))  # which holds no data
    table = tmp_path / "table.vec"
    rows = [f"{word} {' '.join(map(str, row))}" for word, row in zip(*_columns(), strict=True)]
    table.write_text("\n".join([f"{len(WORDS)} {DIM}", *rows]) + "\n", encoding="utf-8")
    arguments = ["love", "--vectors", str(table), "--words", str(table), "--out", f"{tmp_path}/out"]
    quick = ["--epochs", "2", "--batch", "4", "--held-out", "0.3", "--scale", "0.5", "--transposed"]
    assert main(arguments + quick + ["--limit", "500", "--checkpoint-every", "1"]) == 0
    about = json.loads(capsys.readouterr().out)
    encoder = LoveEncoder.load(tmp_path / "out")
    assert encoder.about == about
    assert encoder.dim == DIM
    assert encoder.love.config.scale == 0.5
    assert encoder.love.config.transposed
    assert about["training"]["epochs"] == 2
    assert set(about["scores"]) == {"cosine", "nearest"}
    assert not (tmp_path / "out" / "checkpoint.pt").exists()


def _columns() -> tuple[list[str], list[list[float]]]:
    return WORDS, TARGETS.vectors.tolist()


def test_the_command_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path))
    assert main(["love", "--out", str(tmp_path / "out")]) == 1
    assert "was not found" in capsys.readouterr().err
    missing = ["--words", str(tmp_path / "none"), "--out", str(tmp_path / "out")]
    assert main(["love", *missing]) == 1
    assert "no file of words" in capsys.readouterr().err
