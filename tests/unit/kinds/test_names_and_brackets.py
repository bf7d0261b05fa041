"""Names of postal codes in several languages, and quantities in two units."""

import pytest

from pearljoin._kinds.column_names import hints
from pearljoin._kinds.read_quantity import read_quantity


@pytest.mark.parametrize(
    "name", ["cp", "código postal", "C.P.", "codice postale", "CAP", "PLZ", "kod pocztowy"]
)
def test_names_of_postcodes(name: str) -> None:
    assert "postcode" in hints(name)


def test_other_caps() -> None:
    assert "postcode" not in hints("market_cap")


@pytest.mark.parametrize(
    ("text", "number"), [("79 kW (107 PS)", 79), ("34.4 in (87.4 cm)", 34.4), ("79 (107)", None)]
)
def test_quantities_with_another_unit_in_brackets(text: str, number: float | None) -> None:
    found = read_quantity(text)
    assert (found and found.number) == number
