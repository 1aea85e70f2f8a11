"""Comparisons of the files that the examples write with what Python asdf, numpy and astropy read and compute.

Each function takes the folder of the files and the output of the program.
"""

import re
from pathlib import Path

import asdf
import numpy as np
import pyarrow.parquet
from astropy.table import Table


def pixels(directory: Path, _: str) -> None:
    with asdf.open(directory / "quickstart.asdf") as file:
        assert np.array_equal(np.load(directory / "data.npy"), file["data"])


def exposure(directory: Path, _: str) -> None:
    with asdf.open(directory / "exposure.asdf") as file:
        assert file["meta"]["exposure"]["time"] == 139.8 and file["data"].shape == (4, 6)
        assert file.get_array_compression(file["data"]) == "zlib"


def gap(_: Path, output: str) -> None:
    lines = output.splitlines()
    assert lines[0] == "flux" and "" in lines, lines


def copy(directory: Path, _: str) -> None:
    with asdf.open(directory / "copy.asdf") as file:
        assert file["meta"]["telescope"] == "Roman"
        assert np.array_equal(file["data"], np.arange(512 * 512, dtype="float32").reshape(512, 512))


def parquet(directory: Path, _: str) -> None:
    for path in directory.glob("*.parquet"):
        found = pyarrow.parquet.read_table(path)
        assert found.to_pydict() == {"label": [1, 2, 3], "kron_flux": [0.5, 2.25, 4.0]}, found
        assert found.schema.field("kron_flux").metadata[b"ecsv:unit"] == b"nJy"


def recovered(directory: Path, _: str) -> None:
    with asdf.open(directory / "recovered.asdf") as file:
        assert file["meta"]["telescope"] == "Roman"


def orbits(directory: Path, _: str) -> None:
    with asdf.open(directory / "orbits.asdf") as file:
        positions = file["positions"]
        assert positions.shape[1:] == (4, 3) and positions.shape[0] in (100, 101)
        assert np.allclose(positions[10, 1], [2 * np.cos(0.1), 2 * np.sin(0.1), 0])


def damaged_file_named(_: Path, output: str) -> None:
    assert re.search(r"archive/1\.asdf.*checksum", output), output


def corrected(directory: Path, _: str) -> None:
    for name in ("archive/0.asdf", "archive/2.asdf"):
        with asdf.open(directory / name) as file:
            assert file["meta"]["exposure"]["time"] == 140.5 and len(file["history"]["entries"]) == 1


def brightest(directory: Path, told: str) -> None:
    with asdf.open(directory / "image.asdf") as file:
        image = np.array(file["data"])
    rows, columns = np.nonzero(image > (image.mean() + image.max()) / 2)
    assert [line.split(":")[0] for line in told.splitlines()] == [
        f"{row},{column}" for row, column in zip(rows, columns)
    ]


def averaged(directory: Path, _: str) -> None:
    images = []
    for name in ("field0.asdf", "field1.asdf"):
        with asdf.open(directory / name) as file:
            images.append(np.array(file["data"]))
    assert np.allclose(np.load(directory / "mean.npy"), np.mean(images, axis=0))


def field(directory: Path, _: str) -> None:
    stars, found = Table.read(directory / "gaia.ecsv"), Table.read(directory / "field.ecsv")
    wanted = stars[(abs(stars["ra"] - 45) < 1) & (abs(stars["dec"]) < 1)]
    assert list(found["source_id"]) == list(wanted["source_id"]) and found["ra"].unit == "deg"
    assert np.ma.getmaskarray(found["phot_g_mean_mag"]).sum() == np.ma.getmaskarray(wanted["phot_g_mean_mag"]).sum()


def packed(directory: Path, _: str) -> None:
    with asdf.open(directory / "exploded/whole.asdf") as whole, asdf.open(directory / "image.asdf") as image:
        assert np.array_equal(whole["data"], image["data"])


def little_fetched(_: Path, output: str) -> None:
    assert int(re.search(r" (\d+) of \d+ bytes", output)[1]) < 2_000_000, output


def sky(directory: Path, _: str) -> None:
    with asdf.open(directory / "masked.asdf") as file, asdf.open(directory / "sky.asdf") as found:
        image = file["data"]
        image = np.ma.masked_array(np.asarray(image), np.ma.getmaskarray(image))
        image[:2] = np.ma.masked
        median = np.ma.median(image)
        assert abs(found["meta"]["sky"] - median) < 1e-5, (found["meta"]["sky"], median)
        assert np.ma.getmaskarray(found["data"]).sum() == 1024
        assert np.allclose(np.asarray(found["data"])[2:], np.asarray(image)[2:] - np.float32(median), atol=1e-4)


def bins(directory: Path, _: str) -> None:
    curve, found = Table.read(directory / "curve.ecsv"), Table.read(directory / "bins.ecsv")
    assert found["flux"].unit == "mJy" and len(found) == 5
    for day, flux in found:
        assert np.isclose(flux, curve["flux"][np.floor(curve["mjd"]) == day].mean())


def cut_outs(directory: Path, _: str) -> None:
    with asdf.open(directory / "cutouts.asdf") as file:
        for cutout in file["cutouts"]:
            with asdf.open(directory / cutout["file"]) as image:
                (left, top), (x, y) = cutout["corner"], cutout["pixel"]
                height, width = cutout["data"].shape
                assert np.array_equal(cutout["data"], image["data"][top : top + height, left : left + width])
                found = image["meta"]["wcs"](x + left, y + top)
                assert np.allclose(found, (45.01, 0.51), rtol=0, atol=1e-10)
                assert np.allclose(cutout["wcs"](x, y), found, rtol=0, atol=1e-11)


def overlaid(directory: Path, output: str) -> None:
    stars = Table.read(directory / "gaia.ecsv")
    with asdf.open(directory / "field0.asdf") as file:
        for line in output.splitlines():
            number, x, y = line.split()
            found = file["meta"]["wcs"](float(x), float(y))
            assert np.allclose(found, (stars["ra"][int(number)], stars["dec"][int(number)]), rtol=0, atol=1e-6)


def footprints(directory: Path, output: str) -> None:
    head, *lines = output.splitlines()
    assert head == "# Region file format: DS9" and len(lines) == 2
    with asdf.open(directory / "field1.asdf") as file:
        corners = [float(number) for number in re.findall(r"-?\d+\.\d+", lines[1].split("#")[0])]
        assert np.allclose(corners, file["meta"]["wcs"].footprint(center=False).ravel(), rtol=0, atol=1e-7)
