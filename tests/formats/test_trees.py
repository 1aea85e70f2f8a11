"""Edited trees, trees of other programs, and damaged files. Usage: test_trees.py DIRECTORY"""

import sys
import traceback
import warnings
from pathlib import Path

import asdf
import astropy.units as u
import numpy as np
from astropy.io import fits
from astropy.table import Table
from astropy.wcs import WCS
from formats_library import ConversionError, asdf_to_fits, fits_to_asdf

FOLDER = Path(sys.argv[1])


def paths(name):
    """Names of the three files of a test, none of which exists."""
    found = [FOLDER / f"{name}.{end}" for end in ("fits", "asdf", "again.fits")]
    for path in found:
        path.unlink(missing_ok=True)
    return found


def edited(name, hdus, edit, **write):
    """Converts a list, edits the tree by Python asdf without asdf-astropy's classes, and converts back."""
    path, between, again = paths(name)
    fits.HDUList(hdus).writeto(path, **write)
    fits_to_asdf(path, between)
    with asdf.config_context() as settings:
        for extension in settings.extensions:
            if "astropy" in str(extension.extension_uri) or "astronomy" in str(extension.extension_uri):
                settings.remove_extension(extension)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = asdf.open(between, memmap=False)
            tree.tree["fits"]
            edit(tree.tree)
            edited_path = between.with_suffix(".edited.asdf")
            tree.write_to(edited_path)
    return path, again, asdf_to_fits(edited_path, again)


def test_edited_cards():
    header = fits.Header([("A", 1, "one"), ("HIERARCH ESO DET", 2), ("B", 2.5), ("C", "x" * 100), ("D", True)])

    def edit(tree):
        cards = tree["fits"][0]["header"]
        cards[[card[0] for card in cards if card].index("A")][1] = 7
        cards.append(["NEW", "text", "a new one"])
        del cards[[card[0] for card in cards if card].index("B")]

    _, again, report = edited("cards", [fits.PrimaryHDU(header=header)], edit, checksum=True)
    assert not [text for is_loss, text in report if is_loss], report
    with fits.open(again, checksum=True) as found:
        cards = found[0].header
        assert (cards["A"], cards["NEW"], cards["ESO DET"], cards["C"], cards["D"]) == (7, "text", 2, "x" * 100, True)
        assert cards.comments["A"] == "one" and "B" not in cards
        assert found[0].verify_checksum() == 1 and found[0].verify_datasum() == 1


def test_edited_image():
    image = fits.ImageHDU(np.arange(12, dtype="i2").reshape(3, 4), name="SCI")

    def edit(tree):
        tree["fits"][1]["data"] = np.linspace(0, 1, 10).reshape(2, 5)

    _, again, _ = edited("image", [fits.PrimaryHDU(), image], edit)
    with fits.open(again) as found:
        assert np.array_equal(found[1].data, np.linspace(0, 1, 10).reshape(2, 5))
        assert found[1].header["BITPIX"] == -64 and found[1].name == "SCI"


def test_edited_scaled_image():
    image = fits.ImageHDU(np.arange(12, dtype="i2").reshape(3, 4), name="SCI")
    image.header["BSCALE"] = 0.5

    def edit(tree):
        tree["fits"][1]["data"] = np.array(tree["fits"][1]["data"]) + np.float32(0.25)

    _, again, _ = edited("scaled", [fits.PrimaryHDU(), image], edit)
    with fits.open(again) as found:
        assert np.array_equal(found[1].data, np.arange(12, dtype="f4").reshape(3, 4) * 0.5 + 0.25)


def test_edited_compressed_image():
    data = np.arange(400, dtype="i4").reshape(20, 20)

    def edit(tree):
        tree["fits"][1]["data"] = np.array(tree["fits"][1]["data"]) * 2

    hdus = [fits.PrimaryHDU(), fits.CompImageHDU(data, name="SCI")]
    _, again, report = edited("compressed", hdus, edit)
    assert any("without compression" in text for _, text in report)
    with fits.open(again) as found:
        assert np.array_equal(found[1].data, data * 2) and found[1].name == "SCI"

    def keep(tree):
        tree["fits"][1]["header"].append(["NEW", 3])

    _, again, _ = edited("compressed_card", hdus, keep)
    with fits.open(again) as found:
        assert isinstance(found[1], fits.CompImageHDU) and found[1].header["NEW"] == 3
        assert np.array_equal(found[1].data, data)


