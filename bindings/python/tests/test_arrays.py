"""Arrays: datatypes, indexing, output memory, masks, views, conversions, and errors of each."""

import gc
import weakref

import asdf
import numpy as np
import pytest

import asdfkit
from asdfkit.constants import Status


def stored(value, **options) -> asdfkit.Array:
    file = asdfkit.new()
    file.set("x", value, **options)
    return asdfkit.open(file.to_bytes())["x"]


def test_properties():
    array = stored(np.zeros((2, 3, 4), ">i2"), compression="zlib")
    assert (array.shape, array.ndim, array.size, array.nbytes, len(array)) == ((2, 3, 4), 3, 24, 48, 2)
    assert array.dtype == np.dtype("i2") and array.byte_order.name == "BIG" and array.datatype_name == "int16"
    assert (
        array.path == "/x"
        and "ndarray" in array.tag
        and array.block == 0
        and not array.is_inline
        and not array.has_mask
    )
    with pytest.raises(TypeError):
        len(stored(np.array(5)))


@pytest.mark.parametrize("dtype", ["f2", "?", "c8", "c16", "S5", "U3", ">U3", "u8", "i1"])
def test_datatypes(dtype):
    values = (
        np.array([["1", "0"], ["0", "1"]]).astype(dtype) if "S" in dtype or "U" in dtype else np.eye(2).astype(dtype)
    )
    array = stored(values)
    assert array.dtype == values.dtype.newbyteorder("=") and np.array_equal(array[...], values)
    assert np.array_equal(array[1:, ::-1], values[1:, ::-1]) and array[1, 1] == values[1, 1]


def test_records():
    dtype = np.dtype([("id", ">i4"), ("name", "S4"), ("inner", [("v", "f4", (2, 3)), ("ok", "?")])], align=True)
    values = np.zeros(3, dtype)
    values["id"], values["inner"]["v"][1] = [1, 2, 3], np.arange(6).reshape(2, 3)
    array = stored(values)
    assert array[1]["inner"]["v"].tolist() == [[0, 1, 2], [3, 4, 5]] and array["id"][::-1].tolist() == [3, 2, 1]
    assert array["inner"]["v"][1, 1, :].tolist() == [3, 4, 5] and array["inner"].dtype.names == ("v", "ok")
    with pytest.raises(asdfkit.AsdfError):
        array["nope"]


INLINE_RECORDS = b"""#ASDF 1.0.0
#ASDF_STANDARD 1.5.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
x: !core/ndarray-1.0.0
  data: [[7, abc, [1, [2.5]]], [8, \xc3\xa9, [2, [3.5]]]]
  datatype:
  - {name: n, datatype: int32, byteorder: big}
  - {name: t, datatype: [ucs4, 3], byteorder: big}
  - name: r
    byteorder: big
    datatype: [{name: a, datatype: int16, byteorder: big}, {name: b, datatype: float64, shape: [1]}]
  byteorder: big
  shape: [2]
...
"""


def test_values_in_the_tree_have_no_byte_order():
    array = asdfkit.open(INLINE_RECORDS)["x"]
    elements = array[...]
    assert elements["n"].tolist() == [7, 8]
    assert elements["t"].tolist() == ["abc", "\u00e9"]
    assert elements["r"]["a"].tolist() == [1, 2] and elements["r"]["b"].tolist() == [[2.5], [3.5]]
    assert array[1:].tolist()[0][:2] == (8, "\u00e9")


@pytest.mark.parametrize(
    "index",
    [(0, 1), (-1,), (), ..., (..., 0), (None, 1, ..., None), slice(None, None, -2), (slice(5, 1), 0), np.int8(1)]
    + [(slice(2**70), slice(None, None, -(2**63) + 1)), (slice(1, 2, 2**62), 0), (np.array(1), 1)],
    ids=repr,
)
def test_indices(index):
    values = np.arange(12).reshape(3, 4)
    result, expected = stored(values)[index], values[index]
    assert type(result) is type(expected) and result.shape == expected.shape and np.array_equal(result, expected)


@pytest.mark.parametrize(
    "index",
    [
        [0, 3],
        [0.5],
        np.array([1, -4]),
        ([0, 1], [0, 1, 2]),
        True,
        np.ones((3, 3), bool),
        ["a"],
        3,
        -4,
        (0, 4),
        (0, 0, 0),
        (..., ...),
        1.5,
        2**70,
    ],
    ids=repr,
)
def test_wrong_indices(index):
    with pytest.raises(IndexError):
        stored(np.arange(12).reshape(3, 4))[index]


