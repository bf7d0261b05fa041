"""Made products: maker, line and model number, their siblings, and how sellers write them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["Products"]

_KINDS = (
    "camera lens printer monitor keyboard headphones speaker router phone drill saw vacuum",
    "blender kettle watch bike tent boots jacket lamp chair desk tablet laptop drive memory card",
    "charger battery cable case software game toner ink refrigerator freezer oven microwave",
    "dishwasher washer dryer heater fan receiver player recorder radio projector scanner shredder",
)
KINDS = tuple(word for line in _KINDS for word in line.split())
COLOURS = ("black", "white", "silver", "red", "blue", "green", "grey", "pink", "gold", "brown")
EXTRAS = (
    "new",
    "box",
    "complete product",
    "standard",
    "retail",
    "oem",
    "upgrade",
    "for windows",
    "for mac",
    "pc",
    "win/mac",
    "1 user",
    "english",
    "refurbished",
    "bulk",
    "with warranty",
    "uk",
    "us version",
    "academic",
    "full version",
    "finish",
)
_LINES = "pro max plus lite deluxe premium studio home office express elite ultra mini classic"
LINES = tuple(_LINES.split())


class Products:
    """Makes products with siblings, and writes them as another seller would.

    Parameters
    ----------
    names
        Names whose words serve as makers and lines.
    rng
        Draws everything.
    """

    def __init__(self, names: Sequence[str], rng: np.random.Generator) -> None:
        self._names = names
        self._rng = rng
        self._makers = [self._word().title() for _ in range(int(rng.integers(3, 20)))]
        self._has_codes = float(rng.choice([0.2, 0.6, 0.95]))
        self._drop_maker = float(rng.choice([0.05, 0.3, 0.6]))
        self._add = float(rng.choice([0.1, 0.4, 0.8]))
        self._siblings = float(rng.choice([0.1, 0.4, 0.8]))
        self._describe = float(rng.choice([0.2, 0.6]))

    def _pick(self, listed: Sequence[str]) -> str:
        return listed[int(self._rng.integers(len(listed)))]

    def _word(self) -> str:
        words = self._pick(self._names).split()
        return words[int(self._rng.integers(len(words)))].strip(",.()").lower() or "acme"

    def _code(self) -> str:
        letters = "ABCDEFGHKLMNPRSTVWXZ"
        head = "".join(self._pick(letters) for _ in range(int(self._rng.integers(1, 4))))
        digits = str(int(self._rng.integers(10, 10 ** int(self._rng.integers(2, 5)))))
        tail = "".join(self._pick(letters) for _ in range(int(self._rng.integers(0, 3))))
        separator = self._pick(["", "-", "-", " "])
        return head + separator + digits + tail

    def make(self, n: int) -> list[dict[str, str]]:
        """Return distinct products, some of them siblings of others."""
        found: list[dict[str, str]] = []
        while len(found) < n:
            product = {
                "maker": self._pick(self._makers),
                "line": " ".join(
                    [self._word().title(), *([self._pick(LINES)] * (self._rng.random() < 0.4))]
                ),
                "code": self._code() if self._rng.random() < self._has_codes else "",
                "version": str(int(self._rng.integers(1, 12))) if self._rng.random() < 0.3 else "",
                "kind": self._pick(KINDS),
                "colour": self._pick(COLOURS) if self._rng.random() < 0.3 else "",
            }
            found.append(product)
            while self._rng.random() < self._siblings and len(found) < n:
                found.append(self._sibling(found[-1]))
        distinct = {self.write(product): product for product in found}
        return list(distinct.values())

    def _sibling(self, product: dict[str, str]) -> dict[str, str]:
        changed = dict(product)
        code = product["code"]
        if code and self._rng.random() < 0.7:
            at = len(code) - 1 - int(self._rng.integers(min(2, len(code) - 1)))
            other = self._pick("0123456789" if code[at].isdigit() else "ABCDEFGHKLMNPRSTVWXZ")
            changed["code"] = code[:at] + other + code[at + 1 :]
            if self._rng.random() < 0.3:
                changed["code"] = code + self._pick("BSKWTX")
        elif product["version"]:
            changed["version"] = str(int(product["version"]) + int(self._rng.integers(1, 4)))
        else:
            changed["line"] = f"{product['line'].split()[0]} {self._pick(LINES)}"
        return changed

    def write(self, product: dict[str, str]) -> str:
        """Return a product as its maker writes it."""
        parts = (product[part] for part in ("maker", "line", "version", "code", "kind", "colour"))
        return " ".join(part for part in parts if part)

    def rewrite(self, product: dict[str, str]) -> str:
        """Return a product as a seller writes it."""
        rng = self._rng
        code = product["code"]
        if code and rng.random() < 0.4:
            code = code.replace("-", self._pick(["", " "])).lower()
        parts = [
            "" if rng.random() < self._drop_maker else product["maker"],
            product["line"],
            product["version"],
            code,
            product["kind"] if rng.random() < 0.6 else "",
            product["colour"] if rng.random() < 0.5 else "",
        ]
        if rng.random() < 0.3:
            at = int(rng.integers(1, len(parts)))
            parts = [parts[0], *parts[at:], *parts[1:at]]
        if rng.random() < self._add:
            parts.append(self._pick(EXTRAS))
        if rng.random() < self._describe * 0.5:
            parts.append(f"{self._pick(KINDS)} {int(rng.integers(1, 64))}gb")
        if rng.random() < 0.15:
            parts = [part.lower() for part in parts]
        return " ".join(part for part in parts if part)
