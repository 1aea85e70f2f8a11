"""The command with FITS files that have no ASDF: converted, looked at and compared. astropy writes and reads the files."""

import gzip
import os
import sys
from pathlib import Path

import asdf
import numpy as np
import pytest
from astropy import units as u
from astropy.coordinates import SkyCoord
from astropy.io import fits
from astropy.table import QTable
from astropy.time import Time
from astropy.wcs import WCS

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "command"))
from conftest import document, output, refused, run


@pytest.fixture
def plain(tmp_path):
    """Images of several types, a table, a compressed image, and world coordinates."""
    header = fits.Header([("OBJECT", "M 31", "a galaxy"), ("HIERARCH ESO INS MODE", "image"), ("EXPTIME", 12.5)])
    header["HISTORY"] = "made by a test"
    image = fits.ImageHDU(np.arange(12, dtype="f4").reshape(3, 4), name="SCI")
    for key, value in {"CTYPE1": "RA---TAN", "CTYPE2": "DEC--TAN", "CRPIX1": 2.0, "CRPIX2": 1.0}.items():
        image.header[key] = value
    for key, value in {"CRVAL1": 10.0, "CRVAL2": 41.0, "CDELT1": -1e-4, "CDELT2": 1e-4}.items():
        image.header[key] = value
    scaled = fits.ImageHDU(np.arange(6, dtype="i2"), name="SCALED")
    scaled.header["BSCALE"], scaled.header["BZERO"] = 0.5, 3.0
    rows = np.array([(1, 2.5, "a"), (2, -1.0, "bc")], [("n", "i4"), ("x", "f8"), ("t", "S4")])
    tiles = fits.CompImageHDU(np.arange(10_000, dtype="i4").reshape(100, 100), name="TILES")
    unsigned = fits.ImageHDU(np.array([0, 7, 65_535], "u2"), name="DQ", ver=2)
    path = tmp_path / "plain.fits"
    hdus = [fits.PrimaryHDU(header=header), image, unsigned, scaled, fits.BinTableHDU(rows, name="CAT"), tiles]
    fits.HDUList(hdus).writeto(path)
    return path


def test_there_and_back(plain, tmp_path):
    middle, back = tmp_path / "plain.asdf", tmp_path / "back.fits"
    run("convert", plain, middle)
    run("verify", "--strict", middle)
    run("convert", middle, back)
    assert back.read_bytes() == plain.read_bytes()
    assert fits.FITSDiff(str(plain), str(back)).identical
    with asdf.open(middle) as file:
        hdus = file["fits"]
        assert [hdu.name for hdu in hdus][1:] == ["SCI", "DQ", "SCALED", "CAT", "TILES"]
        np.testing.assert_array_equal(hdus["DQ", 2].data, np.array([0, 7, 65_535], "u2"))
        np.testing.assert_array_equal(hdus["SCALED"].data, np.arange(6) * 0.5 + 3)
        np.testing.assert_array_equal(hdus["TILES"].data, np.arange(10_000).reshape(100, 100))
        assert hdus[0].header["OBJECT"] == "M 31"


def test_a_packed_file_goes_back_and_replaces_another(plain, tmp_path):
    middle, back = tmp_path / "x.asdf", tmp_path / "x.fits"
    assert "recompress" in refused("convert", plain, middle, "--codec", "zstd", code=2)
    run("convert", plain, middle)
    run("recompress", middle, "--codec", "zstd")
    assert "exists" in refused("convert", plain, middle)
    run("convert", middle, back)
    assert "--force" in refused("convert", middle, back)
    back.write_bytes(b"old")
    back.chmod(0o640)
    run("convert", middle, back, "--force")
    assert back.read_bytes() == plain.read_bytes() and back.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plain.fits", "x.asdf", "x.fits"]


def test_fits_files_are_looked_at(plain):
    assert "float32" in output("info", plain)
    assert document("get", plain, "fits/0/header/4") == ["OBJECT", "M 31", "a galaxy"]
    assert output("get", plain, "fits/1/data[1, 2]").split()[-1].strip("[]") == "6.0"
    assert output("get", plain, "fits/2/data[2]").split()[-1].strip("[]") == "65535"
    assert output("get", plain, "fits/3/data[5]").split()[-1].strip("[]") == "5.5"
    assert output("get", plain, "fits/5/data[99, 99]").split()[-1].strip("[]") == "9999"
    assert "bc" in output("head", plain, "fits/4/data")
    np.testing.assert_allclose([float(number) for number in output("sky", plain, "1", "0").split()], [10, 41])


