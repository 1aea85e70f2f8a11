"""show: pictures of arrays and columns. astropy.visualization tells their limits and brightness."""

import os
import re
import struct
from pathlib import Path

import asdf
import numpy as np
import pytest
from astropy.visualization import (
    AsinhStretch,
    AsymmetricPercentileInterval,
    LinearStretch,
    LogStretch,
    MinMaxInterval,
    PercentileInterval,
    SqrtStretch,
    ZScaleInterval,
)
from conftest import document, output, refused, run
from png import pixels

IMAGE = Path(os.environ["ASDFKIT_CORPORA"]) / "gwcs-samples" / "gwcs" / "jwst_like.asdf"
NAN, MASKED = [255, 0, 255], [0, 110, 255]
PLAIN = {"TERM": "xterm", "COLORTERM": "", "NO_COLOR": "", "COLUMNS": "80", "LINES": "24"}


def written(tmp_path, tree, name="file.asdf"):
    path = tmp_path / name
    asdf.AsdfFile(tree).write_to(path)
    return path


def sky_field(seed=3, shape=(120, 90)):
    """Noise, a gradient, stars and cosmic rays."""
    random = np.random.default_rng(seed)
    image = random.normal(100, 5, shape) + np.linspace(0, 20, shape[1])
    image[random.integers(0, shape[0], 40), random.integers(0, shape[1], 40)] += random.uniform(50, 5000, 40)
    return image.astype("f4")


@pytest.mark.parametrize(
    "range_, interval",
    [
        ("zscale", ZScaleInterval()),
        ("minmax", MinMaxInterval()),
        ("99%", PercentileInterval(99)),
        ("2.5%,90%", AsymmetricPercentileInterval(2.5, 90)),
    ],
)
@pytest.mark.parametrize("stretch", [LinearStretch(), LogStretch(), AsinhStretch(), SqrtStretch()])
def test_pictures_are_those_of_astropy(tmp_path, range_, interval, stretch):
    data = sky_field()
    data[5, 6] = np.nan
    file, picture = written(tmp_path, {"data": data}), tmp_path / "picture.png"
    name = type(stretch).__name__.removesuffix("Stretch").lower()
    arguments = ["show", file, "data", "--plain", "--range", range_, "--stretch", name, "--map", "grey", "-o", picture]
    found = document(*arguments)
    low, high = interval.get_limits(data.astype("f8"))
    np.testing.assert_allclose(found["limits"], [[low, high]], rtol=1e-12)
    assert found["method"] == "whole" and found["not_a_number"] == 1 and found["masked"] == 0
    shown = pixels(picture.read_bytes())[::-1].astype(int)
    assert shown[5, 6].tolist() == NAN
    expected = stretch(np.clip((data.astype("f8") - low) / (high - low), 0, 1))
    expected = np.clip(np.floor(np.nan_to_num(expected) * 256), 0, 255)
    good = np.isfinite(data)
    assert np.abs(shown[good] - expected[good][:, None]).max() <= 1


@pytest.mark.parametrize("seed", range(12))
def test_zscale(tmp_path, seed):
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(1, 80, 2))
    data = {0: np.zeros(shape), 1: random.normal(size=shape), 2: random.pareto(0.7, shape)}.get(seed)
    data = sky_field(seed, shape) if data is None else data
    file = written(tmp_path, {"data": data})
    limits = document("show", file, "data", "--as", "image", "-o", tmp_path / "x.png")["limits"]
    np.testing.assert_allclose(limits, [ZScaleInterval().get_limits(data.astype("f8"))], rtol=1e-9, atol=1e-12)


def test_masks_and_maps(tmp_path):
    values = np.arange(12.0).reshape(3, 4)
    masked = np.ma.MaskedArray(values, values == 11)
    file, picture = written(tmp_path, {"data": masked}), tmp_path / "x.png"
    show = ["show", file, "--plain", "--force", "-o", picture, "--range", "0,11"]
    run(*show)
    shown = pixels(picture.read_bytes())
    assert shown[0, 3].tolist() == MASKED and shown[2, 0].tolist() == [68, 1, 84]
    run(*show, "--no-mask", "--from-top")
    assert abs(pixels(picture.read_bytes())[2, 3].astype(int) - [253, 231, 36]).max() <= 1
    maps = set()
    for name in ["viridis", "grey", "gray", "inferno", "magma", "plasma", "cubehelix", "red-blue"]:
        run(*show, "--map", name)
        maps.add(picture.read_bytes())
    assert len(maps) == 7
    refused(*show, "--map", "turbo", code=2)
    refused("show", file, "-o", picture, match="--force")
    refused("show", file, "-o", tmp_path / "x.jpg", match=".png or .svg", code=2)
    refused("show", file, "-o", file, code=2)


