"""Write a file, several files or a folder whole or not at all.

What is new is written beside its place under a temporary name, flushed to the disk, and moved.
After any failure the old content is there unchanged, and nothing of the new. What a process that
is killed leaves behind is read by nothing.
"""

from pearljoin._atomic.common import as_path
from pearljoin._atomic.files import atomic_file, atomic_files, write_text
from pearljoin._atomic.folders import atomic_folder, find_folder, remove_unfinished

__all__ = [
    "as_path",
    "atomic_file",
    "atomic_files",
    "atomic_folder",
    "find_folder",
    "remove_unfinished",
    "write_text",
]
