"""`copy --region`: parts of images with their WCS, compared with Python."""

import warnings
from pathlib import Path

import asdf
import astropy.units as u
import gwcs
import numpy as np
import pytest
from astropy.coordinates import ICRS
from astropy.io import fits
from astropy.modeling import models
from astropy.wcs import WCS
from conftest import output, refused
from gwcs import coordinate_frames as frames

ROWS, COLUMNS = 60, 80


def opened(path):
    return asdf.open(path, lazy_load=False, memmap=False)


def distorted():
    """A WCS with distortion polynomials."""
    x = models.Polynomial2D(2, c1_0=1.01, c0_1=0.02, c2_0=1e-5)
    y = models.Polynomial2D(2, c1_0=0.01, c0_1=0.99, c1_1=2e-5)
    plane = models.Shift(-40) & models.Shift(-30) | models.Mapping((0, 1, 0, 1)) | x & y
    sky = models.Scale(1e-4) & models.Scale(1e-4) | models.Pix2Sky_TAN() | models.RotateNative2Celestial(150, 30, 180)
    detector = frames.Frame2D(name="detector", unit=(u.pix, u.pix))
    world = frames.CelestialFrame(reference_frame=ICRS(), name="sky", unit=(u.deg, u.deg))
    wcs = gwcs.WCS([(detector, plane | sky), (world, None)])
    wcs.bounding_box = ((-0.5, COLUMNS - 0.5), (-0.5, ROWS - 0.5))
    wcs.pixel_shape = (COLUMNS, ROWS)
    return wcs


@pytest.fixture
def image(tmp_path) -> Path:
    data = np.arange(ROWS * COLUMNS, dtype="f4").reshape(ROWS, COLUMNS)
    tree = {
        "roman": {
            "data": data,
            "dq": data.astype("u4") % 7,
            "cube": np.arange(2 * ROWS * COLUMNS, dtype="i2").reshape(2, ROWS, COLUMNS),
            "border": np.zeros((4, COLUMNS), "f4"),
            "meta": {"wcs": distorted(), "name": "test"},
        },
        "masked": np.ma.masked_greater(data, 4000),
        "fits": {"data": data, "wcs": header_wcs()},
    }
    path = tmp_path / "image.asdf"
    asdf.AsdfFile(tree).write_to(path)
    return path


def header_wcs():
    header = fits.Header(
        {"NAXIS": 2, "NAXIS1": COLUMNS, "NAXIS2": ROWS, "CTYPE1": "RA---TAN-SIP", "CTYPE2": "DEC--TAN-SIP"}
        | {"CRPIX1": 40.0, "CRPIX2": 30.0, "CRVAL1": 5.0, "CRVAL2": -70.0, "CDELT1": -1e-3, "CDELT2": 1e-3}
        | {"A_ORDER": 2, "B_ORDER": 2, "A_2_0": 1e-5, "B_1_1": 2e-5}
    )
    return WCS(header)


