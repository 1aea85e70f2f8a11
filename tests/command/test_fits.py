"""ASDF in FITS files: looked at, compared, taken out and put in by the command."""

import asdf
import numpy as np
import pytest
from astropy.io import fits
from conftest import output, refused, run


@pytest.fixture
def product(tmp_path):
    """A file as stdatamodels lays it out: the tree in the last HDU names the others."""
    path, plain = tmp_path / "jw.fits", tmp_path / "tree.asdf"
    sci = fits.ImageHDU(np.arange(12, dtype="f4").reshape(3, 4), name="SCI")
    dq = fits.ImageHDU(np.arange(12, dtype="u4").reshape(3, 4), name="DQ")
    rows = np.array([(1, 2.5, "a"), (2, -1.0, "bc")], [("n", "i4"), ("x", "f8"), ("t", "S4")])
    spec = fits.BinTableHDU(rows, name="SPEC")
    asdf.AsdfFile({"meta": {"telescope": "JWST"}, "matrix": np.eye(2)}, version="1.5.0").write_to(plain)
    node = "!core/ndarray-1.0.0 {{source: 'fits:{},1', datatype: {}, byteorder: big, shape: [3, 4]}}\n"
    fields = "[{name: n, datatype: int32}, {name: x, datatype: float64}, {name: t, datatype: [ascii, 4]}]"
    arrays = "spec: " + node.format("SPEC", fields).replace("[3, 4]", "[2]")
    arrays += "data: " + node.format("SCI", "float32") + "dq: " + node.format("DQ", "uint32")
    content = plain.read_bytes().replace(b"meta:", arrays.encode() + b"meta:", 1)
    content = content[: content.index(b"#ASDF BLOCK INDEX")] if b"#ASDF BLOCK INDEX" in content else content
    column = fits.Column("ASDF_METADATA", f"{len(content)}B", array=np.frombuffer(content, "u1")[np.newaxis])
    tree = fits.BinTableHDU.from_columns([column], name="ASDF")
    fits.HDUList([fits.PrimaryHDU(), sci, dq, spec, tree]).writeto(path)
    return path


def test_products_are_looked_at_as_asdf_files(product):
    assert "float32" in output("info", product)
    assert output("get", product, "meta/telescope").strip() == "JWST"
    assert output("get", product, "dq[1, 2]").split()[-1].strip("[]") == "6"
    assert "bc" in output("head", product, "spec")
    output("verify", product)


def test_a_product_equals_its_asdf_form(product, tmp_path):
    plain, again = tmp_path / "jw.asdf", tmp_path / "again.fits"
    output("convert", product, plain)
    output("diff", product, plain)
    with asdf.open(plain) as found:
        assert found["dq"].dtype.newbyteorder("=") == np.dtype("u4") and found["dq"][2, 3] == 11
    assert "exists" in refused("convert", product, plain)
    output("convert", plain, again)
    output("diff", plain, again)
    output("diff", product, again)
    with fits.open(again) as found:
        assert [one.name for one in found] == ["PRIMARY", "MATRIX", "DATA", "DQ", "ASDF"]
        np.testing.assert_array_equal(found["DQ"].data, np.arange(12).reshape(3, 4))
    output("set", again, "meta/telescope", "HST")
    run("diff", product, again, code=1)
    output("verify", again)


def test_streams_and_formats_are_chosen(product, tmp_path):
    plain = output("convert", product, "-", "--to", "asdf", text=False)
    assert output("get", "-", "meta/telescope", stdin=product.read_bytes(), text=False).strip() == b"JWST"
    assert plain.startswith(b"#ASDF")
    path = tmp_path / "x.asdf"
    path.write_bytes(plain)
    packed = output("convert", path, "-", "--to", "fits", text=False)
    assert packed.startswith(b"SIMPLE  =") and len(packed) % 2880 == 0


def test_a_file_without_asdf_says_so(tmp_path):
    path = tmp_path / "reference.fits"
    fits.HDUList([fits.PrimaryHDU(), fits.ImageHDU(np.zeros(3))]).writeto(path)
    # libasdfkit_formats reads such files; tests/formats has tests with it.
    env = {"ASDFKIT_FORMATS": str(tmp_path / "none.so")}
    for call in (["info", path], ["convert", path, tmp_path / "x.asdf"], ["set", path, "a", "1"]):
        message = refused(*call, env=env)
        assert "FITS" in message and "ASDF" in message, message
