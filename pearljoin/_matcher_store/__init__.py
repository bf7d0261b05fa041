"""Saved matchers: a folder of plain files.

`save_matcher` and `load_matcher` know what a matcher is made of; `write_store` and `read_store`
know files and check sums.
"""

from pearljoin._matcher_store.matcher import SavedMatcher, load_matcher, save_matcher
from pearljoin._matcher_store.store import damaged_matcher, read_store, write_store

__all__ = [
    "SavedMatcher",
    "damaged_matcher",
    "load_matcher",
    "read_store",
    "save_matcher",
    "write_store",
]
