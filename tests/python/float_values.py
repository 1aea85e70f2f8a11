"""Floats of every width that are hard to format, and their comparison bit by bit."""

import os

import numpy as np

# Number of random numbers of each width, besides all of binary16 and the edges of every exponent.
COUNT = int(os.environ.get("ASDFKIT_FLOATS", "20000"))
UNSIGNED = {2: np.uint16, 4: np.uint32, 8: np.uint64}
WIDTHS = {"float16": (5, 10), "float32": (8, 23), "float64": (11, 52)}


def edges(dtype: str) -> np.ndarray:
    """Returns the numbers around the first of each exponent, and around each power of ten."""
    exponent_bits, fraction_bits = WIDTHS[dtype]
    unsigned = UNSIGNED[np.dtype(dtype).itemsize]
    first = [exponent << fraction_bits for exponent in range(2**exponent_bits)]
    powers = [10.0**power for power in range(-308, 309)] + [5e-324]
    with np.errstate(over="ignore"):
        of_powers = np.array(powers).astype(dtype)
    first += of_powers[np.isfinite(of_powers)].view(unsigned).tolist()
    infinity = (2**exponent_bits - 1) << fraction_bits
    bits = {bits + step for bits in first for step in (-2, -1, 0, 1, 2)}
    bits = np.array(sorted(bit for bit in bits if 0 <= bit <= infinity), unsigned).view(dtype)
    return np.concatenate([bits, -bits, np.array([np.nan], dtype)])


def numbers(dtype: str) -> np.ndarray:
    """Returns all numbers of a type that are tried. NaN has one spelling."""
    if dtype.startswith("complex"):
        parts = numbers({"complex64": "float32", "complex128": "float64"}[dtype])
        pairs = np.empty(len(parts), dtype)
        pairs.real, pairs.imag = parts, parts[np.random.default_rng(3).permutation(len(parts))]
        return pairs
    unsigned = UNSIGNED[np.dtype(dtype).itemsize]
    if dtype == "float16":
        chosen = np.arange(2**16, dtype=unsigned)
    else:
        chosen = np.random.default_rng(2).integers(0, np.iinfo(unsigned).max, COUNT, unsigned, endpoint=True)
    chosen = np.concatenate([chosen.view(dtype), edges(dtype)])
    if dtype == "float32":
        # A reader of binary32 reads the digits `7.038531e-26` as this number, a reader of binary64 as its neighbour.
        chosen = np.append(chosen, np.array([0x15AE43FD, 0x95AE43FD], np.uint32).view(dtype))
    chosen[np.isnan(chosen)] = np.nan
    return chosen


def bits(values: np.ndarray) -> np.ndarray:
    """Returns the bits of numbers. All NaN have the same bits."""
    parts = np.ascontiguousarray(values)
    if parts.dtype.kind == "c":
        parts = parts.view(parts.real.dtype)
    parts = parts.copy()
    parts[np.isnan(parts)] = np.nan
    return parts.view(UNSIGNED[parts.itemsize])


def difference(found: np.ndarray, expected: np.ndarray) -> str | None:
    """Returns the first numbers that differ."""
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return f"{found.dtype} {found.shape} for {expected.dtype} {expected.shape}"
    parts = len(bits(found)) // max(found.size, 1)
    different = np.flatnonzero(bits(found.ravel()) != bits(expected.ravel())) // max(parts, 1)
    return "; ".join(f"{found.flat[i]!r} for {expected.flat[i]!r}" for i in different[:5]) or None
