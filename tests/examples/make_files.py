"""Makes the files that the programs of a folder read: make_files.py FOLDER DIRECTORY

Those of the recipes and of Python come from Python asdf, astropy and numpy.
"""

import os
import shutil
import sys
from pathlib import Path

import asdf
import asdfkit
import astropy.units as u
import numpy as np
from astropy.table import Table

DATA = Path(os.environ["ASDFKIT_SOURCE"]) / "examples-c"
SMALL_FILES = {
    "broken.asdf": "#ASDF 1.0.0\n--- [\n...\n",
    "wrong.ecsv": "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: name, datatype: string}\n# - {name: flux, datatype: int8}\n"
    "name flux\na 300\n",
    "wrong.yaml": "ndarrays:\n  a: {shape: [1], type: int8, value: [300]}\n",
    "untyped.yaml": "ndarrays: {a: {shape: [2]}}\n",
    "large.yaml": "ndarrays: {a: {shape: [2], type: {opaque: {size: 2147483648}}}}\n",
    "unreadable.yaml": "ndarrays: [\n",
    "reference.yaml": "ndarrays: {r: {shape: [2], type: objref}}\n",
    "promise.yaml": "ndarrays:\n  data:\n    shape: [512, 512]\n    type: float32\n",
}


def image(directory: Path) -> None:
    """Makes image.asdf, whose block is aligned for a view in C++."""
    file = asdfkit.new()
    file["meta/exposure/time"] = 139.8
    file["data"] = np.arange(512 * 512, dtype="float32").reshape(512, 512)
    file.write(directory / "image.asdf")


def python(directory: Path) -> None:
    """Makes an image, one with the tree of a Roman image, and a catalogue as Python asdf writes those of the telescope."""
    pixels = np.arange(512 * 512, dtype="float32").reshape(512, 512)
    asdf.AsdfFile({"meta": {"exposure": {"time": 139.8}}, "data": pixels}).write_to(directory / "image.asdf")
    quality = np.zeros((512, 512), "uint32")
    quality[100, 200] = 1
    roman = {"meta": {"instrument": {"detector": "WFI01"}}, "data": pixels, "dq": quality}
    asdf.AsdfFile({"roman": roman}).write_to(directory / "roman.asdf", all_array_compression="lz4")
    table = Table({"label": [1, 2, 3], "kron_flux": [0.5, 2.25, 4.0]})
    table["kron_flux"].unit = "nJy"
    asdf.AsdfFile({"roman": {"source_catalog": table}}).write_to(directory / "sources.asdf")
    table.write(directory / "sources.ecsv", format="ascii.ecsv")


def recipes(directory: Path) -> None:
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


def main(folder: str, directory: Path) -> None:
    directory.mkdir(parents=True)
    for name in ("quickstart.asdf", "catalogue.ecsv", "model.yaml"):
        shutil.copy(DATA / name, directory)
    for name, text in SMALL_FILES.items():
        (directory / name).write_text(text)
    {"python": python, "recipes": recipes}.get(folder, image)(directory)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
