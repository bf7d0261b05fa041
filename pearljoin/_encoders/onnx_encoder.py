"""The encoder that runs a model folder's `model.onnx` on the CPU."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pearljoin._encoders.int8_overflow import products_overflow
from pearljoin._encoders.model_folder import (
    ONNX,
    TOKENIZER,
    ModelFolder,
    portable_path,
    read_folder,
    resolve_path,
)
from pearljoin._encoders.onnx_file import check_onnx
from pearljoin._encoders.tokenizer import CHUNK, PhraseTokenizer
from pearljoin._encoders.unit_vectors import unit_rows
from pearljoin._errors import InputError, ModelError
from pearljoin._parallel import processors, side_by_side
from pearljoin._progress import progress
from pearljoin._typing import BoolVector, FloatMatrix, IntVector

# 256 to 1,024 are equally fast; more only takes more memory.
_TOKENS_PER_BATCH = 512
_PHRASES_AT_ONCE = 16 * CHUNK
_MODELS_KEPT = 4


class OnnxEncoder:
    """Encode phrases with a model folder, on numpy, scipy, tokenizers and onnxruntime alone.

    Phrases are batched with phrases of exactly their own number of tokens, so nothing is padded,
    and the bundled models quantise each token by its own range: a phrase's vector is the same
    alone and in any batch. Safe to call from several threads. Pickles and copies as a path.

    Parameters
    ----------
    folder
        A model folder.
    batch_size
        Phrases a batch; None picks it by the number of tokens.
    threads
        Batches to run side by side; None: one per processor that this process may use.
    verbose
        Progress bar: None on a terminal only, True always, False never.

    Raises
    ------
    ModelError
        If the folder is missing, damaged or hostile.
    InputError
        If `batch_size` or `threads` is below 1.

    Examples
    --------
    >>> from pearljoin._encoders import load_encoder
    >>> encoder = load_encoder("default")
    >>> vectors = encoder.encode(["New York", "New York City", "Oslo"])
    >>> vectors.shape
    (3, 576)
    >>> bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[2])
    True
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        batch_size: int | None = None,
        threads: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        for name, value in (("batch_size", batch_size), ("threads", threads)):
            if value is not None and value < 1:
                raise InputError(f"{name} must be at least 1. Got {value}. Hint: leave it at None.")
        self._folder = read_folder(folder)
        self._folder.verify()
        self._batch_size = batch_size
        self._threads = threads
        self._verbose = verbose

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        return self._folder.dim

    @property
    def name(self) -> str:
        """What the model is called."""
        return self._folder.name

    @property
    def folder(self) -> Path:
        """Where the model lies."""
        return self._folder.path

    @property
    def fallback_threshold(self) -> float | None:
        """Score in [0, 1] to match from where a table is too small to judge by."""
        return self._folder.fallback_threshold

    @property
    def scorer(self) -> bytes | None:
        """The model's calibrated match scorer, as JSON; None where it has none."""
        return self._folder.scorer

    def __repr__(self) -> str:
        return f"OnnxEncoder({self.name!r}, dim={self.dim})"

    def encode(self, phrases: Sequence[str]) -> FloatMatrix:
        """Encode phrases.

        Parameters
        ----------
        phrases
            Any strings, the empty one included.

        Returns
        -------
        vectors
            float32 of shape (n_phrases, dim), rows of unit length, in the order given.

        Raises
        ------
        ModelError
            If the model does not give vectors of the shape its configuration promises.
        """
        vectors = np.zeros((len(phrases), self.dim), dtype=np.float32)
        # In portions, so that memory for tokens does not grow with the table.
        for start in range(0, len(phrases), _PHRASES_AT_ONCE):
            stop = start + _PHRASES_AT_ONCE
            self._encode_into(phrases[start:stop], vectors[start:stop])
        return vectors

    def _encode_into(self, phrases: Sequence[str], vectors: FloatMatrix) -> None:
        runtime = _runtime(self._folder)
        tokens = runtime.tokenizer(phrases)
        meanings = vectors[:, : runtime.dim]
        batches = list(tokens.batches(tokens=_TOKENS_PER_BATCH, phrases=self._batch_size))

        def run(rows: IntVector) -> None:
            meanings[rows] = unit_rows(runtime.run(tokens.rectangle(rows)))

        done = side_by_side(run, batches, self._threads or processors())
        for _ in progress(
            done, total=len(batches), label="encoding", unit="batch", verbose=self._verbose
        ):
            pass
        if runtime.ngrams is not None:
            runtime.ngrams.extend(vectors, phrases)

    def covers(self, phrases: Sequence[str]) -> BoolVector:
        """Tell where the vector stands for the whole text.

        Returns
        -------
        covered
            bool of shape (n_phrases,). False where a token is unknown to the model, where the
            text was cut at the maximum length, and where it has no content at all.
        """
        return _runtime(self._folder).tokenizer(phrases).covered

    def __getstate__(self) -> dict[str, Any]:
        return {
            "folder": portable_path(self._folder.path),
            "batch_size": self._batch_size,
            "threads": self._threads,
            "verbose": self._verbose,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        options = dict(state)
        self.__init__(resolve_path(options.pop("folder")), **options)  # type: ignore[misc]


class _Runtime:
    """A model's tokenizer, ONNX Runtime session and n-grams, shared by all its encoders."""

    def __init__(self, folder: ModelFolder) -> None:
        self._folder = folder
        self.tokenizer = PhraseTokenizer(
            folder.read(TOKENIZER),
            max_length=folder.max_length,
            prefix=folder.prefix,
            where=repr(str(folder.path / TOKENIZER)),
        )
        self.ngrams = folder.ngrams()
        self.dim = folder.dim - (0 if self.ngrams is None else self.ngrams.dim)
        """Columns that the graph gives."""
        self._session = _session(folder)

    def run(self, ids: np.ndarray[Any, np.dtype[np.int64]]) -> FloatMatrix:
        """Run one batch: int64 (n, length) to the graph's float32 (n, dim)."""
        feeds = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        feeds = {name: feeds[name] for name in self._folder.graph_inputs}
        try:
            output = self._session.run(None, feeds)[0]
        except Exception as error:  # onnxruntime's errors share no base but Exception
            raise self._broken(f"cannot run ({error})") from error
        if output.shape != (len(ids), self.dim) or output.dtype != np.float32:
            raise self._broken(f"gave {output.dtype} of shape {output.shape}")
        if not np.isfinite(output).all():
            raise self._broken("gave numbers that are not finite")
        vectors: FloatMatrix = output
        return vectors

    def _broken(self, what: str) -> ModelError:
        return ModelError(
            f"{str(self._folder.path / ONNX)!r} {what}, where float32 of shape (n, "
            f"{self.dim}) is due. Hint: export the folder again."
        )


def _session(folder: ModelFolder) -> Any:
    import onnxruntime

    where = repr(str(folder.path / ONNX))
    content = folder.read(ONNX)
    check_onnx(content, where)
    options = onnxruntime.SessionOptions()
    # Batches run side by side in our own threads: no waiting for each other at every operator,
    # and no thread pool to break when the process forks.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    if products_overflow():
        options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no base but Exception
        raise ModelError(
            f"{where} is not a model that ONNX Runtime loads. Got {error}. "
            "Hint: update onnxruntime, or export the folder again."
        ) from error
    inputs = {entry.name for entry in session.get_inputs()}
    if inputs != set(folder.graph_inputs):
        raise ModelError(
            f"{where} takes other inputs than config.json says. Got {sorted(inputs)}, expected "
            f"{sorted(folder.graph_inputs)}. Hint: export the folder again."
        )
    return session


_runtimes: OrderedDict[tuple[Path, str], _Runtime] = OrderedDict()
_runtimes_lock = threading.Lock()


def _runtime(folder: ModelFolder) -> _Runtime:
    """Return the model's runtime, built on first use and kept for the next encoder."""
    key = (folder.path.resolve(), folder.digest)
    with _runtimes_lock:
        runtime = _runtimes.get(key)
        if runtime is None:
            runtime = _runtimes[key] = _Runtime(folder)
        _runtimes.move_to_end(key)
        while len(_runtimes) > _MODELS_KEPT:
            _runtimes.popitem(last=False)
        return runtime