def random_index(random, shape):
    """An index with at least one list, array or mask; it may be wrong."""
    if random.random() < 0.15:
        return random.random(shape) < random.random()
    lists = tuple(random.integers(1, 4, size=random.integers(1, 3))) if random.random() < 0.4 else random.integers(0, 6)
    items = []
    for extent in shape:
        kind = random.integers(0, 8)
        numbers = random.integers(-extent, extent, size=lists)
        items += {
            0: [int(random.integers(-extent, extent))],
            1: [slice(int(random.integers(extent)), None, int(random.choice([-3, -1, 1, 2])))],
            2: [slice(None), None],
            3: [numbers],
            4: [numbers.tolist()],
            5: [random.random(extent) < 0.5],
            6: [] if ... in [item for item in items if not hasattr(item, "__len__")] else [...],
            7: [None],
        }[int(kind)]
    return (*items, [0, 0]) if random.random() < 0.1 else tuple(items)


def test_lists_and_masks_as_index(cases, tmp_path):
    random = np.random.default_rng(37)
    values = random.integers(0, 1000, (13, 17, 11)).astype("i4")
    masked = np.ma.MaskedArray(values.astype("f8"), values % 5 == 0)
    file = asdfkit.new({"plain": values, "masked": masked})
    file.set("packed", values, compression="zlib")
    file.write(tmp_path / "a.asdf")
    changed = values.copy()
    with asdfkit.open(tmp_path / "a.asdf", "r+") as file:
        for _ in range(cases):
            index = random_index(random, values.shape)
            for name, expected in (("plain", changed), ("packed", values), ("masked", masked)):
                try:
                    wanted = expected[index]
                except IndexError:
                    with pytest.raises(IndexError):
                        file[name][index]
                    continue
                found = file[name][index]
                assert found.shape == wanted.shape, index
                assert np.array_equal(np.ma.getmaskarray(found), np.ma.getmaskarray(wanted)), index
                assert np.ma.filled(found, 0).tolist() == np.ma.filled(wanted, 0).tolist(), index
                if name == "plain":
                    new = random.integers(0, 1000, wanted.shape) if random.random() < 0.6 else 7
                    changed[index] = new
                    file["plain"][index] = new
                    assert np.array_equal(file["plain"][...], changed), index
        array = file["plain"]
        assert array.read([3, 1], dtype="f8").dtype == "f8" and file["masked"].read([0], fill=-1).min() == -1
        assert array.read([3, 1], out=(out := np.zeros((2, 17, 11)))) is out and np.array_equal(out, changed[[3, 1]])
        assert np.array_equal(file["masked"].mask([0, 2]), masked.mask[[0, 2]])
        assert array[array[...] > 500].tolist() == changed[changed > 500].tolist()
        with pytest.raises(asdfkit.errors.ArrayError, match="cannot hold"):
            array[[0, 5]] = 2**40


def test_merged_regions_are_bounded(monkeypatch):
    """Far elements are read one by one, near ones as one region."""
    array = stored(np.arange(10_000_000, dtype="i8"))
    regions = []
    read = asdfkit.Array._read
    monkeypatch.setattr(
        asdfkit.Array, "_read", lambda self, region, *rest: (regions.append(region), read(self, region, *rest))[1]
    )
    assert array[[5, 7, 6, 100]].tolist() == [5, 7, 6, 100] and len(regions) == 1 and regions[0].count == (96,)
    regions.clear()
    assert array[[0, 9_000_000, 1]].tolist() == [0, 9_000_000, 1] and [r.count for r in regions] == [(2,), (1,)]
    regions.clear()
    assert array[np.arange(0, 10_000_000, 1_000_000)].size == 10 and len(regions) == 1


