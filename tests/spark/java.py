"""Whether Spark can be tested here. Run as a program: exit with an error if Java is missing."""

import sys

from pearljoin import MissingExtraError
from pearljoin.spark import check_java

if __name__ == "__main__":
    try:
        check_java()
    except MissingExtraError as error:
        sys.exit(f"Joins on Spark are tested, and Spark cannot run. {error}")
