"""Columns of firms, of which the tests of guessed keys make tables."""

N = 40
NAMES = [f"{first} {last}" for first in ("North", "South", "East", "West") for last in range(10)]
LEGAL = [f"{name} Limited" for name in NAMES]
TOWNS = [f"{letter}ville sur Mer" for letter in "abcdefghijklmnopqrstuvwxyzäöüàéèçñøåßþðæœł"][:N]
COUNTRIES = ["France", "Italy", "Spain", "Chad"] * 10
NOTES = [f"seen on the {day}th by the shore, in good order" for day in range(N)]
CODES = [f"A-{number:03}" for number in range(N)]
