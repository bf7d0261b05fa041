"""
Addresses and places: coordinates beside names
==============================================

A list of branches and a map both have names, addresses and coordinates, none of them exactly equal.
Latitude and longitude are one key, compared in kilometres.
"""

# %%
import matplotlib.pyplot as plt
import pandas as pd

import pearljoin as pj

branches = pd.DataFrame(
    [
        ("Central Library", "12 St Peters Sq", "Manchester", 53.4781, -2.2445),
        ("Town Hall Café", "Albert Square 1", "Manchester", 53.4794, -2.2453),
        ("Station Pharmacy", "3a Piccadilly Station", "Manchester", 53.4774, -2.2309),
        ("Riverside Gym", "44 Quay Str.", "Salford", 53.4810, -2.2560),
        ("Oak St. Bakery", "7 Oak Street", "Manchester", 53.4840, -2.2330),
        ("Museum of Science", "Liverpool Rd", "Manchester", 53.4770, -2.2540),
        ("Harbour Books", "9 Pier Road", "Brighton", 50.8170, -0.1370),
    ],
    columns=["name", "address", "city", "lat", "lon"],
)
places = pd.DataFrame(
    [
        ("Manchester Central Library", "St Peter's Square", "Manchester", 53.47806, -2.24472),
        ("Reading Room Café", "St Peter's Square", "Manchester", 53.47830, -2.24400),
        ("Café at the Town Hall", "1 Albert Square", "Manchester", 53.47930, -2.24540),
        ("Piccadilly Station Pharmacy", "Piccadilly Station, Unit 3A", "Manchester",
         53.47730, -2.23080),
        ("Riverside Health & Fitness", "44 Quay Street", "Salford", 53.48090, -2.25610),
        ("Oak Street Bakery", "7 Oak St", "Manchester", 53.48390, -2.23320),
        ("Oak Street Barber", "19 Oak St", "Manchester", 53.48440, -2.23250),
        ("Science and Industry Museum", "Liverpool Road", "Manchester", 53.47690, -2.25490),
        ("Oak Street Bakery", "7 Oak Street", "Norwich", 52.63560, 1.28960),
    ],
    columns=["name", "address", "city", "lat", "lon"],
)
result = pj.match(branches, places, on=["name", "address", "city"], geo=("lat", "lon"))
print("compared as", result.keys.kinds)
result.pairs()[["left", "right", "score", "runner_up"]].round(2)

# %%
# The matches on the map, Brighton and Norwich left out:
matches = result.matches()
fig, ax = plt.subplots(figsize=(6, 4.5))
ax.plot(places["lon"], places["lat"], "o", label="places")
ax.plot(branches["lon"], branches["lat"], "x", label="branches")
for left, right in zip(matches.left, matches.right, strict=True):
    ends = branches.loc[left], places.loc[right]
    ax.plot([end["lon"] for end in ends], [end["lat"] for end in ends], color="gray", lw=1)
    ax.annotate(
        branches["name"][left], (ends[0]["lon"], ends[0]["lat"]),
        xytext=(5, 5), textcoords="offset points", fontsize=8,
    )
ax.set(xlim=(-2.263, -2.222), ylim=(53.474, 53.486), xlabel="longitude", ylabel="latitude")
ax.legend(loc="upper left")
plt.show()

# %%
# *Oak Street Bakery* stands twice in the map, with the same street and house number. The city and the
# coordinates say which one is meant:
print(result.explain(4))
