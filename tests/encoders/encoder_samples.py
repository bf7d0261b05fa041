"""What the encoder tests share."""

from pathlib import Path

BUNDLED = Path(__file__).parents[2] / "pearljoin" / "_models" / "all-MiniLM-L6-v2"
NAMES = (Path(__file__).parent / "names.txt").read_text(encoding="utf-8").splitlines()
