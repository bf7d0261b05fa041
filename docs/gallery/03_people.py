"""
People: names, birth dates and towns
====================================

Birth dates tell namesakes apart, and they are written in many ways: day first, year alone, one digit
off. Dates are compared as dates; a name in two columns is one key where ``kinds=`` says *person*.
"""

# %%
import matplotlib.pyplot as plt
import polars as pl

import pearljoin as pj

clinic = pl.DataFrame(
    {
        "given_name": [
            "Anna", "Smith", "Maria", "Jon", "Elisabeth", "Bill", "Karin", "Ahmed", "Paula",
        ],
        "surname": [
            "Keller", "John", "Rossi", "Smyth", "Maier", "Turner", "Olsen", "Hassan", "Novak",
        ],
        "born": [
            "14/02/1980", "01/07/1975", None, "24/12/1991",
            "30/03/1966", "05/11/1958", "17/09/1984", "22/01/1990", "02/08/1999",
        ],
        "town": ["Leeds", "York", "Leeds", "York", "Ripon", "Hull", "Hull", "Leeds", "Ripon"],
    }
)
register = pl.DataFrame(
    {
        "given_name": [
            "Ana", "John", "John", "Mario", "Maria", "Liesbeth", "William", "Karen", "Ahmad",
            "Anna",
        ],
        "surname": [
            "Keller", "Smith", "Smith", "Rossi", "Rossi", "Mayer", "Turner", "Olsson", "Hasan",
            "Kellner",
        ],
        "born": [
            "1980-02-14", "1975-07-01", "1991-12-24", "1988-03-03", "1969-05-05", "1966-03-30",
            "1958-11-05", "1948-09-17", "1990-01-22", "1956-09-30",
        ],
        "town": [
            "Leeds", "York", "York", "Leeds", "Leeds", "Ripon", "Hull", "Hull", "Leeds", "Leeds",
        ],
    }
)
on = ["given_name", "surname", "born", "town"]
people = {"given_name": "person", "surname": "person"}
result = pj.match(clinic, register, on=on, kinds=people)
result.pairs().select("left", "right", "p_answer", "p_same")

# %%
# *Smith, John* has his names exchanged, and days stand first on the left: both are read. There are
# two *John Smith*, whom the birth date tells apart.
print(result.explain(1))

# %%
# Two questions have two probabilities: whether a row is *the answer* (rivals share), and whether two
# rows are *the same person*, whatever else there is.
pairs = result.pairs()
fig, ax = plt.subplots()
places = range(pairs.height)
ax.barh([y + 0.2 for y in places], pairs["p_answer"], height=0.4, label="p_answer")
ax.barh([y - 0.2 for y in places], pairs["p_same"], height=0.4, label="p_same")
ax.set_yticks(places, pairs["left"])
ax.invert_yaxis()
ax.set_xlabel("probability")
ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
plt.show()

# %%
# Who found nobody:
result.unmatched()
