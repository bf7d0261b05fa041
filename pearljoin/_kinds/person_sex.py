"""The sex of people, as columns of it say."""

from __future__ import annotations

__all__ = ["are_other_sexes"]

_MALE = (
    "m male man boy mann mannlich maennlich herr masculin h homme garcon hombre masculino varon "
    "homem maschio uomo man mannelijk mand mezczyzna muz muzsky muzske muski moski mies ferfi "
    "barbat e erkek home masculi l lelaki pria м муж мужскои чоловіча"
)
_FEMALE = (
    "f female woman girl w weiblich frau feminin femme fille mujer femenino feminino mulher "
    "femmina donna vrouw vrouwelijk k kvinde kvinna kvinne kobieta z zena zensky zenske zenski "
    "zenska nainen kadin femeie dona femeni p perempuan wanita ж жен женскии жіноча"
)
MALE, FEMALE = frozenset(_MALE.split()), frozenset(_FEMALE.split())


def are_other_sexes(one: str, other: str) -> bool:
    """Tell whether two normalised values are of a man and of a woman.

    *M* is for *mujer*, too, so that what begins alike is not.

    Examples
    --------
    >>> are_other_sexes("f", "male"), are_other_sexes("f", "female"), are_other_sexes("m", "mujer")
    (True, False, False)
    """
    sexes = {one in MALE, other in MALE}, {one in FEMALE, other in FEMALE}
    return sexes == ({True, False}, {True, False}) and one[0] != other[0]
