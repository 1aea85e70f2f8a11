"""FITS files as ASDF files and back, by libasdfkit_formats. The suite `formats` sets ASDFKIT_FORMATS."""

import io

import numpy as np
import pytest
from fits_builders import PRIMARY, asdf_hdu, hdu, image, node, table, tree

import asdfkit
from asdfkit.constants import Status

fits = pytest.importorskip("astropy.io.fits")
formats = pytest.importorskip("asdfkit.formats")
try:
    formats.library()
except ImportError:
    pytest.skip("libasdfkit_formats is not installed", allow_module_level=True)


@pytest.fixture
def path(tmp_path):
    name = tmp_path / "image.fits"
    hdus = [fits.PrimaryHDU(), fits.ImageHDU(np.arange(65530, 65536, dtype="u2").reshape(2, 3), name="SCI")]
    hdus[0].header["HIERARCH ESO DET"] = 3
    fits.HDUList(hdus).writeto(name)
    return name


def test_round_trip(path, tmp_path):
    notes = formats.fits_to_asdf(path, tmp_path / "image.asdf")
    assert [note.kind for note in notes] == ["note"] and "cards" in str(notes[0])
    with asdfkit.open(tmp_path / "image.asdf") as file:
        assert file["fits/1/data"][...].tolist() == [[65530, 65531, 65532], [65533, 65534, 65535]]
    assert formats.asdf_to_fits(tmp_path / "image.asdf", tmp_path / "again.fits") == []
    assert (tmp_path / "again.fits").read_bytes() == path.read_bytes()
    with pytest.raises(FileExistsError):
        formats.asdf_to_fits(tmp_path / "image.asdf", tmp_path / "again.fits")
    formats.asdf_to_fits(tmp_path / "image.asdf", tmp_path / "again.fits", replace=True)
    with pytest.raises(FileExistsError):
        formats.fits_to_asdf(path, tmp_path / "image.asdf")
    formats.fits_to_asdf(path, tmp_path / "image.asdf", replace=True, checksums=True)


def test_open(path):
    with formats.open_fits(path) as file:
        assert file["fits/1/data"][1, 1:].tolist() == [65534, 65535]


def test_losses(tmp_path):
    asdfkit.write(tmp_path / "a.asdf", {"x": float("inf"), "y": 2})
    losses = formats.asdf_to_fits(tmp_path / "a.asdf", tmp_path / "a.fits")
    assert [loss.kind for loss in losses] == ["loss"] and str(losses[0]).startswith("x:")
    assert fits.getheader(tmp_path / "a.fits")["Y"] == 2


def test_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        formats.open_fits(tmp_path / "none.fits")
    (tmp_path / "bad.fits").write_bytes(b"SIMPLE  =                    T".ljust(80))
    with pytest.raises(asdfkit.AsdfError, match="HDU 0"):
        formats.open_fits(tmp_path / "bad.fits")


def changed(*cards):
    return hdu([("XTENSION", "IMAGE"), *cards, ("PCOUNT", 0), ("GCOUNT", 1)])


