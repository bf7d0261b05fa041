"""The type head: scores of the phrase types from a phrase's vector (PEARL, section 3.3)."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from pearljoin_train.common.config import Config
from pearljoin_train.corpus.phrase_types import label_names

__all__ = ["TypeHead", "make_head"]


class TypeHead(nn.Module):
    """Scores of the phrase types (PEARL, section 3.3).

    Parameters
    ----------
    dim, n_types
        Length of a vector, number of types.
    kind
        "linear", as in the paper, or "cosine": with a prototype of each type.
    temperature
        Of the cosines.
    """

    def __init__(self, dim: int, n_types: int, kind: str, temperature: float) -> None:
        super().__init__()
        self.layer = nn.Linear(dim, n_types, bias=kind == "linear")
        self.kind = kind
        self.temperature = temperature

    def forward(self, vectors: Tensor) -> Tensor:
        """Return the scores, (n, n_types)."""
        if self.kind == "linear":
            # Unit vectors, whose entries are small: scaled to unit variance.
            return self.layer(vectors * vectors.shape[1] ** 0.5)  # type: ignore[no-any-return]
        return vectors @ functional.normalize(self.layer.weight).T / self.temperature


def make_head(dim: int, config: Config) -> TypeHead:
    """Make the type head that a config asks for, over vectors of length `dim`."""
    n_types = len(label_names(config.type_set))
    return TypeHead(dim, n_types, config.type_head, config.type_temperature)
