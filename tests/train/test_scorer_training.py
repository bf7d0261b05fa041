"""Training the match scorer: that it learns, that it repeats, and what is written."""

import gzip
import json
import shutil
from dataclasses import replace
from functools import partial
from math import log
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from failing_files import write_failing_at
from scipy.special import expit

import pearljoin as pj
from pearljoin._features.unmatched_tokens import PairTokens, SideTokens
from pearljoin._scoring.scorer import Network, ScoreSteps, TableCalibration
from pearljoin.scoring import (
    FEATURES,
    FORMAT,
    Calibration,
    Scorer,
    read_scorer,
    table_features,
)
from pearljoin_train.common.cached_encoder import CachedEncoder
from pearljoin_train.records.written_tables import read_written
from pearljoin_train.scorer import command as scorer_command
from pearljoin_train.scorer import joins as made_joins
from pearljoin_train.scorer.candidates import (
    WithScorer,
    blank_scorer,
    compute_candidates,
    without_conflicts,
)
from pearljoin_train.scorer.command import main
from pearljoin_train.scorer.evaluate import (
    best_pairs,
    calibrate,
    calibration_error,
    evaluate_scorer,
)
from pearljoin_train.scorer.fit_table_calibration import fit_table
from pearljoin_train.scorer.joins import Join
from pearljoin_train.scorer.train_networks import JoinCandidates, ScorerConfig, train
from pearljoin_train.scorer.write_scorer import attach

N = len(FEATURES)
QUICK = ScorerConfig(
    hidden=(16, 8), context_hidden=(8, 4), epochs=30, context_epochs=20, rows=64,
    learning_rate=0.02, ranking=0.0, members=1, folds=2,
)  # fmt: skip
SMALL = ScorerConfig(
    hidden=(2, 2), context_hidden=(2, 2), epochs=1, context_epochs=1, members=1, folds=2
)
MODEL = Path(pj.load_encoder("pearl-nano").folder)


def made_up(seed: int, n_pairs: int = 400, noise: float = 0.0) -> JoinCandidates:
    """Pairs that are right where the first feature exceeds the second; labels flipped by chance."""
    rng = np.random.default_rng(seed)
    features = rng.random((n_pairs, N)).astype(np.float32)
    right = (features[:, 0] > features[:, 1]) ^ (rng.random(n_pairs) < noise)
    # Of rows without an answer, the first feature is the lower one.
    null = np.sort(rng.random((50, N)).astype(np.float32), axis=1)
    return join_of(f"made up {seed}", np.arange(n_pairs), features, right, n_pairs, null)


def join_of(source, left, features, right, n_answerable: int, null=None) -> JoinCandidates:
    """Pairs without tokens, and null pairs that are rows of their own."""
    null = features[:0] if null is None else null
    left, right = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=bool)
    return JoinCandidates(
        source, left, features, right, np.zeros(len(left), dtype=bool), n_answerable, n_answerable,
        no_tokens(len(left)), np.arange(len(null)), null, no_tokens(len(null)),
    )  # fmt: skip


def no_tokens(n_pairs: int) -> PairTokens:
    nothing = np.zeros(0, np.float32)
    side = SideTokens(
        np.zeros(n_pairs + 1, np.int64), nothing.astype(np.int64), nothing, nothing, 1
    )
    return PairTokens(side, side)


MIDDLE = np.zeros(4, dtype=np.float32)
NOTHING = Calibration(table_features(*[np.zeros(0, np.float32)] * 3, 1))


def chances(scorer: Scorer, features: np.ndarray) -> np.ndarray:
    """Of pairs without rivals, where nothing is known of the tables."""
    return scorer.steps(features, np.arange(len(features)), None, NOTHING).probability


def scorer_of(trained: dict) -> Scorer:
    raw = {"format": FORMAT, "features": list(FEATURES), **trained}
    return read_scorer(json.dumps(raw).encode(), "a test")


def entropy(join: JoinCandidates, scorer: Scorer) -> float:
    steps = scorer.steps(join.features, join.left_rows, join.tokens, calibrate(scorer, join))
    chance = np.clip(steps.probability.astype(float), 1e-7, 1 - 1e-7)
    return float(-np.log(np.where(join.is_match, chance, 1 - chance)).mean())


