"""Addresses in English read the same, whatever is read of those of other languages."""

import pytest

from pearljoin._kinds.read_address import read_address

READINGS = [
    ("Avenue D 123", "123", "avenue d", "", "", "", ""),
    ("C Street 12", "12", "c", "street", "", "", ""),
    ("12 Quai Street", "12", "quai", "street", "", "", ""),
    ("Largo Dr 123", "123", "largo", "drive", "", "", ""),
    ("Al Maktoum Road 12", "12", "al maktoum", "road", "", "", ""),
    ("123 Calle Ocho Apt 4", "123", "calle ocho", "", "", "4", ""),
    ("Largo, FL 33770", "", "largo", "", "", "floor33770", ""),
    ("Via Rodeo Dr 5", "5", "via rodeo", "drive", "", "", ""),
    ("Rue Morgue Ave 7", "7", "rue morgue", "avenue", "", "", ""),
    ("Plaza Hotel 5th Ave", "", "plaza hotel 5th", "avenue", "", "", ""),
    ("1 Piazza Dr", "1", "piazza", "drive", "", "", ""),
    ("Camino Real 200 Suite 5", "200", "camino real", "", "", "5", ""),
    ("B Street 4", "4", "b", "street", "", "", ""),
    ("St George St 4 Apt B", "4", "saint george", "street", "", "b", ""),
    ("Paseo Del Norte NE 8500", "8500", "paseo norte", "", "northeast", "", ""),
    ("Corso Ct 12", "12", "corso", "court", "", "", ""),
    ("123 Avenue D", "123", "avenue d", "", "", "", ""),
    ("12 Quai St", "12", "quai", "street", "", "", ""),
    ("Apt. 4, 123 N. Main St, Springfield", "123", "main", "street", "north", "4", "springfield"),
    ("350 Fifth Avenue, 34th Floor", "350", "5th", "avenue", "", "floor34", ""),
    ("Flat 3, 12 High Street", "12", "high", "street", "", "3", ""),
    ("Flat B, 12A High St, London SE1 2AB", "12a", "high", "street", "", "b", "london se1 2ab"),
    ("3/45 George St, Sydney NSW 2000", "3-45", "george", "street", "", "", "sydney nsw 2000"),
    ("Unit 5, 48 Elm Rd, Perth WA 6000", "48", "elm", "road", "", "5", "perth wa 6000"),
    ("Suite 210, 2nd Floor, 48 Elm Street", "48", "elm", "street", "", "210", ""),
    ("Building B, Unit 5, 48 Elm Street", "48", "elm", "street", "", "buildingb", ""),
    ("Unit 5, Building B, 48 Elm Street", "48", "elm", "street", "", "5", ""),
    ("77 Via Lido Soud, Newport Beach", "77", "via lido soud", "", "", "", "newport beach"),
    ("500 Via Roma Dr", "500", "via roma", "drive", "", "", ""),
    ("12 R St NW", "12", "r", "street", "northwest", "", ""),
    ("1 Plaza Dr", "1", "plaza", "drive", "", "", ""),
    ("34-12 85th St, Apt 3B", "34-12", "85th", "street", "", "3b", ""),
    ("1200 Avenida de las Americas", "1200", "avenida americas", "", "", "", ""),
    ("100 Avenue A", "100", "avenue a", "", "", "", ""),
    ("Plaza Building, 350 5th Ave, Suite 12", "350", "5th", "avenue", "", "12", "plaza building"),
    ("12 Stock Rd", "12", "stock", "road", "", "", ""),
    ("10 Casa Dr, Unit B", "10", "casa", "drive", "", "b", ""),
    ("12 Floor Street", "12", "floor", "street", "", "", ""),
    ("The Piano Factory, 12 Mill Lane", "12", "mill", "lane", "", "", "the piano factory"),
    ("5 Piano Lane Apt 2", "5", "piano", "lane", "", "2", ""),
    ("221B Baker Street", "221b", "baker", "street", "", "", ""),
    ("Rose Cottage, Church Lane, Oxford", "", "church", "lane", "", "", "rose cottage oxford"),
    ("Ground Floor Flat, 12 Park Road", "12", "park", "road", "", "", "ground floor flat"),
    ("First Floor, 5 Queen Square, Bristol", "5", "queen", "square", "", "", "first floor bristol"),
    ("Top Floor, 12 Royal Crescent", "12", "royal", "crescent", "", "", "top floor"),
    ("Basement Flat, 9 Albert Road", "9", "albert", "road", "", "", "basement flat"),
    ("2/1, 15 Byres Road, Glasgow", "15", "byres", "road", "", "", "2 1 glasgow"),
    ("Apt 2R, 15 Etage Lane", "15", "etage", "lane", "", "2r", ""),
    ("123 Main St #5", "123", "main", "street", "", "5", ""),
    ("4500 Paseo Padre Pkwy", "4500", "paseo padre", "parkway", "", "", ""),
    ("2 Avenue of the Americas Fl 12", "2", "avenue americas", "", "", "floor12", ""),
    ("Rua Lane 5, Unit 4", "5", "rua", "lane", "", "4", ""),
    (
        "16 Ohio Ave NW, Washington, DC 20500",
        "16",
        "ohio",
        "avenue",
        "northwest",
        "",
        "washington dc 20500",
    ),
    ("PO Box 12, Springfield", "12", "pobox", "", "", "", "springfield"),
    ("Lot 12 Old Mill Rd", "", "old mill", "road", "", "lot12", ""),
    ("Rm 405, 12 College Ave", "12", "college", "avenue", "", "405", ""),
    ("15 Avenida Del Mar, Apt 7", "15", "avenida mar", "", "", "7", ""),
    ("Unit 12, 300 Camino De La Reina", "300", "camino reina", "", "", "12", ""),
    ("8 Link Road, Left Wing", "8", "link", "road", "", "", "left wing"),
    ("12 Strand Street", "12", "strand", "street", "", "", ""),
    ("Wohler Rd 12", "12", "wohler", "road", "", "", ""),
    ("Top 5 Lane 12", "5", "top", "lane", "", "", "12"),
    ("Hinterhaus Pub, 12 Main St", "12", "main", "street", "", "", "hinterhaus pub"),
    ("25 Boulevard Apt 3", "25", "boulevard", "", "", "3", ""),
    ("6 Rue Orleans Apt 2", "6", "rue orleans", "", "", "2", ""),
    (
        "Plaza 5, 120 Town Sq Pl, Fl 3",
        "5",
        "plaza",
        "",
        "",
        "floor3",
        "120 town square place",
    ),
    ("12 Interno Way", "12", "interno", "way", "", "", ""),
    ("Scala Cinema, 275 Pentonville Road", "275", "pentonville", "road", "", "", "scala cinema"),
    ("OG Building, 12 Main St Fl 3", "12", "main", "street", "", "floor3", "og building"),
    ("Calle Vista Dr 12 Apt 3", "12", "calle vista", "drive", "", "3", ""),
    ("1 Whg St", "1", "whg", "street", "", "", ""),
]
"""Text, number, street, kind, directions, unit and locality."""


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading[0])
def test_readings_stay(reading: tuple[str, ...]) -> None:
    text, *expected = reading
    found = read_address(text)
    assert found is not None
    number, street, kind, directions, unit, locality = found
    parts = [number, " ".join(street), kind, " ".join(directions), unit, " ".join(locality)]
    assert parts == expected