def test_methods_of_numpy(monkeypatch):
    from asdfkit import _reductions

    values = np.random.default_rng(1).normal(size=(30, 20, 10)).astype("f4")
    masked = np.ma.MaskedArray(values, values > 1)
    masked[3] = np.ma.masked
    integers = (values * 100).astype("i2")
    spoiled = values.copy()
    spoiled[7, 3, 2] = np.nan
    for piece in (_reductions.PIECE, 4000, 40):
        monkeypatch.setattr(_reductions, "PIECE", piece)
        for expected in (values, masked, integers, spoiled, integers > 0, values * 1j):
            array = stored(expected)
            for name in ("min", "max", "sum", "mean", "var", "std"):
                if expected.dtype.kind == "c" and name in ("min", "max"):
                    continue
                for options in ({}, {"axis": 0}, {"axis": -1}, {"axis": (0, 2), "keepdims": True}, {"axis": ()}):
                    found, wanted = getattr(array, name)(**options), getattr(expected, name)(**options)
                    assert np.shape(found) == np.shape(wanted)
                    # Means and spreads of a masked array of NumPy have always 64 bits.
                    assert np.asarray(found).dtype == np.asarray(wanted).dtype or (
                        expected is masked and name in ("mean", "var", "std")
                    )
                    assert np.array_equal(np.ma.getmaskarray(found), np.ma.getmaskarray(wanted))
                    assert np.allclose(np.ma.filled(found, 0), np.ma.filled(wanted, 0), 1e-4, 1e-4, equal_nan=True)
            assert np.allclose(np.mean(array, axis=1), np.mean(expected, axis=1), equal_nan=True)
            found, wanted = array.std(axis=1, ddof=1), expected.std(axis=1, ddof=1)
            assert np.ma.allclose(found, wanted) if expected is masked else np.allclose(found, wanted, equal_nan=True)
            # The squares of such numbers have no digit left for their spread.
            far = stored(np.arange(4000.0) + 1e9)
            assert np.isclose(far.var(), np.arange(4000.0).var(), 1e-6) and far.std(ddof=1) > far.std()
    assert stored(np.ma.array([1.0, 2.0], mask=[0, 1])).std(ddof=1) is np.ma.masked
    assert stored(masked).min() is not np.ma.masked and stored(np.ma.masked_all((3, 3))).sum() is np.ma.masked
    array = stored(integers)
    assert np.array_equal(array.T, integers.T) and array.itemsize == 2 and array.tolist() == integers.tolist()
    assert array.astype("f8").dtype == "f8" and stored(np.ma.array([1, 2], mask=[0, 1])).tolist() == [1, None]
    with pytest.raises(ValueError):
        array.mean(axis=3)
    with pytest.raises(ValueError):
        stored(np.zeros((0, 3))).min()


def test_tuples_are_records(tmp_path):
    asdfkit.write(tmp_path / "a.asdf", {"records": np.zeros(3, [("a", "i4"), ("b", "f8")])})
    file = asdfkit.open(tmp_path / "a.asdf", "r+")
    records = file["records"]
    records[0] = (1, 2.5)
    records[1:] = [(3, 4.5), (5, 6.5)]
    assert records[...].tolist() == [(1, 2.5), (3, 4.5), (5, 6.5)]
    records[:] = (7, 8.5)
    file.save()
    records.append([(9, 1.5)])
    assert records[...].tolist() == [(7, 8.5)] * 3 + [(9, 1.5)]
    assert records[["b"]].dtype.names == ("b",) and records[["b", "a"]][3].tolist() == (1.5, 9)
    for wrong in ((1,), (1, 2, 3), ("x", 2), (np.ma.masked, 2.5), [(1, np.ma.masked)]):
        with pytest.raises((TypeError, ValueError)):
            records[0] = wrong
    assert records[...].tolist() == [(7, 8.5)] * 3 + [(9, 1.5)]
    assert records[["b"]].dtype.names == ("b",) and records[["b", "a"]][3].tolist() == (1.5, 9)


def test_compression_and_unit():
    file = asdfkit.new({"plain": np.arange(3)})
    file.set("packed", np.arange(3), compression="zlib")
    file.set("inline", np.arange(3), storage="inline")
    file["length"] = asdfkit.Quantity(np.arange(3.0), "m")
    found = asdfkit.open(file.to_bytes(), astropy=False)
    assert [found[name].compression for name in ("plain", "packed", "inline")] == [None, "zlib", None]
    assert found["length"].value.unit == "m" and found["plain"].unit is None


