"""Training on a machine that has nothing but torch: packed inputs, a timed run, its results."""