# The network ------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_what_can_be_told_apart_is_learned() -> None:
    joins = [made_up(0), made_up(1)]
    scorer = scorer_of(train(joins, MIDDLE, replace(QUICK, epochs=20, context_epochs=10)))
    assert max(entropy(join, scorer) for join in joins) < 0.15
    assert entropy(made_up(2), scorer) < 0.3 < log(2)
    assert [len(biases) for _, biases in scorer.pair.members[0]] == [16, 8, 1]
    assert [len(biases) for _, biases in scorer.context.members[0]] == [8, 4, 1]


@pytest.mark.thorough
def test_chance_is_learned_as_a_probability() -> None:
    config = replace(QUICK, hidden=(8, 4), epochs=6, context_epochs=6, rows=128)
    # Several tables, so that the last step knows by how much tables differ.
    joins = [made_up(seed, 500, noise=0.2) for seed in range(10, 26)]
    scorer = scorer_of(train(joins, MIDDLE, config))
    seen = made_up(1, 1000, noise=0.2)
    clear = np.abs(seen.features[:, 0] - seen.features[:, 1]) > 0.3
    chance = chances(scorer, seen.features[clear])
    assert chance[chance > 0.5].mean() == pytest.approx(0.8, abs=0.08)
    assert calibration_error(chance, seen.is_match[clear]) < 0.1


def test_the_same_seed_gives_the_same_numbers() -> None:
    config = replace(SMALL, epochs=2, seed=5)
    joins = [made_up(0), made_up(1)]
    first = train(joins, MIDDLE, config)
    torch.manual_seed(99)
    state = torch.random.get_rng_state()
    assert train(joins, MIDDLE, config) == first
    assert torch.equal(torch.random.get_rng_state(), state)
    other = train(joins, MIDDLE, replace(config, seed=6))
    assert other["pair"]["members"] != first["pair"]["members"]
    assert other["pair"]["mean"] == first["pair"]["mean"]


def test_the_output_is_the_mean_of_the_members() -> None:
    joins, seen = [made_up(0), made_up(1)], made_up(2).features
    alone = [
        scorer_of(train(joins, MIDDLE, replace(SMALL, epochs=3, seed=seed))).pair.logit(seen)
        for seed in (4, 5, 6)
    ]
    together = scorer_of(train(joins, MIDDLE, replace(SMALL, epochs=3, seed=4, members=3))).pair
    shapes = [[weights.shape for weights, _ in layers] for layers in together.members]
    assert shapes == [[(N, 2), (2, 2), (2, 1)]] * 3
    assert together.logit(seen) == pytest.approx(np.mean(alone, axis=0), abs=1e-4)
    assert not np.allclose(alone[0], alone[1], atol=1e-2)


def test_features_are_standardised_over_all_joins() -> None:
    joins = [made_up(0), made_up(1, 100)]
    found = train(joins, MIDDLE, SMALL)["pair"]
    features = np.concatenate([join.features for join in joins])
    assert found["mean"] == pytest.approx(features.mean(axis=0).tolist(), abs=1e-5)
    assert found["scale"] == pytest.approx(features.std(axis=0).tolist(), abs=1e-5)


def test_a_feature_that_never_varies_does_no_harm() -> None:
    join = made_up(0)
    join.features[:, 5] = 0.25
    found = train([join, join], MIDDLE, SMALL)
    assert found["pair"]["scale"][5] > 0
    assert np.isfinite(chances(scorer_of(found), join.features)).all()


def test_a_join_counts_by_the_root_of_its_size() -> None:
    def pairs(n_pairs: int, *, right: bool) -> JoinCandidates:
        ones = np.ones((n_pairs, N), dtype=np.float32)
        return join_of("x", np.arange(n_pairs), ones, np.full(n_pairs, right), n_pairs)

    # All pairs look the same; 900 of them are right and 100 wrong, which count as 30 and 10.
    config = replace(
        QUICK, hidden=(2, 2), epochs=60, context_epochs=1, rows=1000, learning_rate=0.1
    )
    joins = [pairs(900, right=True), pairs(100, right=False)]
    trained = train([*joins, *joins], MIDDLE, config)["pair"]
    logit = network_of(trained).logit(np.ones((1, N), dtype=np.float32))
    assert 1 / (1 + np.exp(-logit)) == pytest.approx([0.75], abs=0.02)


