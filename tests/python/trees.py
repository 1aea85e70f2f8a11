"""Trees as Python values: set and read through the interface, and read by other YAML readers from the same text."""

import re

import asdfkit_ctypes as kit
import ruamel.yaml

import yaml

INT64 = range(-(2**63), 2**63)


def put(node: kit.Node, path: str, value, flow: bool = False) -> None:
    """Sets a Python value at a path, with everything inside it."""
    match value:
        case None:
            node.set("null", path)
        case bool():
            node.set("bool", path, value)
        case int() if value in INT64:
            node.set("i64", path, value)
        case int():
            node.set_integer(path, value)
        case float():
            node.set("f64", path, value)
        case complex():
            node.set("complex", path, value.real, value.imag)
        case str():
            node.set_string(path, value)
        case list():
            node.set("sequence", path, flow)
            place = node.get(existing(node, path))
            for item in value:
                put(place, "-", item, flow)
        case dict():
            node.set("mapping", path, flow)
            place = node.get(existing(node, path))
            for key, item in value.items():
                put(place, token(key), item, flow)
        case _:
            node.set_array(path, value)


def token(key: str) -> str:
    """Returns a path of this key alone. Its slash may be left out, unless the key is empty."""
    escaped = key.replace("~", "~0").replace("/", "~1")
    return escaped or "/"


def existing(node: kit.Node, path: str) -> str:
    """Returns the path of the value that was just set."""
    return str(node.count() - 1) if path == "-" and node.type() == kit.SEQUENCE else path


def take(node: kit.Node, seen: dict | None = None):
    """Returns the Python value of a node; arrays as numpy's, aliases as one object."""
    seen = {} if seen is None else seen
    if node.is_array():
        return node.array().read()
    match node.type():
        case kit.NULL:
            return None
        case kit.BOOL:
            return kit.value_of(kit.c_int32, "asdf_node_get_bool", node, b"") == 1
        case kit.INTEGER:
            return node.integer()
        case kit.FLOAT:
            return node.float()
        case kit.STRING if "/core/complex-" in node.tag():
            return node.complex()
        case kit.STRING | kit.TIMESTAMP:
            return node.string()
        case kit.BINARY:
            return kit.bytes_of("asdf_node_get_binary", node, b"")
        case kit.MAPPING if "/core/integer-" in node.tag():
            return node.integer()
    identity = node.identity()
    if identity in seen:
        return seen[identity]
    if node.type() == kit.SEQUENCE:
        result = seen[identity] = []
        result.extend(take(node.item(index), seen) for index in range(node.count()))
    else:
        result = seen[identity] = {}
        for index in range(node.count()):
            result[node.key(index)] = take(node.item(index), seen)
    return result


def text_of(file: bytes) -> str:
    """Returns the YAML text of a file, from its directives to its end marker."""
    return re.search(rb"^%YAML.*?^\.\.\.$", file, re.MULTILINE | re.DOTALL)[0].decode() + "\n"


def construct(loader, suffix: str, node):
    """Reads tagged nodes as the values that the tests set: complex numbers, otherwise the content."""
    if suffix.startswith("core/complex"):
        return complex(re.sub("i$", "j", node.value))
    if hasattr(node, "value") and isinstance(node.value, str):
        return loader.construct_scalar(node)
    if isinstance(node, (yaml.SequenceNode, ruamel.yaml.SequenceNode)):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_mapping(node, deep=True)


class PyYAMLLoader(yaml.CSafeLoader):
    pass


class RuamelConstructor(ruamel.yaml.SafeConstructor):
    pass


PyYAMLLoader.add_multi_constructor("tag:stsci.edu:asdf/", construct)
RuamelConstructor.add_multi_constructor("tag:stsci.edu:asdf/", construct)


def read_as_yaml_1_1(text: str):
    return yaml.load(text, PyYAMLLoader)


def read_as_yaml_1_2(text: str):
    reader = ruamel.yaml.YAML(typ="safe", pure=True)
    reader.Constructor = RuamelConstructor
    return reader.load(text.replace("%YAML 1.1", "%YAML 1.2", 1))
