"""Makes the first inputs of all fuzz targets from the corpora of the project: `seeds.py FOLDER`, a folder for each target.

A target whose input has several parts splits it at `CUT`; crates/fuzz/src/input.rs does so.
"""

import bz2
import gzip
import io
import json
import lzma
import os
import re
import sys
import zlib
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path

import numpy as np
from astropy.io import fits

SOURCE = Path(os.environ["ASDFKIT_SOURCE"])
CORPORA = SOURCE / "tests" / "corpora"
REFERENCE = Path(os.environ["ASDFKIT_REFERENCE_FILES"])
CUT = b"\xff~"
# Longer inputs make a fuzzer slow.
LONGEST = 16 << 10


def files(suffix: str, *folders: Path) -> Iterator[bytes]:
    """Yields the contents of the files with this suffix."""
    for folder in folders:
        for path in sorted(folder.rglob(f"*{suffix}")):
            yield path.read_bytes()


def asdf_files() -> Iterator[bytes]:
    yield from files(".asdf", CORPORA, REFERENCE)
    yield from fits_files()


def trees() -> Iterator[bytes]:
    """Yields the texts of trees, from the line after the document mark to the end of the document."""
    for content in files(".asdf", CORPORA, REFERENCE):
        text, end, _ = content.partition(b"\n...")
        if end:
            yield text + b"\n...\n"


def bodies() -> Iterator[bytes]:
    """Yields trees without head and end."""
    for text in trees():
        _, mark, body = text.partition(b"\n--- !core/asdf-1.1.0\n")
        if mark:
            yield body.removesuffix(b"...\n")


def fits_files() -> Iterator[bytes]:
    """Yields FITS files with images, tables and ASDF."""
    tree = (
        b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
        b"image: !core/ndarray-1.1.0 {source: 'fits:SCI,1', datatype: uint16, byteorder: big, shape: [2, 3]}\n"
        b"scaled: !core/ndarray-1.1.0 {source: 'fits:DQ,1', datatype: float64, byteorder: big, shape: [4]}\n"
        b"table: !core/ndarray-1.1.0 {source: 'fits:T,1', datatype: [int16, int16, float32, [ascii, 3]], "
        b"byteorder: big, shape: [2]}\nnumber: 5\n...\n"
    )
    columns = [
        fits.Column("a", "J", array=np.arange(2), bzero=2**31),
        fits.Column("b", "I", array=np.arange(2), null=1),
        fits.Column("c", "2E", array=np.ones((2, 2)), bscale=2, unit="m"),
        fits.Column("d", "3A", array=["x", "yz"]),
        fits.Column("e", "L", array=[True, False]),
        fits.Column("f", "11X", array=np.zeros((2, 11), bool)),
        fits.Column("g", "PJ()", array=np.array([np.arange(2), np.arange(3)], dtype=object)),
        fits.Column("h", "QD()", array=np.array([np.ones(1), np.ones(0)], dtype=object)),
        fits.Column("i", "6B", array=np.zeros((2, 2, 3)), dim="(3,2)"),
        fits.Column("j", "M", array=np.ones(2, complex)),
    ]
    text = fits.TableHDU.from_columns(
        [fits.Column("t", "F6.2", array=[1.5, 2]), fits.Column("u", "A4", array=["a", "b"])]
    )
    metadata = fits.BinTableHDU.from_columns(
        [fits.Column("ASDF_METADATA", f"{len(tree)}B", array=np.frombuffer(tree, "u1")[None])], name="ASDF"
    )
    image = fits.ImageHDU(np.arange(6, dtype="u2").reshape(2, 3), name="SCI")
    scaled = fits.ImageHDU(np.arange(4, dtype="i2"), name="DQ")
    scaled.header["BSCALE"], scaled.header["BLANK"] = 0.5, 3
    packed = fits.CompImageHDU(np.arange(64, dtype="i4").reshape(8, 8), name="PACKED", tile_shape=(4, 8))
    table = fits.BinTableHDU.from_columns(columns, name="T")
    for parts in ([image, metadata], [image, scaled, table, metadata], [text, metadata], [packed, metadata]):
        out = io.BytesIO()
        fits.HDUList([fits.PrimaryHDU(), *parts]).writeto(out, checksum=len(parts) == 2)
        yield out.getvalue()


