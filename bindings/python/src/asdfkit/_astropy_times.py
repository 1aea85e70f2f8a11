"""Times of astropy as they are stored: in their format if it shows the moment, and otherwise in one that does."""

from __future__ import annotations

from typing import Any

import numpy as np
from astropy.time import Time, TimeDelta
from astropy.utils.masked import Masked

#: Formats of time that a text shows.
GUESSED = {"iso": "iso", "isot": "iso", "yday": "yday", "byear_str": "byear", "jyear_str": "jyear"}
#: Formats of time that show a date with nine decimals of a second at most.
DATES = ("iso", "isot", "yday")
#: Longest time in seconds that a value may differ from the moment.
RESOLUTION = 5e-11
#: Formats of time that files have as dates.
AS_DATES = ("fits", "datetime", "plot_date", "ymdhms", "datetime64")
#: Formats whose default scale is not UTC.
WITH_SCALE = ("gps", "cxcsec", "unix_tai", "tai_seconds", "byear_str", "jyear_str")


def time_content(time: Any) -> Any:
    shown = time.format
    if shown in AS_DATES:
        time = Time(time, format="isot")
    time, value = exact_value(time)
    parts: dict[str, Any] = {"value": value}
    if time.format not in GUESSED:
        parts["format"] = time.format
    if shown != time.format:
        parts["base_format"] = shown
    if time.scale != "utc" or time.format in WITH_SCALE:
        parts["scale"] = time.scale
    if time.location is not None:
        parts["location"] = {axis: getattr(time.location, axis) for axis in "xyz"}
    return parts["value"] if time.isscalar and len(parts) == 1 and time.format in GUESSED else parts


def exact_value(time: Any) -> tuple[Any, Any]:
    """A time in its format, or else as a date, and its value: numbers become text if a double does not hold them."""
    time = with_all_digits(time)
    if time.format in DATES or is_exact(time, time.value):
        return time, value_of(time)
    # Astropy cannot read numbers as text with a mask.
    if time.format not in GUESSED and not time.masked:
        digits = time.to_value(time.format, subfmt="str")
        if is_exact(time, digits):
            return time, plain_value(digits)
    time = with_all_digits(Time(time, format="isot"))
    return time, value_of(time)


def with_all_digits(time: Any) -> Any:
    """A time whose texts have nine decimals, the most that astropy writes, if they need them."""
    if time.format not in GUESSED or is_exact(time, time.value):
        return time
    exact = time.copy()
    exact.precision = 9
    return exact


def is_exact(time: Any, value: Any) -> bool:
    """Whether a value in the format of a time or a span is the moment to 0.05 ns."""
    again = type(time)(unmasked(value), format=time.format, scale=time.scale)
    days = (again.jd1 - unmasked(time.jd1)) + (again.jd2 - unmasked(time.jd2))
    return not np.any(np.abs(days) * 86400 > RESOLUTION)


def with_exact_columns(made: Any) -> Any:
    """A table whose columns of times and spans lose nothing when they are written in their format; others become two
    columns, the parts of their Julian dates."""
    changed = {}
    for column in made.itercols():
        if isinstance(column, (Time, TimeDelta)) and column.info.serialize_method["ecsv"] == "formatted_value":
            exact = with_all_digits(column)
            # Records with a mask have no plain columns.
            is_record = column.masked and column.value.dtype.names is not None
            if is_record or not is_exact(exact, exact.value):
                exact = column.copy()
                exact.info.serialize_method["ecsv"] = "jd1_jd2"
            if exact is not column:
                exact.info.description, exact.info.meta = column.info.description, column.info.meta
                changed[column.info.name] = exact
    if changed:
        made = made.copy(copy_data=False)
        for name, column in changed.items():
            made.replace_column(name, column)
    return made


def value_of(value: Any) -> Any:
    """Value of a quantity or a time, as a masked array of NumPy if it has a mask."""
    return plain_value(value.value)


def unmasked(value: Any) -> Any:
    return value.unmasked if isinstance(value, Masked) else value


def plain_value(found: Any) -> Any:
    if isinstance(found, Masked):
        return np.ma.MaskedArray(found.unmasked, found.mask)
    return found.item() if isinstance(found, np.generic) else found
