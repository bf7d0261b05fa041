"""What the encoder tests share."""

from pathlib import Path

from pearljoin._encoders._folder import MODELS
from pearljoin._encoders._load import DEFAULT

BUNDLED = MODELS / DEFAULT
NAMES = (Path(__file__).parent / "names.txt").read_text(encoding="utf-8").splitlines()
