"""Conversion of elements in memory to the dtype of an array, without the silent losses of NumPy."""

from typing import Any

import numpy as np

from .constants import Status
from .errors import ArrayError

Array = np.ndarray[Any, Any]


def fitting(elements: Array, dtype: np.dtype[Any]) -> Array:
    """Elements in the dtype of an array, if it is of the same kind.

    Fails with ArrayError for a number that the dtype cannot hold, with ValueError for a string that NumPy would cut off
    and for records with other names, and with TypeError for another kind of elements.
    """
    if dtype.names is not None:
        return fitting_records(elements, dtype)
    if elements.dtype.kind in "SU" and dtype.kind in "SU":
        result = elements.astype(dtype)
        if not np.array_equal(result.astype(elements.dtype), elements):
            raise ValueError(f"a string is too long for elements of {dtype}")
        return result
    if elements.size and dtype.kind in "SU":
        # NumPy writes numbers as texts, and cuts these off.
        raise TypeError(f"elements of {elements.dtype} are no strings for an array of {dtype}")
    if not elements.size:
        return elements.astype(dtype)
    if dtype.kind in "iu" and elements.dtype.kind in "iu":
        limits = np.iinfo(dtype)
        check(int(elements.min()) >= limits.min and int(elements.max()) <= limits.max, elements, dtype)
        return elements.astype(dtype)
    with np.errstate(over="ignore"):
        result = elements.astype(dtype, casting="same_kind")
    for given, made in ((elements.real, result.real), (elements.imag, result.imag)) if dtype.kind in "fc" else ():
        check(bool(np.all(np.isfinite(made) | ~np.isfinite(given))), elements, dtype)
    return result


def fitting_fill(fill: Array, dtype: np.dtype[Any]) -> Array:
    """A fill value in the dtype of an array. An integer may be given as a float or a boolean, and the reverse."""
    if fill.shape:
        raise ValueError("the fill value must be a single element")
    return fitting_numbers(fill, dtype)


def fitting_numbers(elements: Array, dtype: np.dtype[Any]) -> Array:
    """Elements in the dtype of an array. Integers may be given as floats or booleans, and the reverse."""
    if dtype.kind not in "iub" or elements.dtype.kind not in "iubf":
        return fitting(elements, dtype)
    with np.errstate(invalid="ignore"):
        result = elements.astype(dtype)
    # Beyond 53 bits, integers that differ are equal as floats.
    is_same = np.array_equal(result.astype(elements.dtype), elements) and np.array_equal(result < 0, elements < 0)
    check(is_same, elements, dtype)
    return result


def fitting_records(elements: Array, dtype: np.dtype[Any]) -> Array:
    if elements.dtype.names is None:
        raise TypeError(f"records with the fields {dtype.names} are needed: make an array of them with their dtype")
    if elements.dtype.names != dtype.names:
        raise ValueError(f"the records have the fields {elements.dtype.names}, not {dtype.names}")
    result = np.empty(elements.shape, dtype)
    for name in dtype.names or ():
        result[name] = fitting(elements[name], dtype[name].base)
    return result


def check(is_fitting: bool, elements: Array, dtype: np.dtype[Any]) -> None:
    if not is_fitting:
        raise ArrayError(f"an element of {elements.dtype} is a number that {dtype} cannot hold", Status.OVERFLOW)
