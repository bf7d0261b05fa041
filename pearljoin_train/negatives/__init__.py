"""Hard negatives: phrases of similar spelling and of other meaning (PEARL, section 3.4).

Candidates of small edit distance come from an index of character n-grams, so that not all pairs
are compared; those whose vectors are close, and those that are known to name the same, are left
out.
"""

from pearljoin_train.negatives.hard_negative_mining import Miner, MiningOptions, mine
from pearljoin_train.negatives.ngram_index import NgramIndex
from pearljoin_train.negatives.same_entity import SameEntity
from pearljoin_train.negatives.store import HardNegatives

__all__ = ["HardNegatives", "Miner", "MiningOptions", "NgramIndex", "SameEntity", "mine"]
