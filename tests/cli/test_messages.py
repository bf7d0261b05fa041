"""The library's messages in the words of the command line."""

import ast
import re
from pathlib import Path

import pytest
import typer

import pearljoin
from pearljoin._cli import commands
from pearljoin._cli.messages import NAMES, OF_PYTHON, OPTIONS, WITHOUT, translated


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("Hint: set constraint='many_to_many'.", "Hint: set --constraint many_to_many."),
        ("Both on= and left_on= are given.", "Both --on and --left-on are given."),
        ("named in by=. Got", "named in --by. Got"),
        ("score=None leaves it out", "--no-score leaves it out"),
        ("give nulls_equal=True", "give --nulls-equal"),
        ("weights=[2, 1] and weights=['x']", "--weight 2 --weight 1 and --weight x"),
        ("suffix=('_l', '_r').", "--suffix _l --suffix _r."),
        ("threshold=0.5. Got k=2.", "--threshold 0.5. Got -k 2."),
        ("left_by='two words'", "--left-by 'two words'"),
        ('left_by="it\'s"', "--left-by 'it'\"'\"'s'"),
        ("The batch_size must be 1. Leave k= out.", "The --batch-size must be 1. Leave -k out."),
        # What a user wrote stays, and so does what is an option already.
        (
            "no column 'k=2' or \"on=\", but 'a\\'by='.",
            "no column 'k=2' or \"on=\", but 'a\\'by='.",
        ),
        ("the left row's k= and rows' by=", "the left row's -k and rows' --by"),
        ("-k takes, --left-on takes", "-k takes, --left-on takes"),
        ("reason=3, moon=4, link='x'", "reason=3, moon=4, link='x'"),
        ("on=[['a'], 3", "--on[['a'], 3"),
    ],
)
def test_arguments_become_options(message: str, wanted: str) -> None:
    assert translated(message) == wanted


def test_every_option_is_one() -> None:
    there = {
        option
        for command in typer.main.get_command(commands.app).commands.values()
        for parameter in command.params
        for option in parameter.opts
    }
    said = {translated(f"{name}=") for name in NAMES} | {*OPTIONS.values(), *WITHOUT.values()}
    assert said - there == set()


def test_what_is_replaced_is_said_by_the_library() -> None:
    texts = [
        " ".join(node.value for node in ast.walk(tree) if is_text(node))
        for path in Path(pearljoin.__file__).parent.rglob("*.py")
        if "_cli" not in path.parts
        for tree in [ast.parse(path.read_text(encoding="utf-8"))]
    ]
    library = re.sub(r"\s+", " ", " ".join(texts))
    assert [said for said in OF_PYTHON if said.strip() not in library] == []


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
