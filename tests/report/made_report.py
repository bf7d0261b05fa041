"""Tables to report on: names of companies, and cells that would harm a careless page."""

import polars as pl

import pearljoin as pj

SCRIPT = "</title><script>window.hacked = 1</script>"

HOSTILE = [
    '</script><img src=x onerror="window.hacked = 1">',
    "<!--<script>window.hacked = 1</script>",
    '"><svg/onload=window.hacked=1>',
    "{{ 7 * 7 }} ${7 * 7} {% raw %}",
    '=HYPERLINK("http://example.org","click")',
    "+1+cmd|' /C calc'!A0",
    "\u202eright to left\u202c \x00 nul",
    "lone \ud800 surrogate",
    "__proto__",
    "family \U0001f468\u200d\U0001f469\u200d\U0001f467 emoji",
    'comma, "quote" and\nnew line',
    "x" * 50_000,
]

SYLLABLES = ["ba", "cor", "den", "fil", "gar", "hom", "jun", "kel"]
NAMES = [f"{a}{b}{c}".title() for a in SYLLABLES[:4] for b in SYLLABLES for c in SYLLABLES[2:5]]


def plain_result(**options: object) -> pj.MatchResult[pl.DataFrame]:
    """A join of 96 names, of which some are written differently and some have no counterpart."""
    left = [f"The {name} Company" for name in NAMES[:40]]
    left += [f"{name} Bakery" for name in NAMES[40:70]]
    left += [f"{name[::-1]} & Sons" for name in NAMES[70:]]
    left += [NAMES[0], f"{NAMES[0]} Co.", None]
    right = [f"{name} Holdings Limited" for name in NAMES[:40]]
    right += [f"{name} Foods" for name in NAMES[50:80]] + [NAMES[0]]
    tables = pl.DataFrame({"name": left}), pl.DataFrame({"company": right})
    return pj.match(*tables, left_on="name", right_on="company", **options)


def two_column_result() -> pj.MatchResult[pl.DataFrame]:
    """A join on a name and a year."""
    years = [1900 + at for at in range(len(NAMES))]
    left = pl.DataFrame({"name": [f"The {name} Co" for name in NAMES], "year": years})
    right = pl.DataFrame({"name": NAMES[:60], "year": years[:60]})
    return pj.match(left, right, on=["name", "year"])


def hostile_result() -> pj.MatchResult:
    """A join of hostile cells with nearly the same ones; several share a right row."""
    left = HOSTILE + [f"{text} of Oslo" for text in HOSTILE]
    # Lists of Python hold lone surrogates, which few tables do.
    return pj.match(left, HOSTILE, threshold=0.05)