def same_sky(part, whole, start, step, count):
    """Pixel p of the part is pixel start + step * p of the whole."""
    y, x = np.mgrid[0 : count[0] : 3, 0 : count[1] : 5].astype(float)
    found = np.array(part.pixel_to_world_values(x, y))
    wanted = np.array(whole.pixel_to_world_values(start[1] + step[1] * x, start[0] + step[0] * y))
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    ("region", "rows", "columns"),
    [
        ("[10:30, 20:50]", slice(10, 30), slice(20, 50)),
        ("[-20:, ::4]", slice(-20, None), slice(None, None, 4)),
        ("[::-1, 50:20:-3]", slice(None, None, -1), slice(50, 20, -3)),
        ("[7]", slice(7, 8), slice(None)),
    ],
)
def test_an_image_and_its_wcs_are_cut(image, tmp_path, region, rows, columns):
    part = tmp_path / "part.asdf"
    output("copy", image, "roman", part, f"--region=[:,{region[1:]}")
    first, count, step = zip(*(numbers(rows, ROWS), numbers(columns, COLUMNS)), strict=True)
    with opened(part) as cut, opened(image) as whole:
        roman, before = cut["roman"], whole["roman"]
        for name in ("data", "dq"):
            assert np.array_equal(roman[name], before[name][rows, columns])
            assert roman[name].dtype == before[name].dtype
        assert np.array_equal(roman["cube"], before["cube"][:, rows, columns])
        assert roman["border"].shape == (4, COLUMNS)
        assert roman["meta"]["name"] == "test"
        wcs = roman["meta"]["wcs"]
        assert wcs.pixel_shape == count[::-1]
        box = wcs.bounding_box
        # With a step, the whole image ends within the first or last pixel of the part.
        for axis, length in (("x0", count[1]), ("x1", count[0])):
            assert -0.5 <= box[axis].lower < 0 and length - 1 < box[axis].upper <= length - 0.5
        same_sky(wcs, before["meta"]["wcs"], first, step, count)


def numbers(part, extent):
    first, last, step = part.indices(extent)
    return first, len(range(first, last, step)), step


def test_an_array_brings_the_wcs_beside_it(image, tmp_path):
    part = tmp_path / "part.asdf"
    output("copy", image, "roman/data", part, "--region", "[5:25,10:40]")
    output("copy", image, "fits/data", part, "--region", "[5:25,10:40]")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with opened(part) as cut:
            assert np.array_equal(cut["roman"]["data"], cut["fits"]["data"])
            same_sky(cut["roman"]["meta"]["wcs"], distorted(), (5, 10), (1, 1), (20, 30))
            same_sky(cut["fits"]["wcs"], header_wcs(), (5, 10), (1, 1), (20, 30))
            assert cut["fits"]["wcs"].pixel_shape == (30, 20)


def test_masks_are_cut_and_whole_files_too(image, tmp_path):
    output("copy", image, "masked", tmp_path / "masked.asdf", "--region", "[45:,70:]")
    refused("copy", image, "/", tmp_path / "whole.asdf", "--region", "[90]", code=2, match="is outside")
    output("copy", image, "/", tmp_path / "whole.asdf", "--region", "[1, 45:, 70:]")
    with opened(image) as whole, opened(tmp_path / "masked.asdf") as cut, opened(tmp_path / "whole.asdf") as file:
        wanted = whole["masked"][45:, 70:]
        assert np.array_equal(cut["masked"].mask, wanted.mask) and cut["masked"].mask.any()
        assert np.array_equal(np.ma.filled(cut["masked"], 0), np.ma.filled(wanted, 0))
        assert file["roman"]["cube"].shape == (1, 15, 10) and file["fits"]["data"].shape == (15, 10)
        same_sky(file["fits"]["wcs"], header_wcs(), (45, 70), (1, 1), (15, 10))
    refused("copy", image, "roman/meta", tmp_path / "no.asdf", "--region", "[1]", code=1, match="no array")
    refused("copy", image, "roman/data", tmp_path / "no.asdf", "--region", "[1:1]", code=2, match="no element")
    assert not (tmp_path / "no.asdf").exists()


def test_part_into_an_existing_file(image, tmp_path):
    target = tmp_path / "target.asdf"
    asdf.AsdfFile({"a": 1}).write_to(target)
    arguments = ("copy", image, "roman", target, "cuts/one", "--region", "[0,3:5,4:9]")
    shown = output(*arguments, "--dry-run")
    assert "shift the WCS /cuts/one/meta/wcs" in shown and "cut /cuts/one/cube" in shown
    output(*arguments)
    with opened(target) as file:
        assert file["a"] == 1
        assert file["cuts"]["one"]["data"].shape == (2, 5)
        same_sky(file["cuts"]["one"]["meta"]["wcs"], distorted(), (3, 4), (1, 1), (2, 5))