def test_right_pairs_are_put_ahead_of_the_others_of_their_row() -> None:
    """The loss over rows learns that the higher one of a row is right, wherever the row lies."""
    rng = np.random.default_rng(0)
    level = np.repeat(rng.normal(size=300) * 3, 2)
    right = np.tile([True, False], 300)
    features = np.abs(rng.normal(size=(600, N))).astype(np.float32) * 0.01
    features[:, 0] = level + right * 0.4
    join = join_of("x", np.repeat(np.arange(300), 2), features, right, 300)
    config = replace(QUICK, epochs=10, context_epochs=10)
    ranked = [
        best_pairs(
            join, expit(network_of(train([join, join], MIDDLE, one)["pair"]).logit(features))
        )[1]
        for one in (replace(config, ranking=0.0), replace(config, ranking=1.0))
    ]
    assert ranked[1].mean() > 0.9
    assert ranked[1].mean() >= ranked[0].mean()


def network_of(raw: dict) -> Network:
    members = [
        tuple(
            (np.array(one["weights"], np.float32), np.array(one["biases"], np.float32))
            for one in layers
        )
        for layers in raw["members"]
    ]
    return Network(np.array(raw["mean"]), np.array(raw["scale"]), tuple(members))


def test_the_last_step_learns_what_tables_are_worth() -> None:
    rng = np.random.default_rng(0)
    logits, right, views = [], [], []
    for at in range(60):
        view = np.array([at % 2, 0.0, 1.0], dtype=np.float32)
        said = rng.normal(size=400).astype(np.float32)
        # In every other table the odds are twice as steep and ten times higher.
        true = said * (2 if at % 2 else 1) + (log(10) if at % 2 else 0)
        logits.append(said)
        right.append(rng.random(400) < 1 / (1 + np.exp(-true)))
        views.append(view)
    found = fit_table(logits, right, views, decay=1e-6)
    scale = TableCalibration(*(np.array(found[n]) for n in ("mean", "scale", "slope", "shift")))
    one = np.array([1.0], dtype=np.float32)
    plain, steep = (float(scale.apply(one, view)[0]) for view in views[:2])
    assert plain == pytest.approx(1, abs=0.1)
    assert steep == pytest.approx(2 + log(10), abs=0.25)
    held = fit_table(logits, right, views, decay=1e6)
    assert held["slope"] == pytest.approx([0] * 4, abs=1e-3)
    assert held["shift"][1:] == pytest.approx([0] * 3, abs=1e-3)


# Figures ----------------------------------------------------------------------------------------


def test_calibration_error_by_hand() -> None:
    chance = np.array([0.15, 0.05, 0.95, 0.12, 1.0], dtype=np.float32)
    right = np.array([True, False, True, False, True])
    # Bins of the lowest 3 and the highest 2 pairs: |0.32 / 3 - 1 / 3| and |0.975 - 1|.
    wanted = 0.6 * (1 - 0.32) / 3 + 0.4 * 0.025
    assert calibration_error(chance, right, n_bins=2) == pytest.approx(wanted, abs=1e-6)
    # More bins than pairs: one each.
    each = (0.85 + 0.05 + 0.05 + 0.12 + 0) / 5
    assert calibration_error(chance, right) == pytest.approx(each, abs=1e-6)
    assert calibration_error(chance, right, n_bins=1) == pytest.approx(abs(0.454 - 0.6), abs=1e-6)
    assert calibration_error(chance[:0], right[:0]) == 0


class OnlyFirst(Scorer):
    """The logistic function of the first feature, whatever the rest of the table says."""

    usual_scores = np.zeros(0, dtype=np.float32)

    def __init__(self) -> None:
        """Nothing is needed."""

    @property
    def pair(self):
        return SimpleNamespace(logit=lambda features: features[:, 0])

    def calibrate(self, pairs, null, n_right) -> Calibration:
        return NOTHING

    def steps(self, features, left, tokens, calibration) -> ScoreSteps:
        return ScoreSteps(features[:, 0], features[:, :0], *[features[:, 0]] * 4)


def candidates(left: list[int], chances: list[float], right: list[bool], n: int) -> JoinCandidates:
    features = np.zeros((len(left), N), dtype=np.float32)
    features[:, 0] = [log(chance / (1 - chance)) for chance in chances]
    return join_of("x", left, features, right, n)


