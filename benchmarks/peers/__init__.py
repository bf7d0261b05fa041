"""Other libraries, each in an environment of its own, since their pins conflict."""