def test_edited_table():
    columns = [
        fits.Column("a", "J", array=[1, 2, 3]),
        fits.Column("s", "5A", array=["x", "yy", "z"]),
        fits.Column("f", "D", unit="m", disp="F8.3", array=[0.5, 1.5, 2.5]),
    ]

    def edit(tree):
        column = tree["fits"][1]["data"]["columns"][0]
        column["data"] = np.array([7, 8, 9], "i4")

    _, again, _ = edited("table", [fits.PrimaryHDU(), fits.BinTableHDU.from_columns(columns)], edit)
    with fits.open(again) as found:
        assert list(found[1].data["a"]) == [7, 8, 9] and list(found[1].data["s"]) == ["x", "yy", "z"]
        assert found[1].columns["f"].unit == "m" and found[1].columns["f"].disp == "F8.3"

    def new_column(tree):
        table = tree["fits"][1]["data"]
        columns = table["columns"]
        columns.append(asdf.tagged.TaggedDict({"name": "n", "data": np.array([1.0, 2, 3])}, columns[0]._tag))

    _, again, _ = edited("table_column", [fits.PrimaryHDU(), fits.BinTableHDU.from_columns(columns)], new_column)
    with fits.open(again) as found:
        assert list(found[1].data["n"]) == [1, 2, 3] and list(found[1].data["a"]) == [1, 2, 3]


def test_list_of_python():
    """A list that asdf-astropy wrote, without cards."""
    path, between, again = paths("python")
    header = fits.Header([("EXPTIME", 12.5, "s"), ("OBJECT", "M 31")])
    hdus = [
        fits.PrimaryHDU(header=header),
        fits.ImageHDU(np.arange(6, dtype="u2").reshape(2, 3), name="SCI"),
        fits.BinTableHDU(Table({"a": [1, 2], "b": ["x", "yyy"], "c": np.array([[1.5, 2], [3, 4]])}), name="TAB"),
    ]
    fits.HDUList(hdus).writeto(path)
    with fits.open(path) as opened:
        asdf.AsdfFile({"hdus": opened}).write_to(between)
    report = asdf_to_fits(between, again)
    assert not [text for is_loss, text in report if is_loss], report
    with fits.open(path) as one, fits.open(again) as other:
        assert [hdu.name for hdu in other] == ["PRIMARY", "SCI", "TAB"]
        assert np.array_equal(one[1].data, other[1].data) and other[0].header["EXPTIME"] == 12.5
        assert list(other[2].data["b"]) == ["x", "yyy"] and np.array_equal(other[2].data["c"], [[1.5, 2], [3, 4]])


def test_any_tree():
    _, between, again = paths("tree")
    tree = {
        "meta": {
            "telescope": "Roman",
            "exposure": {"start_time_of_it": 59000.5, "count": 3},
            "flag": True,
            "none": None,
        },
        "data": np.arange(12, dtype="f4").reshape(3, 4),
        "err": np.arange(12, dtype="u4").reshape(3, 4),
        "wave": np.linspace(1, 2, 5) * u.um,
        "exptime": 12.5 * u.s,
        "cplx": np.array([1j, 2]),
        "masked": np.ma.masked_array([1.0, 2.0], [False, True]),
        "names": np.array(["a", "bcd"]),
        "table": Table({"a": [1, 2], "m": [1.5, 2.5]}),
        "long": "it's " * 40,
        "words": ["one", "two"],
    }
    asdf.AsdfFile(tree).write_to(between)
    report = asdf_to_fits(between, again)
    with fits.open(again) as found:
        found.verify("exception")
        primary = found[0].header
        assert primary["HIERARCH META TELESCOPE"] == "Roman" and primary["COUNT"] == 3, primary
        assert primary["HIERARCH META EXPOSURE START_TIME_OF_IT"] == 59000.5
        assert primary["LONG"].strip() == ("it's " * 40).strip() and primary["EXPTIME"] == 12.5
        assert primary["HIERARCH WORDS 1"] == "two"
        assert np.array_equal(found["DATA"].data, tree["data"]) and np.array_equal(found["ERR"].data, tree["err"])
        assert np.array_equal(found["CPLX"].data["data"], tree["cplx"])
        assert np.isnan(found["MASKED"].data[1]) and list(found["NAMES"].data["data"]) == ["a", "bcd"]
        assert list(found["TABLE"].data["m"]) == [1.5, 2.5] and found["WAVE"].header["BUNIT"] == "um"
    assert not [text for is_loss, text in report if is_loss], report


