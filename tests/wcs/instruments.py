"""World coordinates like those of instruments, with what gwcs computes for them: `instruments.py DIRECTORY`.

- a camera like Roman's: polynomials of degree 5 there and back, V2V3, rotation of the telescope, box;
- the same without inverse polynomials, at poles and at the jump of longitudes, so that pixels are found numerically;
- a spectrograph like NIRSpec: collimator, grating, slits that are chosen by number;
- an image whose slices have their own transforms, chosen by an array of labels, like MIRI's;
- a spectral cube without an inverse;
- the files that gwcs has for its own tests.
"""

import sys
from pathlib import Path

import asdf
import astropy.modeling.models as m
import astropy.units as u
import gwcs
import gwcs.geometry
import gwcs.selector
import gwcs.spectroscopy
import numpy as np
from astropy import coordinates
from astropy.modeling import Model
from corpus import Corpus
from gwcs import coordinate_frames as cf

RANDOM = np.random.default_rng(5)
SIZE = 4088
CENTER = (SIZE - 1) / 2


def distortion(size: float) -> Model:
    """Returns polynomials of degree 5 that move a corner of the image by this part of the image."""
    model = m.Polynomial2D(5)
    for name in model.param_names:
        x, y = (int(power) for power in name[1:].split("_"))
        setattr(model, name, RANDOM.normal() * size * CENTER ** (1 - x - y) if x + y >= 2 else 0)
    return model


def distortions(size: float) -> Model:
    along, across = distortion(size), distortion(size)
    along.c1_0, along.c0_1 = 1.0, 1e-4
    across.c1_0, across.c0_1 = 2e-4, 1.0
    return m.Mapping((0, 1, 0, 1)) | (along & across)


def fitted_inverse(model: Model) -> Model:
    """Returns polynomials of degree 5 that lead back about."""
    grid = np.meshgrid(*[np.linspace(-CENTER, CENTER, 41)] * 2)
    x, y = (column.ravel() for column in grid)
    there = model(x, y)
    powers = [(i, j) for i in range(6) for j in range(6 - i)]
    matrix = np.array([(there[0] / CENTER) ** i * (there[1] / CENTER) ** j for i, j in powers]).T
    parts = []
    for wanted in (x, y):
        solution = np.linalg.lstsq(matrix, wanted, rcond=None)[0]
        parts.append(m.Polynomial2D(5, **{f"c{i}_{j}": c / CENTER ** (i + j) for (i, j), c in zip(powers, solution)}))
    return m.Mapping((0, 1, 0, 1)) | (parts[0] & parts[1])


def camera(longitude: float, latitude: float, roll: float, with_inverse: bool) -> gwcs.WCS:
    bend = distortions(3e-3)
    if with_inverse:
        bend.inverse = fitted_inverse(bend)
    to_arcsec = m.AffineTransformation2D([[0.054, 0.095], [0.095, -0.054]], [1312.9, -960.2])
    detector = (m.Shift(-CENTER) & m.Shift(-CENTER)) | bend | to_arcsec
    detector.bounding_box = ((-0.5, SIZE - 0.5), (-0.5, SIZE - 0.5))
    angles = [1312.9 / 3600, 960.2 / 3600, -roll, -latitude, longitude]
    telescope = (
        (m.Scale(1 / 3600) & m.Scale(1 / 3600))
        | gwcs.geometry.SphericalToCartesian(wrap_lon_at=180)
        | m.RotationSequence3D(angles, "zyxyz")
        | gwcs.geometry.CartesianToSpherical(wrap_lon_at=360)
    )
    frames = [pixels(), cf.Frame2D(name="v2v3", axes_names=("v2", "v3"), unit=(u.arcsec, u.arcsec)), sky()]
    wcs = gwcs.WCS([(frames[0], detector), (frames[1], telescope), (frames[2], None)], name="camera")
    wcs.pixel_shape = (SIZE, SIZE)
    return wcs


def pixels() -> cf.CoordinateFrame:
    return cf.Frame2D(name="detector", axes_names=("x", "y"), unit=(u.pix, u.pix))


def sky() -> cf.CoordinateFrame:
    return cf.CelestialFrame(name="world", reference_frame=coordinates.ICRS(), unit=(u.deg, u.deg))


def spectral() -> cf.CoordinateFrame:
    return cf.SpectralFrame(name="spectral", axes_order=(2,), unit=u.um)


def grid(ends: list[tuple[float, float]], count: int) -> list[np.ndarray]:
    columns = np.meshgrid(*[np.linspace(low, high, count) for low, high in ends])
    return [column.ravel() for column in columns]


def cameras(corpus: Corpus) -> None:
    image = grid([(-0.5, SIZE - 0.5)] * 2, 23)
    places = [(150.1, 2.2, 31), (0, 0, 0), (180, -60, 77), (33, 89.99, 10), (33, -90, 200), (359.999, 45, 300)]
    for number, (longitude, latitude, roll) in enumerate(places):
        corpus.add_wcs(f"camera_{number}.asdf", camera(longitude, latitude, roll, True), image, "transform")
        corpus.add_wcs(f"numerical_{number}.asdf", camera(longitude, latitude, roll, False), image, "numerical")


