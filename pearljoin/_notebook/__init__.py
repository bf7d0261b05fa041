"""What notebooks show of an object: a few lines of HTML, in the colours of the notebook."""
