"""Training and evaluating phrase encoders: the application behind pearljoin's models."""
