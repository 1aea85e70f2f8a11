"""Arrays as HTML for people: their description with a small picture, or a line for a list of numbers."""

from __future__ import annotations

import base64
import html
import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import AsdfError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .arrays import Array

#: Most pixels along a side of a picture, and the size at which it is shown.
SIDE, SHOWN = 160, 240
#: Points of a line.
POINTS = 400
#: Bytes up to which a compressed array is read for its picture.
MOST = 64 << 20
#: Percentiles of the values that are black and white.
RANGE = (1, 99)
#: Colours of values that are not a number, and of masked ones.
NOT_A_NUMBER, MASKED = (255, 0, 255), (0, 110, 255)


def as_html(array: Array) -> str:
    """Description and picture. An array that cannot be read has its description alone."""
    parts = [f"<code>{html.escape(repr(array))}</code>"]
    try:
        if array.unit:
            parts.append(f" in {html.escape(array.unit)}")
        parts.append(preview(array))
    except (AsdfError, MemoryError) as problem:
        parts.append(f"<br>{html.escape(str(problem))}")
    return f"<div>{''.join(parts)}</div>"


def preview(array: Array) -> str:
    """Picture of the middle plane of an array of numbers; empty for others."""
    if array.size < 2 or array.dtype.kind not in "biufc":
        return ""
    if array.nbytes > MOST and (array.compression or array.chunk_shape):
        return ""
    long = [axis for axis, extent in enumerate(array.shape) if extent > 1][-2:]
    most = SIDE if len(long) == 2 else POINTS
    step = max(-(-array.shape[axis] // most) for axis in long)
    index = tuple(
        slice(step // 2 if extent > step // 2 else 0, None, step) if axis in long else extent // 2
        for axis, extent in enumerate(array.shape)
    )
    values = array[index]
    note = f"every {step} elements" if step > 1 else ""
    picture = image(values) if values.ndim == 2 else line(values)
    return f"<br>{picture}<br><small>{note}</small>" if note else f"<br>{picture}"


def plain(values: Any) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Values as real numbers, and which of them are masked. A complex number has its modulus."""
    masked = np.ma.getmaskarray(values)
    data = np.ma.getdata(values)
    return (np.abs(data) if data.dtype.kind == "c" else data).astype(np.float64), masked


def limits(values: NDArray[np.float64]) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    if not finite.size:
        return 0.0, 1.0
    low, high = np.percentile(finite, RANGE)
    return (float(low), float(high)) if low < high else (float(finite.min()), float(finite.max()))


def image(values: Any) -> str:
    """Picture in grey, the first row at the bottom."""
    data, masked = plain(values)
    low, high = limits(data[~masked])
    with np.errstate(invalid="ignore", over="ignore"):
        places = (data - low) / (high - low if high > low else 1.0)
    levels = (np.nan_to_num(np.clip(places, 0, 1)) * 255).astype("u1")
    pixels = np.repeat(levels[:, :, np.newaxis], 3, axis=2)
    pixels[np.isnan(data)] = NOT_A_NUMBER
    pixels[masked] = MASKED
    height, width = levels.shape
    zoom = max(1, SHOWN // max(height, width))
    source = base64.b64encode(png(pixels[::-1])).decode()
    size = f'width="{width * zoom}" height="{height * zoom}"'
    style = "image-rendering: pixelated"
    return f'<img alt="Image of the array" {size} style="{style}" src="data:image/png;base64,{source}">'


def line(values: Any) -> str:
    """Line through a list of numbers. Values that are not a number interrupt it."""
    data, masked = plain(np.ma.ravel(values) if isinstance(values, np.ma.MaskedArray) else np.ravel(values))
    data[masked] = np.nan
    finite = data[np.isfinite(data)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    range_ = high - low if 0 < high - low < np.inf else 1.0
    path, is_down = [], False
    for index, value in enumerate(data):
        if np.isfinite(value):
            x, y = index * 300 / max(1, len(data) - 1), 80 - 80 * (value - low) / range_
            path.append(f"{'L' if is_down else 'M'}{x:.1f} {y:.1f}")
        is_down = bool(np.isfinite(value))
    drawn = f'<path d="{"".join(path)}" fill="none" stroke="#1f77b4"/>'
    return (
        f'<svg role="img" aria-label="Values of the array" width="310" height="90" viewBox="-5 -5 310 90">{drawn}</svg>'
        f"<br><small>{low:g} to {high:g}</small>"
    )


def png(pixels: NDArray[np.uint8]) -> bytes:
    """A picture of rows, columns and three channels as PNG."""
    height, width, _ = pixels.shape
    lines = np.concatenate([np.zeros((height, 1), "u1"), pixels.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b"")]
    parts = [
        struct.pack(">I4s", len(data), name) + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
