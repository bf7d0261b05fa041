"""DuplicateClusterer: find_duplicates() as a scikit-learn clusterer."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Self

from pearljoin._dedupe.find import find_duplicates
from pearljoin._kinds.protocol import Kind
from pearljoin._options import EncoderLike, ThresholdLike
from pearljoin._sklearn import SharingClusterer
from pearljoin._tables.argument_hints import OF_FINDING, with_hints
from pearljoin._typing import Columns, Device, TableLike, Weights

__all__ = ["DuplicateClusterer"]


class DuplicateClusterer(SharingClusterer):
    """Cluster the rows of a table that name the same entity.

    For pipelines; it has no `predict`, since a row belongs to a cluster by its likeness to the
    others: see `Deduplicator` for rows that come later.

    Parameters
    ----------
    on, by, veto, threshold, precision, cannot_link, must_link, one_per, max_size
        As in `find_duplicates`.
    kinds, geo, phone_region, weights, encoder, nulls_equal, device, batch_size, verbose
        As in `find_duplicates`.

    Attributes
    ----------
    labels_ : ndarray
        int64 of shape (n_rows,): the cluster of each row, by first appearance.
    result_ : DedupeResult
        Pairs, explanations and golden records.

    Examples
    --------
    >>> import pearljoin as pj
    >>> pj.DuplicateClusterer().fit_predict(["Le Monde", "Die Zeit", "le monde"])
    array([0, 1, 0])
    """

    _fitted_attribute = "labels_"

    @with_hints(OF_FINDING, 0, "name columns: DuplicateClusterer(on='a').fit(table).")
    def __init__(
        self,
        *,
        on: Columns | None = None,
        by: Columns | None = None,
        veto: Columns | None = None,
        kinds: Mapping[Any, Kind] | None = None,
        geo: tuple[Any, Any] | None = None,
        phone_region: str | None = None,
        threshold: ThresholdLike = "auto",
        precision: float = 0.9,
        cannot_link: Any = (),
        must_link: Any = (),
        one_per: Hashable | None = None,
        max_size: int | None = None,
        weights: Weights | None = None,
        encoder: EncoderLike = "auto",
        nulls_equal: bool = False,
        device: Device = "auto",
        batch_size: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        self.on = on
        self.by = by
        self.veto = veto
        self.kinds = kinds
        self.geo = geo
        self.phone_region = phone_region
        self.threshold = threshold
        self.precision = precision
        self.cannot_link = cannot_link
        self.must_link = must_link
        self.one_per = one_per
        self.max_size = max_size
        self.weights = weights
        self.encoder = encoder
        self.nulls_equal = nulls_equal
        self.device = device
        self.batch_size = batch_size
        self.verbose = verbose

    def fit(self, X: TableLike, y: object = None) -> Self:
        """Cluster the rows.

        Parameters
        ----------
        X
            A table, a single column, or a sequence of strings.
        y
            Not used.

        Returns
        -------
        clusterer
            Itself.

        Raises
        ------
        InputError, TableTypeError, ModelError, MissingExtraError
            As in `find_duplicates`.
        """
        self.result_ = find_duplicates(X, **self.get_params(deep=False))
        self.labels_ = self.result_.clusters()
        return self
