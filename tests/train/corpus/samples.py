"""A small data folder: enough English to learn a chunker and a classifier of names from."""

import gzip
import zipfile
from pathlib import Path

NOUNS = ["city", "mayor", "river", "house", "dog", "book", "plan", "price"]
NAMES = ["Rome", "Paris", "London", "Berlin", "Vienna", "Madrid", "Oslo", "Lima"]
MARKS = "B-NP I-NP B-PP B-NP B-VP I-VP B-PP B-NP I-NP O"


def write_lexicons(folder: Path) -> None:
    """Write brown.zip, conll2000.zip and treebank.zip of one sentence pattern each."""
    folder.mkdir(parents=True)
    chunked, brown, trees = [], [], []
    for noun in NOUNS:
        for name in NAMES:
            words = ["The", noun, "of", name, "has", "waited", "in", "the", "rain", "."]
            tags = ["DT", "NN", "IN", "NNP", "VBZ", "VBN", "IN", "DT", "NN", "."]
            rows = zip(words, tags, MARKS.split(), strict=True)
            chunked.append("\n".join(" ".join(row) for row in rows))
            brown.append(
                f"The/at {noun}/nn of/in {name}/np has/hvz waited/vbn in/in the/at rain/nn ./."
            )
            trees.append(
                f"( (S (NP-SBJ (NP (DT The) (NN {noun})) (PP (IN of) (NP (NNP {name})))) (VP (VBZ "
                "has) (VP (VBN waited) (PP-LOC (IN in) (NP (DT the) (NN rain))))) (. .)) )"
            )
    texts = {
        "brown": {"brown/ca01": "\n".join(brown)},
        "conll2000": {f"conll2000/{part}.txt": "\n\n".join(chunked) for part in ("train", "test")},
        "treebank": {"treebank/combined/wsj_0001.mrg": "\n".join(trees)},
    }
    for name, files in texts.items():
        with zipfile.ZipFile(folder / f"{name}.zip", "w") as archive:
            for member, text in files.items():
                archive.writestr(member, text)


def write_lists(folder: Path) -> None:
    """Write typed_entities.tsv.gz and alias_pairs.tsv.gz of a few names."""
    folder.mkdir(parents=True)
    people = [f"{first} {last}" for first in ("Ada", "Alan", "Grace") for last in NAMES]
    rows = [f"{person}\tPER\t1\tbtc" for person in people]
    rows += [f"{name}\tLOC\t1\tbtc" for name in NAMES]
    rows += [f"{name} Tools Inc.\tORG\t1\twikigold" for name in NAMES]
    rows += ["the old man\tPER\t1\tlitbank", "Acme\tORG\t1\twikiann_en", "May\tTemporal\t1\tre3d"]
    _write(folder / "typed_entities.tsv.gz", "phrase\ttype\tcount\tsource", rows)
    pairs = [
        f"{name}burg\tX\tcity:alt\tgeonames_cities15000\tC\t{'autofj' if name == 'Rome' else ''}"
        for name in NAMES
    ]
    pairs += [
        "aspirin\tASA\tdrug:drugbank\tdrugbank_vocabulary\tC\t",
        "Foo\tFo\ttypo:x\tmisspellings\tA\t",
    ]
    _write(folder / "alias_pairs.tsv.gz", "name\talias\tkind\tsource\tlicence\tin_benchmark", pairs)


def _write(path: Path, header: str, rows: list[str]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join([header, *rows, ""]))
