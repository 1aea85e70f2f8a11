"""Compares the files that the recipes wrote with what numpy and astropy compute: check_files.py DIRECTORY"""

import sys
from pathlib import Path

import asdf
import numpy as np
from astropy.table import Table


def main(directory: Path) -> None:
    with asdf.open(directory / "masked.asdf") as file, asdf.open(directory / "sky.asdf") as found:
        image = file["data"]
        image = np.ma.masked_array(np.asarray(image), np.ma.getmaskarray(image))
        image[:2] = np.ma.masked
        sky = np.ma.median(image)
        assert abs(found["meta"]["sky"] - sky) < 1e-5, (found["meta"]["sky"], sky)
        assert np.ma.getmaskarray(found["data"]).sum() == 1024
        assert np.allclose(np.asarray(found["data"])[2:], np.asarray(image)[2:] - np.float32(sky), atol=1e-4)
    with asdf.open(directory / "orbits.asdf") as file:
        positions = file["positions"]
        assert positions.shape[1:] == (4, 3) and positions.shape[0] in (100, 101)
        assert np.allclose(positions[10, 1], [2 * np.cos(0.1), 2 * np.sin(0.1), 0])
    curve, bins = Table.read(directory / "curve.ecsv"), Table.read(directory / "bins.ecsv")
    assert bins["flux"].unit == "mJy" and len(bins) == 5
    for day, flux in bins:
        assert np.isclose(flux, curve["flux"][np.floor(curve["mjd"]) == day].mean())
    stars, field = Table.read(directory / "gaia.ecsv"), Table.read(directory / "field.ecsv")
    wanted = stars[(abs(stars["ra"] - 45) < 1) & (abs(stars["dec"]) < 1)]
    assert list(field["source_id"]) == list(wanted["source_id"]) and field["ra"].unit == "deg"
    assert np.ma.getmaskarray(field["phot_g_mean_mag"]).sum() == np.ma.getmaskarray(wanted["phot_g_mean_mag"]).sum()
    for name in ("archive/0.asdf", "archive/2.asdf"):
        with asdf.open(directory / name) as file:
            assert file["meta"]["exposure"]["time"] == 140.5 and len(file["history"]["entries"]) == 1
    with asdf.open(directory / "exploded/whole.asdf") as whole, asdf.open(directory / "image.asdf") as image:
        assert np.array_equal(whole["data"], image["data"])
    with asdf.open(directory / "recovered.asdf") as file:
        assert file["meta"]["telescope"] == "Roman"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