@pytest.mark.parametrize("line", Path(__file__).with_name("colour_maps.txt").read_text().splitlines()[1:])
def test_colours_are_those_of_matplotlib(tmp_path, line):
    name, colours = line.split()
    expected = np.frombuffer(bytes.fromhex(colours), "u1").reshape(256, 3).astype(int)
    file, picture = written(tmp_path, {"ramp": np.arange(256.0).reshape(16, 16)}), tmp_path / "x.png"
    run("show", file, "--plain", "--from-top", "--map", name, "--range", "0,256", "-o", picture)
    shown = pixels(picture.read_bytes()).reshape(256, 3).astype(int)
    assert np.abs(shown - expected).max() <= 1


def test_planes_regions_and_orientation(tmp_path):
    cube = np.zeros((5, 20, 30), "u1")
    cube[2, 0, 29], cube[4, 7, 3] = 200, 100
    file, picture = written(tmp_path, {"cube": cube}), tmp_path / "x.png"
    show = ["show", file, "--plain", "--force", "--map", "grey", "--range", "0,256", "-o", picture]
    assert document(*show)["plane"] == [2]
    shown = pixels(picture.read_bytes())[..., 0]
    assert shown.shape == (20, 30) and shown[19, 29] == 200 and shown.sum() == 200
    run(*show, "cube[4,5:15,::3]")
    shown = pixels(picture.read_bytes())[..., 0]
    assert shown.shape == (10, 10) and shown[7, 1] == 100
    run(*show, "cube", "--region", "[-1]", "--from-top")
    assert pixels(picture.read_bytes())[7, 3, 0] == 100
    refused("show", file, "cube[9]", code=2, match="outside dimension")
    refused("show", file, "cubes", code=1, match="did you mean 'cube'?")
    refused("show", file, "cube[0:0]", code=2, match="no elements")


def test_numbers_of_all_types(tmp_path):
    for datatype in ["i1", ">i2", "u4", "i8", "u8", "f2", ">f4", "f8", "?"]:
        file = written(tmp_path, {"data": np.eye(4).astype(datatype)})
        assert document("show", file, "--range", "minmax")["limits"] == [[0, 1]]
    file = written(tmp_path, {"data": np.array([[3 + 4j, 0], [0, 1]])})
    assert document("show", file, "--range", "minmax")["limits"] == [[0, 5]]
    refused("show", written(tmp_path, {"data": np.array([["a", "b"]] * 2)}), "data", code=2, match="no numbers")
    refused("show", written(tmp_path, {"a": 1}), code=1, match="no array")


def test_colours(tmp_path):
    red, green, blue = (np.roll(np.eye(3, dtype="f4"), shift, 1) for shift in range(3))
    blue[2, 2] = np.nan
    file, picture = written(tmp_path, {"r": red, "g": green, "b": blue, "x": np.eye(2)}), tmp_path / "x.png"
    show = ["show", file, "--plain", "--force", "--range", "0,1", "--from-top", "-o", picture]
    run(*show, "--rgb", "r", "g", "b")
    shown = pixels(picture.read_bytes())
    assert shown[0].tolist() == [[255, 0, 0], [0, 255, 0], [0, 0, 255]] and shown[2, 2].tolist() == NAN
    refused(*show, "--rgb", "r", "g", "x", code=2, match="different shapes")
    refused(*show, "--rgb", "r", "g", code=2)


def test_large_images_are_averaged(tmp_path):
    data = np.arange(1000 * 600, dtype="f8").reshape(1000, 600)
    data[:10, :10] = np.nan
    file, picture = written(tmp_path, {"data": data}), tmp_path / "x.png"
    found = document("show", file, "--plain", "--size", "100", "--range", "0,599999", "--map", "grey", "-o", picture)
    assert found["method"] == "averaged" and found["elements_per_side"] == 10 and found["pixels"] == [100, 60]
    shown = pixels(picture.read_bytes())[::-1].astype(int)
    mean = data.reshape(100, 10, 60, 10).mean(axis=(1, 3))
    assert shown[0, 0].tolist() == NAN
    assert np.nanmax(abs(np.floor(mean / 599999 * 256) - shown[..., 0])[1:]) <= 1
    assert "a pixel is the mean of 10 x 10 elements" in output("show", file, "--size", "100", "-o", tmp_path / "y.png")


def sparse(path, side):
    """A file with an image of 32-bit floats that takes no room on the disk, and one pixel that is not 0."""
    tree = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
    tree += (
        f"data: !core/ndarray-1.0.0 {{source: 0, datatype: float32, byteorder: little, shape: [{side}, {side}]}}\n...\n"
    )
    size = side * side * 4
    header = b"\xd3BLK" + struct.pack(">HI4sQQQ16s", 48, 0, b"\0" * 4, size, size, size, b"\0" * 16)
    with path.open("wb") as file:
        file.write(tree.encode() + header)
        file.truncate(file.tell() + size)
    return path