def test_coordinates():
    path, between, again = paths("wcs")
    world = WCS(naxis=2)
    world.wcs.ctype = "RA---TAN", "DEC--TAN"
    world.wcs.crval, world.wcs.crpix, world.wcs.cdelt = (10, 20), (50, 40), (-1e-4, 1e-4)
    image = fits.PrimaryHDU(np.zeros((80, 100), "f4"), header=world.to_header())
    image.writeto(path)
    fits_to_asdf(path, between)
    import gwcs  # noqa: F401  # its classes are needed to read the coordinates

    with asdf.open(between) as tree:
        made = tree["wcs"][0]
        assert np.allclose(made(10, 20), world.pixel_to_world_values(10, 20), atol=1e-10)
        asdf.AsdfFile({"roman": {"meta": {"wcs": made}, "data": np.zeros((80, 100), "f4")}}).write_to(FOLDER / "w.asdf")
    report = asdf_to_fits(FOLDER / "w.asdf", again)
    assert not [text for is_loss, text in report if is_loss], report
    with fits.open(again) as found:
        read = WCS(found[1].header)
        assert np.allclose(read.pixel_to_world_values(10, 20), world.pixel_to_world_values(10, 20), atol=1e-8)


def test_damage():
    """Damaged files are refused or read, and never end the process."""
    path, between, again = paths("damage")
    columns = [
        fits.Column("v", "PJ()", array=np.array([[1, 2], [3], []], dtype=object)),
        fits.Column("a", "3E", array=np.ones((3, 3))),
    ]
    hdus = [
        fits.PrimaryHDU(np.arange(6, dtype="i2")),
        fits.BinTableHDU.from_columns(columns),
        fits.CompImageHDU(np.arange(100, dtype="i4").reshape(10, 10)),
    ]
    fits.HDUList(hdus).writeto(path)
    whole = path.read_bytes()
    random = np.random.default_rng(1)
    for number in range(400):
        damaged = bytearray(whole)
        if number % 4 == 0:
            del damaged[random.integers(len(damaged)) :]
        for _ in range(random.integers(1, 4)):
            if damaged:
                damaged[random.integers(len(damaged))] = random.integers(256)
        path.write_bytes(damaged)
        between.unlink(missing_ok=True)
        again.unlink(missing_ok=True)
        try:
            fits_to_asdf(path, between)
            asdf_to_fits(between, again)
        except ConversionError as error:
            assert error.args[0] != "ASDF_ERR_INTERNAL", error
            continue
    descriptor = whole.index(b"\x00\x00\x00\x02\x00\x00\x00\x00")
    path.write_bytes(whole[:descriptor] + b"\x7f\xff\xff\xff" + whole[descriptor + 4 :])
    between.unlink(missing_ok=True)
    try:
        fits_to_asdf(path, between)
    except ConversionError as error:
        assert error.args[0] == "ASDF_ERR_CORRUPT" and f"byte {descriptor}" in error.args[1], error
    else:
        raise AssertionError("a cell outside the heap was read")


def main():
    """Runs all tests."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    tests = [function for name, function in globals().items() if name.startswith("test_")]
    failed = 0
    for test in tests:
        try:
            test()
        except Exception:
            failed += 1
            print(f"FAILED {test.__name__}")
            traceback.print_exc(file=sys.stdout)
    print(f"{len(tests) - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
