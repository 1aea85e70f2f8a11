"""Writes examples-c/quickstart.asdf, the input of the quick-start program, with Python asdf.

The result is kept in the repository; `build/python/bin/python scripts/make_quickstart_data.py` makes it again. The
content is computed without random numbers and without the current time, so that the same versions of the packages
give the same bytes.
"""

from datetime import UTC, datetime
from pathlib import Path

import asdf
import numpy as np

OUTPUT = Path(__file__).resolve().parent.parent / "examples-c" / "quickstart.asdf"


def noise(count: int) -> np.ndarray:
    """Returns integers from 0 to 15 that look random: a mixing function of the index."""
    value = np.arange(count, dtype=np.uint32) * np.uint32(2654435761)
    value ^= value >> np.uint32(15)
    value *= np.uint32(2246822519)
    value ^= value >> np.uint32(13)
    return value >> np.uint32(28)


def image() -> np.ndarray:
    """Returns a sky of 256 × 256 pixels: a gradient, three stars and noise, in steps of 1/16 count."""
    y, x = np.mgrid[0:256, 0:256].astype(np.float64)
    sky = 100 + x / 32 + y / 64
    for row, column, peak, width in [(80, 60, 900, 4), (170, 190, 400, 6), (128, 128, 2500, 2.5)]:
        distance = ((y - row) ** 2 + (x - column) ** 2) / (2 * width**2)
        sky += peak * np.maximum(0, 1 - distance / 8) ** 8  # about exp(-distance), in exact operations
    steps = np.round(sky * 16) + noise(sky.size).reshape(sky.shape)
    return (steps / 16).astype("<f4")


def cube() -> np.ndarray:
    """Returns 8 planes of 16 × 16 big-endian float64: plane + row / 16 + column / 256."""
    plane, row, column = np.mgrid[0:8, 0:16, 0:16]
    return (plane + row / 16 + column / 256).astype(">f8")


def main() -> None:
    tree = {
        "meta": {
            "telescope": "Roman",
            "instrument": {"name": "WFI", "detector": "WFI01", "optical_element": "F158"},
            "exposure": {"time": 139.8, "count": 3, "calibrated": True, "start": "2027-01-31T04:05:06.700"},
            "target": {"name": "NGC 1300 – north", "ra": 49.9208, "dec": -19.4111, "redshift": None},
            "comment": "Made for the quick start.\nNothing in it was observed.\n",
        },
        "data": image(),
        "cube": cube(),
        "wavelengths": np.array([1.06, 1.293, 1.577, 1.842, 2.125]),
        "bands": ["Y106", "J129", "H158", "F184", "K213"],
    }
    file = asdf.AsdfFile(tree)
    file.set_array_compression(file["data"], "zlib")
    file.set_array_storage(file["wavelengths"], "inline")
    file.add_history_entry("Computed by scripts/make_quickstart_data.py")
    file["history"]["entries"][0]["time"] = datetime(2026, 11, 20, tzinfo=UTC)
    file.write_to(OUTPUT)


if __name__ == "__main__":
    main()
