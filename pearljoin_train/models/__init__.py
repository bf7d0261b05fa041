"""Phrase encoders in training: language model, character part, type head."""
