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
# An image of 100 * 50 pixels of 3.6 arc seconds, with a position on the sky at its pixel (10, 20).
CAMERA = """#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
meta:
  wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>
    name: camera
    pixel_shape: [100, 50]
    steps:
    - !<tag:stsci.edu:gwcs/step-1.1.0>
      frame: !<tag:stsci.edu:gwcs/frame2d-1.0.0>
        {axes_names: [x, y], axes_order: [0, 1], name: detector, unit: [pixel, pixel]}
      transform: !transform/compose-1.3.0
        bounding_box: [[-0.5, 49.5], [-0.5, 99.5]]
        forward:
        - !transform/concatenate-1.3.0
          forward: [!transform/shift-1.2.0 {offset: -10.0}, !transform/shift-1.2.0 {offset: -20.0}]
        - !transform/compose-1.3.0
          forward:
          - !transform/concatenate-1.3.0
            forward: [!transform/scale-1.2.0 {factor: -1.0e-3}, !transform/scale-1.2.0 {factor: 1.0e-3}]
          - !transform/compose-1.3.0
            forward:
            - !transform/gnomonic-1.2.0 {direction: pix2sky}
            - !transform/rotate3d-1.3.0 {direction: native2celestial, phi: RA, theta: DEC, psi: 180.0}
    - !<tag:stsci.edu:gwcs/step-1.1.0>
      frame: !<tag:stsci.edu:gwcs/celestial_frame-1.0.0>
        axes_names: [ra, dec]
        axes_order: [0, 1]
        name: sky
        reference_frame: !<tag:astropy.org:astropy/coordinates/frames/icrs-1.1.0> {frame_attributes: {}}
        unit: [deg, deg]
...
"""
SMALL_FILES = {
    "camera.asdf": CAMERA.replace("RA", "150.0").replace("DEC", "30.0"),
    "broken.asdf": "#ASDF 1.0.0\n--- [\n...\n",
    "wrong.ecsv": "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: name, datatype: string}\n# - {name: flux, datatype: int8}\n"
    "name flux\na 300\n",
    "times.ecsv": "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: start, datatype: string}\n# meta:\n"
    "#   __serialized_columns__:\n#     start: {__class__: astropy.time.core.Time, format: isot, scale: utc,\n"
    "#       value: !astropy.table.SerializedColumn {name: start}}\n# schema: astropy-2.0\n"
    'start\n2027-01-31T04:05:06.700\n""\n',
    "targets.asdf": """#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
targets: !<tag:astropy.org:astropy/coordinates/skycoord-1.0.0>
  frame: icrs
  ra: !<tag:astropy.org:astropy/coordinates/longitude-1.2.0>
    unit: !unit/unit-1.0.0 deg
    value: !core/ndarray-1.1.0 [83.8221, 201.365]
    wrap_angle: !<tag:astropy.org:astropy/coordinates/angle-1.2.0> {unit: !unit/unit-1.0.0 deg, value: 360.0}
  dec: !<tag:astropy.org:astropy/coordinates/latitude-1.2.0>
    unit: !unit/unit-1.0.0 arcmin
    value: !core/ndarray-1.1.0 [-323.4666, -2581.1400]
...
""",
    "wrong.yaml": "ndarrays:\n  a: {shape: [1], type: int8, value: [300]}\n",
    "untyped.yaml": "ndarrays: {a: {shape: [2]}}\n",
    "large.yaml": "ndarrays: {a: {shape: [2], type: {opaque: {size: 2147483648}}}}\n",
    "unreadable.yaml": "ndarrays: [\n",
    "reference.yaml": "ndarrays: {r: {shape: [2], type: objref}}\n",
    "empty.txt": "SIMPLE  =                    T\nEND\n",
    "header.txt": "NAXIS   = 2\nNAXIS1  = 64\nNAXIS2  = 48\nCTYPE1  = 'RA---TAN'\nCTYPE2  = 'DEC--TAN'\nCRPIX1  = 21\n"
    "CRPIX2  = 14\nCRVAL1  = 10\nCRVAL2  = 20\nCDELT1  = -0.000705\nCDELT2  = 0.001\nEND\n",
    "promise.yaml": "ndarrays:\n  data:\n    shape: [512, 512]\n    type: float32\n",
}


def masked(directory: Path) -> None:
    """Makes masked.asdf, an image whose first two rows are missing."""
    pixels = np.full((512, 512), 100.0, "float32")
    pixels[100:110, 100:110] = 7.0
    bad = np.zeros(pixels.shape, bool)
    bad[:2] = True
    asdf.AsdfFile({"data": np.ma.masked_array(pixels, bad)}).write_to(directory / "masked.asdf")


def image(directory: Path) -> None:
    """Makes image.asdf as Python asdf writes it, big-endian and compressed, and aligned.asdf, of which C++ has views."""
    pixels = np.arange(512 * 512, dtype=">f4").reshape(512, 512)
    tree = {"meta": {"exposure": {"time": 139.8}}, "data": pixels}
    asdf.AsdfFile(tree).write_to(directory / "image.asdf", all_array_compression="zlib")
    asdfkit.new({"data": pixels.astype("float32")}).write(directory / "aligned.asdf")


def python(directory: Path) -> None:
    """Makes an image, one with the tree of a Roman image, and a catalogue as Python asdf writes those of the telescope."""
    image(directory)
    pixels = np.arange(512 * 512, dtype="float32").reshape(512, 512)
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
    for number in range(2):
        stars = np.arange(48 * 64, dtype="float32").reshape(48, 64)
        asdf.AsdfFile({"data": stars}).write_to(directory / f"stars{number}.asdf")
    meta = {"exposure": {"time": 139.8}, "telescope": "Roman"}
    image = random.normal(100.0, 1.0, (512, 512)).astype("float32")
    image[100:110, 100:110] = 7.0
    asdf.AsdfFile({"meta": meta, "data": image}).write_to(directory / "image.asdf")
    large = np.full((2048, 2048), 100.0, "float32")
    large[1000:1010, 100:110] = 7.0
    asdf.AsdfFile({"data": large}).write_to(directory / "large.asdf")
    bad = np.zeros(image.shape, bool)
    bad[:2] = True
    asdf.AsdfFile({"data": np.ma.masked_array(image, bad)}).write_to(directory / "masked.asdf")
    wide = CAMERA.replace("1.0e-3", "1.0e-2").replace("DEC", "0.5")
    for number in range(3):
        with asdfkit.open(wide.replace("RA", str(45.0 + 0.5 * number)).encode()) as camera:
            new = asdfkit.new()
            new["meta/wcs"] = camera.node("meta/wcs")
            new["data"] = np.arange(5000, dtype="float32").reshape(50, 100)
            new.write(directory / f"field{number}.asdf")
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
    if folder != "recipes":
        masked(directory)
    {"python": python, "recipes": recipes}.get(folder, image)(directory)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
