"""
Pipelines: a join and phrase features in scikit-learn
=====================================================

``FuzzyJoiner`` brings the columns of a reference to whatever passes through a pipeline, and
``PhraseEncoder`` makes numbers of a text column. Both are fitted on training rows alone.
"""

# %%
# Job titles as people write them, the field they belong to, and a picture of the vectors.
import matplotlib.pyplot as plt
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import pearljoin as pj

jobs = {
    "care": ["nurse", "staff nurse", "midwife", "caregiver", "paramedic", "ward sister",
             "physiotherapist", "care assistant"],
    "trade": ["welder", "pipe fitter", "plumber", "electrician", "carpenter", "bricklayer",
              "roofer", "joiner"],
    "office": ["accountant", "bookkeeper", "payroll clerk", "secretary", "office manager",
               "receptionist", "auditor", "tax adviser"],
}
titles = [title for group in jobs.values() for title in group]
fields = [field for field, group in jobs.items() for _ in group]
encoder = pj.PhraseEncoder().fit(titles)
fig, ax = plt.subplots(figsize=(7, 4.5))
encoder.plot_phrases(titles, fields, ax=ax)
plt.show()

# %%
# The vectors as features of a classifier, cross-validated on titles that it has not seen:
model = make_pipeline(pj.PhraseEncoder(), LogisticRegression(C=10))
print("accuracy:", cross_val_score(model, titles, fields, cv=4).mean().round(2))

# %%
# A join as a step: the rows that pass keep their order, and rows without a match stay.
cities = pd.DataFrame(
    {
        "city": ["München", "Saint Petersburg", "Washington, D.C.", "Kraków"],
        "people": [1_500_000, 5_600_000, 690_000, 800_000],
    }
)
visits = pd.DataFrame({"place": ["Munchen", "St. Petersburg", "Washington DC", "Springfield"]})
joiner = pj.FuzzyJoiner(cities, left_on="place", right_on="city")
joiner.fit_transform(visits)
