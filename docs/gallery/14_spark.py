"""
Spark: tables of a cluster
==========================

Invoices and a register of suppliers are frames of Spark. ``fuzzy_join``, ``match`` and ``deduplicate`` take
them as they take those of pandas, and give frames of Spark with the rows that one machine finds.
"""

# %%
# Any session will do. This one runs here, in two threads; a script would write
# ``with local_session() as spark:``.
from contextlib import ExitStack

import matplotlib.pyplot as plt

import pearljoin as pj
from pearljoin.spark import local_session

running = ExitStack()
spark = running.enter_context(
    local_session("local[2]", spark__sql__shuffle__partitions=2)
)
invoices = spark.createDataFrame(
    [
        (101, "Nordwind Logistics GmbH", "Hamburg"), (102, "NORDWIND LOGISTIK", "Hamburg"),
        (103, "Halden Paper Mill", "Halden"), (104, "Tessari & Figli", "Verona"),
        (105, "Oakbridge Tools", "Leeds"), (106, "Oakbridge Tolls Ltd.", "Leeds"),
        (107, "Lumiere Optics", "Lyon"), (108, "Kestrel Insurance", "Bristol"),
        (109, "Cafe Zentral", "Graz"), (110, "window cleaner", None),
    ],
    "invoice int, supplier string, city string",
)
register = spark.createDataFrame(
    [
        ("S1", "Nordwind Logistik GmbH", "Hamburg"), ("S2", "Nordlicht Logistik GmbH", "Kiel"),
        ("S3", "Halden Papirfabrikk AS", "Halden"), ("S4", "Fratelli Tessari S.r.l.", "Verona"),
        ("S5", "Tessari e Figli S.n.c.", "Verona"), ("S6", "Oakbridge Tools Limited", "Leeds"),
        ("S7", "Oakridge Timber Limited", "Leeds"), ("S8", "Lumière Optique SARL", "Lyon"),
        ("S9", "Kestrel Mutual Insurance plc", "Bristol"),
        ("S10", "Café Central Betriebs GmbH", "Graz"),
    ],
    "id string, company string, seat string",
)
keys = {"left_on": ["supplier", "city"], "right_on": ["company", "seat"]}
joined = pj.fuzzy_join(invoices, register, **keys)
joined

# %%
# Spark works when the rows are asked for, and gives them in no order. Small results are looked at here.
def collected(frame, *order):
    """Return the rows of a small frame as a table of pandas, in an order."""
    return frame.orderBy(*order).toArrow().to_pandas()


collected(joined, "invoice").round(2)

# %%
# ``match`` decides in a second step. The pairs name the rows of both frames, with the next best
# answer and how far behind it was.
result = pj.match(invoices, register, **keys)
pairs = collected(result.pairs(), "left_row")
pairs[["left", "right", "score", "runner_up", "margin"]].round(2)

# %%
# And what is in no list:
collected(result.unmatched(), "invoice")

# %%
# One machine gives the same rows and scores. The reference is fitted here, and the partitions of
# the left frame are looked up in it, row by row: how they are cut changes nothing.
alone = pj.match(collected(invoices, "invoice"), collected(register, "id"), **keys).pairs()
fig, ax = plt.subplots()
ax.barh(pairs["left"], pairs["score"], label="Spark")
ax.plot(alone["score"], alone["left"], "D", color="black", label="one machine")
ax.axvline(result.threshold, color="black", ls=":", label=f"threshold {result.threshold:.2f}")
ax.set(xlabel="probability that this is the supplier", xlim=(0, 1))
ax.invert_yaxis()
fig.legend(loc="outside upper center", ncols=3)
plt.show()
print("the same rows:", pairs[["left", "right"]].equals(alone[["left", "right"]]))

# %%
# Duplicates of one frame, by several columns. The clusters are found at once, on the cluster; the
# result has the methods of one machine, and its tables are frames of Spark.
contacts = spark.createDataFrame(
    [
        ("Ingrid Solberg", "ingrid@halden.no", "+47 69 17 20 00"),
        ("Solberg, Ingrid", "ingrid@halden.no", None),
        ("I. Solberg", None, "69172000"),
        ("Marco Tessari", "marco@tessari.it", "+39 045 800 1111"),
        ("Giulia Tessari", "giulia@halden.no", "+47 69 17 20 05"),
        ("TESSARI MARCO", "marco@tessari.it", None),
        ("Beth Oakley", "b.oakley@oakbridge.uk", "0113 496 0111"),
        ("Elizabeth Oakley", "b.oakley@oakbridge.uk", "+44 113 496 0111"),
    ],
    "name string, email string, phone string",
)
duplicates = pj.find_duplicates(contacts, on=["name", "email", "phone"])
collected(duplicates.table(), "cluster", "name")

# %%
# ``deduplicate`` is the short form, here for the names of both frames. What it gives is filtered by Spark:
# spellings for which another name stands.
names = invoices.select("supplier").union(register.select("company"))
spellings = pj.deduplicate(names, on="supplier").where("supplier <> canonical")
collected(spellings, "canonical", "supplier")

# %%
running.close()  # stops the session

# %%
# How references that no process holds are searched, what is shuffled, and which settings there are:
# :doc:`/howto/spark`.
