"""Objects of astropy from and to nodes: quantities, units, tables, times, angles, places, coordinates and frames.

The content of the nodes is that of asdf-astropy.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from astropy import coordinates, table, units
from astropy.coordinates import representation
from astropy.time import Time, TimeDelta
from astropy.utils.masked import Masked

from ._astropy_times import GUESSED, time_content, value_of
from ._foreign import unit_of_tree
from ._values import ASTROPY_TAG_PREFIX, Quantity, TaggedText
from .arrays import Array
from .errors import ArrayError

COORDINATES = f"{ASTROPY_TAG_PREFIX}coordinates/"
TIME = "tag:stsci.edu:asdf/time/time-*"
TIME_DELTA = f"{ASTROPY_TAG_PREFIX}time/timedelta-*"

#: Frames by the last part of their tag, and the version that asdf-astropy writes.
FRAMES = {
    "cirs": (coordinates.CIRS, "1.2.0"),
    "fk4": (coordinates.FK4, "1.2.0"),
    "fk4noeterms": (coordinates.FK4NoETerms, "1.2.0"),
    "fk5": (coordinates.FK5, "1.2.0"),
    "galactic": (coordinates.Galactic, "1.2.0"),
    "galactocentric": (coordinates.Galactocentric, "1.2.0"),
    "gcrs": (coordinates.GCRS, "1.2.0"),
    "icrs": (coordinates.ICRS, "1.1.0"),
    "itrs": (coordinates.ITRS, "1.2.0"),
    "precessedgeocentric": (coordinates.PrecessedGeocentric, "1.2.0"),
    "teme": (coordinates.TEME, "1.0.0"),
    "tete": (coordinates.TETE, "1.0.0"),
}
#: Value of `copy` that lets NumPy decide.
COPY_IF_NEEDED = None if np.lib.NumpyVersion(np.__version__) >= "2.0.0b1" else False
#: Angles by the last part of their tag.
ANGLES = {"angle": coordinates.Angle, "latitude": coordinates.Latitude, "longitude": coordinates.Longitude}


# Reading --------------------------------------------------------------------------------------------------------------


def read(node: Any, tag: str) -> Any:
    """The object of a node. A node of a kind that astropy has no class for stays a node."""
    name = tag.rpartition("-")[0]
    if isinstance(node, Quantity):
        return read_quantity(node)
    if name.endswith(("/unit/unit", "/units/unit", "/units/magunit")):
        return unit_of(node) if isinstance(node, str) else node
    if name.endswith(("/table/table", "/core/table")):
        return read_table(node)
    if name.endswith("/column"):
        return read_column(node)
    if name == TIME[:-2]:
        return read_time(node)
    if name == TIME_DELTA[:-2]:
        return TimeDelta.info._construct_from_dict(content(node))
    name = name[len(COORDINATES) :]
    if name in ANGLES:
        return read_angle(ANGLES[name], node)
    if name == "skycoord":
        return coordinates.SkyCoord.info._construct_from_dict(content(node))
    if name == "earthlocation":
        return coordinates.EarthLocation.info._construct_from_dict(content(node))
    if name == "representation":
        return getattr(representation, str(node["type"]))(**content(node["components"]))
    if name == "spectralcoord":
        ends = {key: node.get(key) for key in ("observer", "target")}
        return coordinates.SpectralCoord(plain(node["value"]), unit=unit_of(node["unit"]), **ends)
    if name.startswith("frames/") and name[7:] in FRAMES:
        return read_frame(FRAMES[name[7:]][0], content(node))
    return node


def read_only(value: Any) -> Any:
    """The object itself, whose elements cannot be changed any more. Copies of it can."""
    if isinstance(value, table.Table):
        for column in value.itercols():
            read_only(column)
    elif isinstance(value, (Time, TimeDelta)):
        value.writeable = False
    elif isinstance(value, coordinates.SkyCoord):
        read_only(value.frame)
    elif isinstance(value, coordinates.BaseCoordinateFrame):
        if value.has_data:
            read_only(value.data)
    elif isinstance(value, representation.BaseRepresentationOrDifferential):
        for part in (*value.components, *getattr(value, "differentials", {}).values()):
            read_only(getattr(value, f"_{part}") if isinstance(part, str) else part)
    elif isinstance(value, np.ndarray):
        mask = getattr(value, "_mask", None)
        for part in (value, mask) if isinstance(mask, np.ndarray) else (value,):
            part.flags.writeable = False
    return value


def read_quantity(found: Quantity) -> Any:
    """A quantity whose elements are those of the file, in memory that is mapped where the block allows it."""
    value = stored(found.value) if isinstance(found.value, Array) else found.value
    dtype = found._node.get("datatype") if isinstance(value, (int, float)) and found._node is not None else None
    if isinstance(value, np.ma.MaskedArray):
        value = Masked(value.data, value.mask)
    return with_unit(value, unit_of(found.unit), dtype)


def stored(array: Array) -> Any:
    """Elements of an array without a copy where that is possible."""
    try:
        return array.view()
    except ArrayError:
        return array[...]


def read_table(node: Any) -> Any:
    is_quantity_table = node.get("qtable") is True
    made = node.table().to_astropy(table.QTable if is_quantity_table else table.Table)
    if len(made.colnames) == len(node["columns"]):
        for index, name in enumerate(made.colnames):
            # VOUnit makes a unit of any word, other spellings do not.
            unit = getattr(made[name], "unit", None)
            if isinstance(unit, units.UnrecognizedUnit):
                made[name].unit = node[f"columns/{index}/unit"]
    return made


def read_column(node: Any) -> Any:
    """A column outside a table."""
    data = node["data"]
    values = data[...] if isinstance(data, Array) else np.asarray(data)
    unit = node.get("unit")
    return (table.MaskedColumn if isinstance(values, np.ma.MaskedArray) else table.Column)(
        values,
        name=node.get("name"),
        unit=None if unit is None else unit_of(unit),
        description=node.get("description"),
        meta=content(node["meta"]) if "meta" in node else None,
    )


def read_time(node: Any) -> Any:
    if not isinstance(node, Mapping):
        return Time(str(node) if isinstance(node, str) else plain(node))
    parts = content(node)
    location = parts.get("location")
    if isinstance(location, dict):
        unit = location.get("unit", units.m)
        axes = (units.Quantity(location[axis], None if hasattr(location[axis], "unit") else unit) for axis in "xyz")
        location = coordinates.EarthLocation.from_geocentric(*axes)
    value = parts["value"]
    mask: Any = np.ma.nomask
    if isinstance(value, np.ma.MaskedArray) and value.dtype.kind == "U" and parts.get("format") not in (None, *GUESSED):
        # Astropy cannot read numbers as text with a mask.
        mask = np.ma.getmask(value)
        value = value.filled("0")
    time = Time(value, format=parts.get("format"), scale=parts.get("scale"), location=location)
    if mask is not np.ma.nomask:
        time[mask] = np.ma.masked
    if parts.get("base_format"):
        time.format = parts["base_format"]
    return time


def read_angle(cls: Any, node: Any) -> Any:
    value = with_unit(plain(node["value"]), unit_of(node["unit"]))
    if cls is coordinates.Longitude and "wrap_angle" in node:
        return cls(value, wrap_angle=node["wrap_angle"])
    return cls(value)


def read_frame(cls: Any, parts: dict[str, Any]) -> Any:
    if "ra" in parts:  # version 1.0.0 of ICRS
        ra, dec = parts["ra"], parts["dec"]
        wrap = coordinates.Angle(ra.get("wrap_angle", 360 * units.deg))
        return cls(
            ra=coordinates.Longitude(ra["value"], unit=ra["unit"], wrap_angle=wrap),
            dec=coordinates.Latitude(dec["value"], unit=dec["unit"]),
        )
    data = parts.get("data")
    attributes = parts.get("frame_attributes", {})
    return cls(**attributes) if data is None else cls(data, **attributes)


def content(node: Any) -> dict[str, Any]:
    """Mapping of plain values."""
    return {str(key): plain(value) for key, value in node.items()}


def plain(value: Any) -> Any:
    """A value without nodes: arrays of NumPy, with a mask if they have one, and quantities of astropy."""
    if isinstance(value, Quantity):
        return with_unit(plain(value.value), unit_of(value.unit))
    if isinstance(value, Array):
        value = value[...]
    if isinstance(value, np.ma.MaskedArray):
        return Masked(value.data, value.mask)
    if isinstance(value, Mapping):
        return content(value)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [plain(item) for item in value]
    return unit_of(value) if isinstance(value, TaggedText) and "/unit" in value.tag else value


def with_unit(value: Any, unit: Any, dtype: Any = None) -> Any:
    cls = getattr(unit, "_quantity_class", units.Quantity)
    cls = Masked(cls) if isinstance(value, Masked) else cls
    return cls(value, unit=unit, dtype=dtype, copy=COPY_IF_NEEDED)


def unit_of(text: Any) -> Any:
    """Unit of a text: in the notation of VOUnit if it has the tag of the standard, or as astropy spells it."""
    if isinstance(text, (units.UnitBase, units.function.FunctionUnitBase)):
        return text
    is_standard = isinstance(text, TaggedText) and text.tag.startswith("tag:stsci.edu:")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # units that astropy calls deprecated
        return units.Unit(str(text), format="vounit" if is_standard else None, parse_strict="silent")


# Writing --------------------------------------------------------------------------------------------------------------


def written(value: Any) -> tuple[Any, str] | None:
    """Content of a node and its tag; None for objects that the package stores in another way."""
    if isinstance(value, Time):
        return time_content(value), TIME
    if isinstance(value, TimeDelta):
        return value.info._represent_as_dict(), TIME_DELTA
    if isinstance(value, coordinates.SkyCoord):
        return value.info._represent_as_dict(), f"{COORDINATES}skycoord-1.0.0"
    if isinstance(value, coordinates.EarthLocation):
        parts = value.info._represent_as_dict()
        parts.pop("__class__", None)
        return parts, f"{COORDINATES}earthlocation-1.2.0"
    for name in ("latitude", "longitude", "angle"):
        if isinstance(value, ANGLES[name]):
            return angle_content(value), f"{COORDINATES}{name}-1.2.0"
    if isinstance(value, coordinates.SpectralCoord):
        ends = {key: getattr(value, key) for key in ("observer", "target") if getattr(value, key) is not None}
        return {"value": value_of(value), "unit": value.unit, **ends}, f"{COORDINATES}spectralcoord-1.2.0"
    if isinstance(value, representation.BaseRepresentationOrDifferential):
        parts = {name: getattr(value, "_" + name, None) for name in value.components}
        present = {name: part for name, part in parts.items() if part is not None}
        return {"type": type(value).__name__, "components": present}, f"{COORDINATES}representation-1.2.0"
    if isinstance(value, coordinates.BaseCoordinateFrame):
        return frame_content(value)
    if isinstance(value, units.UnitBase):
        text = unit_of_tree(value)
        return text, text.tag if isinstance(text, TaggedText) else "tag:stsci.edu:asdf/unit/unit-1.0.0"
    return None


def angle_content(angle: Any) -> dict[str, Any]:
    parts = {"value": value_of(angle), "unit": angle.unit}
    if angle.isscalar:
        parts["datatype"] = angle.dtype.name
    if isinstance(angle, coordinates.Longitude):
        parts["wrap_angle"] = angle.wrap_angle
    return parts


def frame_content(frame: Any) -> tuple[Any, str] | None:
    for name, (cls, version) in FRAMES.items():
        if type(frame) is cls:
            parts: dict[str, Any] = {"data": frame.data} if frame.has_data else {}
            attributes = {key: getattr(frame, key, None) for key in frame.frame_attributes}
            parts["frame_attributes"] = {key: value for key, value in attributes.items() if value is not None}
            return parts, f"{COORDINATES}frames/{name}-{version}"
    return None
