"""Random files, and numpy's view of the same bytes.

The files are written byte by byte, so that they have offsets, strides, overlaps and chunks that no library writes.
"""

import bz2
import hashlib
import lzma
import math
import random
import re
import struct
import zlib
from ctypes import c_int64
from dataclasses import dataclass, replace

import asdfkit_ctypes as kit
import blosc
import blosc2
import lz4.block
import lz4.frame
import numpy as np
import samples
from oracle_values import leaves, native, native_bytes, one_nan, order_of, random_datatype, stored_text, unit_of

CODECS = ["", "", "", "zlib", "bzp2", "lz4", "lz4f", "zstd", "blsc", "bls2", "xz"]
HEAD = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
ARRAYS_PER_FILE = 50
MOST_ELEMENTS = 20_000
TEXTS = ["", "a", "ab c", "é", "日本", "😀", "x\0y", "0123456789", "\U0010ffff!"]


@dataclass
class Block:
    payload: bytes
    dtype: np.dtype
    codec: str


@dataclass
class Stored:
    """An array of a file: its text in the tree, and its elements with their bytes as last axis."""

    text: str
    dtype: np.dtype
    raw: np.ndarray
    codec: str
    mask: np.ndarray | None = None


def block_bytes(rng: random.Random, dtype: np.dtype, size: int) -> bytes:
    count = max(1, size // dtype.itemsize)
    if rng.random() < 0.2:
        return rng.randbytes(size)
    out = np.zeros((count, dtype.itemsize), np.uint8)
    small = rng.random() < 0.7
    for offset, leaf in leaves(dtype):
        part = leaf_bytes(rng, leaf, count, small)
        out[:, offset : offset + leaf.itemsize] = part
    return out.tobytes()


def leaf_bytes(rng: random.Random, leaf: np.dtype, count: int, small: bool) -> np.ndarray:
    numpy_rng = np.random.default_rng(rng.getrandbits(64))
    if leaf.kind in "SU":
        texts = [text for text in TEXTS if leaf.kind == "U" or text.isascii()]
        texts = [stored_text(text, leaf)[: leaf.itemsize].ljust(leaf.itemsize, b"\0") for text in texts]
        elements = np.array([list(text) for text in texts], np.uint8)[numpy_rng.integers(0, len(texts), count)]
        if rng.random() < 0.2:
            elements[rng.randrange(count)] = 0xFF
    elif small and leaf.kind != "b":
        values = numpy_rng.integers(0, 120, count).astype(native(leaf))
        if rng.random() < 0.5:
            values[rng.randrange(count)] = samples.array(native(leaf), (7,), rng.getrandbits(16))[rng.randrange(7)]
        elements = values.reshape(count, 1).view(np.uint8)
    else:
        values = samples.array(native(leaf), (count,), rng.getrandbits(16))
        elements = values.reshape(count, 1).view(np.uint8)
    return native_bytes(elements, leaf)


def random_block(rng: random.Random) -> Block:
    dtype = random_datatype(rng)
    size = rng.choice([0, rng.randrange(200), rng.randrange(4000), rng.randrange(4000), rng.randrange(30_000)])
    if rng.random() < 0.06:
        size = rng.randrange(200_000, 700_000)
    return Block(block_bytes(rng, dtype, size), dtype, rng.choice(CODECS))


def can_read(made: blosc2.SChunk) -> bool:
    try:
        return all(made.decompress_chunk(number) is not None for number in range(made.nchunks))
    except RuntimeError:
        return False


def encoded(rng: random.Random, block: Block) -> bytes:
    match block.codec:
        case "":
            return block.payload
        case "zlib":
            return zlib.compress(block.payload, rng.randrange(10))
        case "bzp2":
            return bz2.compress(block.payload, rng.randint(1, 9))
        case "lz4":
            out, at = b"", 0
            while at < len(block.payload):
                chunk = block.payload[at : at + rng.choice([rng.randint(1, 5000), rng.randint(5000, 300_000)])]
                data = lz4.block.compress(chunk)
                out += struct.pack(">I", len(data)) + data
                at += len(chunk)
            return out
        case "lz4f":
            return lz4.frame.compress(
                block.payload, block_size=rng.choice([4, 5, 6, 7]), block_linked=rng.random() < 0.5,
                content_checksum=rng.random() < 0.5, block_checksum=rng.random() < 0.5, store_size=rng.random() < 0.5,
            )  # fmt: skip
        case "blsc" if block.payload:
            name, shuffle = rng.choice(["blosclz", "lz4", "lz4hc", "zlib", "zstd"]), rng.choice([0, 1, 2])
            item, level = rng.choice([1, 2, 4, 8]), rng.randrange(10)
            if rng.random() < 0.5:
                return blosc.compress(block.payload, item, level, shuffle, name)
            # As AbacusSummit does.
            size = rng.randint(1000, 100_000)
            parts = [block.payload[start : start + size] for start in range(0, len(block.payload), size)]
            chunks = [blosc.compress(part, item, level, shuffle, name) for part in parts]
            return b"".join(struct.pack(">I", len(chunk)) + chunk for chunk in chunks)
        case "bls2" if block.payload:
            codec = rng.choice([getattr(blosc2.Codec, name) for name in ("BLOSCLZ", "LZ4", "LZ4HC", "ZLIB", "ZSTD")])
            filters = [rng.choice([getattr(blosc2.Filter, name) for name in ("NOFILTER", "SHUFFLE", "BITSHUFFLE")])]
            settings = {"typesize": rng.choice([1, 2, 4, 8]), "clevel": rng.randrange(10), "filters": filters}
            if rng.random() < 0.5:
                return blosc2.compress2(block.payload, codec=codec, **settings)
            cparams = blosc2.CParams(codec=codec, **settings)
            made = blosc2.SChunk(rng.randint(125, 10_000) * 8, block.payload, cparams=cparams)
            # blosc2 4.14 writes a few chunks that it cannot read, if the bytes are no whole number of items.
            return made.to_cframe() if can_read(made) else blosc2.compress2(block.payload, codec=codec, **settings)
        case "xz":
            return lzma.compress(block.payload, check=rng.choice([0, 1, 4, 10]), preset=rng.randrange(10))
    # Codecs without a Python module use our own writer. The tests of the codec compare it with others.
    file = kit.File.new()
    elements = np.frombuffer(block.payload, np.uint8)
    file.root().set_array("a", elements, **kit.compressed(block.codec.encode()))
    data = file.write_memory()
    written = kit.File.open(data)
    start = kit.value_of(c_int64, "asdf_file_block_payload_offset", written, 0)
    return data[start : start + kit.value_of(c_int64, "asdf_file_block_stored_size", written, 0)]


def random_geometry(rng: random.Random, length: int, item: int, unit: int) -> tuple[list[int], list[int], int, bool]:
    """Returns shape, strides in multiples of a unit, and offset of elements that lie within this many bytes; and
    whether they are in C order without gaps.
    """
    rank = rng.choice([0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 32])
    extents = [1, 2, 3, 4, 5, 7, 12, 40, max(1, length // item // 3)]
    shape = [rng.choice(extents) if rank < 10 or rng.random() < 0.1 else 1 for _ in range(rank)]
    if rank and rng.random() < 0.03:
        shape[rng.randrange(rank)] = 0
    axes = list(range(rank))[::-1]
    plain = rng.random() < 0.3
    if not plain and rng.random() < 0.4:
        rng.shuffle(axes)
    while True:
        strides, stride = [0] * rank, item
        for axis in axes:
            strides[axis] = stride
            if not plain:
                choice = rng.random()
                if choice < 0.1:
                    strides[axis] = unit * rng.randint(-20, 20)
                elif choice < 0.15:
                    strides[axis] = 0
                elif choice < 0.4:
                    strides[axis] = -stride
            stride *= max(1, shape[axis])
            if not plain and rng.random() < 0.3:
                stride += unit * rng.randrange(30)
        reaches = (
            [(extent - 1) * stride for extent, stride in zip(shape, strides, strict=True)] if 0 not in shape else []
        )
        low, high = sum(min(0, reach) for reach in reaches), sum(max(0, reach) for reach in reaches) + item
        if 0 in shape:
            return shape, strides, rng.randint(0, length), plain
        if high - low <= length and math.prod(shape) <= MOST_ELEMENTS:
            return shape, strides, -low + unit * rng.randint(0, (length - high + low) // unit), plain
        largest = max(range(rank), key=lambda axis: shape[axis], default=None)
        if largest is None or shape[largest] == 1:
            return [0], [item], 0, True  # not even one element fits
        shape[largest] = max(1, shape[largest] // 2)


def array_on_block(rng: random.Random, number: int, block: Block) -> Stored:
    dtype, unit = block.dtype, block.dtype.itemsize
    if rng.random() < 0.25:
        dtype, unit = random_datatype(rng), 1
    shape, strides, offset, plain = random_geometry(rng, len(block.payload), dtype.itemsize, unit)
    order = order_of(dtype)
    keys = [f"source: <{number}>", f"datatype: {datatype_text(dtype, order)}"]
    shape_text = list(map(str, shape))
    row = math.prod(shape[1:]) * dtype.itemsize
    rows = (len(block.payload) - offset) // row if row else 0
    if plain and shape and row and rows * math.prod(shape[1:]) <= MOST_ELEMENTS and rng.random() < 0.2:
        shape[0], shape_text[0] = rows, "'*'"
    keys += [f"byteorder: {order}", f"shape: [{', '.join(shape_text)}]"]
    if offset or rng.random() < 0.3:
        keys.append(f"offset: {offset}")
    if not plain or rng.random() < 0.3:
        keys.append(f"strides: {strides}")
    rng.shuffle(keys)
    text = f"!core/ndarray-1.1.0 {{{', '.join(keys)}}}"
    if 0 in shape:
        raw = np.zeros((*shape, dtype.itemsize), np.uint8)
    else:
        memory = np.frombuffer(block.payload, np.uint8)
        raw = np.ndarray((*shape, dtype.itemsize), np.uint8, memory, offset, (*strides, 1))
    return Stored(text, dtype, raw, block.codec)


def inline_array(rng: random.Random) -> Stored:
    declared = random_datatype(rng, 2)
    dtype = native(declared)  # values in the tree have no byte order, whatever the description says
    rank = rng.randint(1, 3)
    shape = tuple(rng.choice([1, 2, 3, 5, 20]) for _ in range(rank))
    count = math.prod(shape)
    raw = np.zeros((count, dtype.itemsize), np.uint8)
    for offset, leaf in leaves(dtype):
        part = leaf_bytes(rng, leaf, count, rng.random() < 0.5)
        if leaf.kind in "SU":
            part[part == 0xFF] = 0
        elif leaf.name == "uint64":
            part.view("=u8")[...] >>= np.uint64(1)
        raw[:, offset : offset + leaf.itemsize] = part
    raw = one_nan(raw, dtype)  # a tree has only one NaN
    elements = raw.view(dtype)[:, 0]
    text = nested([element_text(element, dtype) for element in elements], shape)
    order = rng.choice(["big", "little"])
    keys = [f"data: {text}", f"datatype: {datatype_text(declared, order)}", f"shape: {list(shape)}"]
    if rng.random() < 0.5:
        keys.append(f"byteorder: {order}")
    rng.shuffle(keys)
    text = f"!core/ndarray-1.1.0 {{{', '.join(keys)}}}"
    return Stored(text, dtype, raw.reshape(*shape, dtype.itemsize), "inline")


def nested(items: list[str], shape: tuple[int, ...]) -> str:
    for extent in shape[::-1]:
        items = [f"[{', '.join(items[at : at + extent])}]" for at in range(0, len(items), extent)] if extent else ["[]"]
    return items[0]


def element_text(element, dtype: np.dtype) -> str:
    if dtype.subdtype:
        parts = np.asarray(element).reshape(-1, *np.shape(element)[len(dtype.shape) :])
        return nested([element_text(part, dtype.base) for part in parts], dtype.shape)
    if dtype.names:
        return f"[{', '.join(element_text(element[name], dtype.fields[name][0]) for name in dtype.names)}]"
    match dtype.kind:
        case "S" | "U":
            text = element.decode() if dtype.kind == "S" else str(element)
            return '"' + "".join(f"\\U{ord(character):08x}" for character in text) + '"'
        case "b":
            return "true" if element else "false"
        case "f":
            return float_text(float(element))
        case "c":
            real, imaginary = float_text(float(element.real)), float_text(float(element.imag))
            sign = "" if imaginary.startswith("-") else "+"
            return f"!core/complex-1.0.0 {real}{sign}{imaginary}i".replace(".nan", "nan").replace(".inf", "inf")
    return str(element)


def float_text(value: float) -> str:
    if not math.isfinite(value):
        return {math.inf: ".inf", -math.inf: "-.inf"}.get(value, ".nan")
    text = repr(value)
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def with_mask(rng: random.Random, stored: Stored, blocks: list[Block]) -> Stored:
    """Returns the same array with a mask: a number that an element may equal, or an array of the same or a smaller
    shape.
    """
    shape = stored.raw.shape[:-1]
    if stored.dtype.kind in "iuf" and rng.random() < 0.5:
        values = native_values(stored)
        number = rng.choice([0, 1, 7, values[rng.randrange(values.size)].item() if values.size else 3, math.nan])
        if stored.dtype.kind in "iu" and number != number:
            number = 5
        with np.errstate(all="ignore"):
            mask = np.isnan(values) if number != number else values == values.dtype.type(number)
        text = float_text(number) if isinstance(number, float) else str(number)
        mask = mask.reshape(shape)
    else:
        part = [rng.choice([extent, extent, 1]) for extent in shape]
        part = part[rng.randint(0, len(part)) if rng.random() < 0.2 else 0 :]
        count = math.prod(part)
        payload = rng.randbytes(count) if rng.random() < 0.5 else bytes(rng.choice([0, 0, 0, 1]) for _ in range(count))
        blocks.append(Block(payload, np.dtype(bool), rng.choice(CODECS)))
        source = f"source: <{len(blocks) - 1}>, datatype: bool8, byteorder: big, shape: {part}"
        text = f"!core/ndarray-1.1.0 {{{source}}}"
        mask = np.broadcast_to(np.frombuffer(payload, np.uint8).reshape(part) != 0, shape)
    return replace(stored, text=stored.text.replace("{", "{mask: " + text + ", ", 1), mask=mask)


def native_values(stored: Stored) -> np.ndarray:
    return np.ascontiguousarray(native_bytes(stored.raw, stored.dtype)).reshape(-1).view(native(stored.dtype))


def random_file(rng: random.Random) -> tuple[bytes, list[Stored]]:
    blocks = [random_block(rng) for _ in range(8)]
    arrays = []
    for _ in range(ARRAYS_PER_FILE):
        if rng.random() < 0.1:
            stored = inline_array(rng)
        else:
            number = rng.randrange(8)
            stored = array_on_block(rng, number, blocks[number])
        arrays.append(with_mask(rng, stored, blocks) if rng.random() < 0.2 else stored)
    tree = "".join(f"a{number}: {array.text}\n" for number, array in enumerate(arrays))
    # Blocks may also be counted from the end.
    tree = re.sub("<([0-9]+)>", lambda found: str(int(found[1]) - rng.choice([0, len(blocks)])), tree)
    out = (HEAD + tree + "...\n").encode()
    for block in blocks:
        data = encoded(rng, block)
        spare = rng.choice([0, 0, rng.randrange(50)])
        sizes = struct.pack(">QQQ", len(data) + spare, len(data), len(block.payload))
        header = struct.pack(">I4s", 0, block.codec.encode()) + sizes + hashlib.md5(data).digest()
        header += bytes(rng.randrange(20))
        out += b"\xd3BLK" + struct.pack(">H", len(header)) + header + data + bytes(spare)
    return out, arrays


def datatype_text(dtype: np.dtype, order: str) -> str:
    """Returns the text of the datatype in the tree, below a node with this byte order."""
    if dtype.names:
        fields = []
        for name in dtype.names:
            inner = dtype.fields[name][0]
            own = order_of(inner.base)
            text = f"name: {name}, datatype: {datatype_text(inner.base, own)}"
            if own != order:
                text += f", byteorder: {own}"
            if inner.subdtype:
                text += f", shape: {list(inner.shape)}"
            fields.append(f"{{{text}}}")
        return f"[{', '.join(fields)}]"
    if dtype.kind in "SU":
        return f"[{'ascii' if dtype.kind == 'S' else 'ucs4'}, {dtype.itemsize // unit_of(dtype)}]"
    return "bool8" if dtype.kind == "b" else dtype.name
