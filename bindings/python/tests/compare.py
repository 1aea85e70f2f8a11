"""Comparison of what asdfkit reads with what Python asdf reads from the same file."""

import datetime
import math

import numpy as np

import asdfkit


def plain(theirs):
    """An array of Python asdf in memory."""
    if type(theirs).__name__ == "NDArrayType":
        theirs = theirs._make_array() if hasattr(theirs, "_make_array") else theirs[...]
    return theirs


def same_arrays(ours, theirs) -> str | None:
    """Difference of two arrays, or None."""
    theirs = plain(theirs)
    wanted = np.asarray(theirs).dtype.newbyteorder("=")
    if ours.shape != theirs.shape:
        return f"shape {ours.shape} instead of {theirs.shape}"
    if packed(ours.dtype) != packed(wanted):
        return f"dtype {ours.dtype} instead of {wanted}"
    mask = np.ma.getmaskarray(theirs)
    if mask.dtype.names is None and not np.array_equal(np.ma.getmaskarray(ours), mask):
        return f"mask {np.ma.getmaskarray(ours)} instead of {mask}"
    if mask.dtype.names is None:
        ours, theirs = np.ma.filled(ours, 0), np.ma.filled(theirs, 0)
    equal = same_values(np.asarray(ours), np.asarray(theirs))
    return None if equal else f"{ours!r} instead of {theirs!r}"


def same_values(ours, theirs) -> bool:
    if ours.dtype.names:
        pairs = zip(ours.dtype.names, theirs.dtype.names)
        return all(same_values(ours[mine], theirs[other]) for mine, other in pairs)
    return np.array_equal(ours, theirs, equal_nan=ours.dtype.kind in "fc")


def packed(dtype):
    """A dtype without names, gaps and byte orders."""
    if dtype.subdtype:
        return packed(dtype.base), dtype.shape
    if dtype.names:
        return [packed(dtype[name]) for name in dtype.names]
    # NumPy turns strings without characters into strings of one.
    return dtype.newbyteorder("=").str.lstrip("<>=|").replace("S0", "S1").replace("U0", "U1")


def differences(ours, theirs, path="", above=()):
    """Differences of two trees. Objects of astropy other than quantities are not compared."""
    kind = type(theirs).__name__
    if id(theirs) in above:
        return []
    above = (*above, id(theirs))
    if kind == "NDArrayType" or isinstance(theirs, np.ndarray) and kind in ("ndarray", "MaskedArray"):
        if isinstance(ours, asdfkit.List):
            ours = ours.array()
        problem = same_arrays(ours[...], theirs) if isinstance(ours, asdfkit.Array) else f"no array: {ours!r}"
        return [f"{path}: {problem}"] if problem else []
    if kind == "Quantity":
        if isinstance(theirs.value, np.ndarray):
            problem = same_arrays(ours.value, theirs.value)
            return [f"{path}/value: {problem}"] if problem else []
        return differences(ours.value.item(), theirs.value, path + "/value", above)
    if isinstance(theirs, dict):
        if "$ref" in theirs or isinstance(ours, asdfkit.List) and ours.tag == "tag:yaml.org,2002:omap":
            return []
        if not isinstance(ours, asdfkit.Tree):
            return [f"{path}: {ours!r} instead of a mapping"]
        if [str(key) for key in ours] != [str(key) for key in theirs]:
            return [f"{path}: keys {list(ours)} instead of {list(theirs)}"]
        return [text for key in theirs for text in differences(ours[key], theirs[key], f"{path}/{key}", above)]
    if isinstance(theirs, (list, tuple)):
        if not isinstance(ours, asdfkit.List) or len(ours) != len(theirs):
            return [f"{path}: {ours!r} instead of a list of {len(theirs)}"]
        pairs = enumerate(zip(ours, theirs))
        return [text for index, pair in pairs for text in differences(*pair, f"{path}/{index}", above)]
    if kind == "IntegerType":
        theirs = int(theirs)
    if isinstance(theirs, np.generic):
        theirs = theirs.item()
    if theirs is None or isinstance(theirs, (bool, int, float, complex, str, bytes, datetime.date)):
        equal = ours == theirs and type(ours) is type(theirs)
        both_nan = isinstance(theirs, float) and isinstance(ours, float) and math.isnan(theirs) and math.isnan(ours)
        return [] if equal or both_nan or np.isnan(complex_of(theirs)) else [f"{path}: {ours!r} instead of {theirs!r}"]
    return []


def complex_of(value):
    return value if isinstance(value, complex) else 0
