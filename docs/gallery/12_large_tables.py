"""
Large tables: what grows, and what does not
===========================================

Only the nearest pairs are scored, so the time grows with the number of rows and not with its square.
Here it is measured on made names. ``encoder="auto"`` takes the bundled model up to 50,000 distinct
names, and beyond that a static one that encodes many times faster.
"""

# %%
import time

import matplotlib.pyplot as plt
import numpy as np

import pearljoin as pj

rng = np.random.default_rng(0)
FIRST = "north south east west upper lower new old great little royal river lake hill".split()
SECOND = "field ford wick ham stead bridge mouth burgh dale wood minster port haven gate".split()
KINDS = ["School", "Library", "Hospital", "Museum", "Station", "College", "Theatre", "Market"]


def make_names(n):
    """Make distinct names of institutions in made places."""
    names = {}
    while len(names) < n:
        place = f"{rng.choice(FIRST)}{rng.choice(SECOND)}".title()
        names[f"{place} {rng.choice(KINDS)} {rng.integers(1, 60)}"] = None
    return list(names)


reference = make_names(4000)
sizes = [250, 500, 1000, 2000]
seconds = {"pearl-mini": [], "pearl-nano": []}
for encoder, took in seconds.items():
    pj.match(reference[:50], reference[:50], encoder=encoder).matches()  # loads the model
    for n in sizes:
        asked = [name.replace("School", "Sch.").lower() for name in reference[:n]]
        start = time.perf_counter()
        pj.match(asked, reference[:n], encoder=encoder).matches()
        took.append(time.perf_counter() - start)

fig, ax = plt.subplots()
for encoder, took in seconds.items():
    ax.plot(sizes, took, "o-", label=encoder)
ax.set(xlabel="rows of each table", ylabel="seconds", ylim=(0, None))
ax.legend()
plt.show()

# %%
# For large tables, further: name ``by`` columns where rows must agree; look tables up in a fitted
# ``Matcher`` in parts; pass ``verbose=True`` to see the stages; keep vectors on disk between runs with
# ``pj.load_encoder("default", cache="vectors")``.
