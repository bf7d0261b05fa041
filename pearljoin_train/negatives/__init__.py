"""Hard negatives: phrases of similar spelling and of other meaning (PEARL, section 3.4).

Candidates of small edit distance come from an index of character n-grams, so that not all pairs
are compared; those whose vectors are close, and those that are known to name the same, are left
out.
"""

from pearljoin_train.negatives.blocks import Blocks
from pearljoin_train.negatives.mining import Miner, MiningOptions, mine
from pearljoin_train.negatives.same import SameThings
from pearljoin_train.negatives.stored import HardNegatives

__all__ = ["Blocks", "HardNegatives", "Miner", "MiningOptions", "SameThings", "mine"]
