"""The scorer of records of several columns: its evidence, training and figures."""
