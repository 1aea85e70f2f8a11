"""Units and masks of arrays of other packages, which NumPy drops without a word when it makes an array of them."""

from typing import Any

import numpy as np


def separated(value: Any, unit_format: str | None = None) -> tuple[Any, Any, str | None]:
    """Elements, mask and unit of a `Quantity` or an array of astropy. Mask and unit are None where there are none.

    Fails with TypeError for units of other packages, whose spelling may differ from that of files.
    """
    from .nodes import Quantity

    if isinstance(value, Quantity):
        return value.value, None, value.unit
    mask = None
    if not isinstance(value, np.ma.MaskedArray) and hasattr(value, "unmasked"):
        mask, value = value.mask, value.unmasked
    unit: Any = getattr(value, "unit", None)
    if hasattr(unit, "to_string"):
        return value.value, mask, unit.to_string(unit_format)
    unit = unit if unit is not None else getattr(value, "units", None)
    if unit is not None:
        raise TypeError(
            f"a {type(value).__name__} has the unit {str(unit)!r}, which would be lost: make an asdfkit.Quantity of it"
        )
    return value, mask, None


def translated(value: Any) -> Any:
    """A quantity, a column or a masked array of astropy as a `Quantity` or a masked array; others unchanged."""
    from .nodes import Quantity

    if isinstance(value, (Quantity, np.generic)) or type(value) is np.ndarray or not hasattr(value, "__array__"):
        return value
    elements, mask, unit = separated(value, "vounit")
    if mask is not None:
        elements = np.ma.MaskedArray(elements, mask)
    return elements if unit is None else Quantity(elements, unit)


def elements_only(value: Any) -> np.ndarray:
    """Elements for a place that has neither mask nor unit. Fails if they would be lost."""
    elements, mask, unit = separated(value)
    if np.ma.is_masked(elements) or (mask is not None and np.any(mask)):
        raise ValueError("masked elements cannot be written: write a value, and change the mask")
    if unit:
        raise ValueError(
            f"the elements have the unit {unit!r}: convert them to that of the array, and write their value"
        )
    return np.asarray(elements)
