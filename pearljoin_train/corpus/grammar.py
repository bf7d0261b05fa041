"""Numbers, dates, times, amounts of money and their like, by a small grammar.

These types of OntoNotes are closed enough to be written down, and the lists of names in the data
folder hardly hold them. A phrase has such a type only as a whole: "two dogs" has none.
"""

from __future__ import annotations

import re
from functools import cache

__all__ = ["number_type"]

# What may stand around: "in the", "at least about".
LEADING = (
    r"(?:(?:in|on|at|by|of|to|for|from|with|within|since|until|till|during|after|before|between|about|"
    r"around|over|under|above|below|through|throughout|towards?|near|as|the|an?|this|that|these|"
    r"those|its|his|her|their|some|only|just|nearly|almost|approximately|roughly|exactly|another|"
    r"circa|every|each|all|early|late|mid|later|other|(?:more|less|fewer|other) than|"
    r"at (?:least|most)|up to|as (?:many|much) as)[ -])*"
)
DIGITS = r"\d+(?:,\d{3})*(?:\.\d+)?"
UNITS_0_19 = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    "sixteen|seventeen|eighteen|nineteen"
)
TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
SCALES = "hundred|thousand|million|billion|trillion|dozen|score"
FRACTION = r"(?:one|two|three|four|\d)[ -](?:half|thirds?|quarters?|fifths?|tenths?)"
NUMBER_WORD = rf"(?:(?:{TENS})-(?:{UNITS_0_19})|{UNITS_0_19}|{TENS}|half|several|many|few|couple)"
NUMBER = (
    rf"(?:(?:{DIGITS}|{NUMBER_WORD})(?:[ -](?:{SCALES})s?)*"
    rf"(?:(?: and)? {NUMBER_WORD}| and a half| {DIGITS}/\d+)?"
    rf"|(?:{SCALES})s?|{FRACTION})"
)
RANGE = rf"{NUMBER}(?: ?(?:-|–|to|and|or) {NUMBER}| ?[-–] ?{NUMBER})?"
# What makes a number a count by itself: "several" and "half" alone are ordinary words.
COUNT = rf"(?!(?:half|several|many|few|couple|score)$){RANGE}"

ORDINALS = (
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|"
    "fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|fortieth|"
    "fiftieth|sixtieth|seventieth|eightieth|ninetieth|hundredth|thousandth|millionth"
)
ORDINAL = rf"(?:\d+(?:st|nd|rd|th)|(?:(?:{TENS})-)?(?:{ORDINALS}))"

MONTH = (
    "(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.)"
)
WEEKDAY = "(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?"
SEASON = "(?:spring|summer|autumn|winter)"
YEAR = r"(?:1\d{3}|20\d\d)"
DAY = r"(?:[12]?\d|3[01])(?:st|nd|rd|th)?"
CALENDAR = "(?:day|week|weekend|fortnight|month|quarter|season|year|decade|century|centuries)s?"
CLOCK = "(?:second|minute|hour)s?"
PART_OF_DAY = "(?:morning|afternoon|evening|night|midnight|noon|dawn|dusk)"
PERIOD = "(?:century|centuries|day|week|month|quarter|year|decade)"
WHICH = "(?:last|next|past|previous|following|coming|same|current|recent|final|whole|entire)"
SHIFT = "(?: ago| later| earlier| before| after| old| of age| long)?"

