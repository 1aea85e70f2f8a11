"""Content that the tests write and read: arrays of every kind, trees that are hard to write, random trees,
comparisons.
"""

import math
import random
import struct

import numpy as np

FLOATS = ["float16", "float32", "float64", "complex64", "complex128"]
DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", *FLOATS, "bool"]
# Strings, and records with all kinds of fields.
TEXTS = ["S7", "U3"]
RECORD = np.dtype(
    [("a", "i1"), ("b", "f8"), ("s", "S3"), ("u", "U2"), ("c", "c8", (2,)), ("r", [("x", "u2"), ("t", "?")])]
)
CODECS = [None, "zlib", "bzp2", "lz4"]
SHAPES = [(), (0,), (1,), (7,), (3, 5), (0, 4), (4, 0), (2, 3, 4), (2, 0, 3), (2, 3, 2, 5)]
STANDARDS = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0"]


def array(dtype, shape, seed: int = 0) -> np.ndarray:
    """Returns native elements of random bits: with NaNs of every payload, both zeros, denormals and the limits."""
    dtype = np.dtype(dtype)
    size = math.prod(shape)
    generator = np.random.default_rng([seed, size, dtype.num])
    if dtype.names:
        elements = np.zeros(shape, dtype)
        for number, name in enumerate(dtype.names):
            field = dtype.fields[name][0]
            elements[name] = array(field.base, (*shape, *field.shape), seed + number)
        return elements
    if dtype.kind in "SU":
        # Of every length, with characters of all planes, and NUL inside.
        alphabet = np.array(list("az~0 \x00é日\uffff😀\U0010ffff" if dtype.kind == "U" else "az~0 \x00\x7f"))
        length = dtype.itemsize // np.dtype(f"{dtype.kind}1").itemsize
        characters = alphabet[generator.integers(0, alphabet.size, (size, length))]
        texts = ["".join(row[: number % (length + 1)]) for number, row in enumerate(characters)]
        return np.array(texts, dtype).reshape(shape)
    if dtype.kind == "b":
        return generator.integers(0, 2, shape).astype(bool)
    elements = np.frombuffer(generator.bytes(size * dtype.itemsize), dtype).copy()
    parts = elements.view(elements.real.dtype)  # real and imaginary parts of complex numbers
    special = special_values(parts.dtype)
    for position in range(0, parts.size, 3):
        parts[position] = special[position // 3 % special.size]
    return elements.reshape(shape)


def special_values(dtype: np.dtype) -> np.ndarray:
    if dtype.kind != "f":
        limits = np.iinfo(dtype)
        return np.array([limits.min, limits.max, 0, limits.max - 1], dtype)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    limits = np.finfo(dtype)
    nan = np.array([math.nan], dtype).view(unsigned)
    sign = unsigned.type(1 << (8 * dtype.itemsize - 1))
    quiet = unsigned.type(1 << (limits.nmant - 1))
    bits = np.array([nan[0] | 5, nan[0] | sign | 9, (nan[0] ^ quiet) | 3, sign, 1, sign | 1], unsigned)
    numbers = np.array([limits.max, limits.smallest_normal, math.inf, -math.inf], dtype)
    return np.concatenate([bits.view(dtype), numbers])


def same_bits(expected: np.ndarray, found: np.ndarray) -> bool:
    """Returns whether shape, type and bits are equal, in any byte order and with any strides in memory."""
    if expected.shape != found.shape or expected.dtype.newbyteorder("=") != found.dtype.newbyteorder("="):
        return False
    return native_bytes(expected) == native_bytes(found)


def one_nan(array: np.ndarray) -> np.ndarray:
    """Returns a copy in which all NaNs have the same bits, because a tree has only one NaN."""
    result = array.copy()
    parts = result.reshape(-1).view(result.real.dtype)
    parts[np.isnan(parts)] = np.nan
    return result


def native_bytes(array: np.ndarray) -> bytes:
    return swapped(array, "=").tobytes()


def swapped(array: np.ndarray, order: str) -> np.ndarray:
    """Returns the same values in this byte order, without a conversion, which would change signalling NaNs."""
    wanted = array.dtype.newbyteorder(order)
    return array if wanted == array.dtype else array.byteswap().view(wanted)


# Texts that a reader could misread, or that a writer could damage.
STRINGS = [
    "", " ", "  two", "trailing ", "trailing\t", "\t", "\n", "\n\n", " \n", "\n ", "a\n", "a\nb", "a\n\n\nb\n", "\na",
    "a\n  b\n c", "a\n---\nb", "a\n...\nb", "yes", "No", "on", "OFF", "y", "n", "true", "False", "tRUE", "null",
    "Null", "~", "nil", "0", "-0", "+1", "12", "1_000", "0o14", "014", "08", "0x1F", "0b11", "0b_", "1:30", "1:60",
    "190:20:30.15", "9223372036854775808", "1.0", "1.", ".5", "-.5", "1e5", "1E+5", "1.0e5", "1.0e+5", ".inf",
    "-.INF", "+.inf", ".nan", "inf", "nan", "NaN", "Infinity", "0x1p3", "2020-01-02", "2020-1-2", "2020-13-02",
    "2020-01-02T03:04:05Z", "2020-01-02 03:04:05.5 +1", "<<", "=", "...", "---", "--- a", "... a", "%YAML 1.1",
    "%TAG", "- a", "-", "--", "? a", "?", ": a", ":", "a: b", "a:b", "a :b", "a:", "# a", "a #b", "a#b", "#", "&a",
    "*a", "*", "!a", "!", "!!str a", "|", "|-", ">", ">\n a", "@a", "`a", "'", "''", "it's", '"', 'a"b', "\\", "\\n",
    "a\\", "{", "}", "{a: b}", "[", "]", "[a]", ",", "a,b", ", ", "a\tb", "\ta", "a\r", "\r", "a\rb", "a\r\nb",
    "\x00", "a\x00b", "\x07", "\x1b[0m", "\x7f", "\x80", "\x85", "a\x85b", "\x9f", "\xa0", "\u2028", "a\u2028b",
    "\u2029", "\ufeff", "a\ufeffb", "\ufffd", "\ufffe", "\uffff", "\ue000", "é", "日本語", "😀", "\U0010ffff",
    "\u202eabc", "e\u0301", "a" * 200, "word " * 60, " word" * 60, ("x" * 90 + "\n") * 4, "a" * 79 + " b",
    "a" * 80 + "  b" + "c" * 80, "€" * 100, "it's " * 40, "\\ " * 60, "\n".join("ab: c" for _ in range(30)),
    "#ASDF 1.0.0", "\nd", "$ref", "//", "tag:stsci.edu:asdf/core/asdf-1.1.0", "\u00d3BLK", "b\x00\x00", "a\n\tb",
    "\t\n", "a \nb", "a\n \nb", "a  \n",
]  # fmt: skip

INTEGERS = [0, 1, -1, 9, 10, 127, -128, 2**31 - 1, -(2**31), 2**32, 2**53 + 1, 2**63 - 1, -(2**63) + 2]
# Python reads these two but does not write them, because the standard has another limit.
LOWEST_INTEGERS = [-(2**63) + 1, -(2**63)]
LARGE_INTEGERS = [2**63, -(2**63) - 1, 2**64 - 1, 2**64, 10**40, -(7**300)]
DOUBLES = [
    0.0, -0.0, 1.0, -1.5, 0.1, 1 / 3, 100.0, 1e5, 123456789.0, 1e15, 1e16, 1e17, 1e22, 1e23, 1e100, -1e300, 1e-4, 1e-5,
    1e-7, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 9007199254740993.0, math.pi,
    math.inf, -math.inf, math.nan,
]  # fmt: skip
COMPLEXES = [
    complex(real, imaginary)
    for real in (0.0, -0.0, 1.5, -1e300, 5e-324, math.inf, -math.inf, math.nan)
    for imaginary in (0.0, -0.0, 2.0, -1e-7, math.inf, -math.inf, math.nan)
]
EMPTY = [[], {}, [[]], [{}], {"a": []}, {"a": {}}, [[], {}, [[], [{}]]], {"a": {"b": {"c": []}}}]


def nested(depth: int, inner) -> list | dict:
    """Returns lists and mappings in turn around a value."""
    value = inner
    for level in range(depth):
        value = [value, level] if level % 2 else {"below": value, "level": level}
    return value


def random_tree(seed: int) -> dict:
    """Returns a tree of any shape with values of all kinds. The same seed returns the same tree."""
    generator = random.Random(seed)
    return {random_key(generator): random_value(generator, 4) for _ in range(generator.randint(1, 6))}


def random_value(generator: random.Random, depth: int):
    kinds = ["none", "bool", "int", "float", "complex", "sample", "text"]
    kind = generator.choice(kinds + ["list", "dict"] * 5 * (depth > 0))
    match kind:
        case "none":
            return None
        case "bool":
            return generator.random() < 0.5
        case "int":
            magnitude = generator.getrandbits(generator.randint(1, 63))
            return max(magnitude if generator.random() < 0.5 else -magnitude, INTEGERS[-1])
        case "float":
            return random_float(generator)
        case "complex":
            return complex(random_float(generator), random_float(generator))
        case "sample":
            return generator.choice(STRINGS)
        case "text":
            return random_text(generator)
        case "list":
            return [random_value(generator, depth - 1) for _ in range(generator.randint(0, 5))]
    return {random_key(generator): random_value(generator, depth - 1) for _ in range(generator.randint(0, 5))}


def random_key(generator: random.Random) -> str:
    """Returns a key that a path can contain."""
    return random_text(generator).replace("\0", "")


def random_float(generator: random.Random) -> float:
    if generator.random() < 0.5:
        return struct.unpack("<d", generator.randbytes(8))[0]
    return generator.choice(DOUBLES + [generator.uniform(-1000, 1000), float(generator.randint(-1000, 1000))])


def random_text(generator: random.Random) -> str:
    characters = "ab12 \n\t:#-?'\"\\,[]{}&*!|>%@`~.=_<é€😀\r\x85\u2028\x00\x7f\ufeff/"
    return "".join(generator.choice(characters) for _ in range(int(generator.expovariate(0.1))))


def difference(expected, found, path: str = "") -> str | None:
    """Returns the first place where two trees differ in type, value, bits of a float or order of keys; None if they
    are equal.
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        if typed(expected) != typed(found):
            return f"{path}: keys {list(expected)!r} became {list(found)!r}"
        pairs = [(key, value, found[key]) for key, value in expected.items()]
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return f"{path}: {len(expected)} items became {len(found)}"
        pairs = [(index, value, found[index]) for index, value in enumerate(expected)]
    elif type(expected) is not type(found) or bits(expected) != bits(found):
        return f"{path}: {expected!r} became {found!r}"
    else:
        return None
    return next((text for key, *values in pairs if (text := difference(*values, f"{path}/{key}"))), None)


def typed(keys) -> list:
    return [(type(key), key) for key in keys]


def bits(value):
    """Returns a value for comparison: all NaNs are one, because a tree has only one; the two zeros differ."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else struct.pack("<d", value)
    if isinstance(value, complex):
        return bits(value.real), bits(value.imag)
    return value
