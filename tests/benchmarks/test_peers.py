"""A peer is a process: asked by files, answered once, skipped when absent."""

import json
import shutil
import sys

import pytest

from benchmarks.autofj.methods import MethodAbsentError
from benchmarks.autofj.methods.peer import PeerMethod
from benchmarks.peers import __main__ as command
from benchmarks.peers.client import PEERS, Peer, PeerError, peer_names

ADAPTER = """
import pathlib

def answer(queries, reference, precision):
    print("a peer that prints to standard output")
    if queries == ["fail"]:
        raise ValueError("this peer cannot")
    if queries == ["die"]:
        raise SystemExit(3)
    calls = pathlib.Path(__file__).with_name("calls")
    calls.write_text(calls.read_text() + "x" if calls.exists() else "x")
    best = [[reference.index(q) if q in reference else -1, precision] for q in queries]
    return best, [[q, row, None] for q, (row, _) in enumerate(best) if row >= 0]
"""


@pytest.fixture
def peer(tmp_path):
    peers = tmp_path / "peers"
    folder = peers / "made_up"
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (folder / ".venv" / "installed.json").write_text('{"made_up": "1.2"}')
    (folder / "requirements.txt").write_text("# why\nmade_up==1.2\n")
    (folder / "adapter.py").write_text(ADAPTER)
    shutil.copy(PEERS / "worker.py", peers / "worker.py")
    made = Peer("made_up", answers=tmp_path / "answers", peers=peers)
    yield made
    made.close()


def calls(peer):
    return len((peer.folder / "calls").read_text())


def test_a_peer_answers_in_positions(peer):
    answer = peer.ask(["b", "é", "?"], ["a", "b", "é"], 0.75)
    assert answer.best == [(1, 0.75), (2, 0.75), (-1, 0.75)]
    assert answer.pairs == [(0, 1, None), (1, 2, None)]
    assert 0 <= answer.seconds < 5
    assert peer.versions() == {"made_up": "1.2"}


def test_one_process_answers_several_requests(peer):
    peer.ask(["a"], ["a"], 0.9)
    process = peer._process
    assert peer.ask(["b"], ["a"], 0.9).pairs == []
    assert peer._process is process


def test_an_answer_is_kept_and_not_asked_for_again(peer):
    first = peer.ask(["a"], ["a"], 0.9)
    assert peer.ask(["a"], ["a"], 0.9) == first
    assert calls(peer) == 1
    peer.ask(["a"], ["a"], 0.8)
    assert calls(peer) == 2


def test_other_requirements_are_asked_anew_and_comments_are_not(peer):
    peer.ask(["a"], ["a"], 0.9)
    (peer.folder / "requirements.txt").write_text("# another reason\nmade_up==1.2\n")
    peer.ask(["a"], ["a"], 0.9)
    assert calls(peer) == 1
    (peer.folder / "requirements.txt").write_text("made_up==1.3\n")
    peer.ask(["a"], ["a"], 0.9)
    assert calls(peer) == 2


def test_a_failure_is_told_and_not_kept(peer):
    with pytest.raises(PeerError, match=r"(?s)'made_up' failed.*ValueError: this peer cannot"):
        peer.ask(["fail"], ["a"], 0.9)
    assert not list(peer.answers.rglob("*.json"))
    assert peer.ask(["a"], ["a"], 0.9).pairs == [(0, 0, None)]


def test_a_process_that_ends_is_told(peer):
    with pytest.raises(PeerError, match=r"process of the peer 'made_up' ended with code 3.*Hint"):
        peer.ask(["die"], ["a"], 0.9)


def test_an_absent_peer_says_how_to_install_it(peer):
    (peer.folder / ".venv" / "installed.json").unlink()
    assert not peer.installed
    with pytest.raises(PeerError, match=r"not installed. Hint: .*benchmarks.peers install made_up"):
        peer.ask(["a"], ["a"], 0.9)


def test_the_method_reads_the_peers_answer(peer):
    method = PeerMethod("made_up", "fixed threshold", ("made_up",))
    method.peer = peer
    outcome = method.run(["b", "?"], ["a", "b"], 0.75)
    assert outcome.best.tolist() == [1, -1]
    assert outcome.score.tolist() == [0.75, 0.75]
    assert outcome.pairs == [(0, 1)]
    assert method.versions() == {"made_up": "1.2"}


def test_the_method_of_an_absent_peer_is_absent(peer):
    (peer.folder / ".venv" / "installed.json").unlink()
    method = PeerMethod("made_up", "fixed threshold", ("made_up",))
    method.peer = peer
    with pytest.raises(MethodAbsentError, match=r"benchmarks\.peers install made_up"):
        method.run(["a"], ["a"], 0.9)


def test_every_peer_has_an_adapter():
    assert peer_names() == [
        "autofj",
        "goldenmatch",
        "linktransformer",
        "polyfuzz",
        "recordlinkage",
        "skrub",
        "splink",
        "string_grouper",
    ]
    adapters = {path.parent.name for path in PEERS.glob("*/adapter.py")}
    of_records = {path.parent.name for path in PEERS.glob("*/records.py")}
    assert sorted(adapters | of_records) == peer_names()


def test_requests_are_json_files(peer):
    peer.ask(["a"], ["a"], 0.9)
    (kept,) = peer.answers.rglob("*.json")
    assert json.loads(kept.read_text())["pairs"] == [[0, 0, None]]
    assert not list(peer.answers.rglob("*.request"))


def test_the_command_lists_and_installs(monkeypatch, capsys):
    asked = []

    def install(peer):
        asked.append(peer.name)
        if peer.name == "skrub":
            raise PeerError("pip failed.")
        return {"made_up": "1.2"}

    monkeypatch.setattr(command, "install", install)
    assert command.main(["install", "polyfuzz"]) == 0
    assert command.main(["install"]) == 1
    assert asked == ["polyfuzz", *peer_names()]
    printed = capsys.readouterr()
    assert "pip failed." in printed.err
    assert "polyfuzz: 1 packages" in printed.out
    assert command.main(["list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == peer_names()


def test_an_unknown_peer_is_told(capsys):
    with pytest.raises(SystemExit, match="2"):
        command.main(["install", "nope"])
    assert "There is no peer 'nope'. Hint: one of autofj" in capsys.readouterr().err
