"""sky and pixel, and world coordinates in info."""

import json
import os
from pathlib import Path

import asdf
import gwcs  # noqa: F401
import numpy as np
import pytest
from conftest import document, output, refused

GWCS = Path(os.environ["ASDFKIT_CORPORA"]) / "gwcs-samples" / "gwcs"
IMAGE = GWCS / "jwst_like.asdf"


@pytest.fixture(scope="module")
def wcs():
    with asdf.open(IMAGE) as file:
        return file["wcs"]


def numbers(text):
    return np.array([[float(field) for field in line.split()] for line in text.splitlines()])


def test_pixels_to_the_sky_and_back(wcs):
    points = [(10, 20), (0.25, -0.25), (700.5, 1)]
    found = numbers(output("sky", IMAGE, *np.ravel(points)))
    np.testing.assert_allclose(found, [wcs(*point) for point in points], rtol=0, atol=1e-11)
    lines = "# pixels\n\n" + "".join(f"{x}, {y}\n" for x, y in points)
    assert numbers(output("sky", IMAGE, stdin=lines)).tolist() == found.tolist()
    back = numbers(output("pixel", IMAGE, stdin=output("sky", IMAGE, *np.ravel(points))))
    np.testing.assert_allclose(back, points, atol=0.01)
    ra, dec = found[0]
    assert numbers(output("pixel", IMAGE, ra, dec)).tolist() == back[:1].tolist()


def test_forms_of_the_output(wcs):
    text = output("sky", IMAGE, "--as", "csv", 10, 20, "1e9", 0)
    names, first, second = text.splitlines()
    assert names == "x,y,lon,lat" and first.startswith("10,20,") and second == "1000000000,0,nan,nan"
    found = document("sky", IMAGE, 10, 20, "1e9", 0)
    assert found["reference_frame"] == "icrs" and found["units"] == ["deg", "deg"] and found["wcs"] == "/wcs"
    assert found["points"][1]["result"] == [None, None]
    np.testing.assert_allclose(found["points"][0]["result"], wcs(10, 20), rtol=0, atol=1e-11)
    assert "nan" not in output("sky", IMAGE, "--everywhere", "1e4", "-1e4")
    many = "".join(f"{x} {x}\n" for x in range(70000))
    assert len(output("sky", IMAGE, "--threads", 2, stdin=many).splitlines()) == 70000


def test_wrong_points():
    refused("sky", IMAGE, 1, 2, 3, code=2, match="2 coordinates, x y")
    refused("sky", IMAGE, 1, 2, "--wcs", "wsc", code=1, match="wsc")
    refused("sky", IMAGE, code=2, match="line 2 of standard input: 'two'", stdin=b"1 2\n1 two\n")
    refused("sky", IMAGE, code=2, match="line 1 of standard input: expected 2 numbers", stdin=b"1 2 3\n")
    refused("sky", "-", code=2, match="standard input is the file", stdin=IMAGE.read_bytes())
    unknown = GWCS.parent / "error" / "wcs_unknown_transform.asdf"
    refused(
        "sky",
        unknown,
        1,
        2,
        match="/wcs/steps/0/transform: the transform 'tag:stsci.edu:asdf/transform/frobnicate-1.0.0'",
    )
    assert "not evaluated: " in output("info", unknown)


def test_files_without_world_coordinates(roman, table):
    refused("sky", roman, 1, 2, code=1, match="no WCS")
    refused("pixel", table, 1, 2, code=2, match="only ASDF files")


def test_declinations_beyond_a_pole(wcs):
    refused("pixel", IMAGE, 400, 100, code=2, match="latitude 100 is not between -90 and 90 degrees")
    assert np.isnan(numbers(output("pixel", IMAGE, "--everywhere", stdin="400 100\n"))).all()


def test_info_shows_the_image_on_the_sky(wcs):
    text = output("info", IMAGE)
    assert "WCS /wcs: detector → v2v3 → v2v3vacorr → world (icrs)" in text and "arcsec/pixel" in text
    (found,) = document("info", IMAGE)["wcs"]
    assert found["frames"] == wcs.available_frames
    np.testing.assert_allclose(found["footprint"], wcs.footprint(center=False), rtol=0, atol=1e-10)
    x, y = found["center"]["pixel"]
    np.testing.assert_allclose(found["center"]["world"], wcs(x, y), rtol=0, atol=1e-11)
    (ra, dec), (east_ra, east_dec) = wcs(x, y), wcs(x, y + 0.01)
    angle = np.degrees(np.arctan2((east_ra - ra) * np.cos(np.radians(dec)), east_dec - dec)) % 360
    assert abs(found["position_angle"] - angle) < 0.01
    assert 1e-6 < found["pixel_scale"] < 1e-4 and isinstance(found["mirrored"], bool)


def test_info_of_a_spectrum():
    lines = output("info", GWCS / "spectral_linear.asdf").splitlines()
    assert any(line.startswith("WCS /wcs: ") for line in lines) and not any("arcsec" in line for line in lines)
    found = json.loads(output("--json", "info", GWCS / "spectral_linear.asdf"))["wcs"][0]
    assert "pixel_scale" not in found
