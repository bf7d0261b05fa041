"""A small job that checks the executors before anything large is started."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from pyspark import cloudpickle
from pyspark.errors import PySparkException

import pearljoin._spark.look as look
from pearljoin._encoders import bundled_names
from pearljoin._encoders.load import bundled_fingerprint
from pearljoin._errors import InputError
from pearljoin._fitted.encoder_source import AUTO, CHOSEN
from pearljoin._options import MatchOptions
from pearljoin._spark.jobs import described, is_remote
from pearljoin._spark.settings import Settings
from pearljoin._version import __version__

__all__ = ["check_executors"]

REMOTE_TASKS = 8
"""Tasks of the job under Spark Connect, where the number of cores is not known."""

_checked: WeakKeyDictionary[Any, set[tuple[tuple[str, ...], str | None]]] = WeakKeyDictionary()


def check_executors(session: Any, options: MatchOptions, settings: Settings) -> None:
    """Check that the executors have this version of the package and of the model.

    Once for each session, model and shared path.

    Parameters
    ----------
    session, settings
        The session, and what it is set to.
    options
        What names the encoder.

    Raises
    ------
    InputError
        If an executor lacks the package, has another version or model, or does not see the shared
        path.
    """
    models = _models(options.encoder)
    known = _checked.setdefault(session, set())
    if (models, settings.shared_path) in known:
        return
    token = None
    if settings.shared_path is not None:
        token = Path(settings.shared_path) / f".pearljoin-{uuid.uuid4().hex}"
        token.touch()
    try:
        rows = _ask(session, look.Look(models, None if token is None else str(token)))
    finally:
        if token is not None:
            token.unlink(missing_ok=True)
    wanted = " ".join(map(bundled_fingerprint, models))
    for row in rows:
        _judge(row, wanted, settings)
    known.add((models, settings.shared_path))


def _models(encoder: Any) -> tuple[str, ...]:
    """Name the bundled models that an encoder may be."""
    if not isinstance(encoder, str):
        return ()
    if encoder == AUTO:
        return CHOSEN
    return (encoder,) if encoder in bundled_names() else ()


def _ask(session: Any, asked: look.Look) -> list[Any]:
    n_tasks = REMOTE_TASKS if is_remote(session) else session.sparkContext.defaultParallelism
    # By value: a worker without the package could not even read a reference to it.
    cloudpickle.register_pickle_by_value(look)
    try:
        with described(session, "check the executors"):
            found = session.range(0, n_tasks, 1, n_tasks).mapInArrow(asked, look.SCHEMA)
            rows: list[Any] = found.distinct().collect()
    except PySparkException as error:
        raise InputError(
            "The executors cannot run Python on Arrow batches. Got: "
            f"{str(error).strip().splitlines()[-1]}. Hint: they need the Python of the driver "
            f"(spark.pyspark.python) with pyarrow and pearljoin {__version__}."
        ) from error
    finally:
        cloudpickle.unregister_pickle_by_value(look)
    return rows


def _judge(row: Any, model: str, settings: Settings) -> None:
    """Refuse an executor that would not give the result of this process."""
    install = (
        f"Hint: install pearljoin {__version__} in the Python of every executor, or ship an "
        "environment that has it: spark-submit --archives env.tar.gz#env."
    )
    if row.problem:
        raise InputError(
            f"An executor cannot import pearljoin. Got {row.problem!r} on {row.host}. {install}"
        )
    if row.version != __version__:
        raise InputError(
            f"An executor has another version of pearljoin. Got {row.version} on {row.host}, and "
            f"{__version__} here. {install}"
        )
    for there, here in zip(row.model.split(), model.split(), strict=True):
        if there != here:
            raise InputError(
                f"An executor has another model of the same name. Got {there[:12]} on {row.host}, "
                f"and {here[:12]} here. {install}"
            )
    if not row.sees_path:
        raise InputError(
            "An executor does not see the folder that spark.pearljoin.sharedPath names. Got "
            f"{settings.shared_path!r} on {row.host}. Hint: mount it there at the same path, or "
            "unset it: references are then sent as artifacts of the session."
        )
