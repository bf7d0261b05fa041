"""
Products: a shop and a catalogue
================================

Shops shorten and decorate product names; variants differ in one token; prices move. The name, the
maker and the price are compared together.
"""

# %%
import matplotlib.pyplot as plt
import pandas as pd

import pearljoin as pj

shop = pd.DataFrame(
    [
        ("Canon EOS 250D kit 18-55 black", "Canon", 549.00),
        ("sony wh1000xm4 headphones blk", "SONY", 279.90),
        ("Bosch GSR 12V-15 drill driver, 2 batteries", "Bosch Professional", 129.00),
        ("Philips Airfryer XXL 7.3l", "Philips", 249.00),
        ("Logitech MX Master 3S mouse graphite", "Logitech", 99.90),
        ("KitchenAid Artisan 4.8L mixer red", "Kitchen Aid", 489.00),
        ("Samsung 55 inch QLED TV Q60B", "Samsung", 699.00),
        ("garden hose 20m", None, 19.95),
    ],
    columns=["product", "brand", "price"],
)
catalogue = pd.DataFrame(
    [
        ("EOS 250D + EF-S 18-55mm IS STM, black", "Canon", 569.00),
        ("EOS 2000D + EF-S 18-55mm IS II", "Canon", 429.00),
        ("WH-1000XM4 wireless noise cancelling headphones, black", "Sony", 299.00),
        ("WH-1000XM5 wireless noise cancelling headphones, black", "Sony", 379.00),
        ("GSR 12V-15 cordless drill/driver with 2 x 2.0 Ah", "Bosch", 134.99),
        ("GSB 18V-55 cordless combi drill", "Bosch", 189.00),
        ("Airfryer XXL HD9650, 7.3 litres", "Philips", 259.00),
        ("Airfryer Essential HD9252, 4.1 litres", "Philips", 109.00),
        ("MX Master 3S wireless mouse, graphite", "Logitech", 109.00),
        ("MX Anywhere 3 wireless mouse, graphite", "Logitech", 79.00),
        ("Artisan stand mixer 4.8 l, empire red", "KitchenAid", 529.00),
        ("QE55Q60B QLED television, 55 inches", "Samsung", 749.00),
        ("QE65Q60B QLED television, 65 inches", "Samsung", 949.00),
    ],
    columns=["product", "brand", "price"],
)
on = ["product", "brand", "price"]
together = pj.match(shop, catalogue, on=on)
together.pairs()[["left_row", "right", "score", "runner_up"]].round(2)

# %%
# What the second and third key are worth: the score of the right pair, by the name alone and by all
# columns.
alone = pj.match(shop, catalogue, on="product")
answers = {0: 0, 1: 2, 2: 4, 3: 6, 4: 8, 5: 10, 6: 11}


def scores(result):
    """Return the score of each right pair, 0 where it is no candidate."""
    found = result.matches(threshold=0.0, constraint="many_to_many")
    known = dict(zip(zip(found.left, found.right, strict=True), found.score, strict=True))
    return [known.get(pair, 0.0) for pair in answers.items()]


fig, ax = plt.subplots(figsize=(7, 4))
places = range(len(answers))
ax.barh([y + 0.2 for y in places], scores(alone), height=0.4, label="product name alone")
ax.barh([y - 0.2 for y in places], scores(together), height=0.4, label="name, brand and price")
ax.set_yticks(places, shop["product"].str.slice(0, 30)[: len(answers)])
ax.invert_yaxis()
ax.set_xlabel("score of the right pair")
ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
plt.show()

# %%
# A row that nothing in the catalogue answers stays unmatched:
together.unmatched()
