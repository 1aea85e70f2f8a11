"""Scalars of a tree as values of Python."""

from __future__ import annotations

import datetime
import re
from ctypes import byref, c_double, c_int64, create_string_buffer
from typing import Any

from ._library import check, failure, int32, lib, raw, text
from ._values import TIMESTAMP_TAG, TaggedText
from .constants import YAML_TAG_PREFIX, Kind, Status

TIMESTAMP = re.compile(
    r"(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?[ \t]*(Z|([-+])(\d\d?)(?::?(\d\d))?)?)?"
)


#: Buffer for a tag that is empty, the usual case. All threads write the same NUL.
NO_TAG = create_string_buffer(1)


def boolean(address: int, path: bytes) -> bool:
    return bool(int32(lib.asdf_node_get_bool, address, path))


def integer(address: int, path: bytes) -> int:
    number = c_int64(-1)
    status = lib.asdf_node_get_i64(address, path, byref(number))
    if status == Status.VALUE_RANGE:
        # int() refuses more than 4,300 digits at once.
        return digits(text(lib.asdf_node_get_integer, address, path))
    if status:
        raise failure(status)
    return int(number.value)


def digits(string: str) -> int:
    if len(string) <= 4000:
        return int(string)
    if string[0] == "-":
        return -digits(string[1:])
    half = len(string) // 2
    scale: int = 10 ** (len(string) - half)
    return digits(string[:half]) * scale + digits(string[half:])


def floating(address: int, path: bytes) -> float:
    value = c_double()
    check(lib.asdf_node_get_f64(address, path, byref(value)))
    return value.value


def complex_number(address: int, path: bytes) -> complex:
    real, imaginary = c_double(), c_double()
    check(lib.asdf_node_get_complex(address, path, byref(real), byref(imaginary)))
    return complex(real.value, imaginary.value)


def string(address: int, path: bytes) -> str:
    return text(lib.asdf_node_get_string, address, path)


def tagged_text(address: int, path: bytes) -> str:
    """A text, with its tag if it has one beside that of YAML for texts."""
    found = string(address, path)
    if not lib.asdf_node_tag(address, path, NO_TAG, 1, None):
        return found
    tag = text(lib.asdf_node_tag, address, path)
    return found if not tag or tag == f"{YAML_TAG_PREFIX}str" else TaggedText(found, tag)


def timestamp(address: int, path: bytes) -> Any:
    """A date or a datetime; the text if Python cannot represent it exactly."""
    written = TaggedText(string(address, path), TIMESTAMP_TAG)
    match = TIMESTAMP.fullmatch(written)
    if match is None:
        return written
    year, month, day, hour, minute, second, fraction, zone, sign, hours, minutes = match.groups()
    try:
        if hour is None:
            return datetime.date(int(year), int(month), int(day))
        if fraction and fraction[6:].strip("0"):
            return written
        place = None
        if zone:
            shift = datetime.timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
            place = datetime.timezone(-shift if sign == "-" else shift)
        micro = int((fraction or "").ljust(6, "0")[:6])
        day_numbers, time_numbers = (int(year), int(month), int(day)), (int(hour), int(minute), int(second))
        return datetime.datetime(*day_numbers, *time_numbers, micro, place)
    except ValueError:
        return written


SCALARS: dict[int, Any] = {
    Kind.NULL: lambda address, path: None,
    Kind.BOOL: boolean,
    Kind.INTEGER: integer,
    Kind.FLOAT: floating,
    Kind.COMPLEX: complex_number,
    Kind.STRING: string,
    Kind.TIMESTAMP: timestamp,
    Kind.BINARY: lambda address, path: raw(lib.asdf_node_get_binary, address, path),
}