def test_huge_images_are_sampled(tmp_path):
    file = sparse(tmp_path / "huge.asdf", 20_000)
    found = document("show", file, "--size", "200", "-o", tmp_path / "x.png")
    assert found["method"] == "sampled" and found["elements_per_side"] == 100 and found["pixels"] == [200, 200]
    # 200 rows of 80,000 bytes are read, of 20,000.
    assert found["bytes_read"] is None or found["bytes_read"] < 20_000_000
    text = output("show", file, env=PLAIN)
    assert "sampled: a pixel is one element of" in text and "read" in text
    assert document("show", file, "data[:500,:500]", env=PLAIN)["method"] == "averaged"


def test_terminals(tmp_path):
    file = written(tmp_path, {"data": np.arange(12.0).reshape(3, 4)})
    show = ["show", file, "--range", "minmax"]
    full = output(*show, env={**PLAIN, "COLORTERM": "truecolor"})
    assert "\x1b[38;2;" in full and "▀" in full and "shown: 0.0 to 11.0" in full
    assert "\x1b[38;5;" in output(*show, env={**PLAIN, "TERM": "xterm-256color"})
    basic = output(*show, env=PLAIN)
    assert "\x1b[3" in basic and ";2;" not in basic and ";5;" not in basic
    for none in ({"TERM": "dumb"}, {"NO_COLOR": "1"}):
        assert "\x1b" not in output(*show, env={**PLAIN, **none})
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in full.splitlines()]
    assert max(map(len, lines)) <= 80 and len(lines) <= 24
    kitty = output(*show, "--graphics", "kitty", env=PLAIN)
    assert kitty.startswith("\x1b_Ga=T,f=100") and "data [3, 4]" in kitty


def test_the_sky(tmp_path):
    with asdf.open(IMAGE) as opened:
        wcs = opened["wcs"]
        shape = wcs.array_shape or (2048, 2048)
        file = written(tmp_path, {"wcs": wcs, "data": np.zeros(shape, "u1")})
    picture = tmp_path / "x.svg"
    assert document("show", file, "data", "--size", "500", "-o", picture)["sky"] is True
    text = picture.read_text()
    assert ">right ascension<" in text and ">declination<" in text and ">N<" in text and ">E<" in text
    # A label stands where astropy finds its coordinate on the upper or the right edge.
    label, x = re.search(r'<text x="([\d.]+)"[^>]*>(\d+h\d\dm[\d.]*s?)<', text).group(2, 1)
    hours, minutes, seconds = (float(part or 0) for part in re.match(r"(\d+)h(\d+)m([\d.]*)", label).groups())
    longitude = 15 * (hours + minutes / 60 + seconds / 3600)
    left, _, width, _ = (
        float(part) for part in re.search(r'<image x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"', text).groups()
    )
    column = (float(x) - left) / width * shape[1] - 0.5
    edge = wcs(np.array([column]), np.array([shape[0] - 0.5]), with_bounding_box=False)[0][0]
    scale = abs(np.diff(wcs([0, shape[1]], [shape[0]] * 2, with_bounding_box=False)[0])[0]) / width
    assert abs((edge - longitude + 180) % 360 - 180) < 2 * scale
    run("show", file, "data", "--no-wcs", "--force", "-o", picture)
    assert "right ascension" not in picture.read_text()
    other = written(tmp_path, {"wcs": wcs, "data": np.zeros((3, 3))}, "other.asdf")
    assert document("show", other, "data")["sky"] is False


def test_charts(roman, table, tmp_path):
    chart = tmp_path / "x.svg"
    found = document("show", table, "flux", "-o", chart)
    assert found["y"] == "flux [mJy]" and found["x"] == "index" and found["values"] == 5
    text = chart.read_text()
    assert "flux [mJy]" in text and text.startswith("<svg") and "<path" in text
    run("show", table, "flux", "-x", "id", "--force", "-o", chart)
    assert chart.read_text().count("<circle") == 3
    run("show", table, "flux", "--as", "histogram", "--bins", "3", "--force", "-o", tmp_path / "x.png")
    assert pixels((tmp_path / "x.png").read_bytes()).shape == (500, 800, 3)
    assert document("show", roman, "roman/records/ra")["values"] == 6
    found = document("show", roman, "roman/records/ra", "-x", "id")
    assert (found["x"], found["y"]) == ("roman/records/id", "roman/records/ra")
    text = output("show", roman, "roman/packed", env=PLAIN)
    assert "999" in text and any(0x2801 <= ord(character) < 0x2900 for character in text)
    output("show", roman, "roman/data", "--as", "histogram", "--log-y", env=PLAIN)
    refused("show", table, "name", match="name")
    refused("show", table, "flux", "-x", "nothing", code=1, match="nothing")
    refused("show", roman, "roman/packed", "-x", "roman/flags", code=2, match="values")


def test_names_are_text(tmp_path):
    name = "</text><script>\x1b[31m"
    file, chart = written(tmp_path, {name: np.arange(5.0)}), tmp_path / "x.svg"
    path = name.replace("~", "~0").replace("/", "~1")
    run("show", file, path, "-o", chart)
    assert "<script" not in chart.read_text() and "\x1b" not in chart.read_text()
    assert "\x1b[31m" not in output("show", file, path, env=PLAIN)