def test_regions_of_compressed_and_inline_arrays_are_written_on_save(tmp_path):
    file = asdfkit.new()
    values = np.arange(12, dtype=">i2").reshape(3, 4)
    file.set("packed", values, compression="zlib")
    file.set("inline", values, storage="inline")
    file.set("masked", np.ma.MaskedArray(values, values == 1), compression="zlib")
    file.write(tmp_path / "a.asdf")
    with asdfkit.open(tmp_path / "a.asdf", "r+") as file:
        for name in ("packed", "inline"):
            array = file[name]
            array[0, 1] = 99
            array[[0, 2], 3] = [7, 8]
            assert array[0].tolist() == [0, 99, 2, 7] and file[name][2, 3] == 8
        with pytest.raises(asdfkit.AsdfError, match="mask"):
            file["masked"][0, 0] = 5
        file.save()
    with asdfkit.open(tmp_path / "a.asdf") as file:
        assert (
            file["packed"][...].tolist() == file["inline"][...].tolist() == [[0, 99, 2, 7], [4, 5, 6, 7], [8, 9, 10, 8]]
        )
        assert file["packed"].compression == "zlib" and file["packed"].byte_order == asdfkit.constants.ByteOrder.BIG
    with asdfkit.open(tmp_path / "a.asdf", "r+") as file:
        file["packed"][0, 0] = 1
    assert asdfkit.open(tmp_path / "a.asdf")["packed"][0, 0] == 0


def test_output_memory():
    values = np.arange(12.0).reshape(3, 4)
    array = stored(values)
    for out in (np.zeros((3, 4)), np.zeros((4, 3), "f4").T, np.zeros((6, 8), "i8")[::-2, ::2], np.zeros((3, 4), "c8")):
        assert array.read(out=out) is out and np.array_equal(out, values)
    line = np.zeros((3, 9))[:, 4]
    array.read((slice(None), 2), out=line)
    assert line.tolist() == [2, 6, 10]
    array.read((None, 1, slice(None, None, 2)), out=(plane := np.zeros((1, 2))))
    assert plane.tolist() == [[4, 6]]
    read_only = np.zeros((3, 4))
    read_only.flags.writeable = False
    overlapping = np.lib.stride_tricks.as_strided(np.zeros(4), (3, 4), (0, 8))
    wrong = [
        np.zeros((4, 3)),
        np.zeros((3, 4), ">f8"),
        read_only,
        overlapping,
        np.zeros((3, 4), "O"),
        [0],
        np.zeros((3, 4), "M8[s]"),
    ]
    for out in wrong:
        with pytest.raises((TypeError, ValueError)):
            array.read(out=out)
    with pytest.raises(TypeError):
        array.read(out=np.zeros((3, 4)), dtype="f4")
    with pytest.raises(TypeError):
        array.read(order="fortran")


def test_conversions():
    array = stored(np.array([1.0, 300.0]))
    assert array.read(dtype="i2").tolist() == [1, 300] and array.read(dtype=complex)[1] == 300
    with pytest.raises(asdfkit.errors.ArrayError) as caught:
        array.read(dtype="u1")
    assert caught.value.status == Status.OVERFLOW
    assert array.read(dtype="u1", clamp=True).tolist() == [1, 255]
    with pytest.raises(asdfkit.errors.ArrayError):
        array.read(dtype="S3")
    with pytest.raises(TypeError):
        array.read(dtype=">f4")
    assert stored(np.array(["a", "bc"])).read(dtype="S")[1] == b"bc"
    assert np.asarray(array, dtype="f4").dtype == "f4" and np.asarray(array, dtype=">f4")[1] == 300
    assert np.mean(array) == 150.5 and sum(array) == 301 and list(array) == [1, 300]


