"""Values of a tree that are more than a plain value of Python: keys, texts with a tag, quantities, references."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .constants import YAML_TAG_PREFIX, KeyType
from .units import convert

if TYPE_CHECKING:
    from typing_extensions import Self

#: Prefix of the tags of astropy.
ASTROPY_TAG_PREFIX = "tag:astropy.org:astropy/"
#: Tag of dates that stay texts, because Python cannot represent them.
TIMESTAMP_TAG = f"{YAML_TAG_PREFIX}timestamp"


class Key(str):
    """A key of a mapping that is taken literally: `tree[Key("a/b")]` has the key "a/b", and is no path.

    Iteration over a mapping yields keys of this class where a plain str would mean something else, so that
    `target[key] = source[key]` sets what it got. Integers and booleans are keys as they are.

    Attributes
    ----------
    type : KeyType
        STRING; OTHER for a key of a type that ASDF does not allow, such as a float. Such keys are read, but not made.
    """

    __slots__ = ("type",)
    type: KeyType

    def __new__(cls, text: str, type: KeyType = KeyType.STRING) -> Self:
        key = super().__new__(cls, text)
        key.type = type
        return key

    def __repr__(self) -> str:
        return f"Key({super().__repr__()})"

    def __getnewargs__(self) -> Any:
        return str(self), self.type


#: Texts that are paths, or that paths take for an integer or a boolean.
AMBIGUOUS = re.compile(r"|.*[/~\0].*|-?[0-9]+|true|false", re.DOTALL)


def literal(text: str) -> str:
    """The key with this text, as a `Key` if a plain str would mean something else."""
    return Key(text) if AMBIGUOUS.fullmatch(text) else text


class TaggedText(str):
    """A text with a tag, such as a unit or a time of the tree. It is stored under its tag again.

    Attributes
    ----------
    tag : str
        Full tag, such as "tag:stsci.edu:asdf/unit/unit-1.0.0".
    """

    __slots__ = ("tag",)
    tag: str

    def __new__(cls, text: str, tag: str) -> Self:
        tagged = super().__new__(cls, text)
        tagged.tag = tag
        return tagged

    def __getnewargs__(self) -> Any:
        return str(self), self.tag


class Time(str):
    """A time of the standard to store: `file["start"] = Time("2027-01-31T04:05:06.7")`, in UTC.

    Other forms are a date, which is its midnight, "2027:031:04:05:06.7", with the day of the year, and the epochs
    "B1950.0" and "J2000.0". Times of the tree are read as `TaggedText`.
    """

    __slots__ = ()


@dataclass(frozen=True)
class Quantity:
    """A number or an array with a unit. `value` is a scalar, an `Array` or anything that can be stored as one.

    Such quantities are read where astropy is not installed, or is not wanted: `asdfkit.open(path, astropy=False)`. `unit`
    is a text, or a unit of astropy in a quantity to store.
    """

    value: Any
    unit: Any
    #: Node of a quantity that was read. It is copied when the quantity is stored, with everything in it.
    _node: Any = field(default=None, init=False, repr=False, compare=False)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """The value without its unit."""
        result = np.asarray(self.value, dtype)
        return result.copy() if copy else result

    def to(self, unit: str, **options: Any) -> Quantity:
        """The quantity in another unit. An `Array` is read; `equivalencies="spectral"` allows more conversions."""
        read = getattr(self.value, "read", None)
        value = convert(self.value, self.unit, unit, **options) if read is None else read(unit=unit, **options)
        return Quantity(value if np.ndim(value) else value[()], unit)

    def __reduce__(self) -> Any:
        return Quantity, (self.value, self.unit)


@dataclass(frozen=True)
class Tagged:
    """A value to store under a tag: `file["model"] = Tagged({"shift": 1.5}, "tag:example.org:model-1.0.0")`."""

    value: Any
    tag: str


@dataclass(frozen=True)
class Reference:
    """A JSON reference that cannot be followed. It can be stored."""

    uri: str