def spectrograph(slit: float) -> Model:
    """Returns the way of a slit from pixels through the grating to the sky and the wavelength."""
    to_angles = (m.Shift(-1024) & m.Shift(-1024)) | distortions(1e-3) | (m.Scale(8e-5) & m.Scale(8e-5))
    unit = gwcs.geometry.ToDirectionCosines()
    to_cosines = m.Mapping((0, 1, 1)) | unit | m.Mapping((0, 1, 2), n_inputs=4)
    turned = to_cosines | m.RotationSequence3D([0.3 + slit / 50, -8.8, 0.1], "xyz")
    grating = gwcs.spectroscopy.WavelengthFromGratingEquation(groove_density=95_000.0, spectral_order=-1)
    # The first direction is that of the slit, the second that of the dispersed light.
    wavelength = m.Mapping((0, 0), n_inputs=3) | m.Identity(1) & (m.Shift(0.01 * slit)) | grating | m.Scale(1e6)
    along = m.Mapping((1,), n_inputs=3) | m.Polynomial1D(3, c0=slit, c1=30.0, c2=0.4, c3=-2.0)
    plane = m.Mapping((0, 1, 0, 1)) | (
        m.Polynomial2D(2, c0_0=0.1 * slit, c0_1=0.02, c1_0=1e-3, c1_1=0.01) & m.Planar2D(0.3, 0.001, 0.2)
    )
    sky_of = plane | m.Pix2Sky_TAN() | m.RotateNative2Celestial(53.1, -27.8, 180)
    return (
        to_angles
        | turned
        | m.Mapping((0, 1, 2, 0, 1, 2))
        | (along & wavelength)
        | m.Mapping((0, 1, 1))
        | (sky_of & m.Identity(1))
    )


def slits(corpus: Corpus) -> None:
    image = grid([(0, 2047), (700, 1300)], 15)
    world = cf.CompositeFrame([sky(), spectral()], name="world3")
    for slit in (-2.0, 1.0, 7.0):
        model = spectrograph(slit)
        corpus.add_transform(f"slit_{slit:g}.asdf", model, image, tolerance=1e-11)
        model.bounding_box = ((700, 1300), (0, 2047))
        corpus.add_wcs(
            f"slit_wcs_{slit:g}.asdf", gwcs.WCS([(pixels(), model), (world, None)], name="slit"), image, "none"
        )


def slices(corpus: Corpus) -> None:
    labels = np.zeros((64, 80), dtype=np.int32)
    for number in range(1, 6):
        labels[:, 15 * number - 12 : 15 * number - 2] = number
    mapper = gwcs.selector.LabelMapperArray(labels)
    selector = {number: spectrograph(float(number)) for number in range(1, 6)}
    regions = gwcs.selector.RegionsSelector(
        inputs=("x", "y"),
        outputs=("ra", "dec", "lam"),
        selector=selector,
        label_mapper=mapper,
        undefined_transform_value=np.nan,
    )
    corpus.add_wcs(
        "slices.asdf",
        gwcs.WCS([(pixels(), regions), (cf.CompositeFrame([sky(), spectral()], name="world3"), None)], name="slices"),
        grid([(0, 79), (0, 63)], 25),
        "none",
    )


def cubes(corpus: Corpus) -> None:
    """Cubes without an inverse: longitude and latitude depend on the plane, too."""
    ends = [(-0.5, 99.5), (-0.5, 79.5), (-0.5, 299.5)]
    for number, (longitude, latitude) in enumerate([(10, 20), (0, -89.9), (180, 0)]):
        bend = m.Mapping((0, 1, 2, 0, 1, 2, 2)) | (
            (m.Polynomial2D(2, c1_0=1e-3, c0_1=1e-5, c2_0=1e-8) & m.Scale(1e-8))
            & (m.Polynomial2D(2, c0_1=1e-3, c1_0=-1e-5, c1_1=2e-8) & m.Scale(2e-8))
            & m.Polynomial1D(3, c0=1.0, c1=2e-3, c2=1e-7)
        )
        joined = bend | m.Mapping((0, 1, 2, 3, 4)) | (m.math.AddUfunc() & m.math.AddUfunc() & m.Identity(1))
        model = joined | ((m.Pix2Sky_TAN() | m.RotateNative2Celestial(longitude, latitude, 180)) & m.Identity(1))
        model.bounding_box = tuple(reversed(ends))
        cube = cf.CoordinateFrame(3, ("SPATIAL",) * 3, (0, 1, 2), unit=(u.pix,) * 3, name="cube")
        wcs = gwcs.WCS([(cube, model), (cf.CompositeFrame([sky(), spectral()], name="world3"), None)], name="cube")
        corpus.add_wcs(f"cube_{number}.asdf", wcs, grid(ends, 9), "numerical")


def of_gwcs(corpus: Corpus) -> None:
    """Adds the files that gwcs has for its own tests."""
    folder = Path(gwcs.__file__).parent / "tests" / "data"
    for name, size, method in (
        ("nircamwcs.asdf", (2048, 2048), "transform"),
        ("miriwcs.asdf", (1032, 1024), "transform"),
        ("miri_lrs_wcs.asdf", (72, 416), "transform"),
    ):
        content = (folder / name).read_bytes()
        with asdf.open(folder / name, lazy_load=False) as file:
            corpus.add_wcs(name, file["wcs"], grid([(0, length - 1) for length in size], 21), method, content=content)


def main() -> None:
    corpus = Corpus(Path(sys.argv[1]))
    for add in (cameras, slits, slices, cubes, of_gwcs):
        add(corpus)
    corpus.write()


if __name__ == "__main__":
    main()