def test_masks():
    values = np.ma.MaskedArray([[1, 2], [3, 4]], [[0, 1], [0, 0]], dtype="i2")
    array = stored(values)
    result = array[...]
    assert isinstance(result, np.ma.MaskedArray) and result.tolist() == [[1, None], [3, 4]] and array.has_mask
    assert array[0, 1] is np.ma.masked and array[0, 0] == 1 and array.mask(0).tolist() == [False, True]
    assert array.read(fill=-7).tolist() == [[1, -7], [3, 4]] and array.without_mask()[0, 1] == 2
    with pytest.raises(asdfkit.errors.ArrayError) as caught:
        np.asarray(array)
    assert caught.value.status == Status.MASKED
    with pytest.raises(asdfkit.errors.ArrayError):
        array.read(out=np.zeros((2, 2)))
    out = np.ma.zeros((2, 2))
    assert array.read(out=out).tolist() == [[1, None], [3, 4]]
    strided = np.ma.zeros((2, 4))[:, ::2]
    assert array.read(out=strided).tolist() == [[1, None], [3, 4]]
    with pytest.raises(asdfkit.AsdfError):
        array.read(fill=1e9)
    with pytest.raises(ValueError):
        array.read(fill=[1, 2])
    file = asdfkit.new()
    file["x"] = values
    file["r"] = np.ma.MaskedArray(np.zeros(2, "i4,f8"), [(1, 1), (0, 0)])
    with pytest.raises(ValueError, match="whole records"):
        file["s"] = np.ma.MaskedArray(np.zeros(2, "i4,f8"), [(1, 0), (0, 0)])
    with asdf.open(__import__("io").BytesIO(file.to_bytes()), memmap=False) as theirs:
        assert theirs["x"][...].tolist() == [[1, None], [3, 4]]
    assert asdfkit.open(file.to_bytes())["r"][...].mask.tolist() == [(True, True), (False, False)]
    with pytest.raises(ValueError):
        file["x"][...] = np.ma.masked


def test_views(tmp_path):
    file = asdfkit.new()
    file["x"] = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    file.set("z", np.arange(3), compression="zlib")
    file["r"] = np.array([(1, 2.5)], "i4,f8")
    file["e"] = np.zeros((0, 3))
    file.write(tmp_path / "view.asdf")
    with asdfkit.open(tmp_path / "view.asdf") as file:
        view, part = file["x"].view(), file["x"].view()[1:, ::2]
        with pytest.raises(asdfkit.errors.ArrayError, match="/z: no view is possible because") as caught:
            file["z"].view()
        assert caught.value.status == Status.NOT_VIEWABLE and file["e"].view().shape == (0, 3)
        assert np.asarray(file["x"], copy=False)[2, 3] == 11 if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else True
        if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
            with pytest.raises(ValueError, match="copy"):
                np.asarray(file["z"], copy=False)
    del file
    assert np.array_equal(view, np.arange(12.0).reshape(3, 4)) and part.tolist() == [[4, 6], [8, 10]]
    for wrong in (view, part):
        with pytest.raises(ValueError):
            wrong[0, 0] = 1
        with pytest.raises(ValueError):
            wrong.flags.writeable = True


def test_views_of_elements_that_c_cannot_use(tmp_path):
    values = np.arange(48, dtype=">f8").reshape(6, 8)
    arrays = {
        "big": values,
        "part": values[::2, 1::3],
        "back": values[::-1, 1::-1],
        "columns": np.asfortranarray(values.astype("f4")),
        "text": np.array(["ab", "c"], ">U2"),
        "records": np.array([(1, 2.0)] * 3, "<i4,<f8"),
        "mixed": np.array(
            [(1, 2.0, ([3, 4], b"x"))], [("a", ">i4"), ("b", "<f8"), ("c", [("d", ">u2", 2), ("e", "S1")])]
        ),
    }
    asdf.AsdfFile(arrays).write_to(tmp_path / "view.asdf")
    with asdfkit.open(tmp_path / "view.asdf") as file:
        views = {name: file[name].view() for name in arrays}
    for name, view in views.items():
        assert np.array_equal(view, arrays[name]) and view.dtype == arrays[name].dtype and not view.flags.writeable
        with pytest.raises(ValueError):
            view.flags.writeable = True


def test_options_of_arrays():
    assert stored(np.arange(3), storage="inline").is_inline
    assert stored(np.arange(3.0), byte_order="big").byte_order.name == "BIG"
    file = asdfkit.new()
    with pytest.raises(TypeError, match="for arrays"):
        file.set("x", 1, compression="zlib")
    with pytest.raises(asdfkit.AsdfError):
        file.set("x", np.zeros(3), compression="nope")
    with pytest.raises(TypeError, match="unknown option"):
        file.set("x", np.zeros(3), codec="zlib")
    file.set("all", {"a": np.zeros(3), "b": [np.zeros(3)]}, compression="zlib")
    assert [block.compression for block in asdfkit.open(file.to_bytes()).blocks] == ["zlib", "zlib"]


