"""The encoder of a reference: loaded when first needed, chosen by size where that is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from pearljoin._devices import encoder_device
from pearljoin._encoders import Encoder, load_encoder
from pearljoin._options import MatchOptions
from pearljoin._progress import LOG

__all__ = ["AUTO", "CHOSEN", "MOST_FOR_MINI", "EncoderSource", "chosen_by_size"]

AUTO = "auto"
"""The encoder that is chosen by the size of the reference."""

MINI, NANO = CHOSEN = "pearl-mini", "pearl-nano"

MOST_FOR_MINI = 50_000
"""Distinct phrases of a reference up to which "auto" means pearl-mini."""


def chosen_by_size(n_phrases: int) -> str:
    """Return the encoder that "auto" means for a reference of so many distinct phrases.

    Examples
    --------
    >>> chosen_by_size(1_000), chosen_by_size(1_000_000)
    ('pearl-mini', 'pearl-nano')
    """
    return MINI if n_phrases <= MOST_FOR_MINI else NANO


class EncoderSource:
    """Loads the encoder of some options when it is first needed, and keeps it.

    Parameters
    ----------
    options
        The options.
    corpus
        Text that an unfitted encoder is fitted on beside the reference's.
    chosen
        What "auto" meant when the reference was fitted; None where that is not chosen yet.
    """

    def __init__(
        self, options: MatchOptions, corpus: Sequence[str] = (), chosen: str | None = None
    ) -> None:
        self._options = options
        self._corpus = corpus
        self._loaded: Encoder | None = None
        self.chosen = chosen

    def get(self, texts: Sequence[str]) -> Encoder:
        """Return the encoder; on the first call the choice of "auto" is made, by `texts`.

        Parameters
        ----------
        texts
            The reference's; an encoder that is not fitted is fitted on them, too.
        """
        if self._loaded is None:
            options = self._options
            self._loaded = load_encoder(
                self._name(texts) if _is_auto(options) else options.encoder,
                corpus=[*texts, *self._corpus],
                device=encoder_device(options.device),
                batch_size=options.batch_size,
                verbose=options.verbose,
            )
        return self._loaded

    def _name(self, texts: Sequence[str]) -> str:
        if self.chosen is None:
            n_phrases = len(set(texts))
            self.chosen = chosen_by_size(n_phrases)
            if self.chosen == NANO:
                LOG.info(
                    "encoder='auto': %s, for %s distinct reference phrases",
                    self.chosen,
                    f"{n_phrases:,}",
                )
        return self.chosen


def _is_auto(options: MatchOptions) -> bool:
    return isinstance(options.encoder, str) and options.encoder == AUTO
