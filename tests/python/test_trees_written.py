"""Trees that we write, read by Python asdf, by PyYAML (YAML 1.1) and by ruamel.yaml (YAML 1.2)."""

import io
import unittest
import warnings

import asdf
import asdfkit_ctypes as kit
import samples
import trees

warnings.simplefilter("error")


def written(value, flow: bool = False, standard: str = "1.6.0", **options) -> bytes:
    file = kit.File.new(standard)
    trees.put(file.root(), "value", value, flow)
    return file.write_memory(**options)


def read_by_asdf(file: bytes):
    with asdf.open(io.BytesIO(file)) as opened:
        return opened.tree["value"]


class TreesWritten(unittest.TestCase):
    def check(self, value, standard: str = "1.6.0") -> None:
        """The value is written in block and in flow style, and each reader finds it."""
        for flow in (False, True):
            with self.subTest(flow=flow):
                file = written(value, flow, standard)
                text = trees.text_of(file)
                self.assertIsNone(samples.difference(value, trees.take(kit.File.open(file).root().get("value"))))
                self.assertIsNone(samples.difference(value, read_by_asdf(file)))
                self.assertIsNone(samples.difference(value, trees.read_as_yaml_1_1(text)["value"]))
                self.assertIsNone(samples.difference(value, trees.read_as_yaml_1_2(text)["value"]))

    def test_strings_as_values(self):
        self.check(samples.STRINGS)
        self.check([[text, [text]] for text in samples.STRINGS])

    def test_strings_as_values_of_keys(self):
        self.check([{"key": text} for text in samples.STRINGS])
        self.check([{"a": {"b": text, "c": text}} for text in samples.STRINGS])

    def test_strings_as_keys(self):
        keys = [text for text in samples.STRINGS if "\0" not in text]  # paths are NUL-terminated
        self.check({key: key for key in keys})
        self.check({"inner": {key: [key] for key in keys}})
        self.check([{key: {}} for key in keys if key != "$ref"])

    def test_every_character_of_the_first_planes(self):
        characters = [chr(code) for code in range(0x3100) if not 0xD800 <= code < 0xE000]
        self.check(characters + [f"a{character}b" for character in characters[:0x100]])

    def test_numbers(self):
        self.check(samples.INTEGERS + samples.LOWEST_INTEGERS)
        self.check(samples.DOUBLES)
        self.check(samples.COMPLEXES)
        self.check([None, True, False, {"none": None, "true": True, "false": False}])

    def test_integers_beyond_64_bits(self):
        for standard in samples.STANDARDS:
            with self.subTest(standard=standard):
                file = kit.File.new(standard)
                if standard < "1.3.0":
                    with self.assertRaisesRegex(kit.Error, "ASDF_ERR_UNSUPPORTED"):
                        file.root().set_integer("value", 2**64)
                    continue
                for value in samples.LARGE_INTEGERS:
                    file.root().set_integer("values/-", value)
                found = asdf.open(io.BytesIO(file.write_memory()))["values"]
                self.assertEqual(list(found), list(samples.LARGE_INTEGERS))

    def test_empty_and_nested(self):
        self.check(samples.EMPTY)
        self.check(samples.nested(100, "end"))

    def test_many_keys(self):
        file = written({f"key {number}": number for number in range(10_000)})
        found = read_by_asdf(file)
        self.assertEqual(list(found.items()), [(f"key {number}", number) for number in range(10_000)])

    def test_references(self):
        file = kit.File.new()
        root = file.root()
        for key in ("a b", "a/b", "a~b", "a%b", "é", "#", "😀", '"', "?"):
            target = f"targets/{trees.token(key)}"
            root.set_string(target, key)
            root.set("reference_to", f"references/{trees.token(key)}", target.encode())
        root.set("reference_to", "chained", b"references/a b")
        data = file.write_memory()
        with asdf.open(io.BytesIO(data)) as opened:
            opened.find_references()
            opened.resolve_references()
            self.assertEqual(list(opened["references"].items()), [(key, key) for key in opened["targets"]])
        found = kit.File.open(data).root()
        self.assertEqual(trees.take(found.get("references")), trees.take(found.get("targets")))
        self.assertEqual(found.get("chained").string(), "a b")

    def test_tags(self):
        file = kit.File.new()
        root = file.root()
        root.set_string("unit", "m s-1")
        root.set("tag", "unit", b"tag:example.org:units/unit-1.0.0")
        root.set("mapping", "thing", 0)
        root.set_string("thing/1:30", "1:30")
        root.set("tag", "thing", b"asdf://example.org/a%20b/thing,1!-1.0.0")
        node = trees.yaml.compose(trees.text_of(file.write_memory()), Loader=trees.yaml.CSafeLoader)
        tags = {key.value: value.tag for key, value in node.value}
        self.assertEqual(tags["unit"], "tag:example.org:units/unit-1.0.0")
        self.assertEqual(tags["thing"], "asdf://example.org/a%20b/thing,1!-1.0.0")

    def test_random_trees(self):
        for first in range(0, 300, 10):
            with self.subTest(seeds=f"{first} to {first + 9}"):
                self.check([samples.random_tree(seed) for seed in range(first, first + 10)])

    def test_versions_of_the_standard(self):
        for standard in samples.STANDARDS:
            with self.subTest(standard=standard):
                self.check([1, 2.5, "yes", 1 + 2j, {"a": [None]}], standard)
                with asdf.open(io.BytesIO(written([], standard=standard))) as opened:
                    self.assertEqual(opened.version_string, standard)
                    self.assertEqual(opened["asdf_library"]["name"], "asdfkit")

    def test_a_file_without_blocks_is_a_yaml_document(self):
        for slack in (None, 0, 1, 5000):
            text = written({"a": ["b"]}, tree_slack=slack).decode()
            self.assertEqual(trees.read_as_yaml_1_1(text)["value"], {"a": ["b"]})
