"""Converters between nodes with a tag and objects of Python: those of the program, and those for astropy.

Astropy is imported when the first object of it is read or written.
"""

from __future__ import annotations

import importlib
import importlib.util
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from ._values import ASTROPY_TAG_PREFIX
from .errors import AsdfError, TreeError, UsageError

#: Reads a node: gets the value that the package gives for it, and its tag.
Read = Callable[[Any, str], Any]
#: Writes an object: returns a value to store under the tag of the converter, or a `Tagged`.
Write = Callable[[Any], Any]


@dataclass(frozen=True)
class Converter:
    """Converter of one tag and one class."""

    tag: str
    read: Read | None
    write: Write | None


_of_tags: dict[str, Converter] = {}
_of_types: dict[str, Converter] = {}

#: Tags, without version, of objects that have a class in astropy.
ASTROPY_NAMES = (
    "tag:stsci.edu:asdf/time/time-",
    "tag:stsci.edu:asdf/unit/quantity-",
    "tag:stsci.edu:asdf/unit/unit-",
    "tag:stsci.edu:asdf/core/table-",
    "tag:stsci.edu:asdf/table/table-",
    "tag:stsci.edu:asdf/core/column-",
    "tag:stsci.edu:asdf/table/column-",
    f"{ASTROPY_TAG_PREFIX}time/timedelta-",
    f"{ASTROPY_TAG_PREFIX}coordinates/",
    f"{ASTROPY_TAG_PREFIX}units/unit-",
    f"{ASTROPY_TAG_PREFIX}units/magunit-",
    f"{ASTROPY_TAG_PREFIX}table/table-",
)
#: What the constructors of astropy raise for content that they do not take.
CONTENT_ERRORS = (ValueError, TypeError, KeyError, AttributeError)
#: Tags of world coordinates, without version.
WCS_NAMES = (
    "tag:stsci.edu:gwcs/wcs-",
    f"{ASTROPY_TAG_PREFIX}wcs/wcs-",
    f"{ASTROPY_TAG_PREFIX}wcs/slicedwcs-",
    f"{ASTROPY_TAG_PREFIX}wcs/highlevelwcswrapper-",
)


def register(tag: str, type: type | str, read: Read | None = None, write: Write | None = None) -> None:
    """Registers a converter, so that `file["x"]` gives and `file["x"] = value` takes objects of a class.

    >>> asdfkit.register(
    ...     "tag:example.org:point-1.0.0",
    ...     Point,
    ...     read=lambda node, tag: Point(node["x"], node["y"]),
    ...     write=lambda point: {"x": point.x, "y": point.y},
    ... )

    Parameters
    ----------
    tag : str
        Full tag. "*" as its version stands for any version when it is read.
    type : class or str
        Class of the objects, or its dotted name, which saves an import. Classes that extend it are converted, too.
    read : callable, optional
        Makes the object of the value that the package gives without a converter, and of the tag.
    write : callable, optional
        Makes a value to store under the tag: a mapping, a sequence, a text or a number, also with arrays and objects that
        have converters. If the tag has no version, it returns a `Tagged` with the full tag.
    """
    if not isinstance(tag, str) or not tag:
        raise TypeError("a tag is a text that is not empty")
    converter = Converter(tag, read, write)
    if read is not None:
        _of_tags[tag] = converter
    if write is not None:
        _of_types[type if isinstance(type, str) else name_of(type)] = converter


def name_of(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def converted(value: Any, tag: str | None, wants_astropy: bool = True, can_change: bool = False) -> Any:
    """The object of a value that was read under a tag; the value itself without a converter.

    Objects of astropy are copies. From a file that can change they are read-only, because it would not get their changes.
    """
    if tag is None:
        return value
    converter = _of_tags.get(tag) or _of_tags.get(tag.rpartition("-")[0] + "-*")
    if converter is not None:
        return value if converter.read is None else converter.read(value, tag)
    if tag.startswith(WCS_NAMES):
        if wants_astropy and has_astropy():
            # Astropy takes a WCS only after its class was registered.
            astropy_part("_astropy_wcs")
        return importlib.import_module(".wcs", __package__).read(value, tag)
    if not wants_astropy or not tag.startswith(ASTROPY_NAMES) or not has_astropy():
        return value
    try:
        found = objects_of_astropy().read(value, tag)
        return objects_of_astropy().read_only(found) if can_change else found
    except CONTENT_ERRORS as problem:
        if isinstance(problem, AsdfError) and not isinstance(problem, (TreeError, UsageError)):
            raise
        message = (
            f"astropy cannot read a node with the tag '{tag}', so its value is not an object of astropy: {problem}"
        )
        warnings.warn(message, stacklevel=2)
        return value


def written(value: Any) -> tuple[Any, str] | None:
    """A value to store for an object, and the tag for it; None without a converter."""
    for cls in type(value).__mro__:
        converter = _of_types.get(name_of(cls))
        if converter is not None and converter.write is not None:
            return converter.write(value), converter.tag
        if cls.__module__.startswith("astropy."):
            found: tuple[Any, str] | None = objects_of_astropy().written(value)
            return found
    return None


@cache
def has_astropy() -> bool:
    return importlib.util.find_spec("astropy") is not None


@cache
def astropy_part(module: str) -> Any:
    """A module of this package that needs astropy."""
    return importlib.import_module(f".{module}", __package__)


def objects_of_astropy() -> Any:
    return astropy_part("_astropy_objects")
