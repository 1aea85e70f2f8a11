"""Compares the arrays and values that the tests of the Julia package stored with those that Python reads: DIR"""

import sys
import warnings
from pathlib import Path

import asdf
import numpy as np

folder = Path(sys.argv[1])
# asdf warns of a key that Julia stored with a slash.
warnings.simplefilter("ignore")


def same(found: object, expected: object) -> None:
    """Fails unless both arrays have the same type, shape and elements."""
    np.testing.assert_array_equal(np.asarray(found), expected, strict=True)


# The element [i, j] in Julia is [j - 1, i - 1] here: cube[i, j, k] is here[k - 1, j - 1, i - 1].
cube = np.arange(1, 121, dtype="int32").reshape(6, 5, 4)
matrix = np.array([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]])
numbers = np.array([[1 + 2j, 4], [3, 5j]])

with asdf.open(folder / "values.asdf") as file:
    assert file["meta"] == {"name": "Mira", "a/b": 1}
    assert file["list"] == [1, "two", None, 2.5] and file["mixed"][0] == 1 and file["mixed"][1] == [2, "x"]
    assert file["flag"] is True and file["low"] == -(2**63) and file["z"] == 1.5 - 2j and file["nothing"] is None
    assert file["pair"] == {"left": 1, "right": "r"}
with asdf.open(folder / "arrays.asdf") as file:
    same(file["cube"], cube)
    same(file["part"], cube[::-1, :, ::2])
    same(file["turned"], cube.transpose(1, 2, 0))
    same(file["adjoint"], np.array([[1.0, 2.0], [3.0, 4.0]]))
    same(file["flags"], np.eye(2, dtype=bool))
    same(file["words"], np.array([["a", "é"], ["bc", ""]]))
    assert np.asarray(np.ma.getmaskarray(file["hole"])).tolist() == [[False, False], [True, False]]
    same(file["scalar"], np.array(2.5, dtype="float32"))
    np.testing.assert_array_equal(file["packed"], cube)
    assert file["stars"]["id"].tolist() == [1, 2] and file["stars"]["at"].tolist() == [[0.5, 1.5], [2.5, 3.5]]
with asdf.open(folder / "memory.asdf") as file:
    same(file["rows"], cube[1, :, 2::-2])
    same(file["planes"], cube[5::-3, :0:-1, :])
    np.testing.assert_array_equal(file["packed"], cube[5::-3, :0:-1, :])
    # Julia overwrote a row of `turned`, and a part of `permuted`, in the file.
    turned = matrix.T.copy()
    turned[1] = [3, 2, 1]
    same(file["turned"], turned)
    permuted = cube.transpose(1, 2, 0).copy()
    permuted[::2, :, 1] = cube[0, :3, :]
    same(file["permuted"], permuted)
    same(file["permuted_part"], cube[:, :, ::2].transpose(2, 0, 1))
    same(file["bytes"], cube.view("uint8"))
    same(file["row"], cube[:, 2, 1].reshape(6, 1))
    same(file["conjugate"], numbers.T.conj())
    same(file["transposed"], numbers.T)
    same(file["bits"], np.ones((2, 3), dtype=bool))
    same(file["part_of_turned"], np.array([2.0, 3.0]))
    same(file["reshaped"], cube[1:3].reshape(2, 20))
    same(file["nothing"], np.zeros((6, 5, 0), dtype="int32"))
    same(file["range"], np.array([3, 2, 1]))
    same(file["indexed"], cube[0][:, [0, 3]])
    same(file["flags"], np.array([True, False]))
with asdf.open(folder / "lent.asdf") as file:
    for number in range(1, 51):
        same(file[f"a{number}"], np.full((20, 50), float(number)))
    # Julia changed `lent` after it was stored: the lent arrays have the new elements, the copy has the old ones.
    for name, element in (("b", 7.0), ("twice", 7.0), ("c", 0.0)):
        same(file[name], np.full((4, 3), element))
    np.testing.assert_array_equal(file["packed"], np.full((4, 3), 7.0))
    assert np.ma.getmaskarray(file["e"]).tolist() == [False, True] and file["d"].tolist() == [b"x", b"yz"]
    same(file["g"], np.array(2.5))
with asdf.open(folder / "views.asdf") as file:
    same(np.asarray(file["flags big"]), np.array([[True, True], [False, True]]))
    np.testing.assert_array_equal(file["half big"], np.array([[1.5], [-0.0], [np.inf]]))
with asdf.open(folder / "records.asdf") as file:
    nested = file["nested"]
    assert nested["id"].tolist() == [1, 2] and nested["at"]["x"].tolist() == [1.5, -1.5]
    assert nested["at"]["y"][0].tolist() == [[1, 4], [2, 5], [3, 6]]
    assert file["mixed"]["b"].tolist() == ["é", "long"] and file["none"].shape == (0,)
