"""Arrays of other packages. NumPy drops their units, masks and labels when it makes an array of them.

An array of astropy keeps its unit and mask, and an object that would lose something is refused with a TypeError.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._values import Quantity, TaggedText
from .constants import ASTROPY_UNIT_TAG

#: Packages whose arrays have labels or masks that NumPy drops.
LABELLED = ("pandas", "polars", "pyarrow", "xarray")
#: Advice for all values that are refused.
ADVICE = "store asdfkit.Table(value) if it is a table, or numpy.asarray(value) for its elements alone"


def package_of(value: Any) -> str | None:
    """Package of `LABELLED` that the class of a value, or a class that it extends, belongs to."""
    for cls in type(value).__mro__:
        name = cls.__module__.partition(".")[0]
        if name in LABELLED:
            return name
    return None


def has_class(value: Any, package: str, name: str) -> bool:
    return any(cls.__name__ == name and cls.__module__.startswith(package) for cls in type(value).__mro__)


def refuse_labelled(value: Any) -> None:
    """Fails with TypeError for a table, and for an array whose labels, units or mask would be lost."""
    kind = type(value)
    if kind is np.ndarray or isinstance(value, (np.generic, str, bytes, int, float)):
        return
    package = package_of(value)
    if package is None and has_class(value, "astropy.table", "Row"):
        package = "astropy"
    has_labels = any(hasattr(kind, name) for name in ("columns", "coords", "__dataframe__"))
    if package is not None or (has_labels and hasattr(value, "__array__")):
        origin = package or kind.__module__.partition(".")[0]
        advice = f" as an array, which has no labels: {ADVICE}" if hasattr(value, "__array__") else ""
        raise TypeError(f"a {kind.__name__} of {origin} cannot be stored{advice}")
    is_plain = isinstance(value, np.ndarray) or not hasattr(value, "__array__") or hasattr(value, "unmasked")
    mask = getattr(value, "mask", None)
    # The mask of an `Array` of this package is a method; NumPy refuses its missing elements.
    if not is_plain and mask is not None and not callable(mask):
        raise TypeError(f"the mask of a {kind.__name__} would be lost: store a numpy.ma.MaskedArray")


def separated(value: Any, spell: Any = None) -> tuple[Any, Any, str | None]:
    """Elements, mask and unit of a `Quantity` or an array of astropy. Mask and unit are None where there are none.

    `spell` makes the text of a unit. Fails with TypeError for units of other packages, whose spelling may differ from
    that of files.
    """
    if isinstance(value, Quantity):
        return value.value, None, value.unit
    mask = None
    if not isinstance(value, np.ma.MaskedArray) and hasattr(value, "unmasked"):
        mask, value = value.mask, value.unmasked
    unit: Any = getattr(value, "unit", None)
    if hasattr(unit, "to_string") and hasattr(value, "value"):
        return value.value, mask, unit.to_string() if spell is None else spell(unit)
    unit = unit if unit is not None else getattr(value, "units", None)
    if unit is not None:
        raise TypeError(
            f"a {type(value).__name__} has the unit {str(unit)!r}, which would be lost: make an asdfkit.Quantity of it"
        )
    return value, mask, None


def unit_of_tree(unit: Any) -> str:
    """Text of a unit of astropy, as asdf-astropy writes it: in the notation of VOUnit, or as astropy spells it."""
    if hasattr(unit, "physical_unit"):
        return str(unit)  # a logarithmic one, whose tag the library knows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # units that astropy calls deprecated
        try:
            return str(unit.to_string("vounit"))
        except ValueError:  # the errors of astropy's units are ValueErrors
            return TaggedText(unit.to_string(), ASTROPY_UNIT_TAG)


def translated(value: Any) -> Any:
    """A quantity, a column or a masked array of astropy as a `Quantity` or a masked array; others unchanged."""
    if isinstance(value, (Quantity, np.generic)) or type(value) is np.ndarray or not hasattr(value, "__array__"):
        return value
    elements, mask, unit = separated(value, unit_of_tree)
    if mask is not None:
        elements = np.ma.MaskedArray(elements, mask)
    return elements if unit is None else Quantity(elements, unit)


def elements_only(value: Any) -> np.ndarray:
    """Elements for a place that has neither mask nor unit. Fails if they would be lost."""
    refuse_labelled(value)
    elements, mask, unit = separated(value)
    if hasattr(elements, "__array__"):
        elements = np.asanyarray(elements)
    if np.ma.is_masked(elements) or (mask is not None and np.any(mask)):
        raise ValueError(
            "masked elements cannot be written: array.without_mask()[index] = value writes elements, and "
            "file[path + '/mask'][index] = True makes them missing"
        )
    if unit:
        raise ValueError(
            f"the elements have the unit {unit!r}: convert them to that of the array, and write their value"
        )
    return np.asarray(elements)
