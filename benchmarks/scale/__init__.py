"""Time, memory and accuracy by the number of rows, beside other tools."""
