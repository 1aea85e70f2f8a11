"""References, read by a reader of zarr of a few lines: it knows nothing of ASDF."""

import base64
import bz2
import itertools
import json
import os
import pickle
import zlib

import asdf
import numpy as np
import pytest

import asdfkit
from asdfkit import errors

DECODERS = {"zlib": zlib.decompress, "bz2": bz2.decompress}


def bytes_of(reference):
    if isinstance(reference, str):
        return base64.b64decode(reference.removeprefix("base64:"))
    url, offset, length = reference
    with open(url.removeprefix("file://"), "rb") as file:
        file.seek(offset)
        return file.read(length)


def read(references, name):
    """An array of references, with the names of its dimensions."""
    refs = references["refs"]
    metadata = json.loads(refs[f"{name}/.zarray"])
    assert (metadata["zarr_format"], metadata["order"], metadata["compressor"]) == (2, "C", None)
    assert metadata["dimension_separator"] == "."
    shape, chunk, dtype = metadata["shape"], metadata["chunks"], np.dtype(metadata["dtype"])
    found = np.full(shape, metadata["fill_value"] or 0, dtype)
    grid = [range(-(-extent // size)) for extent, size in zip(shape, chunk, strict=True)]
    for index in itertools.product(*grid):
        reference = refs.get(f"{name}/{'.'.join(map(str, index)) or '0'}")
        if reference is None:
            continue
        content = bytes_of(reference)
        for filter in reversed(metadata["filters"] or []):
            content = DECODERS[filter["id"]](content)
        part = np.frombuffer(content, dtype)
        assert part.size == np.prod(chunk, dtype=int), "a chunk has another size"
        place = tuple(slice(at * size, (at + 1) * size) for at, size in zip(index, chunk, strict=True))
        fits = found[place].shape
        found[place] = part.reshape(chunk)[tuple(map(slice, fits))]
    return found, json.loads(refs[f"{name}/.zattrs"])["_ARRAY_DIMENSIONS"]


def write(path, tree, **options):
    asdf.AsdfFile(tree).write_to(path, **options)
    return path


def by_hand(path, values, arrays):
    """A file with one block, which ends at its end, and arrays that are described as Python asdf no longer does."""
    tag = "!<tag:stsci.edu:asdf/core/ndarray-1.0.0>"
    tree = "".join(
        f"{name}: {tag} {{source: 0, datatype: int64, byteorder: little, {more}}}\n" for name, more in arrays.items()
    )
    size = values.nbytes.to_bytes(8, "big")
    block = b"\xd3BLK\0\x30" + bytes(8) + size * 3 + bytes(16) + values.astype("<i8").tobytes()
    path.write_bytes(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n---\n" + tree.encode() + b"...\n" + block)
    return path


def notes(references):
    return {note["path"]: note["message"] for note in references["asdfkit"]["notes"]}


def test_arrays_of_all_kinds_are_those_of_python_asdf(tmp_path):
    base = np.arange(24 * 7, dtype=">i2").reshape(24, 7)
    tree = {
        "plain": np.arange(24 * 35, dtype="<f4").reshape(24, 5, 7),
        "big": base,
        "bool": base % 3 == 0,
        "complex": base * (1 + 2j),
        "half": base.astype("<f2"),
        "text": np.array(["abc", "日本", ""]),
        "bytes": np.array([b"ab", b"c"]),
        "scalar": np.array(7.5),
        "none": np.zeros((0, 3)),
        "fortran": np.asfortranarray(np.arange(30.0).reshape(2, 3, 5)),
        "group": {"inner": np.arange(3), "list": [np.arange(4), {"a/b": np.arange(5)}]},
    }
    path = write(tmp_path / "a.asdf", tree)
    for slab in (64, 400, 1 << 20):
        references = asdfkit.export_references(path, slab_bytes=slab)
        assert not notes(references)
        for name, values in tree.items():
            if name in ("fortran", "group"):
                continue
            found, dimensions = read(references, name)
            np.testing.assert_array_equal(found, values)
            assert dimensions == [f"{name}_dim_{axis}" for axis in range(found.ndim)]
            assert found.dtype.newbyteorder("=") == values.dtype.newbyteorder("=")
        found, dimensions = read(references, "fortran")
        np.testing.assert_array_equal(found, tree["fortran"].T)
        assert dimensions == ["fortran_dim_2", "fortran_dim_1", "fortran_dim_0"]
        np.testing.assert_array_equal(read(references, "group/list/1/a%2Fb")[0], np.arange(5))
        groups = json.loads(references["refs"][".zmetadata"])["metadata"]
        assert groups["group/list/.zgroup"] == {"zarr_format": 2}
    inner = asdfkit.export_references(path, root="group")
    np.testing.assert_array_equal(read(inner, "inner")[0], np.arange(3))
    (known,) = inner["asdfkit"]["files"]
    status = os.stat(path)
    assert known == {"url": f"file://{path}", "size": status.st_size, "modified_ns": status.st_mtime_ns}


@pytest.mark.parametrize("rows", [7, 97, 100, 101])
@pytest.mark.parametrize("slab", [1, 90, 1000])
def test_remainders_are_never_wrong(tmp_path, rows, slab):
    values = np.arange(rows * 3, dtype="<i8").reshape(rows, 3)
    path = by_hand(tmp_path / "a.asdf", values, {"a": f"shape: [{rows}, 3]"})
    np.testing.assert_array_equal(read(asdfkit.export_references(path, slab_bytes=slab), "a")[0], values)


def test_strides_are_followed(tmp_path):
    square = np.arange(400).reshape(20, 20)
    arrays = {
        "rows": "shape: [7, 16], strides: [320, 8], offset: 512",
        "backwards": "shape: [20, 20], strides: [-160, 8], offset: 3040",
        "columns": "shape: [5, 3], strides: [160, 16], offset: 8",
        "turned": "shape: [2, 20], strides: [8, 160], offset: 24",
        "repeated": "shape: [3, 20], strides: [0, 8]",
    }
    path = by_hand(tmp_path / "a.asdf", square, arrays)
    with asdf.open(path) as file:
        expected = {name: np.array(file[name]) for name in arrays}
    for slab in (8, 500, 1 << 20):
        references = asdfkit.export_references(path, slab_bytes=slab)
        for name, values in expected.items():
            np.testing.assert_array_equal(read(references, name)[0], values.T if name == "turned" else values)


@pytest.mark.parametrize("codec", ["zlib", "bzp2"])
def test_compressed_blocks_are_chunks(tmp_path, codec):
    tree = {"a": np.arange(60, dtype=">i4").reshape(12, 5), "f": np.asfortranarray(np.arange(6.0).reshape(2, 3))}
    path = write(tmp_path / "a.asdf", tree, all_array_compression=codec)
    references = asdfkit.export_references(path)
    np.testing.assert_array_equal(read(references, "a")[0], tree["a"])
    np.testing.assert_array_equal(read(references, "f")[0], tree["f"].T)


def test_chunked_arrays_keep_their_chunks(tmp_path):
    values = np.arange(90, dtype="i4").reshape(9, 10)
    for order in ("c", "fortran"):
        path = tmp_path / f"{order}.asdf"
        asdfkit.write(path, {"a": values}, chunks=(4, 4), compression="zlib", stored_order=order)
        found, _ = read(asdfkit.export_references(path), "a")
        np.testing.assert_array_equal(found, values if order == "c" else values.T)


def test_what_cannot_be_expressed_is_named(tmp_path):
    record = np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])
    masked = np.ma.array([1, 2, 3], mask=[0, 1, 0])
    tree = {"inline": np.arange(3), "record": record, "masked": masked}
    file = asdf.AsdfFile(tree)
    file.set_array_storage(tree["inline"], "inline")
    file.write_to(tmp_path / "a.asdf")
    references = asdfkit.export_references(tmp_path / "a.asdf")
    found = notes(references)
    assert set(found) >= {"/inline", "/record", "/masked"}
    assert "elements are in the tree" in found["/inline"] and "records" in found["/record"]
    assert "mask" in found["/masked"]
    sparse = by_hand(tmp_path / "sparse.asdf", np.arange(400_000), {"sparse": "shape: [200000], strides: [16]"})
    assert notes(asdfkit.export_references(sparse))["/sparse"].endswith(
        "it would need 200000 references to 8 bytes each"
    )
    inline = asdfkit.export_references(tmp_path / "a.asdf", inline_bytes=100)
    np.testing.assert_array_equal(read(inline, "inline")[0], np.arange(3))


def test_files_are_joined(tmp_path):
    parts = [np.arange(12, dtype="i4").reshape(4, 3) + 12 * part for part in range(3)]
    paths = [write(tmp_path / f"{part}.asdf", {"a": values, "x": np.arange(3)}) for part, values in enumerate(parts)]
    found, dimensions = read(asdfkit.export_references(paths, join_dimension="time"), "a")
    np.testing.assert_array_equal(found, np.stack(parts))
    assert dimensions == ["time", "a_dim_0", "a_dim_1"]
    for axis in (0, 1):
        references = asdfkit.export_references(paths, join_dimension="", join_axis=axis, same=["x"])
        np.testing.assert_array_equal(read(references, "a")[0], np.concatenate(parts, axis))
        np.testing.assert_array_equal(read(references, "x")[0], np.arange(3))
    other = write(tmp_path / "other.asdf", {"a": parts[0].astype("f4")})
    found = notes(asdfkit.export_references([paths[0], other]))
    assert "datatype differs" in found["/a"] and "does not have it" in found["/x"]


def test_names_of_dimensions_come_from_the_tree(tmp_path):
    tree = {"_ARRAY_DIMENSIONS": {"a": ["y", "x"]}, "a": np.zeros((2, 3)), "b": np.zeros(4)}
    references = asdfkit.export_references(write(tmp_path / "a.asdf", tree), url="https://a/b/")
    attributes = [json.loads(references["refs"][f"{name}/.zattrs"])["_ARRAY_DIMENSIONS"] for name in "ab"]
    assert attributes == [["y", "x"], ["b_dim_0"]]
    assert references["refs"]["a/0.0"][0] == "https://a/b/a.asdf"


def test_wrong_arguments(tmp_path):
    path = write(tmp_path / "a.asdf", {"a": np.zeros(3)})
    with pytest.raises(errors.AsdfError):
        asdfkit.export_references([path, path])
    with pytest.raises(errors.AsdfError):
        asdfkit.export_references([])
    with pytest.raises(errors.NotFoundError):
        asdfkit.export_references(path, root="none")
    with pytest.raises(TypeError):
        asdfkit.export_references(7)
    with pytest.raises(TypeError):
        asdfkit.export_references(path, slabs=7)


def test_processes_read_ranges_of_rows(tmp_path):
    path = tmp_path / "a.ecsv"
    texts = ["plain", "two\nlines", 'a "quote"', "# no comment\n"]
    table = {"n": np.arange(1000), "s": [texts[row % 4] for row in range(1000)]}
    asdfkit.write_ecsv(table, path, delimiter="comma")
    index = pickle.loads(pickle.dumps(asdfkit.table_index(path, 17)))
    assert index.row_count == 1000
    for first in range(0, 1000, 250):
        part = asdfkit.read_ecsv(path, rows=slice(first, first + 250), table_index=index)
        np.testing.assert_array_equal(part["n"], table["n"][first : first + 250])
        assert list(part["s"]) == table["s"][first : first + 250]
    with open(path, "a") as file:
        file.write("1,x\n")
    with pytest.raises(errors.AsdfError):
        asdfkit.read_ecsv(path, table_index=index)