def test_a_fits_file_equals_its_asdf_form(plain, tmp_path):
    middle, other, changed = tmp_path / "x.asdf", tmp_path / "other.fits", tmp_path / "changed.fits"
    run("convert", plain, middle)
    assert output("diff", plain, middle) == ""
    assert output("diff", middle, plain) == ""
    other.write_bytes(plain.read_bytes())
    assert output("diff", plain, other) == ""
    with fits.open(plain) as hdus:
        hdus["SCI"].data[1, 1] = -1
        hdus.writeto(changed)
    assert "fits/1/data" in output("diff", plain, changed, code=1)
    assert "fits/1/data" in output("diff", middle, changed, code=1)


def test_streams_and_compressed_files(plain, tmp_path):
    packed, middle, back = tmp_path / "x.fits.gz", tmp_path / "x.asdf", tmp_path / "back.fits"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert output("get", packed, "fits/1/data[1, 2]").split()[-1].strip("[]") == "6.0"
    run("convert", packed, middle)
    run("convert", middle, back)
    assert back.read_bytes() == plain.read_bytes()
    stream = {"code": None, "text": False}
    content = run("convert", "-", "-", "--from", "fits", "--to", "asdf", stdin=plain.read_bytes(), **stream).stdout
    assert content.startswith(b"#ASDF")
    result = run("convert", "-", "-", "--from", "asdf", "--to", "plain-fits", stdin=content, **stream)
    assert (result.returncode, result.stdout) == (0, plain.read_bytes())
    packed.write_bytes(packed.read_bytes()[:-2000])
    assert refused("info", packed)


def test_any_tree_becomes_hdus_and_losses_are_told(tmp_path):
    source, plain, whole = tmp_path / "tree.asdf", tmp_path / "plain.fits", tmp_path / "whole.fits"
    asdf.AsdfFile(
        {
            "name": "x",
            "image": np.eye(3),
            "deep": {"list": [{"a": "b"}, [1, {}]], "complex": 1 + 2j, "many": {"x" * 90: "y" * 90}},
        }
    ).write_to(source)
    run("convert", source, whole)
    with fits.open(whole) as hdus:
        assert hdus[-1].name == "ASDF"
    result = run("convert", source, plain, "--to", "plain-fits", code=1)
    assert "not carried over" in result.stderr and "deep" in result.stderr
    run("convert", source, plain, "--to", "plain-fits", "--lossy", "--force")
    with fits.open(plain) as hdus:
        np.testing.assert_array_equal(hdus["IMAGE"].data, np.eye(3))
        assert hdus[0].header["NAME"] == "x"


def test_an_exploded_file_becomes_a_fits_file(tmp_path):
    """Blocks in files of their own are read, and the path of a missing one is told."""
    source, plain, whole = tmp_path / "tree.asdf", tmp_path / "plain.fits", tmp_path / "whole.fits"
    counts = np.arange(12, dtype="u2").reshape(3, 4)
    asdf.AsdfFile({"image": np.eye(50), "counts": counts}).write_to(source)
    (tmp_path / "parts").mkdir()
    exploded = tmp_path / "parts" / "tree.asdf"
    run("explode", source, "-o", exploded)
    assert len(list(exploded.parent.iterdir())) == 3
    run("convert", exploded, plain, "--to", "plain-fits")
    run("convert", exploded, whole)
    for path in (plain, whole):
        with fits.open(path) as hdus:
            np.testing.assert_array_equal(hdus["IMAGE"].data, np.eye(50))
            np.testing.assert_array_equal(hdus["COUNTS"].data, counts)
    for part in exploded.parent.glob("tree0*.asdf"):
        part.unlink()
    plain.unlink()
    whole.unlink()
    for arguments in (["--to", "plain-fits"], []):
        assert "tree0" in refused("convert", exploded, plain, *arguments) and not plain.exists()


