"""
Duplicates: clusters and golden records
=======================================

One table of contacts, collected from three systems, names some people several times. Find the rows of
one person, and make one row of them by a rule for each column.
"""

# %%
import matplotlib.pyplot as plt
import pandas as pd

import pearljoin as pj

contacts = pd.DataFrame(
    [
        ("Anna Schmidt", "anna@acme.com", "Berlin", "2021-04-01", "shop"),
        ("Schmidt, Anna", "anna@acme.com", "Berlin", "2023-09-30", "crm"),
        ("Ana Schmid", "anna@acme.com", None, "2022-02-14", "events"),
        ("Anna Schmidt", "a.schmidt@initech.de", "Wien", "2022-01-01", "shop"),
        ("Peter Hansen", "ph@globex.dk", "Aarhus", "2020-01-05", "shop"),
        ("P. Hansen", "ph@globex.dk", "Århus", "2024-06-01", "crm"),
        ("Petra Hansen", "petra@hansen.de", "Kiel", "2023-03-03", "crm"),
        ("Maria Rossi", "m.rossi@libero.it", "Milano", "2019-11-11", "shop"),
        ("ROSSI MARIA", "m.rossi@libero.it", "Milan", "2023-05-20", "events"),
        ("Clara Costa", "clara@costa.pt", "Porto", "2024-02-02", "crm"),
        ("Clara M. Costa", "clara@costa.pt", "Oporto", "2021-07-07", "events"),
        ("John Smith", "john.smith@gmx.co.uk", "Leeds", "2022-10-10", "shop"),
    ],
    columns=["name", "email", "city", "updated", "system"],
)
result = pj.find_duplicates(contacts, on=["name", "email", "city"])
result.table()

# %%
# Which pairs were compared, how probable it is that both are one person, and the threshold.
pairs = result.pairs(0.0)
fig, ax = plt.subplots()
ax.hist(pairs["score"], bins=20)
ax.axvline(result.threshold, color="black", ls=":", label=f"threshold {result.threshold:.2f}")
ax.set(xlabel="probability that two rows are one person", ylabel="pairs")
ax.legend()
plt.show()

# %%
# One row a person: the longest name, the newest city, the newest date, and the mail address as the
# CRM has it, where it has one. ``provenance=True`` adds the row that gave each value.
rules = {
    "name": "longest",
    "email": {"source": ("system", ["crm", "shop"])},
    "city": {"newest": "updated"},
    "updated": max,
}
result.golden(rules)

# %%
# Where to look with little time: the weakest link of each cluster, the most doubtful first.
result.doubtful()[["cluster", "n_rows", "left", "right", "score"]].round(2)

# %%
# The first line is a mistake that a look finds: two people called *Anna Schmidt*, with other addresses in
# other cities. Say so, and the rest is as it was.
corrected = pj.find_duplicates(contacts, on=["name", "email", "city"], cannot_link=[(0, 3)])
corrected.table()[["name", "email", "city", "cluster"]].head(4)
