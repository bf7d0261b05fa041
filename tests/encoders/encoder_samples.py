"""What the encoder tests share."""

from pathlib import Path

from pearljoin._encoders.load import DEFAULT
from pearljoin._encoders.model_folder import MODELS

BUNDLED = MODELS / DEFAULT
NAMES = (Path(__file__).parent / "names.txt").read_text(encoding="utf-8").splitlines()