def test_the_best_pair_of_each_row() -> None:
    join = candidates([2, 0, 2, 0], [0.3, 0.9, 0.6, 0.2], [True, True, False, False], 2)
    chance, right = best_pairs(join, expit(join.features[:, 0]))
    assert chance == pytest.approx([0.9, 0.6])
    assert right.tolist() == [True, False]


def test_figures_by_hand() -> None:
    joins = [
        candidates([0, 0, 1, 2], [0.9, 0.2, 0.8, 0.6], [True, False, True, False], 2),
        candidates([0, 1], [0.95, 0.3], [True, False], 4),
    ]
    found = evaluate_scorer(joins, OnlyFirst(), (0.75, 0.9))
    assert (found["n_joins"], found["n_rows"]) == (2, 5)
    assert set(found["known"]) == {"0", "3", "40", "all"}
    # Of no known row there is no threshold but 1; more rows than there are, are all.
    assert found["known"]["0"]["target_0.75"] == {"precision": 1.0, "recall": 0.0}
    assert found["known"]["40"]["target_0.75"] == found["target_0.75"]
    assert found["top1"] == pytest.approx((2 / 2 + 1 / 4) / 2)
    # Means 0.9, 0.85 and 0.767: three of the first join are kept at 0.75, one at 0.9.
    assert found["target_0.75"] == pytest.approx(
        {"precision": (2 / 3 + 1) / 2, "recall": (2 / 2 + 1 / 4) / 2}
    )
    low = evaluate_scorer(joins, OnlyFirst(), (0.84,))["target_0.84"]
    assert low == pytest.approx({"precision": 1.0, "recall": (2 / 2 + 1 / 4) / 2})
    high = evaluate_scorer(joins, OnlyFirst(), (0.94,))["target_0.94"]
    # Nothing of the first join is kept: no match is wrong, and none is found.
    assert high == pytest.approx({"precision": 1.0, "recall": (0 / 2 + 1 / 4) / 2})


def test_joins_of_which_half_the_rows_have_an_answer_are_judged_apart() -> None:
    joins = [
        candidates([0, 0, 1, 2], [0.9, 0.2, 0.8, 0.6], [True, False, True, False], 2),
        candidates([0, 1], [0.95, 0.85], [True, False], 1),
    ]
    found = evaluate_scorer(joins, OnlyFirst(), (0.89,))
    assert found["n_joins_open"] == 1
    # 0.9 on average, so that both rows of the second join are kept.
    assert found["target_0.89_open"] == pytest.approx({"precision": 0.5, "recall": 1.0})
    assert found["target_0.89"]["precision"] == pytest.approx((1 + 0.5) / 2)
    alone = evaluate_scorer(joins[:1], OnlyFirst(), (0.89,))
    assert alone["n_joins_open"] == 0
    assert np.isnan(alone["target_0.89_open"]["recall"])


# From joins to a model folder -------------------------------------------------------------------


class Counting:
    """One column a letter; counts what it is asked for."""

    dim = 26

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, phrases) -> np.ndarray:
        self.asked += phrases
        counts = np.array(
            [[p.lower().count(chr(97 + at)) for at in range(26)] for p in phrases], dtype=np.float32
        ).reshape(-1, 26)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1)

    def covers(self, phrases) -> np.ndarray:
        return np.array(["?" not in phrase for phrase in phrases])


def test_a_join_is_described_by_its_evidence() -> None:
    join = Join(
        "x", ["ann", "bob?"], ["ann lee", "bob", "cy"], [frozenset({"ann lee"}), frozenset()]
    )
    found = compute_candidates(join, WithScorer(Counting(), blank_scorer(np.zeros(26))))
    assert found.left_rows.tolist() == [0, 0, 0, 1, 1, 1]
    assert found.n_right == 3
    assert np.flatnonzero(found.is_equal).tolist() == [4]  # "bob?" and "bob"
    assert len(found.tokens.left.bounds) == len(found.tokens.right.bounds) == 7
    # Reference rows among the others.
    assert len(found.null_features) == len(found.null_rows) > 0
    assert set(found.null_rows.tolist()) <= {0, 1, 2}
    assert found.is_match.tolist() == [True, False, False, False, False, False]
    assert found.n_answerable == 1
    encoder = WithScorer(Counting(), blank_scorer(np.zeros(26)))
    evidence = pj.match(join.left, join.right, encoder=encoder).evidence()
    wanted = np.stack([evidence[name] for name in FEATURES], axis=1)
    np.testing.assert_allclose(found.features, wanted, atol=1e-6)
    known = found.features[:, FEATURES.index("vector_known")]
    assert known.tolist() == [1, 1, 1, 0, 0, 0]


