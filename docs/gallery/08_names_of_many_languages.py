"""
Names in other languages and scripts
====================================

Accents, spellings and exonyms: what the bundled model knows, and what it does not.
"""

# %%
import matplotlib.pyplot as plt
import pandas as pd

import pearljoin as pj

pairs = pd.DataFrame(
    [
        ("München", "Munich", "exonym"),
        ("Köln", "Cologne", "exonym"),
        ("Bombay", "Mumbai", "exonym"),
        ("Sankt Petersburg", "Saint Petersburg", "spelling"),
        ("Krakow", "Kraków", "accents"),
        ("Sao Paulo", "São Paulo", "accents"),
        ("Duesseldorf", "Düsseldorf", "accents"),
        ("Göteborg", "Gothenburg", "exonym"),
        ("Universität Wien", "University of Vienna", "translation"),
        ("Deutsche Bundesbahn", "German Federal Railways", "translation"),
        ("Universidad de Sevilla", "University of Seville", "translation"),
        ("Museo Nacional del Prado", "Prado National Museum", "translation"),
        ("Москва", "Moskva", "script"),
        ("東京", "Tokyo", "script"),
        ("Αθήνα", "Athens", "script"),
        ("Київ", "Киев", "script"),
    ],
    columns=["written", "name", "what"],
)
result = pj.match(pairs["written"], pairs["name"])
found = result.matches()
pairs["found"] = [
    pairs["name"][dict(zip(found.left, found.right, strict=True)).get(row, -1)]
    if row in found.left
    else None
    for row in pairs.index
]
pairs

# %%
# The score of the right name, by what has to be bridged. Accents and spellings are safe, and so are
# translations between languages that share words. Exonyms that look nothing alike are often missed
# in so small a table, and so are other scripts: the model was trained on names in Latin script. Cyrillic
# and Greek names are read in Latin letters only beside a column without such names.
scored = result.matches(threshold=0.0, constraint="many_to_many")
score = {
    left: value
    for left, right, value in zip(scored.left, scored.right, scored.score, strict=True)
    if left == right
}
fig, ax = plt.subplots(figsize=(7, 4.5))
kinds = pairs["what"].unique()
for kind in kinds:
    rows = pairs.index[pairs["what"] == kind]
    ax.barh([f"{pairs['name'][r]} ({kind})" for r in rows], [score.get(r, 0) for r in rows])
ax.axvline(result.threshold, color="black", ls=":", label="threshold")
ax.invert_yaxis()
ax.tick_params(axis="y", labelsize=8)
ax.set_xlabel("score of the right name")
ax.legend(loc="lower left", bbox_to_anchor=(0, 1))
plt.show()

# %%
# *Cologne* and *Mumbai* are what to look at by hand, or to give a table of their own: names that a
# model does not know are best joined by a list of exonyms first. For tables full of other scripts, transliterate first, or pass a model of your languages as
# ``encoder=``.
