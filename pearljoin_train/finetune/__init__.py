"""Fine-tuning a model on a user's pairs of names."""
