"""
A labelling loop: thirty answers for a measured precision
=========================================================

The threshold is chosen without labels, and the expected precision is an estimate. A few labels turn it
into a measurement. The tables are made here, so that the truth is known and can play the person who
answers.
"""

# %%
# Made tables: 300 companies, and 240 queries of which a third have no answer.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import pearljoin as pj

rng = np.random.default_rng(7)
FOUNDERS = "Huber Maier Olsen Rossi Keller Duarte Novak Brandt Turner Silva Laurent Kovac".split()
TRADES = ["Bakery", "Steel Works", "Shipping", "Software", "Dairy", "Furniture", "Printing", "Tools"]
PLACES = ["Basel", "Porto", "Leeds", "Turin", "Graz", "Malmö", "Nantes"]
FORMS = ["Ltd", "GmbH", "S.A.", "AG", "& Sons", "Group"]


def company():
    """Make the full name of a company."""
    return " ".join(rng.choice(part) for part in (FOUNDERS, TRADES, PLACES, FORMS))


def written(name):
    """Write a name as somebody would who is in a hurry."""
    words = name.split()[:-1] if rng.random() < 0.7 else name.split()
    if rng.random() < 0.3 and len(words) > 3:
        words.pop()
    if rng.random() < 0.4:
        at = int(rng.integers(len(words)))
        place = int(rng.integers(1, max(len(words[at]), 2)))
        words[at] = words[at][:place] + words[at][place + 1 :]
    return " ".join(words)


names = list(dict.fromkeys(company() for _ in range(600)))
register = pd.DataFrame({"name": names[:300]})
answers = [int(row) for row in rng.choice(300, 160, replace=False)] + [-1] * 80
queries = pd.DataFrame(
    {
        "name": [
            written(names[row] if row >= 0 else names[300 + i]) for i, row in enumerate(answers)
        ]
    }
)
result = pj.match(queries, register, on="name")
print(f"threshold {result.threshold:.2f}, expected precision {result.expected_precision():.2f}")


# %%
# The true precision can be counted here, and only here:
def measure(matches):
    """Return precision and recall of the matches."""
    right = sum(answers[left] == row for left, row in zip(matches.left, matches.right, strict=True))
    return right / max(len(matches), 1), right / 160


print("precision and recall: {:.2f}, {:.2f}".format(*measure(result.matches())))

# %%
# The loop: ask for the pairs whose labels help most, answer, fit, look. ``exclude=`` leaves out what is
# answered. In a browser, ``result.report("report.html")`` asks by keyboard and
# ``LabelledThreshold.from_file("labels.csv")`` reads the answers.
asked, labels = None, []
rounds = []
for _ in range(3):
    more = result.suggest_labels(20, exclude=asked)
    labels += [
        answers[left] == right
        for left, right in zip(more["left_row"], more["right_row"], strict=True)
    ]
    asked = more if asked is None else pd.concat([asked, more], ignore_index=True)
    threshold = pj.LabelledThreshold.fit(asked, labels, precision=0.9)
    low, high = result.precision_interval(threshold)
    precision, recall = measure(result.matches(threshold))
    rounds.append((len(labels), low, high, precision, recall))
pd.DataFrame(rounds, columns=["labels", "low", "high", "true precision", "true recall"]).round(2)

# %%
# The interval that the labels give, beside the truth:
fig, ax = plt.subplots()
for labelled, low, high, precision, _ in rounds:
    ax.plot([labelled, labelled], [low, high], color="C0", lw=6, alpha=0.4)
    ax.plot(labelled, precision, "o", color="C1")
ax.axhline(0.9, color="black", ls=":")
ax.set(xticks=[row[0] for row in rounds], xlabel="labels", ylabel="precision", ylim=(0.5, 1.01))
ax.legend(["95 % interval from the labels", "true precision", "asked for"], loc="lower right")
plt.show()
