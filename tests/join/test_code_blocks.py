"""Codes whose blocks stand in another order, or lack zeros, find their records by default."""

import pandas as pd

import pearljoin as pj

SERVICES = ("feed", "reflux drum", "reboiler outlet", "column overhead", "steam header")
DEVICES = {"TT": "Temperature", "PT": "Pressure", "FV": "Flow valve", "LT": "Level", "P": "Pump"}
TAGS = [
    (unit, device, 3 * at + 7 * unit % 5 + 1)
    for unit in (10, 20, 21)
    for device in DEVICES
    for at in range(8)
]
PLANT = pd.DataFrame(
    {
        "tag": [f"{unit}-{device}-{number:03d}" for unit, device, number in TAGS],
        "service": [
            f"{DEVICES[device]} {SERVICES[(at * 7) % 5]}" for at, (_, device, _) in enumerate(TAGS)
        ],
    }
)
WRITTEN = (
    lambda unit, device, number: f"{device}-{unit}{number:03d}",
    lambda unit, device, number: f"{unit} {device} {number}",
    lambda unit, device, number: f"{device}{unit}{number:03d}".lower(),
    lambda unit, device, number: f"{unit}{device}{number:03d}",
)
SEEN = pd.DataFrame(
    {
        "tag": [WRITTEN[at % 4](*tag) for at, tag in enumerate(TAGS)],
        "service": [None if at % 3 == 0 else PLANT["service"][at] for at in range(len(TAGS))],
    }
)


def test_tags_of_a_plant() -> None:
    result = pj.match(SEEN, PLANT, on=["tag", "service"])
    assert result.keys.kinds == ("code", "text")
    found = result.matches()
    assert (found.left == found.right).mean() > 0.98
    # Before, those alone that are equal without separators.
    assert len(found) > 0.6 * len(TAGS)
