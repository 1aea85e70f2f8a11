"""Cross-reads of chunked arrays with asdf-zarr 0.0.4 and zarr 2, both ways: random shapes, chunks, datatypes, codecs and
fill values.

    python cross_reads.py FOLDER [COUNT [SEED]]

Leaves `ours.asdf` and the expected elements in `expected.npz` for `read_with_zarr3.py`.
"""

import os
import sys
import warnings

import asdf
import asdfkit
import numcodecs
import numpy as np
import zarr
from asdfkit import constants

NUMBERS = "|i1 <i2 >i4 <i8 |u1 >u2 <u4 <u8 <f2 >f4 <f8".split()
OTHERS = "|b1 <c8 >c16 |S5 <U3 >U2".split()
RECORD = [("a", "<i4"), ("b", ">f8", (2,))]


def extents(rng):
    rank = int(rng.integers(0, 5))
    shape = tuple(int(size) for size in rng.integers(0 if rng.random() < 0.1 else 1, 12, rank))
    return shape, tuple(int(size) for size in rng.integers(1, 8, rank))


def values(rng, dtype, shape):
    """Elements, half of them equal to their neighbours so that codecs have something to do."""
    size = int(np.prod(shape, dtype=int))
    steps = np.cumsum(rng.integers(0, 3, size))
    if dtype.kind == "b":
        made = (steps % 2).astype(dtype)
    elif dtype.kind in "iu":
        made = (steps - (3 if dtype.kind == "i" else 0)).astype(dtype)
    elif dtype.kind == "f":
        made = rng.normal(size=size).astype(dtype)
    elif dtype.kind == "c":
        made = (rng.normal(size=size) + 1j * steps).astype(dtype)
    elif dtype.kind == "S":
        made = np.array([b"abcde"[: n % 6] for n in steps], dtype=dtype)
    elif dtype.kind == "U":
        made = np.array(["aé"[: n % 3] for n in steps], dtype=dtype)
    else:
        made = np.frombuffer(rng.bytes(size * dtype.itemsize), dtype=dtype).copy()
    return made.reshape(shape)


def same(found, expected, what):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{what}: {found.shape} {expected.shape}"
    native = expected.dtype.newbyteorder("=")
    assert found.astype(native).tobytes() == expected.astype(native).tobytes(), f"{what}: {found} {expected}"


def our_options(rng, dtype):
    """Options of a chunked array of ours."""
    options = {"byte_order": constants.ByteOrder(int(rng.integers(0, 2))), "threads": int(rng.integers(1, 3))}
    options["stored_order"] = constants.Order(int(rng.integers(0, 2)))
    filters = []
    if dtype.kind in "iu" and rng.random() < 0.4:
        filters.append("delta")
    if rng.random() < 0.4 and dtype.itemsize:
        filters.append("shuffle")
    if filters:
        options["chunk_filters"] = filters
    codec = rng.choice(["", "zlib", "gzip", "bz2", "lz4", "zstd", "blosc", "label"])
    if codec == "label":
        options["compression"] = str(rng.choice(["zlib", "bzp2"]))
    elif codec:
        options["chunk_codec"] = str(codec)
        if codec != "lz4" and rng.random() < 0.5:
            options["level"] = int(rng.integers(1, 10))
        if codec == "blosc":
            options["blosc_codec"] = str(rng.choice(["lz4", "zlib", "zstd"]))
            options["shuffle"] = constants.Shuffle(int(rng.integers(0, 3)))
    return options


