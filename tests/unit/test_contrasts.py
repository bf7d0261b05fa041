"""Words in contrast: two names that differ in one of them are two things."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pearljoin as pj
from pearljoin._features.contrasts import are_in_contrast, contrasted
from pearljoin._text.normalise import normalise
from pearljoin._text.tokens import tokenize


def differ(left: str, right: str) -> bool:
    """Whether two texts are in contrast."""
    sides = [contrasted(runs) for runs in tokenize([normalise(left)], [normalise(right)])]
    return bool(are_in_contrast(*sides, np.array([0]), np.array([0]))[0])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Hepatitis B", "Hepatitis C"),
        ("Town Hall SB", "Town Hall (Northbound)"),
        ("Hepatitis B virus", "hepatitis c Virus"),
        ("Plan A", "Plan B"),
        ("Gate 4b", "Gate 4c"),
        ("Stat5a", "Stat5b"),
        ("IL-1α", "IL-1β"),
        ("Interferon beta", "Interferon γ"),
        ("Smith J", "Smith K"),
        ("North Campus", "South Campus"),
        ("The Northern Campus Ltd", "Southern Campus"),
        ("Southwest Trains", "Northeast Trains"),
        ("North Building B", "South Building B"),
        ("Western Sydney University", "Eastern Sydney Univ. (main campus)"),
        ("Men's Volleyball", "Women's Volleyball"),
        ("Lincoln High School", "Lincoln Middle School"),
        ("White Wine Vinegar", "Red Wine Vinegar"),
        ("Report, January", "March Report"),
        ("Pulmonary hypertension", "Pulmonary hypotension"),
        ("Organic Chemistry", "Inorganic Chemistry"),
        ("Inpatient care", "Outpatient care"),
        ("Oberkirch", "Unterkirch"),
        ("Sodium chloride", "Potassium chloride"),
        ("Sodium chloride", "Sodium nitrate"),
        ("Migraine with aura", "Migraine without aura, not intractable"),
        ("Coffee w/ milk", "Coffee w/o milk"),
        ("Zimmer mit Balkon", "Zimmer ohne Balkon"),
        ("Café con leche", "Café sin leche"),
        ("Fracture, traumatic", "Nontraumatic fracture"),
        ("Gloves, non-sterile, 100 pcs", "Gloves nitrile sterile 100"),
        ("Pipettenspitzen unsteril 10 µl", "Pipettenspitzen 10 µl steril"),
        ("Kittel (nicht steril)", "Kittel, steril"),
        ("T-Shirt Gr. L schwarz", "T-Shirt Gr. S schwarz"),
        ("Hoodie XL navy", "Hoodie 2XL navy"),
        ("Hoodie size L", "Hoodie size XL"),
        ("Blouson noir", "Blouson rouge"),
        ("Blouson noir", "Jacket, red"),
        ("Sky blue wall paint, 5L", "Wall paint navy blue 5 l"),
        ("Phone 128 GB Lavender", "Phone Green, 128 GB"),
        ("Northgate Timber Ltd", "Southgate Timber"),
        ("Nordkirch", "Southkirch"),
        ("Jeudi soir", "Mardi soir"),
        ("Scharnier links", "Scharnier rechts verzinkt"),
        ("Salz (Natriumchlorid)", "Salz (Kaliumchlorid)"),
        ("Nucl. Phys. A", "Nuclear Physics B"),
        ("Philos Trans R Soc B", "Philosophical Transactions of the Royal Society A"),
        ("12 Main Lane", "12 Main Street"),
        ("12 Main Ln", "12 Main St"),
        ("5, rue Pasteur", "5 avenue Pasteur"),
        ("Lindenweg 5", "Lindenstr. 5"),
        ("Prednisone 5mg", "PREDNISOLONE 5 MG TAB"),
        ("Keizersgracht 12", "Keizerstraat 12, Keizersplein"),
        ("71 Sth Circular", "North Circular Road"),
        ("5 NW 5th St", "5 SW 5th St"),
        ("Kl. Umstadt", "Groß-Umstadt"),
        ("Nieder-Beerbach", "Ober-Beerbach"),
        ("Vorderzarten", "Hinterzarten"),
    ],
)
def test_in_contrast(left: str, right: str) -> None:
    assert differ(left, right)
    assert differ(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Hepatitis B", "Hepatitis B"),
        ("Hepatitis B", "Hepatitis"),
        ("Hepatitis B", "Influenza C"),
        ("Smith J", "Smith John"),
        ("Smith J A", "Smith A"),
        ("Smith J A", "Smith J B"),
        ("Perez y Garcia", "Perez i Garcia"),
        ("Foo A/S", "Foo A/B"),
        ("IL-1 beta", "IL-1β"),
        ("Gate 4 b", "Gate 4b"),
        ("North Campus", "Northern Campus"),
        ("Northern Campus", "Campus Nord"),
        ("South West Trains", "Southwest Trains"),
        ("Southwest Trains", "South Trains"),
        ("North and South Railway", "South Railway"),
        ("Men's Volleyball", "Male Volleyball"),
        ("Autumn Fair", "Fall Fair"),
        ("Grey Cat", "Gray Cat"),
        ("Gloves, non-sterile", "Gloves unsterile"),
        ("Under the sea", "Der the sea"),
        ("Do not disturb", "Don't disturb"),
        ("Hotel no Centro", "Hotel Centro"),
        ("Open 09.30", "Open 9.30"),
        ("Sirop de citron vert", "Lime syrup"),
        ("Hoodie XXL", "Hoodie 2XL"),
        ("Blouson noir", "Black blouson"),
        ("Prednison 5mg", "Prednisone tabs 5 mg"),
        ("Hoodie navy", "Hoodie blue"),
        ("Royal Navy Museum", "Navy Museum"),
        ("Phone 128 GB Lavender", "Phone Purple, 128 GB"),
        ("Lincoln High School", "Lincoln Secondary School"),
        ("Direct and indirect taxes", "Direct taxes"),
        ("Oxford University", "Cambridge University"),
        ("Coffee with milk", "Coffee milk"),
        ("Coffee without milk", "Coffee"),
        ("Coffee with milk", "Coffee w/milk"),
        ("Coffee with milk", "Café avec lait"),
        ("Tea with milk without sugar", "Tea without sugar"),
        ("Hepatitis B", "Influenza B virus"),
        ("St Mary's Road", "Saint Mary Rd"),
        ("St Paul", "Saint Paul's Road"),
        ("Dr. King Street", "Doctor King St"),
        ("Lindenstraße 5", "Lindenstr. 5"),
        ("Lindenring", "Lindner Ring"),
        ("Calle Mayor", "C/ Mayor"),
        ("Midas Auto, Hartford CT", "Midas Auto, 12 Main Street, Hartford"),
        ("Dr Anna Miller Dental", "Anna Miller Dental, High Street"),
        ("St Mary's School", "Mary's School, Church Lane"),
        ("Hotel Hartford Place", "Hotel Hartford, 5 High Street"),
        ("Hartford Pizza, Oak Ave", "Hartford Pizza (corner of Main St)"),
        ("Socket 1/2 Sq 10mm", "1/2 Dr Socket 10mm"),
        ("105 County Rd 5", "105 Co Hwy 5"),
        ("North West Trains", "Northwest Trains"),
        ("", "North"),
        ("", ""),
    ],
)
def test_not_in_contrast(left: str, right: str) -> None:
    assert not differ(left, right)
    assert not differ(right, left)


WORDS = (
    "north southern nordwest a b y 5b β beta men inorganic organic hyper hyperbole hypobole the "
    "oberkirch unterkirch lindenweg lindenstr st saint lane red may june ltd x non steril unsteril "
    "rouge xl 2xl"
)
TEXTS = st.lists(st.sampled_from(WORDS.split()), max_size=6).map(" ".join)


@given(TEXTS, TEXTS)
def test_contrast_is_symmetric_and_no_text_is_in_contrast_with_itself(one: str, other: str) -> None:
    assert differ(one, other) == differ(other, one)
    assert not differ(one, one)


def test_a_score_does_not_depend_on_words_of_other_rows() -> None:
    reference = ["inorganic farms ltd", "sea food trading", "harbor lights cafe", "lemon box"]
    matcher = pj.Matcher().fit(reference)
    alone = matcher.match(["nonorganic farms ltd"]).matches(threshold=0.0)
    beside = matcher.match(["nonorganic farms ltd", "organic tea company"]).matches(threshold=0.0)
    assert alone.score[alone.left == 0].tolist() == beside.score[beside.left == 0].tolist()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Interferon Beta", "Interferon B"),
        ("Vitamin β", "Vitamin B"),
        ("Chi Nguyen", "C Nguyen"),
        ("Sodium hydrogen carbonate", "Sodium bicarbonate"),
        ("Guest house Warm Springs", "Hot Springs Guest house"),
        ("Flammable Liquids Storage", "Inflammable Liquids Storage"),
        ("Potassium Dichromate", "Potassium Bichromate"),
        ("Biphenyl", "Diphenyl"),
        ("Lincoln Junior High School", "Lincoln Middle School"),
    ],
)
def test_two_names_of_one_thing(left: str, right: str) -> None:
    assert not differ(left, right)
    assert not differ(right, left)


def test_siblings_by_a_contrast_are_not_answers() -> None:
    reference = ["Hepatitis B", "Vitamin E", "North Campus", "Block F", "Serie A"]
    asked = ["Hepatitis C", "Vitamin D", "South Campus", "Block G", "Serie B"]
    others = ["hepatitis-b", "Vit. E", "North Campuss", "block-f", "SERIE  A"]
    result = pj.match([*asked, *others], reference)
    found = result.matches()
    assert found.left.tolist() == [5, 6, 7, 8, 9]
    assert found.right.tolist() == [0, 1, 2, 3, 4]
