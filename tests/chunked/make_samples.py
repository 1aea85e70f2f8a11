"""Makes the samples of chunked arrays: `internal.asdf` and `stores.asdf`, with the folders of the stores.

    python make_samples.py internal FOLDER    with asdf-zarr 0.0.4, zarr 2
    python make_samples.py stores FOLDER      with zarr 3

Each chunked array `zN` has its elements beside it as the ordinary array `eN`.
"""

import json
import os
import sys

import asdf
import numcodecs
import numpy as np
import zarr

rng = np.random.default_rng(5)

CODECS = [
    (None, None),
    (numcodecs.Zlib(3), None),
    (numcodecs.GZip(2), None),
    (numcodecs.BZ2(1), None),
    (numcodecs.LZ4(), None),
    (numcodecs.Zstd(3), None),
    (numcodecs.Blosc("lz4", 5, numcodecs.Blosc.SHUFFLE), None),
    (numcodecs.Blosc("zstd", 3, numcodecs.Blosc.BITSHUFFLE), None),
    (numcodecs.Blosc("blosclz", 3, numcodecs.Blosc.NOSHUFFLE), None),
    (numcodecs.Blosc("zlib", 3, numcodecs.Blosc.SHUFFLE), None),
    (numcodecs.Zlib(1), "shuffle"),
    (None, "delta"),
    (numcodecs.BZ2(1), "delta"),
]
DATATYPES = "|b1 |i1 <i2 >i4 <i8 |u1 >u2 <u4 <u8 <f2 >f4 <f8 <c8 >c16 |S5 <U3 >U2 <M8[ns] <m8[s]".split() + [
    [("a", "<i4"), ("b", ">f8", (2,))]
]


def values(datatype, shape):
    dtype = np.dtype(datatype)
    size = int(np.prod(shape))
    if dtype.kind == "b":
        found = rng.integers(0, 2, size).astype(dtype)
    elif dtype.kind in "iuf":
        found = rng.integers(0, 100, size).astype(dtype)
    elif dtype.kind == "c":
        found = (rng.normal(size=size) + 1j * rng.normal(size=size)).astype(dtype)
    elif dtype.kind == "S":
        found = np.array([b"abcde"[:n] for n in rng.integers(0, 6, size)], dtype=dtype)
    elif dtype.kind == "U":
        found = np.array(["aé"[:n] for n in rng.integers(0, 3, size)], dtype=dtype)
    elif dtype.kind in "Mm":
        found = rng.integers(0, 10**9, size).astype("<i8").view(dtype)
    else:
        found = np.frombuffer(rng.bytes(size * dtype.itemsize), dtype=dtype).copy()
    return found.reshape(shape)


def plain(elements):
    """The elements in a datatype that ASDF has."""
    return elements.view("<i8") if elements.dtype.kind in "Mm" else elements


def fill(dtype, number):
    fills = {"b": True, "i": 7, "u": 7, "c": complex(1.5, -2.25), "S": b"xy", "U": "é", "M": 5, "m": 5}
    if dtype.kind == "f":
        return [np.nan, np.inf, -np.inf, 1.5][number % 4]
    return fills.get(dtype.kind)


def internal(folder):
    tree = {}
    shapes = [((), ()), ((7,), (3,)), ((5, 8), (2, 8)), ((4, 5, 6), (3, 2, 4)), ((3, 4), (9, 5)), ((0, 3), (2, 2))]
    cases = [(codec, DATATYPES[n % len(DATATYPES)]) for n, codec in enumerate(CODECS)]
    cases += [(CODECS[n % 3], datatype) for n, datatype in enumerate(DATATYPES)]
    for number, ((compressor, name), datatype) in enumerate(cases):
        dtype = np.dtype(datatype)
        filters = None
        if name == "shuffle":
            filters = [numcodecs.Shuffle(dtype.itemsize)]
        elif name == "delta":
            datatype, dtype = "<i4", np.dtype("<i4")
            filters = [numcodecs.Delta("<i4", astype="<i2")]
        shape, chunks = shapes[number % len(shapes)]
        array = zarr.create(
            store=zarr.storage.MemoryStore(),
            shape=shape,
            chunks=chunks or True,
            dtype=dtype,
            compressor=compressor,
            filters=filters,
            order="CF"[number % 2],
            fill_value=fill(dtype, number),
        )
        elements = values(datatype, shape)
        # Without a fill value, elements that are not stored are undefined.
        if shape and number % 3 and array.fill_value is not None:
            array[tuple(slice(size // 2, None) for size in shape)] = elements[tuple(slice(s // 2, None) for s in shape)]
        else:
            array[...] = elements
        tree[f"z{number}"] = array
        tree[f"e{number}"] = plain(np.asarray(array[...]))
    asdf.AsdfFile(tree).write_to(os.path.join(folder, "internal.asdf"))


def stores(folder):
    made = []
    for number in range(8):
        name = f"store{number}.zarr"
        dtype = np.dtype(["<i4", ">f8", "|b1", "<c8", "<u2", "<f4", "<i8", "<i2"][number])
        shape, chunks = [((5, 7), (2, 3)), ((6,), (4,)), ((), ()), ((3, 3, 3), (2, 2, 2))][number % 4]
        elements = values(dtype.str, shape)
        options = {"shape": shape, "chunks": chunks, "dtype": dtype, "store": os.path.join(folder, name)}
        if number < 4:
            options |= {"zarr_format": 2, "fill_value": fill(dtype, 3)}
            options["compressors"] = [numcodecs.Zlib(1), numcodecs.Zstd(1), None, numcodecs.Blosc()][number]
            if number == 3:
                options["chunk_key_encoding"] = {"name": "v2", "separator": "/"}
        else:
            codecs = zarr.codecs
            options |= {"zarr_format": 3, "fill_value": fill(dtype, 3)}
            options["compressors"] = [
                codecs.GzipCodec(level=1),
                codecs.ZstdCodec(level=1),
                None,
                codecs.BloscCodec(cname="lz4"),
            ][number - 4]
            if number == 7:
                options["filters"] = [codecs.TransposeCodec(order=(2, 0, 1))]
            if number == 5:
                options["chunk_key_encoding"] = {"name": "v2", "separator": "."}
        array = zarr.create_array(**options)
        part = tuple(slice(size // 2, None) for size in shape)
        array[part] = elements[part]
        made.append((name, np.asarray(array[...])))
    tree = {f"e{number}": elements for number, (_, elements) in enumerate(made)}
    path = os.path.join(folder, "stores.asdf")
    asdf.AsdfFile(tree).write_to(path)
    # Python asdf writes no node of an extension that it does not have.
    with open(path, "rb") as file:
        content = file.read()
    begin = content.index(b"\ne0:") + 1
    nodes = "".join(
        f"z{number}: !<asdf://asdf-format.org/zarr/tags/zarr-1.0.0>\n"
        f"  store: {json.dumps({'type_string': 'LocalStore', 'path': name})}\n"
        for number, (name, _) in enumerate(made)
    )
    content = content[:begin] + nodes.encode() + content[begin:]
    index = content.rfind(b"#ASDF BLOCK INDEX")
    with open(path, "wb") as file:
        file.write(content if index < 0 else content[:index])


if __name__ == "__main__":
    {"internal": internal, "stores": stores}[sys.argv[1]](sys.argv[2])