def hdus() -> Iterator[bytes]:
    """Yields the body of a tree, and cards and data of HDUs."""
    for content in fits_files():
        with fits.open(io.BytesIO(content), disable_image_compression=True) as file:
            tree = file["ASDF"].data[0][0].tobytes()
            _, _, body = tree.partition(b"asdf-1.1.0\n")
            parts = [body.removesuffix(b"...\n")]
            for hdu in file[1:-1]:
                place = hdu.fileinfo()
                cards = content[place["hdrLoc"] : place["datLoc"]]
                lines = [cards[at : at + 80].rstrip() for at in range(0, len(cards), 80)]
                parts.append(b"\n".join(line for line in lines if line not in (b"", b"END")))
                parts.append(content[place["datLoc"] : place["datLoc"] + place["datSpan"]].rstrip(b"\0"))
            yield CUT.join(parts)
    for body in list(bodies())[::7]:
        yield body


def choices() -> Iterator[bytes]:
    """Yields random bytes, with which a target chooses."""
    random = np.random.default_rng(20261127)
    for length in [8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512]:
        for _ in range(4):
            yield random.bytes(length)
        yield random.integers(0, 10, length, "u1").tobytes()


def calls() -> Iterator[bytes]:
    """Yields files with choices of calls."""
    chosen = list(choices())
    for number, content in enumerate(files(".asdf", CORPORA, REFERENCE)):
        if len(content) <= LONGEST // 4:
            yield CUT.join([content, chosen[number % len(chosen)]])
    for each in chosen:
        yield CUT + each


def tables() -> Iterator[bytes]:
    for number, content in enumerate(files(".ecsv", CORPORA)):
        yield content
        if number % 20 == 0:
            yield from (gzip.compress(content), bz2.compress(content), lzma.compress(content))


def cards() -> Iterator[bytes]:
    """Yields the headers in the tests of WCS."""
    text = (SOURCE / "tests" / "wcs_fits.rs").read_text()
    for short in re.findall(r'"((?:[A-Z0-9_]+=[^";]*;?)+)"', text):
        lines = (pair.split("=", 1) for pair in short.split(";") if "=" in pair)
        yield "".join(f"{key:<8}= {value}\n" for key, value in lines).encode()
    # Each projection has parameters of its own.
    for name in re.findall(r'"([A-Z]{3})"', (SOURCE / "src" / "wcs" / "fits" / "celestial.rs").read_text()) or ["TAN"]:
        yield (
            f"NAXIS1  = 100\nNAXIS2  = 100\nCTYPE1  = 'RA---{name}'\nCTYPE2  = 'DEC--{name}'\nCRPIX1  = 50\nCRPIX2  = 50\n"
            f"CDELT1  = -.1\nCDELT2  = .1\nCRVAL1  = 30\nCRVAL2  = 40\nPV2_1   = 45\nPV2_2   = 20\nPV2_3   = 1\n"
        ).encode()


