"""`cached_property` without a lock, so that threads compute side by side.

That of Python 3.11 holds one lock for a property of all objects of a class while it computes, which
lets eight lookups in threads wait for each other. Python 3.12 dropped the lock. Threads that ask
one object at once may compute twice, and keep equal values.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801
        """Compute an attribute when it is first asked for, and keep it in the object's dict."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            # Python does not come here where the object's dict has the value.
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value
