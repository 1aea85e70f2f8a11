"""Makes the files that the recipes read, with Python asdf, astropy and numpy: make_files.py DIRECTORY"""

import sys
from pathlib import Path

import asdf
import astropy.units as u
import numpy as np
from astropy.table import Table


def main(directory: Path) -> None:
    random = np.random.default_rng(20261123)
    cube = np.arange(3 * 8 * 8, dtype="float32").reshape(3, 8, 8)
    missing = np.zeros(cube.shape, bool)
    missing[1, :4] = True
    asdf.AsdfFile({"cube": np.ma.masked_array(cube, missing)}).write_to(directory / "cube.asdf")
    for number in range(2):
        image = np.full((64, 64), number, ">f4")
        image[-1, -1] = 10 + number
        asdf.AsdfFile({"data": image}).write_to(directory / f"tile{number}.asdf")
    meta = {"exposure": {"time": 139.8}, "telescope": "Roman"}
    image = random.normal(100.0, 1.0, (512, 512)).astype("float32")
    image[100:110, 100:110] = 7.0
    asdf.AsdfFile({"meta": meta, "data": image}).write_to(directory / "image.asdf")
    bad = np.zeros(image.shape, bool)
    bad[:2] = True
    asdf.AsdfFile({"data": np.ma.masked_array(image, bad)}).write_to(directory / "masked.asdf")
    stars = Table(
        {
            "source_id": np.arange(5000),
            "ra": random.uniform(40.0, 50.0, 5000) * u.deg,
            "dec": random.uniform(-5.0, 5.0, 5000) * u.deg,
            "phot_g_mean_mag": np.ma.masked_array(np.full(5000, 15.0), np.arange(5000) % 7 == 0),
        }
    )
    stars["phot_g_mean_mag"][4321] = 5.0
    stars.write(directory / "gaia.ecsv")
    curve = Table({"mjd": np.arange(0.0, 5.0, 0.25), "flux": np.ma.masked_array(np.arange(20.0), np.arange(20) == 3)})
    curve["flux"].unit = "mJy"
    curve.write(directory / "curve.ecsv")
    archive = directory / "archive"
    archive.mkdir()
    for number in range(3):
        asdf.AsdfFile({"meta": meta, "data": np.arange(1000 + number)}).write_to(archive / f"{number}.asdf")
    damaged = bytearray((archive / "1.asdf").read_bytes())
    damaged[-500] ^= 1
    (archive / "1.asdf").write_bytes(damaged)
    whole = (directory / "image.asdf").read_bytes()
    (directory / "cut.asdf").write_bytes(whole[: len(whole) // 2])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
