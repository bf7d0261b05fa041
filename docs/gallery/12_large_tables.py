"""
Large tables: what grows, and what does not
===========================================

Each row is compared with its nearest rows alone, some forty of them, so the time grows with the number of
rows that are looked up and hardly with the reference. Here it is measured on made names.
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


def seconds(call, *arguments):
    """Return the seconds of processor time that a call takes, however busy the machine is."""
    start = time.process_time()
    call(*arguments)
    return time.process_time() - start


names = make_names(2000)
asked = [name.replace("School", "Sch.").lower() for name in names[:200]]
references, fitting, looking_up = [500, 1000, 2000], [], []
for n in references:
    matcher = pj.Matcher()
    fitting.append(seconds(matcher.fit, names[:n]))
    matcher.match(asked[:1]).matches()
    looking_up.append(seconds(lambda: matcher.match(asked).matches()))

fig, ax = plt.subplots()
ax.plot(references, fitting, "o-", label="fit the reference, once")
ax.plot(references, looking_up, "s-", label="look up 200 names")
ax.set(xlabel="rows of the reference", ylabel="processor seconds", xlim=(0, None), ylim=(0, None))
ax.legend()
plt.show()

# %%
# For large tables:
#
# - ``encoder="auto"`` takes the bundled model up to 50,000 distinct names, and beyond that a static one
#   that encodes many times faster.
# - A reference of more than 50,000 rows is searched by an inverted file; the log says what it may miss.
# - ``by`` columns cost nothing and leave less to compare.
# - Fit a ``Matcher`` once, and look the other table up in parts; ``save`` keeps it for the next run.
# - ``pj.load_encoder("default", cache="vectors")`` keeps vectors on disk between runs.
# - ``verbose=True`` shows the stages, and the log says how long the encoding will take.
#
# Equal rows cost nothing, as everything is done once for each distinct value:
print(f"{seconds(pj.match, asked * 50, names[:500]):.2f} s for {len(asked) * 50:,} rows")
