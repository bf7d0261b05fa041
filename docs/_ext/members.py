"""Which members of each public class its page lists: pearljoin's own, inherited or not."""

import inspect
from functools import cached_property
from importlib import import_module

MODULES = ("pearljoin", "pearljoin.pandas", "pearljoin.polars")


def own_members() -> dict[str, dict[str, list[str]]]:
    """Return, by the full names of classes, the methods and properties that have a docstring."""
    methods, properties = {}, {}
    for module in MODULES:
        home = import_module(module)
        for name in home.__all__:
            if inspect.isclass(kind := getattr(home, name)):
                own = _own(kind)
                called = [one for one, value in own.items() if _is_method(value)]
                methods[f"{module}.{name}"] = called
                properties[f"{module}.{name}"] = [
                    one
                    for one, value in own.items()
                    if isinstance(value, property | cached_property)
                ]
    return {"own_methods": methods, "own_properties": properties}


def _is_method(value: object) -> bool:
    return inspect.isfunction(value) or isinstance(value, classmethod | staticmethod)


def _own(kind: type) -> dict[str, object]:
    """Return public members in the order of the source, those of bases first."""
    found: dict[str, object] = {}
    for base in reversed(inspect.getmro(kind)):
        if base.__module__.startswith("pearljoin"):
            for name, value in vars(base).items():
                described = getattr(getattr(value, "__func__", value), "__doc__", None)
                if described and (not name.startswith("_") or name == "__call__"):
                    found.pop(name, None)
                    found[name] = value
    return found
