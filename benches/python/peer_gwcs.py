"""gwcs in the comparison: an imaging WCS, evaluated for its pixels."""

import warnings

import asdf
import numpy as np
from measure import arguments, measure

SIZE = 4096
# Numerical inverses take milliseconds for a point.
POINTS = {"wcs-forward": SIZE, "wcs-back": SIZE, "wcs-numerical": 32}

warnings.simplefilter("ignore")
workload, _, source, _ = arguments()


def grid() -> tuple[np.ndarray, np.ndarray]:
    points = POINTS[workload]
    across, along = np.mgrid[:points, :points] * (SIZE / points)
    return along, across


def check(values: np.ndarray) -> float:
    return float(np.round(np.mean(values) * 1e3))


def back(wcs, sky) -> float:
    wcs.invert(*sky, with_bounding_box=False)
    return float(np.size(sky[0]))


with asdf.open(source, lazy_load=False, memmap=False) as file:
    wcs = file["wcs"]
if workload == "wcs-forward":
    pixels = grid()
    measure(lambda: check(wcs(*pixels)[0].ravel()[:SIZE]))
elif workload == "wcs-pixel":
    measure(lambda: check(np.array(wcs(100.0, 200.0))))
elif workload == "wcs-build":

    def build() -> float:
        with asdf.open(source) as file:
            return float(file["wcs"].pixel_n_dim)

    measure(build)
else:
    sky = wcs(*grid())
    measure(lambda: back(wcs, sky))
