"""LOVE: the paper's character encoder of words (Chen et al. 2022), and its training."""
