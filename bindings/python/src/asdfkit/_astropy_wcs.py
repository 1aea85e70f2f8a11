"""World coordinates for astropy: the objects of its high-level interface, and the registration of the class."""

from __future__ import annotations

from typing import Any

from astropy import coordinates, units
from astropy.time import Time
from astropy.wcs import wcsapi

from .constants import FrameKind
from .wcs import WCS, Frame

wcsapi.BaseLowLevelWCS.register(WCS)

#: Attributes of reference frames that are times.
TIMES = ("equinox", "obstime")


def high_level(wcs: WCS) -> Any:
    """The high-level interface of a WCS."""
    return wcsapi.HighLevelWCSWrapper(wcs)


def axes_of(wcs: WCS) -> Any:
    from astropy.visualization.wcsaxes import WCSAxes

    return WCSAxes, {"wcs": wcs}


def objects(frame: Frame, world_n_dim: int) -> tuple[list[Any], dict[str, Any]]:
    """Components and classes of the world coordinates, as APE 14 defines them."""
    if frame.kind == FrameKind.NAMED:
        return quantities(frame, range(world_n_dim))
    components: list[Any] = [None] * len(frame.axes)
    classes: dict[str, Any] = {}
    for part in frame.frames or (frame,):
        places = part.axes_order if frame.frames else range(len(frame.axes))
        key = part.name if frame.frames else "world"
        found, made = objects_of(part, tuple(places), key)
        for place, component in zip(sorted(places), found, strict=True):
            components[place] = component
        classes.update(made)
    return components, classes


def objects_of(frame: Frame, places: tuple[int, ...], key: str) -> tuple[list[Any], dict[str, Any]]:
    """Components in the order of the coordinates, and classes, of a frame that is not composite."""
    if frame.kind == FrameKind.CELESTIAL and len(frame.axes) == 2:
        reference = reference_of(frame)
        if reference is not None:
            return celestial(frame, reference, key)
    if frame.kind == FrameKind.SPECTRAL:
        unit = unit_of(frame.axes[0].unit)
        made = {key: (coordinates.SpectralCoord, (), {"unit": unit})}
        return [(key, 0, lambda value: value.to_value(unit))], made
    if frame.kind == FrameKind.STOKES:
        return [(key, 0, "value")], {key: (coordinates.StokesCoord, (), {})}
    if frame.kind == FrameKind.TEMPORAL and frame.reference_frame == "time":
        return temporal(frame, key)
    return quantities(frame, range(len(frame.axes)), key)


def celestial(frame: Frame, reference: Any, key: str) -> tuple[list[Any], dict[str, Any]]:
    longitude, latitude = (sorted(frame.axes_order).index(place) for place in frame.axes_order)
    angles = unit_of(frame.axes[longitude].unit), unit_of(frame.axes[latitude].unit)
    components: list[Any] = [None, None]
    components[longitude] = (key, 0, lambda sky: sky.spherical.lon.to_value(angles[0]))
    components[latitude] = (key, 1, lambda sky: sky.spherical.lat.to_value(angles[1]))
    return components, {key: (coordinates.SkyCoord, (), {"frame": reference, "unit": angles})}


def temporal(frame: Frame, key: str) -> tuple[list[Any], dict[str, Any]]:
    """Times are counted from the zero point of the frame."""
    zero, unit = Time(frame.attributes["value"]), unit_of(frame.axes[0].unit)

    def time_of(value: Any) -> Any:
        # Astropy also passes times, which it wants in the scale and format of the frame.
        return value if isinstance(value, Time) else zero + value * unit

    return [(key, 0, lambda time: (time - zero).to_value(unit))], {key: (Time, (), {}, time_of)}


def quantities(frame: Frame, axes: Any, key: str = "world") -> tuple[list[Any], dict[str, Any]]:
    """Coordinates that are plain quantities."""
    components: list[Any] = []
    classes: dict[str, Any] = {}
    for axis in axes:
        unit = unit_of(frame.axes[axis].unit if frame.axes else "")
        name = key if len(axes) == 1 else f"{key}{axis}"
        components.append((name, 0, lambda value, unit=unit: value.to_value(unit)))
        classes[name] = (units.Quantity, (), {"unit": unit})
    return components, classes


def reference_of(frame: Frame) -> Any:
    """The reference frame as a frame of astropy; None if astropy does not know it."""
    cls = coordinates.frame_transform_graph.lookup_name(frame.reference_frame or "icrs")
    if cls is None:
        return None
    return cls(**{name: Time(value) for name, value in frame.attributes.items() if name in TIMES})


def unit_of(text: str) -> Any:
    return units.Unit(text) if text else units.dimensionless_unscaled