def test_rows_are_left_out_whose_matches_all_conflict_in_numbers() -> None:
    asked = {
        "bolt 5": {"bolt 6"},
        "nut 7": {"nut seven", "nut 8"},
        "hook 9": set(),
        "ring": {"ring 3"},
    }
    right = ["bolt 6", "nut seven", "nut 8", "ring 3"]
    join = Join("x", list(asked), right, [frozenset(answer) for answer in asked.values()])
    every = compute_candidates(join, WithScorer(Counting(), blank_scorer(np.zeros(26))))
    kept = without_conflicts(every)
    assert sorted(set(every.left_rows.tolist())) == [0, 1, 2, 3]
    assert sorted(set(kept.left_rows.tolist())) == [1, 2, 3]
    assert (every.n_answerable, kept.n_answerable) == (3, 2)
    rest = np.flatnonzero(every.left_rows > 0)
    assert np.array_equal(kept.features, every.features[rest])
    assert kept.is_match.tolist() == every.is_match[rest].tolist()
    assert len(kept.tokens.left.bounds) == len(rest) + 1
    assert kept.null_features is every.null_features


def test_what_was_encoded_is_kept() -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder)
    first = cached.encode(["a", "b", "a"])
    assert encoder.asked == ["a", "b"]
    assert np.array_equal(cached.encode(["b", "c"])[0], first[1])
    assert encoder.asked == ["a", "b", "c"]
    assert first.tolist() == Counting().encode(["a", "b", "a"]).tolist()
    assert cached.encode([]).shape == (0, 26)
    assert cached.covers(["a", "b?"]).tolist() == [True, False]