def write_ours(folder, rng, count):
    path = os.path.join(folder, "ours.asdf")
    expected = {}
    file = asdfkit.new()
    for number in range(count):
        dtype = np.dtype(str(rng.choice(NUMBERS + OTHERS)) if rng.random() < 0.95 else RECORD)
        shape, chunks = extents(rng)
        elements = values(rng, dtype, shape)
        options = our_options(rng, dtype)
        file.set(f"z{number}", elements, chunks=chunks, **options)
        expected[f"z{number}"] = elements
    file.write(path, replace=True)
    file = asdfkit.open(path, mode="r+")
    for number in range(0, count, 2):
        # Change a region, so that chunks are decoded and encoded again.
        elements = expected[f"z{number}"]
        if elements.dtype.kind in "iuf" and elements.ndim and elements.size:
            part = tuple(slice(0, (size + 1) // 2) for size in elements.shape)
            new = values(rng, elements.dtype, elements[part].shape)
            elements[part] = new
            file[f"z{number}"][part] = new
    file.save()
    file.close()
    with asdfkit.open(path) as file:
        for key, elements in expected.items():
            same(file[key][...], elements, f"ours {key} by ourselves")
    with asdf.open(path) as file:
        for key, elements in expected.items():
            if not elements.shape:
                continue  # asdf-zarr 0.0.4 does not read arrays without dimensions with numpy 2
            array = file[key]
            assert isinstance(array, zarr.Array), f"{key} is {type(array)}"
            same(array[...], elements, f"ours {key} by asdf-zarr, {array.compressor} {array.filters}")
    names = [key for key, elements in expected.items() if elements.dtype.names is None]
    np.savez(os.path.join(folder, "expected.npz"), **{key: expected[key] for key in names})


def codecs(rng, dtype):
    """Compressor and filters of numcodecs."""
    blosc = numcodecs.Blosc
    compressors = [
        None,
        numcodecs.Zlib(int(rng.integers(0, 10))),
        numcodecs.GZip(int(rng.integers(0, 10))),
        numcodecs.BZ2(int(rng.integers(1, 10))),
        numcodecs.LZ4(int(rng.integers(1, 5))),
        numcodecs.Zstd(int(rng.integers(1, 10))),
        blosc(str(rng.choice(["lz4", "lz4hc", "blosclz", "zlib", "zstd"])), int(rng.integers(0, 10)), blosc.SHUFFLE),
        blosc("zstd", 3, blosc.BITSHUFFLE),
        blosc("lz4", 3, blosc.NOSHUFFLE),
    ]
    filters = []
    if dtype.kind in "iu" and rng.random() < 0.3:
        filters.append(numcodecs.Delta(dtype.str))
    if rng.random() < 0.3 and dtype.itemsize:
        filters.append(numcodecs.Shuffle(dtype.itemsize))
    return compressors[int(rng.integers(0, len(compressors)))], filters or None


def fill_of(rng, dtype):
    if dtype.kind == "f":
        return [np.nan, np.inf, -np.inf, 0.0, 1.5][int(rng.integers(0, 5))]
    return {"b": True, "i": 7, "u": 7, "c": complex(1.5, -2.25), "S": b"xy", "U": "é"}.get(dtype.kind, 0)


def read_theirs(folder, rng, count):
    path = os.path.join(folder, "theirs.asdf")
    tree, expected = {}, {}
    for number in range(count):
        dtype = np.dtype(str(rng.choice(NUMBERS + OTHERS)))
        shape, chunks = extents(rng)
        compressor, filters = codecs(rng, dtype)
        array = zarr.create(
            store=zarr.storage.MemoryStore(),
            shape=shape,
            chunks=chunks or True,
            dtype=dtype,
            compressor=compressor,
            filters=filters,
            order=str(rng.choice(["C", "F"])),
            fill_value=fill_of(rng, dtype),
        )
        part = tuple(slice(int(rng.integers(0, size + 1)), None) for size in shape)
        if shape and rng.random() < 0.6:
            array[part] = values(rng, dtype, shape)[part]
        else:
            array[...] = values(rng, dtype, shape)
        tree[f"z{number}"], expected[f"z{number}"] = array, np.asarray(array[...])
    asdf.AsdfFile(tree).write_to(path)
    with asdfkit.open(path) as file:
        for key, elements in expected.items():
            what = f"theirs {key}, {tree[key].compressor} {tree[key].filters}"
            same(file[key][...], elements, what)
            part = tuple(slice(int(rng.integers(0, size + 1)), None, 2) for size in elements.shape)
            same(file[key][part], elements[part], f"{what} {part}")
    # Change their arrays, and read them by zarr again.
    file = asdfkit.open(path, mode="r+")
    for key, elements in expected.items():
        if elements.dtype.kind in "iuf" and elements.ndim and elements.size:
            part = tuple(slice(size // 3, size // 3 + (size + 1) // 2) for size in elements.shape)
            elements[part] = values(rng, elements.dtype, elements[part].shape)
            file[key][part] = elements[part]
    file.save()
    file.close()
    with asdf.open(path) as file:
        for key, elements in expected.items():
            if elements.shape:
                same(file[key][...], elements, f"theirs {key} after a change")


def main():
    warnings.simplefilter("ignore", asdf.exceptions.AsdfConversionWarning)
    folder, count, seed = sys.argv[1], int((sys.argv[2:] or [300])[0]), int((sys.argv[3:] or [1])[0])
    rng = np.random.default_rng(seed)
    write_ours(folder, rng, count)
    read_theirs(folder, rng, count)
    print(f"{2 * count} arrays, seed {seed}")


if __name__ == "__main__":
    main()
