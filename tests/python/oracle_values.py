"""Datatypes of random arrays, and their elements in native byte order and converted.

A datatype is numpy's, with the byte orders of the file and without padding. Elements are bytes, with the bytes of one
element as last axis, so that no conversion of numpy interferes where only bytes are compared.
"""

import math
import random

import numpy as np
import samples

NUMBERS = [dtype for dtype in samples.DTYPES if dtype != "bool"]


def random_scalar(rng: random.Random) -> np.dtype:
    kind = rng.choice([*samples.DTYPES, *samples.DTYPES, "S", "U"])
    name = f"{kind}{rng.randint(1, 9)}" if kind in "SU" else kind
    return np.dtype(name).newbyteorder(rng.choice("<>"))


def random_datatype(rng: random.Random, depth: int = 2) -> np.dtype:
    if depth == 0 or rng.random() < 0.85:
        return random_scalar(rng)
    shapes = [(), (), (), (2,), (1, 3), (0,)]
    fields = [
        (f"f{number}", random_datatype(rng, depth - 1), rng.choice(shapes)) for number in range(rng.randint(1, 4))
    ]
    dtype = np.dtype(fields)
    return dtype if dtype.itemsize > 0 else random_scalar(rng)


def leaves(dtype: np.dtype, offset: int = 0):
    """Returns offset and type of each scalar or string in an element."""
    if dtype.subdtype:
        base, shape = dtype.subdtype
        for number in range(math.prod(shape)):
            yield from leaves(base, offset + number * base.itemsize)
    elif dtype.names:
        for name in dtype.names:
            yield from leaves(dtype.fields[name][0], offset + dtype.fields[name][1])
    else:
        yield offset, dtype


def unit_of(leaf: np.dtype) -> int:
    """Returns the number of bytes that a byte order reverses."""
    return {"c": leaf.itemsize // 2, "U": 4, "S": 1}.get(leaf.kind, leaf.itemsize)


def native(dtype: np.dtype) -> np.dtype:
    if dtype.subdtype:
        return np.dtype((native(dtype.base), dtype.shape))
    if dtype.names:
        return np.dtype([(name, native(dtype.fields[name][0])) for name in dtype.names])
    return dtype.newbyteorder("=")


def order_of(dtype: np.dtype) -> str:
    """Returns a byte order for everything that has one: for records, the first leaf that has one."""
    orders = (leaf.str[0] for _, leaf in leaves(dtype))
    return "big" if next((order for order in orders if order in "<>"), "<") == ">" else "little"


def native_bytes(raw: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Returns elements (bytes as last axis) in native order. Truth values are 0 or 1."""
    out = raw.copy()
    for offset, leaf in leaves(dtype):
        part = out[..., offset : offset + leaf.itemsize]
        if leaf.kind == "b":
            part[...] = part != 0
        elif leaf.itemsize and leaf.newbyteorder("=").str != leaf.str:
            units = part.reshape(*part.shape[:-1], leaf.itemsize // unit_of(leaf), unit_of(leaf))
            part[...] = units[..., ::-1].reshape(part.shape)
    return out


def converted(elements: np.ndarray, source: np.dtype, target: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Converts native elements (bytes as last axis) to another type. Returns also the reason of a misfit, "" if they
    fit.
    """
    count = elements.shape[0]
    if source == target or source.names:
        return elements, np.full(count, "", object)
    if source.kind in "SU":
        pairs = [text_converted(element.tobytes(), source, target) for element in elements]
        data = b"".join(data for data, _ in pairs)
        return np.frombuffer(data, np.uint8).reshape(count, target.itemsize), np.array(
            [status for _, status in pairs], object
        )
    with np.errstate(all="ignore"):
        values, misfits = number_converted(np.ascontiguousarray(elements).view(source)[:, 0], target)
    statuses = np.where(misfits, "ASDF_ERR_OVERFLOW", "").astype(object)
    return values.reshape(count, 1).view(np.uint8).reshape(count, target.itemsize), statuses


def number_converted(values: np.ndarray, target: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    if target.kind == "c":
        part = target.type(0).real.dtype
        real, misfits = number_converted(values.real, part)
        out = np.zeros(values.shape, target)
        out.real = real
        if values.dtype.kind == "c":
            out.imag, more = number_converted(values.imag, part)
            misfits = misfits | more
        return out, misfits
    if values.dtype.kind == "c":
        real, misfits = number_converted(values.real, target)
        return real, misfits | ~(values.imag == 0)
    out = values.astype(target)
    if values.dtype.kind == "b":
        return out, np.zeros(values.shape, bool)
    if target.kind == "f":
        misfits = np.isinf(out) & np.isfinite(values)
        out[misfits] = np.copysign(np.finfo(target).max, out[misfits])
        return out, misfits
    limits = np.iinfo(target)
    if values.dtype.kind in "iu":
        low, high, fraction = values < limits.min, values > limits.max, False
    else:
        whole = np.trunc(values.astype("f8"))
        low, high, fraction = whole < float(limits.min), whole >= float(limits.max // 2 + 1) * 2, whole != values
        inside = ~(low | high | np.isnan(whole))
        out = np.zeros(values.shape, target)
        out[inside] = whole[inside].astype(target)
    out[low], out[high] = limits.min, limits.max
    return out, low | high | fraction


def text_converted(element: bytes, source: np.dtype, target: np.dtype) -> tuple[bytes, str]:
    try:
        text = element.rstrip(b"\0").decode("ascii") if source.kind == "S" else ucs4(element)
    except (UnicodeDecodeError, ValueError):
        return bytes(target.itemsize), "ASDF_ERR_ENCODING"
    whole = text
    while len(stored_text(text, target)) > target.itemsize:
        text = text[:-1]
    return stored_text(text, target).ljust(target.itemsize, b"\0"), "" if text == whole else "ASDF_ERR_OVERFLOW"


def ucs4(element: bytes) -> str:
    return np.frombuffer(element, "=u4").astype("<u4").tobytes().decode("utf-32-le").rstrip("\0")


def stored_text(text: str, dtype: np.dtype) -> bytes:
    if dtype.kind == "S":
        return text.encode()
    return np.frombuffer(text.encode("utf-32-le"), "<u4").astype("=u4").tobytes()


def one_nan(elements: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Returns elements (bytes as last axis) with the same bits for all NaNs."""
    out = elements.copy()
    for offset, leaf in leaves(dtype):
        if leaf.kind in "fc":
            part = np.ascontiguousarray(out[..., offset : offset + leaf.itemsize])
            numbers = part.view(leaf.type(0).real.dtype)
            numbers[np.isnan(numbers)] = np.nan
            out[..., offset : offset + leaf.itemsize] = part
    return out
