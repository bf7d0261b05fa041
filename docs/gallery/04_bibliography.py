"""
Bibliography: citations and a catalogue
=======================================

Citations shorten titles, venues and authors, and get years wrong. All columns together find the
paper.
"""

# %%
import matplotlib.pyplot as plt
import pandas as pd

import pearljoin as pj

cited = pd.DataFrame(
    [
        ("A theory for record linkage", "Fellegi, Sunter", "JASA", 1969),
        ("Attention is all you need", "Vaswani et al.", "NIPS", 2017),
        ("Sentence-BERT", "Reimers & Gurevych", "EMNLP-IJCNLP", 2019),
        ("Weighted word embedding aggregation for short texts", "De Boom",
         "Pattern Recogn. Lett.", 2016),
        ("AutoFuzzyJoin", "P. Li, X. Cheng, X. Chu", "SIGMOD", 2021),
        ("Random forests", "L. Breiman", "Mach. Learn.", 2001),
        ("Visualizing data using t-SNE", "v.d. Maaten, Hinton", "J. Mach. Learn. Res.", 2009),
        ("Scikit-learn: machine learning in Python", "Pedregosa et al.", "JMLR", 2011),
        ("The art of baking bread", "Huber", None, 1987),
    ],
    columns=["title", "authors", "venue", "year"],
)
catalogue = pd.DataFrame(
    [
        ("A Theory for Record Linkage", "Ivan P. Fellegi and Alan B. Sunter",
         "Journal of the American Statistical Association", 1969),
        ("Attention Is All You Need", "Ashish Vaswani, Noam Shazeer, Niki Parmar",
         "Advances in Neural Information Processing Systems", 2017),
        ("Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks",
         "Nils Reimers and Iryna Gurevych", "EMNLP", 2019),
        ("Representation learning for very short texts using weighted word embedding aggregation",
         "Cedric De Boom, Steven Van Canneyt, Thomas Demeester, Bart Dhoedt",
         "Pattern Recognition Letters", 2016),
        ("Auto-FuzzyJoin: Auto-Program Fuzzy Similarity Joins Without Labeled Examples",
         "Peng Li, Xiang Cheng, Xu Chu, Yeye He, Surajit Chaudhuri", "SIGMOD Conference", 2021),
        ("Random Forests", "Leo Breiman", "Machine Learning", 2001),
        ("Random decision forests", "Tin Kam Ho", "ICDAR", 1995),
        ("Visualizing Data using t-SNE", "Laurens van der Maaten and Geoffrey Hinton",
         "Journal of Machine Learning Research", 2008),
        ("Scikit-learn: Machine Learning in Python", "Fabian Pedregosa, Gaël Varoquaux",
         "Journal of Machine Learning Research", 2011),
        ("API design for machine learning software: experiences from the scikit-learn project",
         "Lars Buitinck, Gilles Louppe, Mathieu Blondel", "ECML PKDD Workshop", 2013),
    ],
    columns=["title", "authors", "venue", "year"],
)
result = pj.match(cited, catalogue, on=["title", "authors", "venue", "year"])
print("compared as", result.keys.kinds)
result.pairs()[["left", "right", "score"]].round(2)

# %%
# What the columns brought for the t-SNE paper, whose year is off by one:
result.plot_waterfall(6)
plt.show()

# %%
# What was cited and is not in the catalogue:
result.unmatched()
