"""Random changes of collections with empty values, such as `{p: 1, q: }` and `? p`. PyYAML is the judge."""

import os
import random
import tempfile
import unittest
from pathlib import Path

import asdfkit_ctypes as kit
from trees import text_of

import yaml

TREES = int(os.environ.get("ASDFKIT_EDIT_SCRIPTS", "300")) * 3
TAG = "tag:stsci.edu:asdf/"
HEAD = f"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! {TAG}\n--- !core/asdf-1.1.0\n"


class Loader(yaml.CSafeLoader):
    """Loader that ignores the tags of ASDF."""


def untagged(loader, suffix, node):
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return node.value or None


Loader.add_multi_constructor(TAG, untagged)


def load(file: bytes):
    tree = yaml.load(text_of(file), Loader=Loader)
    tree.pop("asdf_library", None)
    return tree


class Spelling:
    """Random spellings of a collection with many empty values."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)

    def collection(self) -> str:
        if self.random.random() < 0.6:
            return f"m: {self.random.choice([self.mapping, self.sequence])(2)}\nz: 0\n"
        return f"m:\n{self.block(2, 2)}z: 0\n"

    def keys(self, least: int) -> list[str]:
        return self.random.sample("pqrst", self.random.randrange(least, 4))

    def gap(self) -> str:
        return self.random.choice(["", " ", "  ", " # c\n   ", "\n   "])

    def value(self, depth: int) -> str:
        anchor = f"&a{self.random.randrange(10**9)} "
        plain = ["", "", "!t-1.0.0 ", anchor, "'q'", self.random.choice(["1", "x", "~", '"d"'])]
        kind = self.random.randrange(9 if depth else 6)
        if kind < len(plain):
            return plain[kind]
        return self.sequence(depth - 1) if kind == 7 else self.mapping(depth - 1)

    def pair(self, key: str, depth: int) -> str:
        value = self.value(depth)
        spellings = [f"? {key} : {value}", key, f"? {key}", f"'{key}': {value}", f"{key}: {value}", f"{key}: {value}"]
        return self.random.choice(spellings)

    def mapping(self, depth: int) -> str:
        keys = self.keys(0)
        pairs = " , ".join(self.pair(key, depth) + self.gap() for key in keys)
        return "{" + self.gap() + pairs + self.random.choice(["", " ,", ""]) * bool(keys) + " }"

    def sequence(self, depth: int) -> str:
        items = [self.value(depth) for _ in range(self.random.randrange(0, 4))]
        return "[" + self.gap() + " , ".join((item if item.strip() else "0") + self.gap() for item in items) + " ]"

    def block(self, depth: int, indentation: int) -> str:
        out, blank = [], " " * indentation
        for key in self.keys(1):
            kind = self.random.randrange(5)
            if kind == 0:
                out.append(f"{blank}? {key}\n" + self.random.choice(["", f"{blank}: 1\n"]))
            elif kind == 1:
                out.append(f"{blank}{key}:" + self.random.choice(["", " # c", " !t-1.0.0"]) + "\n")
            elif kind == 2 and depth:
                out.append(f"{blank}{key}:\n{self.block(depth - 1, indentation + 2)}")
            elif kind == 3:
                out.append(f"{blank}{key}:\n{blank}- {self.random.choice(['', '1', '# c'])}\n{blank}-\n")
            else:
                out.append(f"{blank}{key}: {self.random.choice([self.mapping, self.sequence])(1)}\n")
        return "".join(out)


class Script:
    """A few random changes, made through the library and in what PyYAML reads."""

    def __init__(self, root: kit.Node, tree: dict, rng: random.Random):
        self.root, self.tree, self.random = root, tree, rng
        self.done = []
        for _ in range(rng.randrange(1, 4)):
            self.change()

    def place(self):
        """A random collection below the key `m`, with its path."""
        path, found = "m", self.tree["m"]
        while self.random.random() < 0.6:
            pairs = found.items() if isinstance(found, dict) else enumerate(found)
            inner = [(key, value) for key, value in pairs if isinstance(value, (dict, list))]
            if not inner:
                break
            key, found = self.random.choice(inner)
            path += f"/{key}"
        return path, found

    def change(self) -> None:
        if not isinstance(self.tree["m"], (dict, list)):
            return
        path, found = self.place()
        kind = self.random.choice(["add", "set", "remove"])
        self.done.append((kind, path))
        if kind == "add":
            is_mapping = isinstance(found, dict)
            self.root.set_integer(f"{path}/new" if is_mapping else f"{path}/-", 7)
            if is_mapping:
                found["new"] = 7
            else:
                found.append(7)
        elif found:
            key = self.random.choice(list(found) if isinstance(found, dict) else range(len(found)))
            if kind == "remove":
                kit.call("asdf_node_remove", self.root, f"{path}/{key}".encode())
                del found[key]
            else:
                found[key] = self.random.choice([None, "two words", 5])
                self.set(f"{path}/{key}", found[key])

    def set(self, path: str, value) -> None:
        if value is None:
            self.root.set("null", path)
        elif isinstance(value, str):
            self.root.set_string(path, value)
        else:
            self.root.set_integer(path, value)


class EmptyValues(unittest.TestCase):
    def test_random_changes_of_collections_with_empty_values(self):
        changed = 0
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "edited.asdf"
            for seed in range(TREES):
                spelling = Spelling(seed)
                content = (HEAD + spelling.collection() + "...\n").encode()
                try:
                    tree = load(content)
                except yaml.YAMLError:
                    continue
                path.write_bytes(content)
                with self.subTest(seed=seed):
                    file = kit.File("asdf_file_open_for_update", os.fsencode(path), None)
                    script = Script(file.root(), tree, spelling.random)
                    kit.call("asdf_file_save", file, kit.Options(durable=0))
                    kit.call("asdf_file_close", file)
                    written = path.read_bytes()
                    self.assertEqual(load(written), tree, f"{text_of(content)}\n{script.done}\n{text_of(written)}")
                    changed += bool(script.done)
        self.assertGreater(changed, TREES / 2)
