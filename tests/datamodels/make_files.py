"""Small files of the packages roman_datamodels, stdatamodels and dkist: make_files.py DIRECTORY.

torture.sh runs it in an environment of its own, whose packages scripts/requirements-datamodels.txt pins.
"""

import sys
import warnings
from pathlib import Path

import asdf
import astropy.coordinates as c
import astropy.units as u
from astropy.modeling import models
from astropy.time import Time
from gwcs import coordinate_frames as frames
from gwcs import wcs


def roman(directory: Path) -> None:
    """Each data model of Roman with random content that its schema allows."""
    from roman_datamodels import datamodels

    made = 0
    for name, model in sorted((model.__name__, model) for model in set(datamodels.MODEL_REGISTRY.values())):
        for shape in ((8, 8), (3, 8, 8), None):
            try:
                instance = model.create_fake_data() if shape is None else model.create_fake_data(shape=shape)
                instance.save(directory / f"roman_{name}.asdf")
            except Exception as problem:
                why = problem
                continue
            made += 1
            break
        else:
            print(f"{name}: {why!r}"[:200])
    assert made > 20, made


def sky_wcs() -> wcs.WCS:
    """World coordinates of an image, with quantities, a time and a frame with attributes."""
    shift = models.Shift(-5 * u.pix) & models.Shift(-5 * u.pix)
    scale = models.Multiply(0.1 * u.arcsec / u.pix) & models.Multiply(0.1 * u.arcsec / u.pix)
    rotate = models.RotateNative2Celestial(5.6 * u.deg, -72.05 * u.deg, 180 * u.deg)
    detector = frames.Frame2D(name="detector", axes_names=("x", "y"), unit=(u.pix, u.pix))
    sky = frames.CelestialFrame(reference_frame=c.FK5(equinox="J1975"), name="sky", unit=(u.deg, u.deg))
    return wcs.WCS([(detector, shift | scale | models.Pix2Sky_TAN() | rotate), (sky, None)])


def jwst(directory: Path) -> None:
    """Data models of JWST with metadata, arrays and world coordinates."""
    from stdatamodels.jwst import datamodels

    for name in ("ImageModel", "SlitModel", "SpecModel", "IFUImageModel", "CubeModel", "RampModel"):
        model = getattr(datamodels, name)()
        model.meta.telescope = "JWST"
        model.meta.date = Time("2026-01-02T03:04:05").isot
        model.meta.observation.date = "2026-01-02"
        model.meta.wcs = sky_wcs()
        try:
            model.save(directory / f"jwst_{name}.asdf")
        except Exception as problem:
            print(f"{name}: {problem!r}"[:200])


def dkist(directory: Path) -> None:
    """A dataset of DKIST: headers as a table of astropy, a unit and world coordinates."""
    from astropy.table import Table
    from dkist import Dataset
    from dkist.io import DKISTFileManager
    from dkist.io.dask.loaders import AstropyFITSLoader

    headers = Table({"DATE-AVG": ["2026-01-02T03:04:05", "2026-01-02T03:04:15"], "EXPTIME": [1.0, 2.0] * u.s})
    meta = {"inventory": {"datasetId": "ABC", "startTime": "2026-01-02T03:04:05"}, "headers": headers}
    names = ["a.fits", "b.fits"]
    manager = DKISTFileManager.from_parts(names, 0, "float64", (1, 2), loader=AstropyFITSLoader, basepath=directory)
    dataset = Dataset(manager.dask_array.reshape((2, 2)), sky_wcs(), unit=u.ct, meta=meta)
    dataset._file_manager = manager
    asdf.AsdfFile({"dataset": dataset}).write_to(directory / "dkist_dataset.asdf")


def main() -> None:
    directory = Path(sys.argv[1])
    warnings.simplefilter("ignore")
    for make in (roman, jwst, dkist):
        make(directory)
    print(f"{len(list(directory.glob('*.asdf')))} files")


if __name__ == "__main__":
    main()
