"""
A labelling loop: sixty answers for a measured precision
========================================================

The threshold is chosen without labels, and the expected precision is an estimate. A few labels turn
it into a measurement. The tables are those of ``examples/``
(:download:`examples.zip </generated/examples.zip>`): everyday names and official ones, with the true
pairs, which play the person who answers.
"""

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

import pearljoin as pj

examples = Path("../../examples")  # or where examples.zip was unpacked
everyday = pd.read_csv(examples / "everyday.csv")
official = pd.read_csv(examples / "official.csv")
truth = set(pd.read_csv(examples / "gold.csv").itertuples(index=False, name=None))

result = pj.match(everyday, official, left_on="name", right_on="legal_name", by="country")
print(f"threshold {result.threshold:.2f}, expected precision {result.expected_precision():.2f}")


# %%
# The loop: ask for the pairs whose labels help most, answer, fit, look. ``exclude=`` leaves out what is
# answered. In a browser, ``result.report("report.html")`` asks by keyboard and
# ``LabelledThreshold.from_file("labels.csv")`` reads the answers.
def answer(left_rows, right_rows):
    """Say which of the pairs are right, as a person would."""
    items, entries = everyday["item"].iloc[left_rows], official["entry"].iloc[right_rows]
    return [pair in truth for pair in zip(items, entries, strict=True)]


asked = result.suggest_labels(20)
labels = answer(asked["left_row"], asked["right_row"])
rounds = []
for _ in range(3):
    threshold = pj.LabelledThreshold.fit(asked, labels, precision=0.9)
    low, high = result.precision_interval(threshold)
    matches = result.matches(threshold)
    right = sum(answer(matches.left, matches.right))
    rounds.append((len(labels), low, high, right / len(matches), right / len(truth)))
    more = result.suggest_labels(20, exclude=asked)
    labels += answer(more["left_row"], more["right_row"])
    asked = pd.concat([asked, more], ignore_index=True)
pd.DataFrame(rounds, columns=["labels", "low", "high", "true precision", "true recall"]).round(2)

# %%
# The 95 % interval that the labels give, beside the truth, which only an example knows. With few labels
# the interval is itself uncertain: label until it is as narrow as you need.
fig, ax = plt.subplots()
for labelled, low, high, precision, _ in rounds:
    ax.plot([labelled, labelled], [low, high], color="C0", lw=6, alpha=0.4)
    ax.plot(labelled, precision, "o", color="C1")
ax.axhline(0.9, color="black", ls=":")
ax.set(xticks=[row[0] for row in rounds], xlabel="labels", ylabel="precision", ylim=(0.5, 1.01))
ax.legend(["95 % interval from the labels", "true precision"], loc="lower right")
plt.show()

# %%
# The pairs that the next round would ask about:
result.suggest_labels(5, exclude=asked).round(2)
