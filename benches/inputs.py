"""Makes the files that the comparison reads: `inputs.py DIRECTORY NAME...`.

ASDF and FITS files are written byte by byte, without any of the compared libraries; HDF5 files hold the same numbers.
Images are a smooth field with Gaussian noise (sigma 8) and sparse stars. Files that the same version of this script
made are kept.
"""

import bz2
import hashlib
import json
import sys
import zlib
from pathlib import Path

import h5py
import lz4.block
import numpy as np
from python.measure import KEY

HEADER = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
ROW = 16384


def block(payload: bytes, data_size: int, codec: bytes = bytes(4)) -> bytes:
    """Returns a block with its header."""
    sizes = (len(payload), len(payload), data_size)
    fields = bytes(4) + codec + b"".join(size.to_bytes(8, "big") for size in sizes) + hashlib.md5(payload).digest()
    return b"\xd3BLK" + len(fields).to_bytes(2, "big") + fields + payload


def write_asdf(path: Path, tree: str, blocks: list[bytes], index: bool = False) -> None:
    """Writes a file whose first payload begins at a multiple of 64 bytes, so that it can be viewed."""
    text = (HEADER + tree + "...\n").encode()
    if blocks:
        text += bytes(-(len(text) + 54) % 64)
    offsets = np.cumsum([len(text), *map(len, blocks)])[:-1]
    with path.open("wb") as file:
        file.write(text)
        for one in blocks:
            file.write(one)
        if index:
            lines = "".join(f"- {offset}\n" for offset in offsets)
            file.write(f"#ASDF BLOCK INDEX\n%YAML 1.1\n---\n{lines}...\n".encode())


def ndarray(source: int, datatype: str, shape: list[int], byteorder: str = "little") -> str:
    return f"!core/ndarray-1.1.0 {{source: {source}, datatype: {datatype}, byteorder: {byteorder}, shape: {shape}}}"