def chunked() -> Iterator[bytes]:
    """Yields chunked arrays as metadata, map and chunks."""
    chunk = np.arange(16, dtype="<i4")
    numbers = np.array([1, 2, 3, -1], "<i4").tobytes()
    forms = [
        ("null", "null", "<i4", chunk.tobytes()),
        ('{"id": "zlib", "level": 1}', "null", "<i4", zlib.compress(chunk.tobytes())),
        ('{"id": "gzip", "level": 1}', "null", ">f4", gzip.compress(chunk.astype(">f4").tobytes())),
        ('{"id": "bz2", "level": 1}', '[{"id": "shuffle", "elementsize": 4}]', "<i4", bz2.compress(chunk.tobytes())),
        ('{"id": "lzma"}', "null", "<i4", lzma.compress(chunk.tobytes())),
        ('{"id": "lz4", "acceleration": 1}', "null", "|S4", chunk.tobytes()),
        ('{"id": "zstd", "level": 1}', "null", "<U1", chunk.tobytes()),
        ('{"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1}', "null", "<M8[s]", chunk.tobytes()),
        ("null", '[{"id": "delta", "dtype": "<i4", "astype": "<i2"}]', "<i4", chunk.astype("<i2").tobytes()),
        (
            "null",
            '[{"id": "fixedscaleoffset", "offset": 1, "scale": 2, "dtype": "<f4", "astype": "<i2"}]',
            "<f4",
            b"0" * 32,
        ),
        ('{"id": "crc32"}', '[{"id": "packbits"}]', "|b1", chunk.tobytes()),
        ("null", "null", [["a", "<i2"], ["b", "<i2"]], chunk.tobytes()),
    ]
    for order in "CF":
        for compressor, filters, dtype, stored in forms:
            metadata = (
                f'{{"chunks": [4, 4], "compressor": {compressor}, "dtype": {json.dumps(dtype)}, "fill_value": 0, '
                f'"filters": {filters}, "order": "{order}", "shape": [7, 8], "zarr_format": 2}}'
            )
            yield CUT.join([metadata.encode(), numbers, stored, stored, stored])


def schemas() -> Iterator[bytes]:
    """Yields schemas with trees: those of the unit tests, and published ones."""
    text = (SOURCE / "src" / "schema" / "tests.rs").read_text()
    for schema, valid, invalid in re.findall(r'\(\s*"(\{.*?\})",\s*"(.*?)",\s*"(.*?)",', text):
        yield CUT.join([f"a: {valid}\nb: {invalid}".encode(), f"{{properties: {{a: {schema}, b: {schema}}}}}".encode()])
    published = list(files(".yaml", *(Path(p) for p in sys.path if Path(p, "asdf_transform_schemas").is_dir())))
    published = [content for content in published if b"\nid: " in content and len(content) < LONGEST // 2]
    for tree, schema in zip(list(bodies())[::2], published, strict=False):
        yield CUT.join([tree, schema])


def payloads() -> Iterator[bytes]:
    """Yields payloads of each codec. The last bytes choose codec and size."""
    data = b"abcd" * 64
    packed = [zlib.compress(data), bz2.compress(data), lzma.compress(data), data]
    packed += [
        content[content.find(b"\xd3BLK") + 54 :] for content in files(".asdf", CORPORA / "asdf-samples" / "compression")
    ]
    for content in packed:
        for codec in range(8):
            yield content + bytes([15, 64, 0, 1, codec])


TARGETS = {
    "arrow": choices,
    "calls": calls,
    "cards": cards,
    "chunks": chunked,
    "codecs": payloads,
    "ecsv": tables,
    "edits": choices,
    "fits": hdus,
    "ndl": lambda: files(".yaml", CORPORA / "ndl-samples"),
    "open": asdf_files,
    "recover": asdf_files,
    "regions": choices,
    "schemas": schemas,
    "transforms": lambda: bodies(),
    "yaml": lambda: (*trees(), *files(".yaml", CORPORA)),
    "yaml_round_trip": lambda: (*trees(), *files(".yaml", CORPORA)),
}


def main() -> int:
    out = Path(sys.argv[1])
    for target, seeds in TARGETS.items():
        folder = out / target
        folder.mkdir(parents=True, exist_ok=True)
        names = set()
        for seed in seeds():
            if len(seed) <= LONGEST:
                name = sha1(seed).hexdigest()[:16]
                names.add(name)
                (folder / name).write_bytes(seed)
        print(f"{target}: {len(names)} seeds")
        assert len(names) > 10, target
    return 0


if __name__ == "__main__":
    sys.exit(main())
