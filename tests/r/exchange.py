"""Files that Python asdf and the R package exchange: `exchange.py make FILE`, `exchange.py check FILE`."""

import sys

import asdf
import numpy as np

DTYPES = "int8 int16 int32 int64 uint8 uint16 uint32 float16 float32 float64 complex64 complex128 bool".split()


def content() -> dict:
    """Returns arrays of every datatype that R reads, and other values."""
    ramp = np.arange(24).reshape(4, 6)
    tree: dict = {name: (ramp % 5 - (0 if name[0] in "ub" else 2)).astype(name) for name in DTYPES}
    tree["fortran"] = np.asfortranarray(ramp.astype("f8"))
    tree["big"] = ramp.astype(">i4")
    tree["strided"] = np.arange(100.0)[10:90:7]
    tree["strings"] = np.array([["a", "Größe"], ["", "😀"]])
    tree["bytes"] = np.array([b"x", b"yz"])
    tree["masked"] = np.ma.array(ramp.astype("i4"), mask=ramp % 5 == 0)
    tree["records"] = np.array(
        [(1, 0.5, b"a", [1, 2]), (2, np.nan, b"b", [3, 4])], [("i", "i4"), ("x", "f8"), ("s", "S2"), ("v", "i2", (2,))]
    )
    tree["least"] = np.array([np.iinfo("i4").min, 1], "i4")
    tree["nan"] = np.array([0x7FF00000000007A2, 0x7FF8000000000000, 0], "u8").view("f8")
    tree["text"] = "Größe"
    tree["none"] = None
    tree["huge"] = 2**62
    return tree


def make(path: str) -> None:
    asdf.AsdfFile(content()).write_to(path)


def check(path: str) -> None:
    """Compares a file that exchange.R wrote: what it read from the file of make()."""
    expected = content()
    with asdf.open(path) as file:
        for name in (*DTYPES, "fortran", "big", "strided", "strings", "bytes"):
            found = np.asarray(file[name])
            assert found.shape == expected[name].shape, name
            wanted = expected[name].astype(str) if expected[name].dtype.kind == "S" else expected[name]
            wider = wanted.astype("c16") if wanted.dtype.kind == "c" else wanted
            np.testing.assert_array_equal(found.astype(wider.dtype), wider, err_msg=name)
        assert file["int64"].dtype == "int64" and file["int8"].dtype == "int32" and file["uint32"].dtype == "float64"
        masked = file["masked"]
        assert np.array_equal(np.ma.getmaskarray(masked), expected["masked"].mask)
        assert np.array_equal(masked.compressed(), expected["masked"].compressed())
        assert file["float32 of R"].dtype == "float32"
        assert np.array_equal(file["least"], [-(2.0**31), 1.0])
        assert np.array_equal(np.isnan(file["nan"]), [True, True, False])
        assert getattr(file["nan"], "mask", None) is None
        assert file["text"] == "Größe" and file["none"] is None and file["huge"] == 2**62
        assert file["list"] == {"a": [1, 2.5, "x"], "b": {}}


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](sys.argv[2])