def write_fits(path: Path, data: np.ndarray) -> None:
    """Writes a FITS file with one image of floats."""
    rows, columns = data.shape
    cards = {"SIMPLE": "T", "BITPIX": -8 * data.itemsize, "NAXIS": 2, "NAXIS1": columns, "NAXIS2": rows}
    header = "".join(f"{key:8}= {value:>20}".ljust(80) for key, value in cards.items()) + "END"
    with path.open("wb") as file:
        file.write(header.encode().ljust(-(-len(header) // 2880) * 2880))
        data.astype(data.dtype.newbyteorder(">"), copy=False).tofile(file)
        file.write(bytes(-data.nbytes % 2880))


def image(rows: int, columns: int) -> np.ndarray:
    """Returns an image like that of a camera: a smooth field with noise and stars."""
    random = np.random.default_rng(rows)
    out = np.empty((rows, columns), "<f4")
    across = np.sin(np.arange(columns) / columns * 5)
    for first in range(0, rows, 256):
        down = np.cos(np.arange(first, first + 256)[:, None] / rows * 3)
        out[first : first + 256] = 1000 + 200 * across * down + random.normal(0, 8, (256, columns))
    stars = rows * columns // 5000
    out[random.integers(0, rows, stars), random.integers(0, columns, stars)] += random.exponential(3000, stars)
    return out


def large(directory: Path, name: str, tree: str, data: np.ndarray) -> None:
    """Writes the same gibibyte in three formats."""
    # With an index, because Python asdf takes a second to notice that there is none.
    write_asdf(directory / f"{name}.asdf", f"data: {tree}\n", [block(data.tobytes(), data.nbytes)], index=True)
    write_fits(directory / f"{name}.fits", data)
    with h5py.File(directory / f"{name}.h5", "w") as file:
        file.create_dataset("data", data=data)


def w1(directory: Path) -> None:
    large(directory, "w1", ndarray(0, "float32", [ROW, ROW]), image(ROW, ROW))


def w2(directory: Path) -> None:
    large(directory, "w2", ndarray(0, "float64", [8192, ROW], "big"), image(8192, ROW).astype(">f8"))


def w5(directory: Path) -> None:
    int16 = np.rint(image(8192, ROW)).clip(-32768, 32767).astype("<i2")
    # Python asdf writes pieces of this size, too.
    pieces = (int16.data.cast("B")[first : first + (4 << 20)] for first in range(0, int16.nbytes, 4 << 20))
    chunks = [lz4.block.compress(piece) for piece in pieces]
    lz4_payload = b"".join(len(chunk).to_bytes(4, "big") + chunk for chunk in chunks)
    small = np.ascontiguousarray(int16[:4096, :8192])
    float32 = (np.rint(image(4096, 4096) * 64) / 64).astype("<f4")
    for name, codec, data, payload in [
        ("int16", "zlib", int16, zlib.compress(int16.data, 6)),
        ("float32", "zlib", float32, zlib.compress(float32.data, 6)),
        ("lz4", "lz4", int16, lz4_payload),
        ("bzp2", "bzp2", small, bz2.compress(small.data, 9)),
        ("plain", "", small, small.tobytes()),
    ]:
        tree = f"data: {ndarray(0, data.dtype.name, list(data.shape))}\n"
        label = codec.encode().ljust(4, b"\0")
        write_asdf(directory / f"w5-{name}.asdf", tree, [block(payload, data.nbytes, label)], index=True)
        if codec == "zlib":
            with h5py.File(directory / f"w5-{name}.h5", "w") as file:
                # One chunk, so that all libraries decode the same stream.
                dataset = file.create_dataset("data", data.shape, data.dtype, chunks=data.shape, compression="gzip")
                dataset.id.write_direct_chunk((0, 0), payload)


def w6(directory: Path) -> None:
    """Writes 16 blocks of 32 MiB."""
    data = image(8192, ROW).reshape(16, -1)
    blocks = [block(part.tobytes(), part.nbytes) for part in data]
    items = "".join(f"- {ndarray(number, 'float32', [data.shape[1]])}\n" for number in range(16))
    write_asdf(directory / "w6-blocks.asdf", f"arrays:\n{items}", blocks, index=True)


def w7(directory: Path) -> None:
    data = np.random.default_rng(7).normal(0, 1, (10_000, 256)).astype("<f4")
    blocks = [block(row.tobytes(), row.nbytes) for row in data]
    every = "arrays:\n" + "".join(f"- {ndarray(number, 'float32', [256])}\n" for number in range(len(blocks)))
    last = f"last: {ndarray(len(blocks) - 1, 'float32', [256])}\n"
    for name, tree in (("all", every), ("last", last)):
        write_asdf(directory / f"w7-{name}-index.asdf", tree, blocks, index=True)
        write_asdf(directory / f"w7-{name}.asdf", tree, blocks)


WORDS = "dark flat gain bias noise fringe pixel filter mirror grism orbit guide star field focus shutter".split()


def scalar(random: np.random.Generator, kind: int, words: int) -> str:
    """Returns the text of a number, or of a sentence of several words."""
    if kind < 4:
        return repr(float(random.normal()))
    if kind < 6:
        return str(random.integers(10**7, 10**8))
    return " ".join(random.choice(WORDS, words))


def w8_tree(directory: Path) -> None:
    """Writes a tree of 2,000 groups of 100 scalars: floats, integers and sentences; 20 MB."""
    random = np.random.default_rng(8)
    stem = KEY[:-3]
    lines = ["groups:\n"]
    for group in range(2000):
        lines.append(f"  group_{group:04}:\n")
        for number in range(100):
            kind = 0 if number == 40 else number % 10
            lines.append(f"    {stem}{number:03}: {scalar(random, kind, 21)}\n")
    write_asdf(directory / "w8-tree.asdf", "".join(lines), [])


def w8_small(directory: Path) -> None:
    """Writes a file like those of the Roman telescope: a 30 KB tree of 800 scalars, eight arrays of 64 × 64 float32."""
    random = np.random.default_rng(9)
    lines = ["roman: !<asdf://stsci.edu/datamodels/roman/tags/wfi_image-1.4.0>\n  meta:\n"]
    lines.append("    exposure: !<asdf://stsci.edu/datamodels/roman/tags/exposure-1.3.0>\n")
    lines.append("      exposure_time: 139.44\n      start_time: !time/time-1.4.0 '2027-03-01T00:01:00.000'\n")
    for group in range(20):
        lines.append(f"    step_{group:02}: !<asdf://stsci.edu/datamodels/roman/tags/step_{group:02}-1.0.0>\n")
        lines.append("      suffix: null\n      skip: false\n      bands: [F062, F087, F106, F129]\n")
        for number in range(33):
            lines.append(f"      parameter_{number:02}: {scalar(random, number % 10, 3)}\n")
    blocks = []
    for number in range(8):
        lines.append(f"  plane_{number}: {ndarray(number, 'float32', [64, 64])}\n")
        data = random.normal(0, 1, (64, 64)).astype("<f4")
        blocks.append(block(data.tobytes(), data.nbytes))
    write_asdf(directory / "w8-small.asdf", "".join(lines), blocks, index=True)


def w10(directory: Path) -> None:
    """Writes a file with a million numbers in the tree, four to a line."""
    numbers = [repr(value) for value in np.random.default_rng(10).normal(0, 1, 1_000_000).tolist()]
    lines = ",\n    ".join(", ".join(numbers[first : first + 4]) for first in range(0, len(numbers), 4))
    tree = f"data: !core/ndarray-1.1.0\n  data: [{lines}]\n  datatype: float64\n  shape: [1000000]\n"
    write_asdf(directory / "w10.asdf", tree, [])


def chunked(map_block: int, chunk: list[int], dtype: str, shape: list[int]) -> str:
    """Returns a node in the form of asdf-zarr."""
    metadata = (
        f"{{chunks: {chunk}, compressor: null, dtype: {dtype}, fill_value: 0, filters: null, order: C, shape: {shape}, "
        "zarr_format: 2}"
    )
    return f"!<asdf://asdf-format.org/zarr/tags/zarr-1.0.0>\n  .zarray: {metadata}\n  chunk_block_map: {map_block}"


def w13_tile(directory: Path) -> None:
    """The same image in one compressed block, and in compressed chunks."""
    side, chunk = 16384, 1024
    data = image(side, side).astype("<f4")
    whole = zlib.compress(data.tobytes(), 1)
    blocks = [block(whole, data.nbytes, b"zlib")]
    for row in range(0, side, chunk):
        for column in range(0, side, chunk):
            part = data[row : row + chunk, column : column + chunk].tobytes()
            blocks.append(block(zlib.compress(part, 1), len(part), b"zlib"))
    numbers = np.arange(1, len(blocks), dtype="<i4").tobytes()
    tree = f"block: {ndarray(0, 'float32', [side, side])}\n"
    tree += f"chunks: {chunked(len(blocks), [chunk, chunk], '<f4', [side, side])}\n"
    write_asdf(directory / "w13-tile.asdf", tree, [*blocks, block(numbers, len(numbers))], index=True)


def w13_open(directory: Path) -> None:
    count = 1_000_000
    one = block(bytes(16), 16)
    numbers = np.arange(count, dtype="<i4").tobytes()
    tree = f"data: {chunked(count, [4], '<i4', [4 * count])}\n"
    write_asdf(directory / "w13-open.asdf", tree, [one] * count + [block(numbers, len(numbers))], index=True)


def write_ecsv(path: Path, datatypes: list[str], columns: list[list[str]]) -> None:
    """Writes a table whose columns are named by letters, with the given texts as cells."""
    names = [chr(ord("a") + number) for number in range(len(columns))]
    lines = ["%ECSV 1.0", "---", "datatype:"]
    lines += [f"- {{name: {name}, datatype: {datatype}}}" for name, datatype in zip(names, datatypes)]
    lines += ["delimiter: ','"]
    with path.open("w") as file:
        file.writelines(f"# {line}\n" for line in lines)
        file.write(",".join(names) + "\n")
        file.writelines(",".join(record) + "\n" for record in zip(*columns))


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def ecsv(directory: Path) -> None:
    """Writes three tables: a catalogue of a million sources, three columns of floats, and arrays in cells."""
    random = np.random.default_rng(11)
    rows = 1_000_000

    def floats(count: int = rows) -> list[str]:
        return [repr(value) for value in random.normal(0, 100, count).tolist()]

    def some(cells: list[str], share: float) -> list[str]:
        return [cell if there else "" for cell, there in zip(cells, (random.random(len(cells)) >= share).tolist())]

    ids = [str(value) for value in random.integers(10**17, 10**18, rows).tolist()]
    single = [str(value) for value in random.normal(18, 2, rows).astype("f4")]
    words = [WORDS[value] for value in random.integers(0, len(WORDS), rows).tolist()]
    phrases = [quoted(f"{one}, {two}") for one, two in zip(words, reversed(words))]
    truth = [("False", "True")[value] for value in random.integers(0, 2, rows).tolist()]
    small = [str(value) for value in random.integers(-1000, 1000, rows).tolist()]
    types = ["int64", "float64", "float64", "float64", "float32", "int32", "int16", "bool", "string", "string"]
    columns = [
        ids,
        floats(),
        floats(),
        some(floats(), 0.1),
        some(single, 0.1),
        some(small, 0.05),
        small,
        truth,
        words,
        phrases,
    ]
    write_ecsv(directory / "ecsv-mixed.ecsv", types, columns)
    write_ecsv(directory / "ecsv-floats.ecsv", ["float64"] * 3, [floats(), floats(), floats()])

    rows = 200_000
    triples = random.normal(0, 1, (rows, 3)).tolist()
    lists = [random.integers(0, 1000, count).tolist() for count in random.integers(0, 8, rows).tolist()]
    grids = random.normal(0, 1, (rows, 2, 3)).tolist()
    for row, grid in enumerate(grids):
        grid[row % 2][row % 3] = None
    objects = [{"flag": row % 7, "note": WORDS[row % len(WORDS)], "range": [row, None]} for row in range(rows)]
    arrays = [
        [quoted(json.dumps(cell, separators=(",", ":"))) for cell in column]
        for column in (triples, lists, grids, objects)
    ]
    subtypes = ["float64[3]", "int32[null]", "float64[2,3]", "json"]
    types = ["int64", *(f"string, subtype: '{subtype}'" for subtype in subtypes)]
    write_ecsv(directory / "ecsv-arrays.ecsv", types, [[str(row) for row in range(rows)], *arrays])


def ndl(directory: Path) -> None:
    """Writes 10,000 arrays in 100 groups as descriptions and as files, and half a million numbers as a description."""
    names = [f"variable_{number:03}" for number in range(100)]
    attributes = {"units": "K", "long_name": "temperature of the air", "scale": 0.5}
    text, tree, cdl = ["/:\n  dimcoords:\n    time: {size: null, type: float64}\n"], [], []
    cdl.append("netcdf ndl {\ndimensions:\n\ttime = UNLIMITED ;\n\trow = 3 ;\n\tcolumn = 4 ;\n")
    with h5py.File(directory / "ndl-file.h5", "w", track_order=True) as file:
        for run in range(100):
            text.append(f"/run_{run:03}:\n  attributes:\n    title: run {run}\n  ndarrays:\n")
            tree.append(f"run_{run:03}:\n  title: run {run}\n")
            cdl.append(f"group: run_{run:03} {{\nvariables:\n")
            group = file.create_group(f"run_{run:03}", track_order=True)
            group.attrs["title"] = f"run {run}"
            for number, name in enumerate(names):
                text.append(f"    {name}:\n      shape: [time, 3, 4]\n      type: float32\n      attributes:\n")
                text += [f"        {key}: {value}\n" for key, value in attributes.items()]
                tree.append(f"  {name}: {ndarray(100 * run + number, 'float32', [2, 3, 4])}\n")
                cdl.append(f"\tfloat {name}(time, row, column) ;\n")
                cdl += [f"\t\t{name}:{key} = {json.dumps(value)} ;\n" for key, value in attributes.items()]
                dataset = group.create_dataset(name, data=np.zeros((2, 3, 4), "<f4"), track_order=True)
                dataset.attrs.update(attributes)
            cdl.append(f'\t\t:title = "run {run}" ;\n}}\n')
    (directory / "ndl-text.yaml").write_text("".join(text))
    (directory / "ndl-text.cdl").write_text("".join(cdl) + "}\n")
    write_asdf(directory / "ndl-file.asdf", "".join(tree), [block(bytes(96), 96)] * 10_000, index=True)
    numbers = [repr(value) for value in np.random.default_rng(12).normal(0, 1, 500_000).tolist()]
    lines = ",\n      ".join(", ".join(numbers[first : first + 4]) for first in range(0, len(numbers), 4))
    head = "ndarrays:\n  field:\n    shape: [500000]\n    type: float64\n    value: ["
    (directory / "ndl-numbers.yaml").write_text(f"{head}{lines}]\n")


def wcs(directory: Path) -> None:
    """Writes WCSs of gwcs: an image with distortion polynomials of degree 5 there and back, the same without inverse and
    sky, for which gwcs can find pixels numerically, and one like Roman's.
    """
    import asdf
    import astropy.modeling.models as m
    import astropy.units as u
    import gwcs
    import gwcs.geometry
    from astropy.coordinates import ICRS
    from gwcs import coordinate_frames as cf

    random = np.random.default_rng(36)

    def polynomial(along: float, across: float) -> m.Polynomial2D:
        model = m.Polynomial2D(5, c1_0=along, c0_1=across)
        for name in model.param_names:
            degree = int(name[1]) + int(name[3])
            if degree >= 2:
                setattr(model, name, random.normal() * 1e-5 * 2048.0 ** (1 - degree))
        return model

    def bent(inverse: bool) -> object:
        def both(sign: int) -> object:
            return m.Mapping((0, 1, 0, 1)) | (polynomial(1.0, sign * 1e-4) & polynomial(sign * 2e-4, 1.0))

        model = both(1)
        if inverse:
            model.inverse = both(-1)
        return (m.Shift(-2048.0) & m.Shift(-2048.0)) | model

    def write(name: str, steps: list) -> None:
        steps[0][1].bounding_box = ((-0.5, 4095.5), (-0.5, 4095.5))
        one = gwcs.WCS(steps)
        one.pixel_shape = (4096, 4096)
        asdf.AsdfFile({"wcs": one}).write_to(directory / name)

    detector = cf.Frame2D(name="detector", unit=(u.pix, u.pix))
    sky = cf.CelestialFrame(name="sky", reference_frame=ICRS(), unit=(u.deg, u.deg))
    plane = cf.CoordinateFrame(2, ("SPATIAL",) * 2, (0, 1), unit=(u.deg, u.deg), name="plane")
    angles = cf.Frame2D(name="v2v3", unit=(u.arcsec, u.arcsec))
    turned = m.Rotation2D(31.0) | (m.Scale(3e-5) & m.Scale(3e-5))
    projected = m.Pix2Sky_TAN() | m.RotateNative2Celestial(150.1, 2.2, 180.0)
    write("wcs-image.asdf", [(detector, bent(True) | turned | projected), (sky, None)])
    write("wcs-plane.asdf", [(detector, bent(False) | turned | projected), (plane, None)])
    telescope = (
        (m.Scale(1 / 3600) & m.Scale(1 / 3600))
        | gwcs.geometry.SphericalToCartesian(wrap_lon_at=180)
        | m.RotationSequence3D([0.36, 0.26, -31.0, -2.2, 150.1], "zyxyz")
        | gwcs.geometry.CartesianToSpherical(wrap_lon_at=360)
    )
    to_arcsec = m.AffineTransformation2D([[0.054, 0.095], [0.095, -0.054]], [1312.9, -960.2])
    write("wcs-roman.asdf", [(detector, bent(True) | to_arcsec), (angles, telescope), (sky, None)])


def main() -> None:
    directory, names = Path(sys.argv[1]), sys.argv[2:]
    script = hashlib.md5(Path(__file__).read_bytes()).hexdigest()
    directory.mkdir(parents=True, exist_ok=True)
    for make in (w1, w2, w5, w6, w7, w8_tree, w8_small, w10, w13_tile, w13_open, ecsv, ndl, wcs):
        kind = make.__name__.replace("_", "-")
        stamp = directory / f"{kind}.made-by"
        wanted = any(name == kind or name.startswith(f"{kind}-") for name in names)
        if wanted and not (stamp.exists() and stamp.read_text() == script):
            print(f"Making the inputs {kind} in {directory}", flush=True)
            make(directory)
            stamp.write_text(script)


if __name__ == "__main__":
    main()
