"""Whether Spark can run here. Run as a program: exit with an error if Java is missing."""

import sys

from pearljoin import MissingExtraError
from pearljoin.spark import check_java

if __name__ == "__main__":
    try:
        check_java()
    except MissingExtraError as error:
        sys.exit(f"Tests and documentation join on Spark, which cannot run here. {error}")
