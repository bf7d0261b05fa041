"""Contrastive training of a phrase encoder: examples, batches, losses, loop."""
