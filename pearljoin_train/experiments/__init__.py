"""Grids of trainings: ablation, sweep, other language models, the paper's run."""
