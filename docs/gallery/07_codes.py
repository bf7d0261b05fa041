"""
Codes: part numbers, with slips
===============================

Codes have no meaning to embed: they are compared by their characters. Digits are exchanged, an *O*
is a zero, dashes come and go. A description beside the code says whether a near miss is the same part.
"""

# %%
import matplotlib.pyplot as plt
import pandas as pd

import pearljoin as pj

orders = pd.DataFrame(
    [
        ("BRG-6204-2RS", "ball bearing 20x47x14"),
        ("BRG 6250-2RS", "ball bearing, 25 x 52 x 15 mm"),
        ("HX-M8x40-88", "hex bolt M8 40 mm"),
        ("VLV0115-B", "ball valve 1/2 inch brass"),
        ("PMP-3310-X", "circulation pump 33 W"),
        ("SNS-PT1OO-A", "temperature sensor"),
        ("GSK-777", "gasket, unknown type"),
    ],
    columns=["part", "description"],
)
stock = pd.DataFrame(
    [
        ("BRG-6204-2RS", "Deep groove ball bearing 20 × 47 × 14 mm"),
        ("BRG-6205-2RS", "Deep groove ball bearing 25 × 52 × 15 mm"),
        ("BRG-6206-2RS", "Deep groove ball bearing 30 × 62 × 16 mm"),
        ("HX-M8X40-8.8", "Hexagon bolt M8 × 40, grade 8.8"),
        ("HX-M8X50-8.8", "Hexagon bolt M8 × 50, grade 8.8"),
        ("VLV-0115-B", "Brass ball valve, 1/2 in"),
        ("VLV-0116-B", "Brass ball valve, 3/4 in"),
        ("PMP-3301-X", "Circulation pump, 33 W"),
        ("PMP-3301-Y", "Circulation pump, 45 W"),
        ("SNS-PT100-A", "Temperature sensor Pt100, class A"),
        ("SNS-PT1000-A", "Temperature sensor Pt1000, class A"),
    ],
    columns=["part", "description"],
)
result = pj.match(orders, stock, on=["part", "description"], kinds={"part": "code"})
result.join("left").round(2)

# %%
# What each column brought for the pump, whose digits are exchanged:
result.plot_waterfall(4)
plt.show()

# %%
# A code that must be right, where there is one, is a ``veto``: two different values forbid a match.
strict = pj.match(orders, stock, on=["part", "description"], kinds={"part": "code"}, veto="part")
print(len(result.matches()), "matches, and", len(strict.matches()), "where codes must be equal")
