"""Writes the files that the viewer shows, and what it must show: make_files.py FOLDER EXPECTED."""

import json
import sys
from pathlib import Path

import asdf
import gwcs
import numpy as np
from astropy import coordinates, units
from astropy.modeling import models
from astropy.table import MaskedColumn, Table
from gwcs import coordinate_frames

folder, expected_name = Path(sys.argv[1]), sys.argv[2]
random = np.random.default_rng(7)
rows, columns = np.mgrid[0:600, 0:900]
image = random.normal(10, 1, (600, 900)).astype(np.float32)
for _ in range(40):
    y, x, flux = random.uniform(0, 600), random.uniform(0, 900), random.pareto(1) * 50
    image += (flux * np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 18)).astype(np.float32)
image[:20, :20] = np.nan

shift = models.Shift(-450) & models.Shift(-300)
scale = models.Scale(1e-4) & models.Scale(1e-4)
to_sky = models.Pix2Sky_TAN() | models.RotateNative2Celestial(150.1, 2.2, 180)
detector = coordinate_frames.Frame2D(name="detector", unit=(units.pix, units.pix))
sky = coordinate_frames.CelestialFrame(reference_frame=coordinates.ICRS(), name="icrs")
wcs = gwcs.WCS([(detector, shift | scale | to_sky), (sky, None)])
tree = {
    "meta": {"telescope": "Roman", "exposure": {"time": 139.8, "start": "2026-11-27T00:00:00"}},
    "data": image,
    "wcs": wcs,
}
asdf.AsdfFile(tree).write_to(folder / "image.asdf", all_array_compression="zlib")

table = Table()
table["id"] = np.arange(250)
table["flux"] = MaskedColumn(np.arange(250) / 8, unit="mJy", mask=np.arange(250) % 3 == 2)
table["name"] = [f"<b>star</b> {number}" for number in range(250)]
table.write(folder / "table.ecsv", format="ascii.ecsv")

# The same rows in a tree, and a text that is too large to be read as a whole.
records = np.zeros(250, [("n", "i4"), ("pair", "f4", (2,)), ("t", "S5")])
records["n"], records["pair"], records["t"] = np.arange(250), np.arange(500).reshape(250, 2) / 4, b"<i>"
asdf.AsdfFile(
    {"catalogue": table, "records": records, "deep": {"list": [{"Wanted": 1}, {"other": "it is WANTED here"}]}}
).write_to(folder / "catalogue.asdf")
LINES = 1_000_000
with (folder / "large.ecsv").open("w") as out:
    out.write(
        "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: id, datatype: int64}\n# - {name: x, datatype: float64}\nid x\n"
    )
    out.writelines(f"{number} {number / 8}\n" for number in range(LINES))

# 1 GiB, made without so much memory.
block = np.memmap(folder / "large.raw", np.float32, "w+", shape=(16384, 16384))
for start in range(0, 16384, 1024):
    block[start : start + 1024] = np.add.outer(
        np.arange(start, start + 1024, dtype=np.float32), np.arange(16384, dtype=np.float32)
    )
asdf.AsdfFile({"data": np.asarray(block)}).write_to(folder / "large.asdf")
del block
(folder / "large.raw").unlink()

hostile = {
    "<script>window.fired = true</script>": 1,
    '"><img src=x onerror="window.fired = true">': {
        "<img src=x onerror=window.fired=true>": "<svg onload=window.fired=true>"
    },
}
asdf.AsdfFile(hostile).write_to(folder / "hostile.asdf")
# Trees that a page cannot show at once: keys without end, many children, a circle of aliases.
head = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n---\n"
many = b"".join(b"k%d: 1\n" % number for number in range(300_000))
circle = b"circle: &a {again: *a, wanted: 1}\n"
(folder / "wide.asdf").write_bytes(head + circle + b"? " + b"x" * 3_000_000 + b"\n: 1\n" + many + b"last: here\n...\n")

whole = (folder / "image.asdf").read_bytes()
damaged = {
    "no.asdf": b"no ASDF file",
    "cut.asdf": whole[:700],
    "empty.asdf": b"",
    "deep.asdf": b"#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n---\na: " + b"[" * 100000 + b"\n...\n",
    "block.asdf": b"#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
    b"data: !core/ndarray-1.0.0 {source: 0, datatype: float64, byteorder: little, shape: [100000000, 100000000]}\n...\n",
}
for name, content in damaged.items():
    (folder / name).write_bytes(content)

world = np.stack(wcs(columns, rows), -1)
expected = {
    "image": [[None if np.isnan(value) else float(np.float32(value)) for value in row] for row in image],
    "sky": world.tolist(),
    "row2": ["2", "--", "<b>star</b> 2"],
    "damaged": list(damaged),
}
Path(expected_name).write_text(json.dumps(expected))
