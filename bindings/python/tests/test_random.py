"""Random arrays both ways: what asdfkit writes Python asdf reads, and the other way round; regions equal NumPy's."""

import random
import warnings

import asdf
import numpy as np
from compare import same_arrays

import asdfkit

DTYPES = "i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 c8 c16 ?".split()
CODECS = [None, None, "zlib", "bzp2", "lz4"]


def random_dtype(chance: random.Random) -> np.dtype:
    kind = chance.random()
    if kind < 0.1:
        return np.dtype(f"{chance.choice('SU')}{chance.randint(1, 6)}")
    if kind < 0.2:
        names = ["a", "flux", "c d"][: chance.randint(1, 3)]
        shapes = [(), (), (2,), (2, 3)]
        return np.dtype(
            [(name, chance.choice("<>") + chance.choice(DTYPES[:-1]), chance.choice(shapes)) for name in names]
        )
    return np.dtype(chance.choice("<>") + chance.choice(DTYPES) if kind < 0.9 else chance.choice(DTYPES))


def random_array(chance: random.Random) -> np.ndarray:
    """An array of any rank, byte order and strides."""
    dtype = random_dtype(chance)
    shape = tuple(
        chance.choice([0, 1, 2, 3, 5]) if chance.random() < 0.2 else chance.randint(1, 6)
        for _ in range(chance.randint(0, 4))
    )
    count = int(np.prod(shape, dtype=int))
    generator = np.random.default_rng(chance.randrange(2**32))
    array = filled(dtype, count, generator).reshape(shape)
    way = chance.random()
    if way < 0.2:
        array = np.asfortranarray(array)
    elif way < 0.4 and array.ndim:
        array = array[tuple(slice(None, None, chance.choice([1, -1, 2, -2])) for _ in shape)]
    elif way < 0.5:
        array = array.T
    return array


def filled(dtype: np.dtype, count: int, generator: np.random.Generator) -> np.ndarray:
    if dtype.names:
        array = np.zeros(count, dtype)
        for name in dtype.names:
            field = array[name]
            field[...] = filled(dtype[name].base, field.size, generator).reshape(field.shape)
        return array
    if dtype.kind in "SU":
        letters = generator.integers(97, 123, (count, 6), np.uint8)
        return np.array([bytes(row).decode() for row in letters], "U6").astype(dtype)
    if dtype.kind == "b":
        return generator.integers(0, 2, count).astype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return generator.integers(limits.min, limits.max, count, dtype.newbyteorder("="), endpoint=True).astype(dtype)
    if dtype.kind == "c":
        return (generator.normal(size=count) + 1j * generator.normal(size=count)).astype(dtype)
    return generator.normal(size=count).astype(dtype)


def random_index(chance: random.Random, shape: tuple[int, ...]):
    items = []
    for extent in shape[: chance.randint(0, len(shape))]:
        if extent and chance.random() < 0.3:
            items.append(chance.randrange(-extent, extent))
        else:
            edge = extent + 2
            ends = [chance.choice([None, chance.randint(-edge, edge)]) for _ in range(2)]
            items.append(slice(*ends, chance.choice([None, 1, -1, 2, -3, 7])))
    if chance.random() < 0.4:
        items.insert(chance.randint(0, len(items)), None)
    if chance.random() < 0.4:
        items.append(...)
    return tuple(items)


def masked(chance: random.Random, array: np.ndarray):
    if array.ndim and chance.random() < 0.2 and not array.dtype.names and array.dtype.kind not in "SU":
        return np.ma.MaskedArray(array, np.random.default_rng(chance.randrange(2**32)).random(array.shape) < 0.3)
    return array


def same(ours, theirs) -> bool:
    ours, theirs = np.ma.asanyarray(ours), np.ma.asanyarray(theirs)
    return same_arrays(ours, theirs) is None


def test_written_arrays_are_read_by_python_asdf(tmp_path, cases):
    chance = random.Random(17)
    for start in range(0, cases, 50):
        file = asdfkit.new()
        arrays = {f"array{number}": masked(chance, random_array(chance)) for number in range(start, start + 50)}
        for name, array in arrays.items():
            storage = "inline" if array.ndim and array.dtype.kind in "ifb" and chance.random() < 0.3 else None
            file.set(name, array, compression=chance.choice(CODECS) if storage is None else None, storage=storage)
        file.write(tmp_path / "random.asdf", replace=True)
        with warnings.catch_warnings(), asdfkit.open(tmp_path / "random.asdf") as ours:
            warnings.simplefilter("ignore")
            with asdf.open(tmp_path / "random.asdf", memmap=False) as theirs:
                for name, array in arrays.items():
                    assert same(ours[name][...], array), (name, array, ours[name][...])
                    if array.size:
                        problem = same_arrays(ours[name][...], theirs[name])
                        assert problem is None, (name, array.dtype, problem)
                    for _ in range(3):
                        index = random_index(chance, array.shape)
                        assert same(ours[name][index], array[index]), (name, index)


def test_arrays_of_python_asdf_are_read(tmp_path, cases):
    chance = random.Random(18)
    for start in range(0, cases, 50):
        arrays = {f"array{number}": random_array(chance) for number in range(start, start + 50)}
        arrays = {name: array for name, array in arrays.items() if array.ndim and array.size}
        for array in arrays.values():
            assert array.size
        theirs = asdf.AsdfFile(dict(arrays))
        for name in arrays:
            theirs.set_array_compression(theirs[name], chance.choice([None, "zlib", "bzp2"]))
        theirs.write_to(tmp_path / "random.asdf")
        with asdfkit.open(tmp_path / "random.asdf") as ours:
            for name, array in arrays.items():
                assert same(ours[name][...], array), (name, array.dtype)
                index = random_index(chance, array.shape)
                assert same(ours[name][index], array[index]), (name, index)


def test_regions_are_written(tmp_path, cases):
    chance = random.Random(19)
    arrays = {}
    file = asdfkit.new()
    for number in range(cases // 20):
        array = np.ascontiguousarray(random_array(chance))
        if not array.dtype.names and array.ndim and array.dtype.kind not in "SU":
            arrays[f"array{number}"] = array.copy()
            file[f"array{number}"] = array
    file.write(tmp_path / "regions.asdf")
    with asdfkit.open(tmp_path / "regions.asdf", "r+", durable_regions=False) as changed:
        for name, array in arrays.items():
            index = tuple(item for item in random_index(chance, array.shape) if item is not None)
            if not array.size:
                continue
            value = array.flat[0] if chance.random() < 0.5 else np.zeros_like(array[index])
            array[index] = value
            changed[name].write(index, value)
        changed.save(durable=False)
    with asdf.open(tmp_path / "regions.asdf", memmap=False) as theirs:
        for name, array in arrays.items():
            if array.size:
                assert np.array_equal(theirs[name], array), name
