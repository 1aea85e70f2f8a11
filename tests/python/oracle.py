"""Reads random arrays of random files in random ways, and compares with numpy: `oracle.py COUNT [SEED]`.

A read takes the whole array or a region, converts, clamps, writes to memory of any strides, and handles masks in any
way. The whole memory must be right, including the bytes that no element takes, or the error must name the element at
fault.
"""

import math
import random
import re
import sys
import tempfile
import time
from ctypes import c_int64
from dataclasses import dataclass
from pathlib import Path

import asdfkit_ctypes as kit
import numpy as np
from oracle_files import ARRAYS_PER_FILE, Stored, leaf_bytes, random_file
from oracle_values import NUMBERS, converted, leaves, native, native_bytes, one_nan, text_converted


@dataclass
class Room:
    """The destination of a read: a shape in memory of a number of bytes."""

    options: dict
    shape: tuple[int, ...]
    strides: list[int]
    first: int
    size: int

    def memory(self, rng: random.Random) -> np.ndarray:
        return np.frombuffer(rng.randbytes(self.size + 40), np.uint8).copy()

    def put(self, memory: np.ndarray, elements: np.ndarray) -> None:
        if elements.size:
            shape = (*self.shape, elements.shape[-1])
            np.ndarray(shape, np.uint8, memory, self.first, (*self.strides, 1))[...] = elements.reshape(shape)

    def of_mask(self, item: int) -> "Room":
        """The same for a mask, which has a byte for each element."""
        strides = [stride // item for stride in self.strides]
        return Room({}, self.shape, strides, self.first // item, -(-self.size // item))


def random_room(rng: random.Random, shape: tuple[int, ...], item: int, unit: int) -> Room:
    choice = rng.random()
    axes = list(range(len(shape)))
    if choice < 0.6:
        order = int(choice < 0.2)
        strides, stride = [0] * len(shape), item
        for axis in axes if order else axes[::-1]:
            strides[axis] = stride
            stride *= shape[axis]
        return Room({"order": order} if choice < 0.3 else {}, shape, strides, 0, math.prod(shape) * item)
    rng.shuffle(axes)
    strides, first, span = [0] * len(shape), 0, item
    for axis in axes:
        if shape[axis] <= 1:
            strides[axis] = rng.choice([0, -unit, unit * 10**12])
            continue
        stride = span + unit * rng.choice([0, 0, 0, 1, rng.randrange(5)])
        reach = stride * (shape[axis] - 1)
        strides[axis] = rng.choice([stride, stride, -stride])
        first += reach if strides[axis] < 0 else 0
        span += reach
    size = span if 0 not in shape else 0
    return Room({"strides": [int(stride) for stride in strides]}, shape, strides, first, size)


def random_range(rng: random.Random, extent: int) -> tuple[int, int, int]:
    """Returns start, count and step along an axis."""
    if extent == 0:
        return 0, 0, rng.choice([1, -1, 3])
    step = rng.choice([1, 1, 1, 2, 3, rng.randint(1, extent)])
    start = rng.randrange(extent)
    if rng.random() < 0.5:
        start %= step
    backwards = rng.random() < 0.3
    most = (start if backwards else extent - 1 - start) // step + 1
    return (
        start,
        rng.choice([most, most, most, rng.randint(1, most), 0 if rng.random() < 0.1 else 1]),
        -step if backwards else step,
    )


def random_target(rng: random.Random, source: np.dtype) -> np.dtype:
    if source.names or rng.random() < 0.4:
        return source
    if source.kind in "SU":
        return np.dtype(f"{rng.choice('SU')}{rng.randint(1, 12)}")
    return np.dtype(rng.choice(NUMBERS))


def check(rng: random.Random, array: kit.Array, stored: Stored) -> str:
    """Reads an array in a random way. Returns the fault, or nothing."""
    raw, dtype, mask = stored.raw, stored.dtype, stored.mask
    if array.shape() != raw.shape[:-1]:
        return f"the shape is {array.shape()}"
    while dtype.names and rng.random() < 0.5:
        name = rng.choice(dtype.names)
        inner, offset = dtype.fields[name]
        if raw.ndim - 1 + len(inner.shape) > 32:
            break
        array = array.field(name)
        part = raw[..., offset : offset + inner.itemsize]
        shape = (*raw.shape[:-1], *inner.shape)
        if mask is not None:
            mask = np.broadcast_to(mask.reshape(mask.shape + (1,) * len(inner.shape)), shape)
        dtype, raw = inner.base, part.reshape(*shape, inner.base.itemsize)
    handling = rng.choice(["refused", "ignored", "told", "filled", "both"]) if mask is not None else ""
    if handling == "ignored":
        array, mask = array.without_mask(), None
    source = native(dtype)
    target = random_target(rng, source)
    clamp = rng.random() < 0.3

    region = None
    if rng.random() < 0.7:
        region = list(zip(*(random_range(rng, extent) for extent in raw.shape[:-1]), strict=True)) or [(), (), ()]
        index = np.ix_(*(start + step * np.arange(count) for start, count, step in zip(*region, strict=True)))
        raw, mask = raw[index] if index else raw, mask[index] if mask is not None and index else mask
    shape = raw.shape[:-1]
    item = target.itemsize
    room = random_room(rng, shape, item, item if mask is not None else 1)
    options = {**room.options, "clamp": int(clamp), "threads": rng.choice([1, 1, 2, 3])}

    elements = native_bytes(np.ascontiguousarray(raw), dtype).reshape(-1, dtype.itemsize)
    result, misfits = converted(elements, source, target)
    missing = mask.reshape(-1) if mask is not None else np.zeros(len(elements), bool)
    unspecified = missing & (misfits == "ASDF_ERR_ENCODING") if handling == "told" else np.zeros(len(elements), bool)
    misfits[missing] = ""
    if clamp:
        misfits[misfits == "ASDF_ERR_OVERFLOW"] = ""
    keep = []
    if handling in ("filled", "both"):
        fill = native_bytes(leaf_fill(rng, target), target)
        result = np.where(missing[:, None], fill, result)
        keep = [kit.Datatype(target), fill]
        options["datatype"] = (keep[0],)
        options["fill"] = (0, fill.ctypes.data, fill.size)
    memory = room.memory(rng)
    wanted = memory.copy()
    room.put(wanted, result)
    if handling in ("told", "both"):
        mask_room = room.of_mask(item)
        mask_memory = mask_room.memory(rng)
        wanted_mask = mask_memory.copy()
        mask_room.put(wanted_mask, missing.astype(np.uint8)[:, None])
        options["mask"] = (mask_memory.ctypes.data, mask_memory.size)
    capacity = room.size + rng.choice([0, 0, 40])
    expected = {status for status in misfits if status}
    if handling == "refused":
        expected = {"ASDF_ERR_MASKED"}
    elif room.size > 0 and rng.random() < 0.02:
        capacity, expected = room.size - 1, {"ASDF_ERR_BUFFER_TOO_SMALL"}
    described = f"{source} as {target}, {region=}, {room}, {handling=}, {clamp=}"
    before = memory.copy()
    try:
        read(rng, array, region, target, memory, capacity, options)
    except kit.Error as error:
        if error.status not in expected:
            return f"{error}: {described}, not {expected or 'that'}"
        if memory[room.size :].tobytes() != before[room.size :].tobytes():
            return f"bytes behind the memory were written: {described}"
        found = re.search("element ([0-9]+) ", str(error))
        if error.status not in misfits:
            return ""
        if not found or misfits[int(found[1])] != error.status:
            return f"{error}: {described}, but misfits are {np.flatnonzero(misfits != '')}"
        misfit = elements[int(found[1])]
        if source.kind in "iuf" and not shows(str(error), misfit.view(source)[0], target):
            return f"{error}: {described}, but the element is {misfit.view(source)}"
        return ""
    if expected:
        return f"no {expected}: {described}"
    if source != target or handling in ("filled", "both"):
        for bytes_in in (memory, wanted):
            room.put(bytes_in, one_nan(taken(room, bytes_in, item), target))
    if unspecified.any():
        for bytes_in in (memory, wanted):
            room.put(bytes_in, np.where(unspecified[:, None], 0, taken(room, bytes_in, item)))
    if memory.tobytes() != wanted.tobytes():
        return f"other elements: {described}\n{taken(room, memory, item)[:50]}\n{taken(room, wanted, item)[:50]}"
    if "mask" in options and mask_memory.tobytes() != wanted_mask.tobytes():
        return f"another mask: {described}"
    if region is not None or mask is not None:
        return ""
    if dtype.kind in "SU":
        return check_strings(rng, array, raw, dtype)
    return check_view(array, raw, dtype) if dtype.name in kit.DATATYPES else ""


def shows(message: str, value, target: np.dtype) -> bool:
    """Returns whether a message contains this real number."""
    found = re.search(f" is ([^ ]+), which {target.name} cannot hold$", message)
    if value.dtype.kind != "f":
        return found is not None and found[1] == str(value)
    return found is not None and np.array_equal(value.dtype.type(found[1]), value, equal_nan=True)


def leaf_fill(rng: random.Random, target: np.dtype) -> np.ndarray:
    fill = np.zeros(target.itemsize, np.uint8)
    for offset, leaf in leaves(target):
        fill[offset : offset + leaf.itemsize] = leaf_bytes(rng, leaf, 1, True)[0]
        if leaf.kind in "SU":
            fill[offset : offset + leaf.itemsize] = 0
    return fill


def taken(room: Room, memory: np.ndarray, item: int) -> np.ndarray:
    count = math.prod(room.shape)
    if count == 0:
        return np.zeros((0, item), np.uint8)
    view = np.ndarray((*room.shape, item), np.uint8, memory, room.first, (*room.strides, 1))
    return view.reshape(count, item)


def read(rng: random.Random, array: kit.Array, region, target: np.dtype, memory, capacity: int, options: dict) -> None:
    name, arguments = "asdf_array_read", ()
    if region is not None:
        name += "_region"
        where = [(c_int64 * 32)(*numbers) for numbers in region]
        steps = None if all(step == 1 for step in region[2]) and rng.random() < 0.5 else where[2]
        arguments = len(region[0]), where[0], where[1], steps
    if target.name in kit.DATATYPES and rng.random() < 0.5:
        code = kit.DATATYPES[target.name]
    else:
        code = 0
    options = dict(options)
    mask = options.pop("mask", (None, 0))
    chosen = kit.Options(**options)
    if code == 0:
        chosen.set("datatype", (kit.Datatype(target),))
    kit.call(name, array, *arguments, code, chosen, memory.ctypes.data, capacity, *mask)


def check_strings(rng: random.Random, array: kit.Array, raw: np.ndarray, dtype: np.dtype) -> str:
    if raw.size == 0:
        return ""
    index = [rng.randrange(extent) for extent in raw.shape[:-1]]
    element = native_bytes(raw[tuple(index)].reshape(1, -1), dtype).tobytes()
    wanted, status = text_converted(element, native(dtype), np.dtype("S100"))
    try:
        found = array.string(*index).encode()
    except kit.Error as error:
        return "" if error.status == status else f"{error} for the string at {index}"
    return "" if not status and found == wanted.rstrip(b"\0") else f"the string at {index} is {found}, not {wanted}"


def check_view(array: kit.Array, raw: np.ndarray, dtype: np.dtype) -> str:
    try:
        view = array.view()
    except kit.Error as error:
        return "" if error.status == "ASDF_ERR_NOT_VIEWABLE" else f"{error} for a view"
    if raw.size == 0:
        return ""
    if not array.is_inline() and dtype.newbyteorder("=").str != dtype.str:
        return f"a view of {dtype}"
    found = view.as_numpy(native(dtype), raw.shape[:-1])
    return "" if found.tobytes() == np.ascontiguousarray(raw).tobytes() else f"a view of {found}, not {raw}"


def run(count: int, seed: int) -> list[str]:
    """Tries a number of arrays. Returns the faults."""
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "oracle.asdf"
        for number in range(-(-count // ARRAYS_PER_FILE)):
            rng = random.Random(f"{seed}/{number}")
            data, arrays = random_file(rng)
            path.write_bytes(data)
            # Decoded bytes are kept in memory, in temporary files, or not at all.
            cache, temporary = rng.choice([0, 300, 5000, 1 << 30]), rng.choice([b"", directory.encode()])
            file = kit.File.open(path if number % 2 else data, cache_bytes=cache, temporary_directory=temporary)
            root = file.root()
            for index, stored in enumerate(arrays[: count - number * ARRAYS_PER_FILE]):
                try:
                    array = root.array(f"a{index}")
                    wrong = next(filter(None, (check(rng, array, stored) for _ in range(rng.choice([1, 1, 2, 4])))), "")
                except kit.Error as error:
                    wrong = str(error)
                if wrong:
                    place = f"seed {seed}, file {number}, array {index}"
                    failures.append(f"{place} ({stored.codec or 'stored'}: {stored.text[:300]}): {wrong}")
    return failures


def main() -> int:
    count = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(10**9)
    began = time.monotonic()
    failures = run(count, seed)
    for failure in failures[:20]:
        print(failure)
    print(f"seed {seed}: {count} arrays in {time.monotonic() - began:.1f} s")
    print(f"{count - len(failures)} passed, {len(failures)} failed")
    return len(failures) != 0


if __name__ == "__main__":
    sys.exit(main())
