"""Made record tables with known truth, for learning and checking how columns are compared.

From the bottom up: `lists` reads names and words, `values` writes a value rightly and wrongly, one
file for each kind of value, `domains` makes things and their near twins, one file for each
domain, and `tables` and `duplicates` assemble tables from them.
"""
