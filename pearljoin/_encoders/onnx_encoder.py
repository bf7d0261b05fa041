"""OnnxEncoder: a model folder's `model.onnx` on the CPU."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pearljoin._encoders.batched_encoder import BatchedEncoder, TokenModel
from pearljoin._encoders.folder_encoder import FolderEncoder, folder_tokenizer
from pearljoin._encoders.int8_overflow import products_overflow
from pearljoin._encoders.model_folder import (
    ONNX,
    ModelFolder,
)
from pearljoin._encoders.onnx_file import check_onnx
from pearljoin._errors import ModelError
from pearljoin._optional import onnx_runtime
from pearljoin._parallel import processors, side_by_side
from pearljoin._typing import FloatMatrix, IntVector

_TOKENS_PER_BATCH = 512
"""About. More are not faster, and take more memory."""

_MODELS_KEPT = 4

_FIRST_SECONDS = 60.0
"""How long a short phrase may take in a graph that did not come with the package."""


class OnnxEncoder(FolderEncoder, BatchedEncoder):
    """Encode phrases with a model folder, on numpy, scipy, tokenizers and onnxruntime alone.

    Nothing is padded, and the bundled models quantise each token by the range of its numbers: a
    phrase's vector is the same alone and in any batch. Safe to call from several threads. Pickles
    and copies as a path.

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
        FolderEncoder.__init__(
            self, folder, batch_size=batch_size, threads=threads, verbose=verbose
        )
        BatchedEncoder.__init__(self, batch_size, verbose)

    def _model(self) -> TokenModel:
        return _runtime(self._folder)

    def _tokens_per_batch(self) -> int:
        return _TOKENS_PER_BATCH

    def _each(
        self, run: Callable[[IntVector], None], batches: Sequence[IntVector]
    ) -> Iterable[None]:
        return side_by_side(run, batches, self._threads or processors())


class _Runtime:
    """A model's tokenizer, ONNX Runtime session and n-grams, shared by all its encoders."""

    def __init__(self, folder: ModelFolder) -> None:
        self._folder = folder
        self.tokenizer = folder_tokenizer(folder)
        self.ngrams = folder.ngrams()
        self.dim = folder.dim - (0 if self.ngrams is None else self.ngrams.dim)
        """Columns that the graph gives."""
        self._session = _session(folder)
        if not folder.is_bundled:
            self._try()

    def _try(self) -> None:
        """Encode a short phrase, for so long at most: a stranger's graph may take for ever."""
        ids = self.tokenizer(["a"]).ids
        if not len(ids):
            return
        options = onnx_runtime().RunOptions()
        timer = threading.Timer(_FIRST_SECONDS, setattr, (options, "terminate", True))
        timer.daemon = True
        timer.start()
        try:
            self.run(ids[None, :], options)
        except ModelError as error:
            if not options.terminate:
                raise
            raise self._broken(f"took more than {_FIRST_SECONDS:g} seconds") from error
        finally:
            timer.cancel()

    def run(self, ids: np.ndarray[Any, np.dtype[np.int64]], options: Any = None) -> FloatMatrix:
        """Run one batch: int64 (n, length) to the graph's float32 (n, dim)."""
        feeds = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        feeds = {name: feeds[name] for name in self._folder.graph_inputs}
        try:
            output = self._session.run(None, feeds, options)[0]
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
    onnxruntime = onnx_runtime()
    where = repr(str(folder.path / ONNX))
    content = folder.read(ONNX)
    check_onnx(content, where)
    options = onnxruntime.SessionOptions()
    # Batches run side by side in our threads of pearljoin: no waiting for each other at every
    # operator, and no thread pool to break when the process forks.
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