def test_a_scorer_is_attached_to_a_folder_that_pearljoin_reads(tmp_path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(MODEL, folder)
    middle = np.zeros(pj.load_encoder(str(folder)).dim, dtype=np.float32)
    trained = train([made_up(0), made_up(1)], middle, SMALL)
    attach({"format": FORMAT, "features": list(FEATURES), **trained}, folder)
    encoder = pj.load_encoder(str(folder))
    read = read_scorer(encoder.scorer, "the folder")
    features = made_up(1).features
    wanted = chances(scorer_of(trained), features)
    assert chances(read, features) == pytest.approx(wanted, abs=1e-4)
    result = pj.match(["Le Monde Paris"], ["Monde", "Zeit"], encoder=encoder, threshold=0.0)
    assert result.calibrated is True
    pairs = result.comparison.compute_features()
    state = result.comparison.state
    best = read.steps(pairs.features, pairs.left, pairs.tokens, state.calibration).probability.max()
    assert result.matches().score.tolist() == pytest.approx([best], abs=1e-5)


def test_wherever_attaching_fails_the_folder_is_as_it_was(tmp_path, monkeypatch) -> None:
    scorer = {"format": FORMAT, "features": list(FEATURES), **train([made_up(0)], MIDDLE, SMALL)}
    before = {path.name: path.read_bytes() for path in MODEL.iterdir() if path.is_file()}
    for n in range(1, 100):
        folder = tmp_path / str(n)
        shutil.copytree(MODEL, folder)
        write = partial(attach, scorer, folder)
        message, operation = write_failing_at(monkeypatch, n, write)
        after = {path.name: path.read_bytes() for path in folder.iterdir()}
        changed = {name for name in after | before if after.get(name) != before.get(name)}
        if message:
            assert message.startswith("The model folder cannot be written. Got '")
            assert changed == set()
        else:
            assert changed == {"scorer.json", "config.json"}
        if not operation:
            break
    # Two new contents, two copies of what was there, two moves.
    assert 6 < n < 99


def test_a_scorer_is_attached_to_no_folder_but_a_models(tmp_path) -> None:
    with pytest.raises(pj.InputError, match=r"model folder. Got .* whose config.json cannot be"):
        attach({}, tmp_path)


@pytest.fixture
def few_names(monkeypatch) -> None:
    monkeypatch.setattr(made_joins, "FEWEST_NAMES", 50)


def write_aliases(folder: Path, sources: list[str]) -> None:
    path = folder / "train" / "alias_pairs.tsv.gz"
    path.parent.mkdir(parents=True)
    with gzip.open(path, "wt", encoding="utf-8", newline="\n") as file:
        file.write("name\talias\tkind\tsource\tlicence\tin_benchmark\n")
        for source in sources:
            # A quarter of the names is kept from the encoder.
            for at in range(300):
                name = f"{source} {chr(97 + at % 26) * 3}{at // 26} town"
                file.write(f"{name}\t{name[: -len(' town')]}\tx\t{source}\tA\t\n")


@pytest.fixture
def few_tables(monkeypatch) -> None:
    """Let the command read few of the written tables."""
    tables = [table for table in read_written() if table.domain == "commerce"][:2]
    monkeypatch.setattr(scorer_command, "read_written", lambda: tables)
    made = [replace(tables[0], domain="catalogue_0")]
    monkeypatch.setattr(scorer_command, "read_lists", lambda: None)
    monkeypatch.setattr(scorer_command, "make_catalogues", lambda lists, n, seed: made * n)


@pytest.mark.usefixtures("few_names", "few_tables")
def test_from_alias_pairs_to_a_model_folder(tmp_path, monkeypatch, capsys) -> None:
    write_aliases(tmp_path / "data", ["rivers", "osm_id_presets"])
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "data"))
    folder, report, plot = tmp_path / "model", tmp_path / "report.json", tmp_path / "plot.png"
    shutil.copytree(MODEL, folder)
    before = (folder / "scorer.json").read_bytes()
    options = ["--out", str(folder), "--report", str(report), "--plot", str(plot)]
    made = ["--joins-a-source", "3", "--joins-a-table", "2", "--catalogues", "1", "--seed", "2"]
    assert main([*options, *made]) == 0
    told = json.loads(report.read_text(encoding="utf-8"))
    assert json.loads(capsys.readouterr().out) == told
    assert told["held_out"] == ["osm_id_presets"]
    assert told["trained_on"] == ["rivers", "written_catalogue_0", "written_commerce"]
    settings = told["config"]
    given = [settings[name] for name in ("joins_a_source", "joins_a_table", "catalogues", "seed")]
    assert given == [3, 2, 1, 2]
    assert 1 <= told["figures"]["n_joins"] <= 3
    assert 0 <= told["figures"]["calibration_error"] <= 1
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert (folder / "scorer.json").read_bytes() != before
    assert pj.match(["a b"], ["a c"], encoder=str(folder)).calibrated is True
    # Judged again it is as good as it was, and not touched.
    written = (folder / "scorer.json").read_bytes()
    monkeypatch.setattr(scorer_command, "train", lambda *_: pytest.fail("it trains another one"))
    assert main(["--judge", str(folder), *made]) == 0
    assert json.loads(capsys.readouterr().out)["figures"] == told["figures"]
    assert (folder / "scorer.json").read_bytes() == written


def test_a_folder_that_is_no_model_is_told_before_the_work(tmp_path) -> None:
    with pytest.raises(pj.InputError, match=r"want a model folder. Got .*nowhere"):
        main(["--out", str(tmp_path / "nowhere")])


def test_a_folder_without_a_sound_scorer_is_told_before_the_work(tmp_path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(pj.InputError, match=r"--evaluate wants a model folder with a scorer. Got "):
        main(["--judge", str(tmp_path)])
    (tmp_path / "scorer.json").write_text("junk", encoding="utf-8")
    with pytest.raises(pj.ModelError, match=r"cannot be used: it is not of the form expected"):
        main(["--evaluate", str(tmp_path)])


@pytest.mark.usefixtures("few_names")
@pytest.mark.parametrize("source", ["rivers", "osm_id_presets"])
def test_sources_of_both_kinds_are_needed(tmp_path, monkeypatch, source: str) -> None:
    write_aliases(tmp_path / "data", [source])
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "data"))
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(pj.InputError, match=r"sources to train on and others.* Got 1 sources"):
        main(["--out", str(tmp_path)])