def test_bytes_after_the_last_hdu_are_a_loss(plain, tmp_path):
    with plain.open("ab") as file:
        file.write(b"rest")
    assert "4 bytes" in run("convert", plain, tmp_path / "x.asdf", code=1).stderr
    run("convert", plain, tmp_path / "y.asdf", "--lossy")
    assert output("get", plain, "fits/2/data[1]").split()[-1].strip("[]") == "7"


def test_damaged_files_are_refused(plain, tmp_path):
    content = plain.read_bytes()
    for name, damaged in {
        "cut": content[:-5000],
        "no-end": content[:2000],
        "bitpix": content.replace(b"BITPIX  =                  -32", b"BITPIX  =                  -31"),
    }.items():
        path = tmp_path / f"{name}.fits"
        path.write_bytes(damaged)
        for call in (["info", path], ["convert", path, tmp_path / f"{name}.asdf"]):
            assert "HDU" in refused(*call), name
        assert not (tmp_path / f"{name}.asdf").exists()
    # Tiles that cannot be decoded are found when they are read.
    damaged = tmp_path / "tiles.fits"
    damaged.write_bytes(content[:-2880] + bytes([255]) * 2880)
    assert "compressed image" in refused("get", damaged, "fits/5/data")


def test_without_the_library_the_message_says_what_to_install(plain, tmp_path):
    env = {"ASDFKIT_FORMATS": str(tmp_path / "none.so")}
    for call in (["info", plain], ["get", plain, "fits"], ["convert", plain, tmp_path / "x.asdf"]):
        message = refused(*call, env=env)
        assert "make install-formats" in message and "none.so" in message
    env = {"ASDFKIT_LIBRARY": str(tmp_path / "none.so"), "LD_LIBRARY_PATH": ""}
    if not list(Path(os.environ["ASDFKIT_FORMATS"]).parent.glob("libasdfkit.so*")):
        assert "ASDFKIT_LIBRARY" in refused("info", plain, env=env)


def test_compressed_images_of_products_are_decoded(tmp_path):
    """An ASDF tree in a FITS file names tile-compressed images, as stdatamodels writes them."""
    random = np.random.default_rng(3)
    counts = random.integers(0, 60_000, (50, 70)).astype("u2")
    floats = random.normal(size=(2, 40, 30)).astype("f4")
    tree = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
    node = "!core/ndarray-1.0.0 {{source: 'fits:{},1', datatype: {}, byteorder: big, shape: {}}}\n"
    tree += (
        "counts: " + node.format("COUNTS", "uint16", [50, 70]) + "floats: " + node.format("F", "float32", [2, 40, 30])
    )
    content = (tree + "...\n").encode()
    column = fits.Column("ASDF_METADATA", f"{len(content)}B", array=np.frombuffer(content, "u1")[np.newaxis])
    tiles = [
        fits.CompImageHDU(counts, name="COUNTS", compression_type="RICE_1", tile_shape=(10, 20)),
        fits.CompImageHDU(floats, name="F", compression_type="GZIP_2", quantize_level=0),
    ]
    path = tmp_path / "product.fits"
    fits.HDUList([fits.PrimaryHDU(), *tiles, fits.BinTableHDU.from_columns([column], name="ASDF")]).writeto(path)
    out = tmp_path / "x.npy"
    for name, expected in {"counts": counts, "floats": floats}.items():
        run("get", path, name, "--as", "npy", "-o", out)
        found = np.load(out)
        assert found.dtype.newbyteorder("=") == expected.dtype
        np.testing.assert_array_equal(found, expected)
        out.unlink()
    run("convert", path, tmp_path / "product.asdf")
    with asdf.open(tmp_path / "product.asdf") as file:
        np.testing.assert_array_equal(file["counts"], counts)
    message = refused("get", path, "counts", env={"ASDFKIT_FORMATS": str(tmp_path / "none.so")})
    assert "make install-formats" in message


