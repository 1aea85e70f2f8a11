"""Points at the edges of transforms, with what astropy and gwcs compute for them: `edges.py DIRECTORY`.

NaN and infinity, poles, longitudes at ±180° and 360°, points behind the plane of a projection and outside of it.
"""

import sys
from pathlib import Path

import astropy.modeling.models as m
import gwcs.geometry
import numpy as np
from astropy.modeling import Model
from corpus import Corpus, evaluated

SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-300, -1e-300, 1e6]
LONGITUDES = [0.0, -0.0, 90.0, 180.0, -180.0, 179.99, -179.99, 270.0, 360.0, 359.99, 540.0, 1e-14, -1e-17]
LATITUDES = [0.0, -0.0, 90.0, -90.0, 89.99999, -89.99999, 1e-3, -1e-3, 45.0, -45.0]
# Without projections for which wcslib has arbitrary values at NaN, and those that are singular at 360°.
PROJECTIONS = "TAN SIN STG ARC ZEA CAR CEA MER SFL PAR".split()


def pairs(first: list[float], second: list[float]) -> list[np.ndarray]:
    return [np.array(column).ravel() for column in np.meshgrid(first, second)]


def near(model: Model, columns: list[np.ndarray]) -> list[np.ndarray]:
    """Leaves out points whose results are large, and consist of rounding errors of the inputs."""
    results = evaluated(model, columns)
    far = np.any([np.abs(result) > 1e4 for result in results], axis=0)
    return [column[~far] for column in columns]


def finite(columns: list[np.ndarray]) -> list[np.ndarray]:
    """Leaves out infinite angles and lengths, for which wcslib has arbitrary values, but keeps NaN."""
    kept = ~np.any([np.isinf(column) for column in columns], axis=0)
    return [column[kept] for column in columns]


def off_horizon(columns: list[np.ndarray], longitude: float, latitude: float) -> list[np.ndarray]:
    """Leaves out directions at a right angle to another one: their points of the plane are rounding errors."""
    lon, lat, lat0 = np.radians(columns[0] - longitude), np.radians(columns[1]), np.radians(latitude)
    height = np.sin(lat) * np.sin(lat0) + np.cos(lat) * np.cos(lat0) * np.cos(lon)
    return [column[~(np.abs(height) < 1e-9)] for column in columns]


def main() -> None:
    corpus = Corpus(Path(sys.argv[1]))
    sky = pairs([*LONGITUDES, np.nan], [*LATITUDES, np.nan])
    plane = pairs(
        [*SPECIAL, 90.0, -90.0, 57.29577951308232, 180.0, -180.0, 200.0],
        [*SPECIAL, 90.0, -90.0, 1.0, 57.29577951308232, -81.0],
    )
    for name in PROJECTIONS:
        to_plane, to_sky = getattr(m, f"Sky2Pix_{name}")(), getattr(m, f"Pix2Sky_{name}")()
        native = near(to_plane, off_horizon(sky, 0, 90) if name == "TAN" else sky)
        corpus.add_transform(f"to_plane_{name}.asdf", to_plane, native, without_inverse=True)
        corpus.add_transform(f"to_sky_{name}.asdf", to_sky, finite(plane), without_inverse=True)
    # The gnomonic projection and a rotation are one step. It has no angles in between, whose NaN and infinity would count.
    for number, (longitude, latitude) in enumerate([(0, 0), (0, 90), (10, -90), (180, 45), (359.9, -30)]):
        to_sky = m.Pix2Sky_TAN() | m.RotateNative2Celestial(longitude, latitude, 180)
        to_plane = m.RotateCelestial2Native(longitude, latitude, 180) | m.Sky2Pix_TAN()
        corpus.add_transform(f"fused_to_sky_{number}.asdf", to_sky, plane, without_inverse=True, tolerance=1e-9)
        ahead = near(to_plane, off_horizon(sky, longitude, latitude))
        corpus.add_transform(f"fused_to_plane_{number}.asdf", to_plane, ahead, without_inverse=True)
    for wrap in (180, 360):
        to_vector = gwcs.geometry.SphericalToCartesian(wrap_lon_at=wrap)
        corpus.add_transform(
            f"to_vector_{wrap}.asdf", to_vector, pairs([*LONGITUDES, *SPECIAL], LATITUDES), without_inverse=True
        )
        numbers = [*SPECIAL, 1.0, -1.0, 1e200, 1e-200]
        vectors = [np.array(column).ravel() for column in np.meshgrid(numbers, numbers, numbers)]
        to_angles = gwcs.geometry.CartesianToSpherical(wrap_lon_at=wrap)
        corpus.add_transform(f"to_angles_{wrap}.asdf", to_angles, vectors, without_inverse=True)
    numbers = pairs([*SPECIAL, 3.0], [*SPECIAL, -2.0])
    for number, model in enumerate((
        m.Shift(1.5) & m.Scale(-2.0),
        m.Rotation2D(30.0),
        m.AffineTransformation2D([[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0]),
        m.Polynomial1D(2, c0=1, c1=2, c2=3) & m.Polynomial1D(0, c0=4),
        m.Polynomial2D(3, c0_0=1, c1_0=2, c0_1=3, c1_1=4, c2_0=5, c0_2=6, c3_0=7, c0_3=8, c1_2=9, c2_1=10),
        m.Polynomial2D(1, c0_0=1, c1_0=2),
    )):  # fmt: skip
        corpus.add_transform(f"numbers_{number}.asdf", model, numbers, without_inverse=True)
    corpus.write()


if __name__ == "__main__":
    main()
