"""Joins and duplicates of texts of many sentences: lengths that no name has say nothing."""

import random

import pandas as pd
import pytest

import pearljoin as pj

SENTENCES = [
    "The {name} is a {word} hotel near the {place} in {town}.",
    "It offers {n} rooms, each with a {word} bathroom and free wireless internet.",
    "Guests have breakfast from {n} o'clock in the {word} dining hall.",
    "The {place} can be reached on foot in {n} minutes.",
    "A {word} garden with {n} chairs is open to guests all year.",
    "Parking costs {n} euros a night and should be booked ahead.",
    "Families find cots, high chairs and a {word} playroom beside the lobby.",
    "A sauna, a {word} pool of {n} metres and a gym are in the basement.",
    "The airport is {n} kilometres away, and a shuttle leaves every hour.",
    "Bicycles are rented at the desk, and the path to {town} begins near the house.",
]
VALUES = {
    "name": ["Grand Astor", "Meridian", "Park Linden", "Villa Rosa", "Old Mill", "Bellevue"],
    "word": ["large", "small", "quiet", "modern", "bright", "elegant", "plain", "lovely"],
    "place": ["cathedral", "harbour", "opera", "town hall", "castle", "fish market"],
    "town": ["Lyon", "Gdansk", "Porto", "Bergen", "Graz", "Ghent", "Malaga", "Turku", "Brno"],
}


def described(rng: random.Random) -> list[str]:
    """Sentences of one hotel."""
    name, town = rng.choice(VALUES["name"]), rng.choice(VALUES["town"])
    return [
        sentence.format(
            name=name,
            town=town,
            word=rng.choice(VALUES["word"]),
            place=rng.choice(VALUES["place"]),
            n=rng.randint(11, 99),
        )
        for sentence in SENTENCES
    ]


def told_again(sentences: list[str], rng: random.Random) -> str:
    """The same hotel in another order, one sentence left out and some words gone."""
    kept = rng.sample(sentences[1:], len(sentences) - 2)
    words = " ".join([sentences[0], *kept]).split()
    return " ".join(word for word in words if rng.random() > 0.07)


@pytest.fixture(scope="module")
def hotels() -> tuple[pd.Series, pd.Series]:
    rng = random.Random(0)
    things = [described(rng) for _ in range(60)]
    left = pd.Series([told_again(thing, rng) for thing in things])
    return left, pd.Series([" ".join(thing) for thing in things[:45]])


def test_long_descriptions_are_found(hotels: tuple[pd.Series, pd.Series]) -> None:
    found = pj.match(*hotels, encoder="pearl-nano").matches()
    assert (found.left == found.right).mean() >= 0.95
    assert len(found) >= 0.6 * 45


def test_long_descriptions_of_one_thing_are_clustered(hotels: tuple[pd.Series, pd.Series]) -> None:
    left, right = hotels
    result = pj.find_duplicates(pd.concat([left, right], ignore_index=True), encoder="pearl-nano")
    quality = pj.evaluate(result, [*range(len(left)), *range(len(right))])
    assert quality.precision >= 0.9
    assert quality.recall >= 0.6
