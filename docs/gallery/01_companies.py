"""
Companies: everyday names and a register
========================================

A list of customers names companies as people write them; a register names them in full. The country
is known on both sides, so it goes into ``by``.
"""

# %%
import matplotlib.pyplot as plt
import pandas as pd

import pearljoin as pj

customers = pd.DataFrame(
    [
        ("BMW", "DE"),
        ("Siemens Energy", "DE"),
        ("Deutsche Bahn", "DE"),
        ("Nestle", "CH"),
        ("Roche", "CH"),
        ("Goldman Sachs", "US"),
        ("General Motors", "US"),
        ("JP Morgan", "US"),
        ("Procter and Gamble", "US"),
        ("Tata Steel", "IN"),
        ("L'Oreal Paris", "FR"),
        ("Bakery Huber", "DE"),
        ("Toyota", "JP"),
        ("Unilever", "GB"),
    ],
    columns=["customer", "country"],
)
register = pd.DataFrame(
    [
        ("Bayerische Motoren Werke AG", "DE"),
        ("Siemens AG", "DE"),
        ("Siemens Energy AG", "DE"),
        ("Deutsche Bahn AG", "DE"),
        ("Deutsche Bank AG", "DE"),
        ("Nestlé S.A.", "CH"),
        ("Roche Holding AG", "CH"),
        ("The Goldman Sachs Group, Inc.", "US"),
        ("General Motors Company", "US"),
        ("General Mills, Inc.", "US"),
        ("JPMorgan Chase & Co.", "US"),
        ("Morgan Stanley", "US"),
        ("The Procter & Gamble Company", "US"),
        ("Tata Steel Limited", "IN"),
        ("Tata Motors Limited", "IN"),
        ("L'Oréal S.A.", "FR"),
        ("Toyota Motor Corporation", "JP"),
        ("Unilever PLC", "GB"),
    ],
    columns=["legal_name", "country"],
)
result = pj.match(customers, register, left_on="customer", right_on="legal_name", by="country")
result.join("left").round(2)

# %%
# ``match`` compares; ``join`` gives the joined table. A row without a counterpart keeps nulls. Here is
# every row's best candidate by its score, and the threshold that was chosen without labels.
result.plot_scores()
plt.show()

# %%
# What the table says about one row: the words of both names, and what spoke for and against.
print(result.explain(9))

# %%
# The list to look at by hand: rows that found nothing.
result.unmatched()
