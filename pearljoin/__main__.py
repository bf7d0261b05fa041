"""``python -m pearljoin``: the command line."""

import sys

from pearljoin._cli import main

if __name__ == "__main__":
    sys.exit(main())