DATE = (
    rf"{YEAR}(?:[-–/]\d{{2,4}})?(?: and {YEAR}| to {YEAR})?(?: bc| ad| bce| ce| season)?",
    r"(?:1\d|20)\d0s|\d0s|(?:twen|thir|for|fif|six|seven|eigh|nine)ties",
    rf"(?:{WHICH} )?{MONTH}(?: {DAY})?(?: ?,? {YEAR})?(?: of {YEAR})?",
    rf"{DAY}(?: of)? {MONTH}(?: ?,? {YEAR})?",
    rf"(?:{WHICH} )?{WEEKDAY}(?: ?,? {MONTH} {DAY}(?: ?,? {YEAR})?)?",
    rf"(?:{WHICH} )?{SEASON}(?: of)?(?: {YEAR})?",
    rf"(?:{WHICH} )?(?:{RANGE} )?(?:{WHICH} )?{CALENDAR}{SHIFT}",
    rf"{RANGE}[ -]{PERIOD}(?:-old)?",
    rf"{ORDINAL}(?: and {ORDINAL})?[ -]{PERIOD}(?: bc| ad)?",
    rf"(?:end|beginning|start|middle|turn|rest) of (?:the )?(?:{YEAR}|{PERIOD}|{MONTH})",
    r"today|tomorrow|yesterday|nowadays",
    r"christmas|easter|new year ?'s (?:day|eve)|halloween|thanksgiving",
)
TIME = (
    r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?(?: (?:gmt|utc|est|edt|pst|cet))?",
    rf"{NUMBER} ?(?:[ap]\.m\.?|[ap]m|o'clock|o 'clock)",
    rf"(?:{WHICH} )?(?:{RANGE} )?(?:{WHICH} )?{CLOCK}{SHIFT}",
    rf"(?:{WHICH} |{WEEKDAY} |tomorrow |yesterday )?{PART_OF_DAY}|tonight",
)
CURRENCY = (
    "(?:(?:us|canadian|australian) )?(?:dollar|pound|euro|cent|penny|pence|yen|yuan|rupee|ruble|"
    "rouble|franc|mark|shilling|guinea|peso|lira|krone|krona|rand|crown|sovereign|florin)s?"
    "(?: sterling)?"
)
MONEY = (
    rf"(?:us|c|a|hk|nz)?[$£€¥] ?{RANGE}(?: {CURRENCY})?",
    rf"{RANGE} {CURRENCY}",
    rf"{RANGE} (?:usd|eur|gbp|jpy|inr|chf)",
)
PERCENT = (rf"{RANGE} ?(?:%|per ?cent|percentage points?)",)
MEASURE = (
    "(?:square |cubic |nautical |metric |fluid )?(?:(?:milli|centi|kilo|)met(?:er|re)|"
    "inche|inch|feet|foot|yard|mile|acre|hectare|light-year|furlong|fathom|"
    "milligram|kilogram|gram|kilo|pound|ounce|ton|tonne|stone|lit(?:er|re)|gallon|pint|"
    "quart|barrel|bushel|"
    "degree|kelvin|volt|watt|kilowatt|megawatt|joule|calorie|hertz|newton|ampere|horsepower|knot|"
    "byte|kilobyte|megabyte|gigabyte|bit|pixel)(?:s|es)?"
    "|km|cm|mm|nm|µm|kg|mg|g|m|mi|ft|in|lb|lbs|oz|ha|l|ml|km2|m2|m3|kw|mw|gw|hz|khz|mhz|ghz|kb|mb|gb|tb"
    "|mph|km/h|kph|hp|°c|°f|° c|° f|c|f|k|kn|kv|v|w"
)
QUANTITY = (
    rf"{RANGE}[ -](?:{MEASURE})(?: (?:long|wide|high|tall|deep|away|north|south|east|west))?",
    rf"{NUMBER} (?:{MEASURE})(?: [x×] | by ){NUMBER} (?:{MEASURE})",
)

# In this order: a year is a date before it is a number; "second" is an ordinal before it is a time.
RULES = {
    "PERCENT": PERCENT,
    "MONEY": MONEY,
    "ORDINAL": (ORDINAL,),
    "DATE": DATE,
    "TIME": TIME,
    "QUANTITY": QUANTITY,
    "CARDINAL": (COUNT,),
}


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {
        kind: re.compile(rf"{LEADING}(?:{'|'.join(rules)})", re.IGNORECASE)
        for kind, rules in RULES.items()
    }


def number_type(phrase: str) -> str | None:
    """Return the type of a phrase that is a number, a date, or the like.

    Parameters
    ----------
    phrase
        As text or as spaced tokens, prepositions and determiners included; case does not matter.

    Returns
    -------
    entity
        PERCENT, MONEY, ORDINAL, DATE, TIME, QUANTITY or CARDINAL; None if the phrase as a whole is
        none of them.

    Examples
    --------
    >>> number_type("between 1500 to 2000 ft"), number_type("in the late 1990s")
    ('QUANTITY', 'DATE')
    >>> number_type("twenty-five"), number_type("$4.5 million"), number_type("two dogs")
    ('CARDINAL', 'MONEY', None)
    """
    found = (kind for kind, pattern in _patterns().items() if pattern.fullmatch(phrase))
    return next(found, None)
