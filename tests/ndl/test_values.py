"""Values in bulk and in notation are those that another reader finds in the canonical text."""

import base64
import math
import unittest

import descriptions
import numpy as np
from asdfkit_ctypes import Error
from ruamel.yaml import YAML

SECTIONS = ("dimcoords", "ndarrays")
# Of long values, only the first elements are compared one by one.
TOLD = 100
# No text of the descriptions is longer.
LONG_TEXT = "U2000"


def load(text: str) -> object:
    return YAML(typ="safe", pure=True).load(text)


def valued(text: str):
    """Returns path, datatype and value of everything that has a value in long form."""
    document = load(text)
    is_grouped = all(key.startswith(("/", "x-")) for key in document)
    for path, group in document.items() if is_grouped else [("/", document)]:
        if not isinstance(group, dict) or path.startswith("x-"):
            continue
        yield from attributes(path, group)
        for section in SECTIONS:
            for name, entity in (group.get(section) or {}).items():
                place = path.rstrip("/") + "/" + name
                if "value" in entity and "type" in entity:
                    yield (place, None), entity["type"], entity["value"]
                yield from attributes(place, entity)


def attributes(path: str, owner: dict):
    for name, attribute in (owner.get("attributes") or {}).items():
        if isinstance(attribute, dict):
            yield (path, name), attribute["type"], attribute["value"]


def is_same(one: object, other: object) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return one == other or (isinstance(one, float) and isinstance(other, float) and math.isnan(one + other))


def elements(value: object, rank: int) -> list:
    """Returns the elements of a value with this many levels of nesting."""
    out = [value]
    for _ in range(rank):
        out = [item for items in out for item in items]
    return out


class NoDtypeError(Exception):
    """numpy has no type for these elements."""


def dtype_of(datatype: object) -> tuple[np.dtype, tuple[int, ...]]:
    """Returns the datatype to read elements as, and the dimensions that it adds."""
    if isinstance(datatype, str):
        if datatype == "objref":
            raise NoDtypeError
        return np.dtype(LONG_TEXT if datatype == "string" else datatype), ()
    ((keyword, parameters),) = datatype.items()
    if keyword == "array":
        dtype, shape = dtype_of(parameters["base"])
        return dtype, (*parameters["shape"], *shape)
    if keyword == "enum":
        return np.dtype(parameters["base"]), ()
    if keyword == "opaque":
        return np.dtype("u1"), (parameters["size"],)
    if keyword == "compound":
        return np.dtype([(name, *dtype_of(member)) for part in parameters for name, member in part.items()]), ()
    raise NoDtypeError


def element_of(datatype: object, element: object) -> object:
    """Returns an element as numpy has it."""
    if isinstance(datatype, str):
        return element
    ((keyword, parameters),) = datatype.items()
    if keyword == "enum":
        return parameters["members"][element]
    if keyword == "opaque":
        return list(base64.b64decode(element).ljust(parameters["size"], b"\0"))
    if keyword == "compound":
        members = [member for part in parameters for member in part.values()]
        return tuple(element_of(member, item) for member, item in zip(members, element, strict=True))
    items = elements(element, len(parameters["shape"]))
    dtype, shape = dtype_of(datatype)
    return np.array([element_of(parameters["base"], item) for item in items], dtype).reshape(shape)


class ValueTest(unittest.TestCase):
    def check(self, description: descriptions.Description) -> int:
        count = 0
        for (path, attribute), datatype, value in valued(description.text()):
            place = (path.encode(), attribute and attribute.encode())
            with self.subTest(place=place):
                shape = description.value_shape(*place)
                for index, element in enumerate(elements(value, len(shape))[:TOLD]):
                    told = load(description.notation(*place, index=index))
                    self.assertTrue(is_same(told, element), f"{told} is not {element}")
                self.check_bulk(description, place, datatype, value)
                count += 1
        return count

    def check_bulk(self, description, place, datatype, value) -> None:
        try:
            dtype, added = dtype_of(datatype)
        except NoDtypeError:
            with self.assertRaisesRegex(Error, "CONVERSION"):
                description.values(*place, dtype=np.dtype("f8"), shape=[1000])
            return
        shape = description.value_shape(*place)
        items = [element_of(datatype, element) for element in elements(value, len(shape))]
        expected = np.array(items, dtype).reshape((*shape, *added))
        found = description.values(*place, dtype=dtype, shape=expected.shape)
        np.testing.assert_array_equal(found, expected)
        if dtype.kind in "iu":
            found = description.values(*place, dtype=np.dtype("f8"), shape=expected.shape)
            np.testing.assert_array_equal(found, expected.astype("f8"))

    def test_own_descriptions(self):
        count = 0
        for name, description in descriptions.own():
            with self.subTest(description=name):
                count += self.check(description)
        self.assertGreater(count, 20)

    def test_samples(self):
        for name, description in descriptions.samples():
            with self.subTest(description=name):
                self.check(description)

    def test_another_value_is_noticed(self):
        description = descriptions.Description(b"ndarrays: {a: {shape: [2], type: int8, value: [1, 2]}}")
        with self.assertRaises(AssertionError):
            self.check_bulk(description, (b"/a", None), "int8", [1, 3])