def test_strings():
    assert stored(np.array(["a", "ü", ""])).load_text() == ["a", "ü", ""]
    with pytest.raises(asdfkit.AsdfError):
        stored(np.array([1])).load_text()
    with pytest.raises(asdfkit.AsdfError):
        stored(np.array([b"\xff"]))


def test_writing_strings(tmp_path):
    file = asdfkit.new()
    file["x"] = np.array(["abc", "de"])
    file.write(tmp_path / "s.asdf")
    with asdfkit.open(tmp_path / "s.asdf", "r+") as file:
        file["x"][1] = "xyz"
        with pytest.raises(ValueError, match="too long"):
            file["x"][0] = "wxyz"
        with pytest.raises((IndexError, ValueError)):
            file["x"][2] = "a"
        with pytest.raises(ValueError):
            file["x"][:] = ["a"] * 3
        file.save(durable=False)
    with asdfkit.open(tmp_path / "s.asdf") as file:
        assert file["x"][...].tolist() == ["abc", "xyz"]


def test_lent_arrays(tmp_path):
    numbers = np.arange(24.0).reshape(4, 6)
    masked = np.ma.masked_less(np.arange(5), 2)
    records = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "u1"), ("b", ">f8")])
    arrays = {"c": numbers, "rows": numbers[::-2, 1:], "fortran": numbers.T, "big": numbers.astype(">f4")}
    file = asdfkit.new()
    file.set("arrays", {**arrays, "masked": masked, "records": records}, lend=True)
    file["items"] = []
    file["items"].append(numbers, lend=True)
    numbers[0, 0] = 100.0  # lent, not copied
    file.write(tmp_path / "lent.asdf")
    with asdf.open(tmp_path / "lent.asdf") as other:
        for name, array in arrays.items():
            assert other["arrays"][name].dtype == array.dtype
            np.testing.assert_array_equal(other["arrays"][name], array)
        np.testing.assert_array_equal(other["items"][0], numbers)
        np.testing.assert_array_equal(other["arrays"]["masked"].mask, masked.mask)
        np.testing.assert_array_equal(other["arrays"]["records"], records)


def test_lent_arrays_live_until_the_file_is_closed():
    array = np.arange(1000.0)
    alive = weakref.ref(array)
    file = asdfkit.new()
    file.set("data", array, lend=True)
    del array
    gc.collect()
    assert alive() is not None
    assert file["data"][999] == 999.0
    file.close()
    gc.collect()
    assert alive() is None
    array = np.arange(4.0)
    alive = weakref.ref(array)
    with pytest.raises(asdfkit.AsdfError):
        asdfkit.new().set("a/~7", array, lend=True)
    del array
    gc.collect()
    assert alive() is None


def test_values_are_appended_with_all_their_parts():
    file = asdfkit.new()
    masked = np.ma.masked_equal([1, 2, 3], 2)
    for value in (masked, {"a": masked}, [1], asdfkit.Tagged({}, "asdf://x/y-1.0.0"), asdfkit.Quantity(masked, "m")):
        file.set("new/list/-", value)
    assert len(file["new/list"]) == 5
    assert file["new/list/0"][...].mask.tolist() == [False, True, False]
    assert file["new/list/1/a"][...].mask.tolist() == [False, True, False]
    assert file["new/list/4/unit"] == "m" and file["new/list/4/value"][...].mask.tolist() == [False, True, False]
    file["mapping"] = {"a": 1, "b": 2}
    file.set("mapping/-", masked)  # a key of a mapping
    assert sorted(file["mapping"]) == ["-", "a", "b"] and file["mapping/-"][...].mask.tolist() == [False, True, False]


@pytest.mark.parametrize("compression", [None, "zlib"])
def test_elements_of_a_file_in_memory_can_be_overwritten(compression):
    file = asdfkit.new()
    file.set("data", np.arange(12.0).reshape(3, 4), compression=compression)
    file["big"] = np.arange(3, dtype=">i2")
    file = asdfkit.open(file.to_bytes(), "r+")
    file["data"][1, 1:3] = 7
    file["big"][0] = 5
    found = asdfkit.open(file.to_bytes())
    expected = np.arange(12.0).reshape(3, 4)
    expected[1, 1:3] = 7
    np.testing.assert_array_equal(found["data"][...], expected)
    assert found["data"].compression == compression and found["big"].byte_order.name == "BIG"
    assert found["big"][...].tolist() == [5, 1, 2]
