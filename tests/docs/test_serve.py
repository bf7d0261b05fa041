"""The web service of docs/howto/serve.md, behind a real server: lookups, additions, saving."""

import importlib.util
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest

import pearljoin as pj

WHY = "the service needs fastapi, uvicorn and httpx: pip install '.[dev]'"
fastapi = pytest.importorskip("fastapi", reason=WHY)
uvicorn = pytest.importorskip("uvicorn", reason=WHY)
httpx = pytest.importorskip("httpx", reason=WHY)

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "examples" / "serve.py"

NAMES = pl.read_csv(ROOT / "examples" / "everyday.csv")["name"].to_list()[:48]


def load_example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("serve_example", SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def served(app) -> Iterator["httpx.Client"]:
    """A client of the app, which a server in another thread answers."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        give_up = time.monotonic() + 600
        while not server.started:
            assert thread.is_alive(), "the server stopped before it began"
            assert time.monotonic() < give_up, "the server does not begin"
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        with httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False
        ) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def serve() -> ModuleType:
    return load_example()


@pytest.fixture(scope="module")
def fitted(serve, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("fitted") / "register"
    serve.fit(folder)
    return folder


@pytest.fixture
def folder(fitted, tmp_path) -> Path:
    """A copy of the saved matcher that a test may write to."""
    pj.Matcher.load(fitted).save(tmp_path / "register")
    return tmp_path / "register"


def look_up(client, name):
    answer = client.get("/lookup", params={"name": name})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_names_are_found_at_default_settings(serve, fitted):
    with served(serve.make_app(fitted)) as client:
        assert look_up(client, "Nestle")["legal_name"] == "Nestlé S.A."
        assert look_up(client, "Tata Steel")["legal_name"] == "Tata Steel Limited"
        nobody = look_up(client, "Bakery Huber")
        assert (nobody["name"], nobody["legal_name"], nobody["match_score"]) == (
            "Bakery Huber", None, None,
        )  # fmt: skip
        assert client.get("/calibration").json()["n_left"] > 400


def test_concurrent_lookups_answer_as_single_ones_and_as_the_library(serve, fitted):
    with served(serve.make_app(fitted)) as client:
        one_by_one = [look_up(client, name) for name in NAMES]
        with ThreadPoolExecutor(8) as pool:
            at_once = list(pool.map(lambda name: look_up(client, name), NAMES * 2))
        batch = client.post("/lookup", json=NAMES).json()
    assert at_once == one_by_one * 2
    assert [same(row) for row in batch] == [same(row) for row in one_by_one]
    matcher = pj.Matcher.load(fitted)
    joined = matcher.match(pl.DataFrame({"name": NAMES})).join("left")
    assert [row["entry"] for row in one_by_one] == joined["entry"].to_list()
    assert sum(row["entry"] is not None for row in one_by_one) >= len(NAMES) // 2


def same(row):
    """An answer without its score, which in a batch may differ in its last digit."""
    return {name: cell for name, cell in row.items() if name != "match_score"}


def test_rows_added_while_it_answers_are_found(serve, folder):
    added = [f"Quarzwerk Brelingen {number} GmbH" for number in range(101, 107)]
    with served(serve.make_app(folder)) as client:
        before = {name: look_up(client, name) for name in NAMES[:12]}
        stop = threading.Event()

        def keep_asking(name):
            answers = [look_up(client, name)]
            while not stop.is_set():
                answers.append(look_up(client, name))
            return answers

        with ThreadPoolExecutor(6) as pool:
            asking = [pool.submit(keep_asking, name) for name in NAMES[:4]]
            try:
                # Two threads add at once: neither may lose the other's rows.
                adding = [
                    pool.submit(client.post, "/rows", json=[{"legal_name": name}]) for name in added
                ]
                replies = [job.result() for job in adding]
                found = [look_up(client, name)["legal_name"] for name in added]
            finally:
                stop.set()
            answers = [job.result() for job in asking]
        after = {name: look_up(client, name) for name in NAMES[:12]}
    assert [reply.json() for reply in replies] == [{"added": 1}] * len(added)
    assert found == added
    for name, given in zip(NAMES[:4], answers, strict=True):
        assert all(answer == before[name] for answer in given)
    assert after == before


def test_saved_and_served_again_it_answers_equally(serve, folder):
    with served(serve.make_app(folder)) as client:
        row = {"legal_name": "Quarzwerk Brelingen GmbH", "country": "Germany"}
        assert client.post("/rows", json=[row]).json() == {"added": 1}
        assert client.post("/save").json() == {"saved": str(folder)}
        names = [*NAMES[:16], "Quarzwerk Brelingen"]
        before = [look_up(client, name) for name in names]
        calibration = client.get("/calibration").json()
    with served(serve.make_app(folder)) as client:
        assert [look_up(client, name) for name in names] == before
        assert client.get("/calibration").json() == calibration
    assert (before[-1]["legal_name"], before[-1]["country"]) == (row["legal_name"], "Germany")
    assert before[-1]["city"] is None


def test_what_cannot_be_used_is_refused_and_the_service_goes_on(serve, folder):
    with served(serve.make_app(folder)) as client:
        assert client.post("/rows", json=[{"country": "Germany"}]).status_code == 422
        assert client.get("/lookup").status_code == 422
        assert client.post("/rows", json=[]).json() == {"added": 0}
        assert client.post("/lookup", json=[]).json() == []
        assert look_up(client, "")["legal_name"] is None
        assert look_up(client, "Nestle")["legal_name"] == "Nestlé S.A."
