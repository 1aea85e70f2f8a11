"""Arrays in notebooks: a description, and a picture of their values. Names of the lines of a tree."""

import base64
import re
import struct
import zlib

import numpy as np
import pytest
from astropy import units as u
from astropy.table import QTable
from astropy.time import Time

import asdfkit


def pixels(page):
    """Pixels of the picture in a page; None if there is none."""
    found = re.search(r'src="data:image/png;base64,([^"]+)"', page)
    if not found:
        return None
    data = base64.b64decode(found[1])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    length = struct.unpack(">I", data[33:37])[0]
    lines = np.frombuffer(zlib.decompress(data[41 : 41 + length]), "u1").reshape(height, -1)
    assert not lines[:, 0].any()
    return lines[:, 1:].reshape(height, width, 3)


def page_of(values, tmp_path):
    path = tmp_path / "file.asdf"
    asdfkit.write(path, {"data": values}, replace=True)
    with asdfkit.open(path) as file:
        return file["data"]._repr_html_()


def test_images_have_a_picture(tmp_path):
    image = np.zeros((4, 6), "f4")
    image[0, 5], image[1, 0] = np.inf, np.nan
    image[3] = 50
    page = page_of(image, tmp_path)
    assert "(4, 6) float32" in page
    shown = pixels(page)[::-1]
    assert shown.shape == (4, 6, 3) and shown[1, 0].tolist() == [255, 0, 255]
    assert (shown[3] == 255).all() and shown[0, 5].tolist() == [255] * 3 and not shown[2].any()
    masked = np.ma.array(np.arange(6.0).reshape(2, 3), mask=[[0, 0, 0], [0, 0, 1]])
    assert pixels(page_of(masked, tmp_path))[0, 2].tolist() == [0, 110, 255]


def test_large_arrays_are_sampled(tmp_path):
    page = page_of(np.arange(1000 * 500, dtype="i4").reshape(1000, 500), tmp_path)
    assert pixels(page).shape[:2] in {(143, 71), (143, 72)} and "every 7 elements" in page
    assert pixels(page_of(np.zeros((3, 40, 50), ">i2"), tmp_path)).shape == (40, 50, 3)


@pytest.mark.parametrize("values", [np.arange(500.0), np.array([True, False]), np.array([1 + 2j, np.nan])])
def test_lists_have_a_line(tmp_path, values):
    page = page_of(values, tmp_path)
    assert "<svg" in page and "<path" in page and pixels(page) is None


@pytest.mark.parametrize(
    "values", [np.array(["<b>", "x"]), np.zeros(3, [("a", "i4")]), np.array(5.0), np.zeros((0, 3))]
)
def test_other_arrays_have_a_description(tmp_path, values):
    page = page_of(values, tmp_path)
    assert page.startswith("<div><code>&lt;asdfkit.Array") and "<img" not in page and "<svg" not in page


def test_columns_of_tables_of_astropy_have_their_names():
    table = QTable({"flux": [1, 2] * u.Jy, "when": Time([1, 2], format="mjd"), "id": [1, 2]}, meta={"k": 1})
    lines = str(asdfkit.new({"cat": table})).splitlines()
    names = [line.split(":")[0] for line in lines]
    for name in ("      flux", "      when", "      id", "      k"):
        assert names.count(name) == 1
    assert not any(name.strip().startswith("[") for name in names)
