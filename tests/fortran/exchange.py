"""The other side of exchange.f90: `exchange.py write FILE` writes its input, `exchange.py check FILE` reads its output."""

import sys

import asdf
import numpy as np

NUMBERS = np.arange(24).reshape(2, 3, 4)


def write(name: str) -> None:
    kinds = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]
    tree = {kind: NUMBERS.astype(kind) for kind in kinds}
    tree["int16"] = NUMBERS.astype(">i2")
    tree["uint32"] = np.asfortranarray(NUMBERS.astype("uint32"))
    tree["large uint8"] = np.array([1, 200], "uint8")
    tree["large uint64"] = np.array([2**64 - 1], "uint64")
    tree["float16"] = np.array([0.5, 1.5], "float16")
    tree["complex"] = np.array([1 + 2j, 3 - 4j])
    tree["flags"] = np.array([True, False, True])
    tree["words"] = np.array(["Größe", "", "plain"])
    tree["list"] = ["a", "bcd"]
    tree["masked"] = np.ma.array(np.zeros((2, 3), "float32"), mask=[[0, 1, 0], [0, 0, 1]])
    tree["meta"] = {"name": "Größe"}
    asdf.AsdfFile(tree).write_to(name, all_array_compression="zlib")


def check(name: str) -> None:
    with asdf.open(name, validate_checksums=True, memmap=False) as file:
        for kind in ["int8", "int16", "int32", "int64", "float32", "float64"]:
            assert np.array_equal(file[kind], NUMBERS), kind
            assert file[kind].dtype == np.dtype(kind) or kind in ("int16", "float32"), kind
        assert file["int16"].dtype == np.dtype(">i2")
        for kind in ["complex64", "complex128"]:
            assert file[kind].dtype == np.dtype(kind)
            assert np.array_equal(file[kind], NUMBERS - 1j * NUMBERS), kind
        assert file["bool8"].dtype == bool
        assert np.array_equal(file["bool8"], NUMBERS % 3 == 0)
        assert file["words"].tolist() == ["Größe", "", "plain"]
        ascii = [[text.decode() for text in row] for row in file["ascii"].tolist()]
        assert ascii == [["a", "b c"], ["", "d"]], ascii
        mask = np.ma.getmaskarray(file["masked"]._make_array())
        assert np.array_equal(mask, np.arange(6).reshape(2, 3) == 4), mask
        assert file["scalar"] == 2.5
        assert file["text"] == "Größe"
        assert file["meta"]["list"] == [1, "two"]
        assert [entry["description"] for entry in file.get_history_entries()] == ["written by Fortran"]


{"write": write, "check": check}[sys.argv[1]](sys.argv[2])
