"""FITS files as ASDF files and back, by libasdfkit_formats. The suite `formats` sets ASDFKIT_FORMATS."""

import numpy as np
import pytest
from fits_builders import PRIMARY, hdu, image, table

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
