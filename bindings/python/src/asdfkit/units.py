"""Units as text: spellings, kinds and conversions, without astropy.

>>> from asdfkit import units
>>> units.format("km.s**-1", "vounit")
'km / s'
>>> units.convert([1.0, 2.0], "km / h", "m / s")
array([0.27777778, 0.55555556])

Any text is accepted. One that is no unit equals only itself. Spellings are those of astropy: "generic", "vounit",
"fits", "cds".
"""

from __future__ import annotations

from ctypes import byref, c_double
from typing import TYPE_CHECKING, Any

import numpy as np

from . import errors
from ._library import encoded, int32, lib, text
from ._memory import doubles
from ._options import constant, options_for
from .constants import Spelling, UnitKind

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["convert", "equal", "factor", "format", "kind", "physical"]


def format(unit: str, spelling: str = "generic", to: str = "generic") -> str:
    """Returns a unit in another spelling, as astropy writes it."""
    return text(lib.asdf_unit_format, encoded(unit, "unit"), spelling_number(spelling), spelling_number(to))


def kind(unit: str, spelling: str = "generic") -> str:
    """Returns "unknown", "linear", "magnitude", "decibel" or "dex"."""
    return UnitKind(int32(lib.asdf_unit_kind, encoded(unit, "unit"), spelling_number(spelling))).name.lower()


def physical(unit: str, spelling: str = "generic") -> str | None:
    """Returns the unit whose logarithm a unit is, in the generic spelling: "AB" of "mag(AB)"."""
    try:
        return text(lib.asdf_unit_physical, encoded(unit, "unit"), spelling_number(spelling))
    except errors.NotFoundError:
        return None


def equal(unit: str, other: str, spelling: str = "generic") -> bool:
    """Returns whether two units are equal, as "N" and "kg m / s2"."""
    return bool(
        int32(
            lib.asdf_unit_equal,
            encoded(unit, "unit"),
            spelling_number(spelling),
            encoded(other, "unit"),
            spelling_number(spelling),
        )
    )


def factor(unit: str, to: str, spelling: str = "generic", **options: Any) -> tuple[float, float]:
    """Returns factor and offset between two units. `equivalencies` names conversions of astropy that are allowed."""
    found, offset = c_double(), c_double()
    with options_for("asdf_unit_factor", options) as given:
        units = encoded(unit, "unit"), spelling_number(spelling), encoded(to, "unit"), spelling_number(spelling)
        given.check(lib.asdf_unit_factor(*units, given.pointer, byref(found), byref(offset)))
    return found.value, offset.value


def convert(values: ArrayLike, unit: str, to: str, spelling: str = "generic", **options: Any) -> NDArray[np.float64]:
    """Returns values in another unit, logarithms included."""
    source = np.ascontiguousarray(values, dtype=np.float64)
    converted = np.empty_like(source)
    with options_for("asdf_unit_convert", options, source.nbytes) as given:
        units = encoded(unit, "unit"), spelling_number(spelling), encoded(to, "unit"), spelling_number(spelling)
        memory = doubles(source), source.size, given.pointer, doubles(converted), converted.size
        given.check(lib.asdf_unit_convert(*units, *memory))
    return converted.reshape(np.shape(values))


def spelling_number(spelling: str) -> int:
    """Number of a spelling in the C interface."""
    return constant("the spelling", Spelling, spelling)
