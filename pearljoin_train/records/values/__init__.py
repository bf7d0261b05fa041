"""How tables write values, rightly and wrongly: one file for each kind of value."""