def columns(*forms, body=bytes(8), width=4, heap=0):
    return table(width, 8 // width, [{"TTYPE": "a", **form} for form in forms], body, heap=heap)


BYTES = [("BITPIX", 8), ("NAXIS", 1)]
DAMAGED = {
    "bitpix": (changed(("BITPIX", 12), *BYTES[1:], ("NAXIS1", 4)), "card 2 (BITPIX) at byte 2960"),
    "no bitpix": (changed(*BYTES[1:], ("NAXIS1", 4)), "header at byte 2880"),
    "no extent": (changed(*BYTES), "header at byte 2880: the keyword NAXIS1"),
    "negative": (changed(BYTES[0], ("NAXIS", -1)), "card 3 (NAXIS) at byte 3040"),
    "text": (changed(*BYTES, ("NAXIS1", "x")), "card 4 (NAXIS1) at byte 3120"),
    "overflow": (changed(("BITPIX", 64), ("NAXIS", 2), ("NAXIS1", 2**62), ("NAXIS2", 9)), "(NAXIS1) at byte 3120"),
    "wide": (columns({"TFORM": "J"}, {"TFORM": "2D"}), "(TFORM2) at byte 3760"),
    "unknown": (columns({"TFORM": "4Z"}), "(TFORM1) at byte 3600"),
    "long": (columns({"TFORM": "99999999999999999999B"}), "(TFORM1) at byte 3600"),
    "large": (columns({"TFORM": "4294967295M"}), "(TFORM1) at byte 3600"),
    "no form": (columns({}), "header at byte 2880"),
    "spare": (columns({"TFORM": "2B"}), "card 4 (NAXIS1) at byte 3120"),
}
CUT = {
    "no end": (
        changed(*BYTES[:1], ("NAXIS", 0)).replace(b"END", b"   "),
        Status.TRUNCATED,
        "byte 2880 has no card END",
    ),
    "huge": (changed(*BYTES, ("NAXIS1", 2**62)), Status.TRUNCATED, "data at byte 5760"),
    "short": (image(np.arange(5000, dtype="i2"))[:-3000], Status.TRUNCATED, "data at byte 5760"),
    "heap": (
        columns({"TFORM": "1PJ(2)"}, body=np.array((3, 8), ">i4").tobytes() + bytes(16), width=8, heap=16),
        Status.CORRUPT,
        "descriptor at byte 5760",
    ),
}


@pytest.mark.parametrize("name", [*DAMAGED, *CUT])
def test_damage_is_told_with_file_hdu_card_and_byte(tmp_path, name):
    content, status, place = CUT.get(name) or (DAMAGED[name][0], Status.FITS_HEADER, DAMAGED[name][1])
    path = tmp_path / "bad.fits"
    path.write_bytes(hdu(PRIMARY) + content)
    for work in (formats.open_fits, lambda path: formats.fits_to_asdf(path, tmp_path / "bad.asdf")):
        with pytest.raises(asdfkit.AsdfError) as found:
            work(path)
        message = str(found.value)
        assert found.value.status == status and "bad.fits: HDU 1: " in message and place in message, message
        assert not (tmp_path / "bad.asdf").exists()


def with_tiles(kind, values, **options):
    """A compressed image, and the offset of its data."""
    content = io.BytesIO()
    fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(values, name="X", compression_type=kind, **options)]).writeto(
        content
    )
    content = content.getvalue()
    end = content.index(b"END".ljust(80), 2880) + 80
    return content, -(-end // 2880) * 2880


def tiles():
    random = np.random.default_rng(1)
    small, normal = random.integers(0, 900, (20, 30)), random.normal(size=(20, 30)).astype("f4")
    yield "rice", *with_tiles("RICE_1", small.astype("i4"))
    yield "gzip", *with_tiles("GZIP_1", small.astype("i2"))
    yield "gzip2", *with_tiles("GZIP_2", normal, quantize_level=0)
    yield "quantized", *with_tiles("RICE_1", normal, quantize_level=4)
    yield "hcompress", *with_tiles("HCOMPRESS_1", small.astype("i4"), tile_shape=(10, 10))
    yield "plio", *with_tiles("PLIO_1", (small // 600).astype("i2"))


def read_tiles(content):
    """Decodes the image in a product, by the decoder that the core calls."""
    with asdfkit.open(content + asdf_hdu(tree("x: " + node("fits:X,1")))) as file:
        return file["x"][...]


def set_card(content, keyword, value):
    at = content.index(keyword.ljust(8).encode() + b"= ", 2880)
    return content[: at + 10] + str(value).rjust(20).encode() + content[at + 30 :]


def test_tiles_that_lie_are_refused():
    """cfitsio would divide by zero, wait without end, or write beyond its memory."""
    formats.load()
    known = {name: (content, data) for name, content, data in tiles()}
    for keyword, value in (
        ("ZTILE1", 0),
        ("ZTILE2", -1),
        ("ZTILE1", 2**62),
        ("ZNAXIS2", 7),
        ("ZVAL1", 0),
        ("ZVAL2", 3),
        ("ZNAXIS1", "\n 30"),
        ("ZBITPIX", 7),
    ):
        with pytest.raises(asdfkit.AsdfError) as found:
            read_tiles(set_card(known["rice"][0], keyword, value))
        assert found.value.status == Status.FITS_HEADER and "HDU 1" in str(found.value), found.value
    for name, damaged in {
        # The size of a tile in the stream, the end of a gzip stream, the place of the first word.
        "hcompress": lambda body: body.replace(b"\xdd\x99\0\0\0\x0a", b"\xdd\x99\0\0\x7f\x0a"),
        "gzip": lambda body: body[:-2880] + bytes(2880),
        "plio": lambda body: body.replace(b"\0\0\0\x07\xff\x9c", b"\0\0\xff\xf0\xff\x9c"),
    }.items():
        content, data = known[name]
        changed = content[:data] + damaged(content[data:])
        assert changed != content, name
        with pytest.raises(asdfkit.AsdfError) as found:
            read_tiles(changed)
        assert found.value.status == Status.CORRUPT and "HDU 1" in str(found.value), (name, found.value)


def test_random_damage_of_tiles_gives_pixels_or_an_error():
    formats.load()
    random = np.random.default_rng(5)
    outcomes = set()
    for name, content, data in tiles():
        for _ in range(150):
            damaged = bytearray(content)
            for at in random.integers(data - 2880 * (random.random() < 0.3), len(content), random.integers(1, 5)):
                damaged[at] = random.integers(256)
            try:
                read_tiles(bytes(damaged))
                outcomes.add((name, True))
            except (asdfkit.AsdfError, MemoryError):
                outcomes.add((name, False))
    assert len({name for name, _ in outcomes}) == 6 and {is_read for _, is_read in outcomes} == {True, False}


def test_tiles_in_a_product(tmp_path):
    tree = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\ndata: "
    tree += "!core/ndarray-1.0.0 {source: 'fits:SCI,1', datatype: int16, byteorder: big, shape: [40, 50]}\n...\n"
    column = fits.Column("ASDF_METADATA", f"{len(tree)}B", array=np.frombuffer(tree.encode(), "u1")[np.newaxis])
    pixels = np.arange(2000, dtype="i2").reshape(40, 50)
    asdf = fits.BinTableHDU.from_columns([column], name="ASDF")
    name = tmp_path / "product.fits"
    fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(pixels, name="SCI"), asdf]).writeto(name)
    formats.load()
    with asdfkit.open(name) as file:
        assert file["data"].shape == (40, 50)
        assert file["data"][10:12, 3:5].tolist() == pixels[10:12, 3:5].tolist()
        np.testing.assert_array_equal(file["data"][...], pixels)
