"""Tables written by hand by people who did not know the library, to judge it by."""