def test_arrays_in_other_fits_files(tmp_path):
    """A dataset as DKIST lays it out: an ASDF file that names an HDU with tiles in each of many FITS files."""
    frames = [np.arange(600, dtype="i2").reshape(20, 30) + number for number in range(3)]
    lines = []
    for number, frame in enumerate(frames):
        path = tmp_path / "frames" / f"{number}.fits"
        path.parent.mkdir(exist_ok=True)
        image = fits.CompImageHDU(frame, compression_type="RICE_1")
        fits.HDUList([fits.PrimaryHDU(), image]).writeto(path)
        node = f"fileuri: frames/{number}.fits, target: 1, datatype: int16, shape: [20, 30]"
        lines.append(f"- !core/externalarray-1.0.0 {{{node}}}\n")
    tree = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\nframes:\n"
    path, out = tmp_path / "dataset.asdf", tmp_path / "frame.npy"
    path.write_text(tree + "".join(lines) + "...\n")
    assert "int16" in output("info", path)
    for number, frame in enumerate(frames):
        run("get", path, f"frames/{number}", "--as", "npy", "-o", out)
        np.testing.assert_array_equal(np.load(out), frame)
        out.unlink()
    (tmp_path / "frames" / "1.fits").unlink()
    assert "1.fits" in refused("get", path, "frames/1")


def test_the_sky_behind_images_of_fits_files(plain, tmp_path):
    """Each image has the grid of its own cards, in a FITS file and in a tree with the tag fits/fits of another writer."""
    other = tmp_path / "other.asdf"
    with fits.open(plain) as hdus:
        wcs = WCS(naxis=2)
        wcs.wcs.ctype, wcs.wcs.crval, wcs.wcs.cdelt, wcs.wcs.crpix = (
            ["RA---TAN", "DEC--TAN"],
            [80, -30],
            [-0.1, 0.1],
            [2, 2],
        )
        hdus.append(fits.ImageHDU(np.eye(9), wcs.to_header(), name="FAR"))
        hdus.writeto(tmp_path / "two.fits")
        asdf.AsdfFile({"fits": fits.HDUList([fits.PrimaryHDU(), hdus["FAR"].copy()])}).write_to(other)
    for path, node in {tmp_path / "two.fits": "fits/6/data", other: "fits/1/data"}.items():
        assert document("show", path, node, "-o", tmp_path / "sky.png", "--force")["sky"] is True, path
    assert document("show", tmp_path / "two.fits", "fits/5/data", "-o", tmp_path / "sky.png", "--force")["sky"] is False


def test_keywords_and_messages_of_headers(plain):
    assert output("get", plain, "fits/0/header/OBJECT") == "M 31\n"
    assert "/fits/1/header/CRVAL1: 10.0 (float)" in output("find", plain, "--key", "*crval1")
    assert output("find", plain, "--value", "M 31") == "/fits/0/header/OBJECT: M 31 (string)\n"
    assert "\n        OBJECT: M 31 (string)\n" in output("info", plain)
    assert output("get", plain, "fits/4/data/n") == "1 2\n"
    lines = output(
        "table", "-k", "fits/0/header/OBJECT", "-k", "fits/0/header/EXPTIME", plain, "--as", "csv"
    ).splitlines()
    assert lines[1] == f"{plain},M 31,12.5"
    message = refused("get", plain, "OBJECT", code=1)
    # There is no text with lines in the file.
    assert message == f"asdfkit: {plain}: at the root: the mapping has no key 'OBJECT'\n"


def test_quantities_and_times_of_a_table_become_columns(tmp_path):
    table = QTable({"a": np.arange(3.0) * u.km, "b": [1, 2, 3], "c": Time(["2027-01-31T00:00:00"] * 3)})
    asdf.AsdfFile({"t": table}).write_to(tmp_path / "t.asdf")
    run("convert", tmp_path / "t.asdf", tmp_path / "t.fits", "--to", "plain-fits")
    found = QTable.read(tmp_path / "t.fits")
    assert found["a"].unit == u.km and found["a"].value.tolist() == [0, 1, 2] and found["b"].tolist() == [1, 2, 3]
    assert found["c"][0] == "2027-01-31T00:00:00.000"
    # One column that FITS does not hold is no reason to lose the others.
    table["d"] = SkyCoord([1, 2, 3] * u.deg, [4, 5, 6] * u.deg)
    table["e"] = Time([1.0, 2.0, 3.0], format="unix", scale="tai")
    asdf.AsdfFile({"t": table}).write_to(tmp_path / "t.asdf")
    result = run("convert", tmp_path / "t.asdf", tmp_path / "u.fits", "--to", "plain-fits", code=1)
    assert "t/d: the column is not written" in result.stderr and "t/e: scale, format" in result.stderr
    assert QTable.read(tmp_path / "u.fits").colnames == ["a", "b", "c", "e"]
