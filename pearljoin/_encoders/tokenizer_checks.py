"""Checks of a `tokenizer.json` before it is loaded: patterns and replacements that could blow up.

The tokenizers package runs regular expressions by backtracking, which may take for ever, and puts
whatever a file says in the place of a character.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

__all__ = ["check_tokenizer"]

KNOWN_PATTERNS = frozenset(
    (
        # GPT-2, and its likes of Llama 3, Qwen 2 and GPT-4: one quantified class after the other
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
        r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|"
        r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    )
)
"""Patterns of published tokenizers that are more than a simple one, and take linear time."""

LONGEST_TEXT = 200
"""Characters of any text that is put into a phrase; NFKC makes at most 18 of one."""

MOST_GROWTH = 100
"""Times that all replacements together may lengthen a text."""

_QUANTIFIER = re.compile(r"(?<!\\)[*+?{]")
_PARTS = ("normalizer", "pre_tokenizer", "post_processor")


def check_tokenizer(raw: dict[str, Any]) -> None:
    """Refuse a tokenizer that could take very long, or very much memory, for a short phrase.

    Parameters
    ----------
    raw
        The content of a `tokenizer.json`.

    Raises
    ------
    ValueError
        If it has a regular expression that is neither simple nor a known one, or a text that is
        much too long to be put into a phrase.

    Examples
    --------
    >>> check_tokenizer({"normalizer": {"type": "Replace", "pattern": {"Regex": " {2,}"}}})
    >>> check_tokenizer({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a+)+$"}}})
    Traceback (most recent call last):
    ValueError: the regular expression '(a+)+$' is none that is known to be quick
    """
    growth = 1
    for part in _nodes([raw.get(name) for name in _PARTS]):
        _check_pattern(part.get("pattern"))
        for name, value in part.items():
            if name == "precompiled_charsmap":
                _check_charsmap(value)
            elif isinstance(value, str) and len(value) > LONGEST_TEXT:
                raise ValueError(f"a {name!r} of {len(value):,} characters")
        content = part.get("content")
        growth *= max(1, len(content)) if isinstance(content, str) else 1
    if growth > MOST_GROWTH:
        raise ValueError(f"replacements that make a text {growth:,} times as long")
    for token in raw.get("added_tokens") or ():
        if len(str(token.get("content", ""))) > LONGEST_TEXT:
            raise ValueError("an added token of too many characters")


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object within a value."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _nodes(inner)


def _check_pattern(pattern: Any) -> None:
    """Refuse a regular expression with more than a quantifier, unless it is known."""
    regex = pattern.get("Regex") if isinstance(pattern, dict) else None
    if regex is None or regex in KNOWN_PATTERNS:
        return
    if "(" in regex or len(_QUANTIFIER.findall(regex)) > 1:
        raise ValueError(f"the regular expression {regex[:60]!r} is none that is known to be quick")


def _check_charsmap(encoded: Any) -> None:
    """Refuse a character map of sentencepiece that puts long texts in the place of characters.

    It is the length of a trie, the trie, and texts that end with a zero byte.
    """
    charsmap = base64.b64decode(encoded or "", validate=True)
    texts = charsmap[4 + int.from_bytes(charsmap[:4], "little") :]
    longest = max(map(len, texts.split(b"\0")))
    if longest > LONGEST_TEXT:
        raise ValueError(f"a character that is replaced by {longest:,} bytes")
