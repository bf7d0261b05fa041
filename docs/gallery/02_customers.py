"""
Customers: several columns, and why a pair matched
==================================================

Two systems hold the same customers. Names, mail addresses, phones and cities all differ a little, and
some are missing. Name all of them: each is compared by its kind, and the evidence is added up.
"""

# %%
import matplotlib.pyplot as plt
import pandas as pd

import pearljoin as pj

shop = pd.DataFrame(
    {
        "name": [
            "Anna Keller", "J. Smith", "Maria Rossi", "Peter O'Neill",
            "Sofia Lindqvist", "Tom Becker", "Ines Duarte", "Lukas Brandt",
        ],
        "email": [
            "anna.keller@acme.com", None, "m.rossi@libero.it", "poneill@globex.ie",
            "sofia@lindqvist.se", "tbecker@initech.de", None, "l.brandt@posteo.de",
        ],
        "phone": [
            "030 901820", "0113 496 0735", None, "+353 1 496 0411",
            "08-123 456 78", None, "+351 21 123 4567", "0221 4710815",
        ],
        "city": ["Berlin", "Leeds", "Milano", "Dublin", "Stockholm", "Hamburg", "Lisboa",
                 "Köln"],
    }
)
billing = pd.DataFrame(
    {
        "name": [
            "Keller, Anna", "John Smith", "Jane Smith", "Mario Rossi", "Rossi Maria",
            "Peter ONeill", "S. Lindqvist", "Thomas Becker", "Tina Becker", "Inês Duarte",
        ],
        "email": [
            "anna.keller@acme.com", "john.smith@gmx.co.uk", "jane@smith.co.uk", "mario@rossi.it",
            "m.rossi@libero.it", "p.oneill@globex.ie", "sofia@lindqvist.se", "tbecker@initech.de",
            "tina.becker@web.de", "ines.duarte@sapo.pt",
        ],
        "phone": [
            "+49 30 901820", "+44 113 496 0735", "+44 20 7946 0018", "+39 02 1234567", None,
            "01 496 0411", "+46 8 123 456 78", "+49 40 334455", "+49 40 998877",
            "21 123 4567",
        ],
        "city": [
            "Berlin", "Leeds", "London", "Roma", "Milan",
            "Dublin", "Stockholm", "Hamburg", "Hamburg", "Lisbon",
        ],
    }
)
columns = ["name", "email", "phone", "city"]
result = pj.match(shop, billing, on=columns)
result.join("left")[["name", "name_right", "email_right", "match_score"]].round(2)

# %%
# How each column was compared is recognised from its values, and can be set by ``kinds=``.
result.keys.kinds

# %%
# *Tom Becker* against *Thomas Becker*: what each column brought, in log odds. The steps add up to
# the score.
result.plot_waterfall(5)
plt.show()

# %%
# The runner-up of each match, and how far behind it was: small margins are worth a look.
pairs = result.pairs()
pairs[["left", "right", "score", "runner_up", "margin"]].sort_values("margin").round(2).head()
