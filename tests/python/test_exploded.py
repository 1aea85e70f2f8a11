"""Whole files exploded and imploded, by us and by Python asdf, and read by the other library."""

import tempfile
import unittest
import warnings
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import numpy as np
import samples
from trees import text_of

warnings.simplefilter("error")

HEAD = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n# a remark\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"


def tree() -> dict:
    base = np.arange(24, dtype=">i2").reshape(4, 6)
    return {
        "compressed": samples.array("float32", (3, 5)),
        "plain": samples.array("uint64", (7,)),
        "views": [base[::-1, ::2], base.T],
        "masked": np.ma.masked_array(np.arange(6), mask=[0, 1, 0, 0, 1, 1]),
        "inline": np.arange(3),
        "empty": np.zeros((0, 3)),
        "text": np.array(["a", "bcd"]),
    }


def open_for_reading(path: Path, **options) -> kit.File:
    return kit.File.open(path, access=1, **options)


def payloads(path: Path) -> list[bytes]:
    """Returns the payloads as they are stored."""
    data, found, at = path.read_bytes(), [], 0
    while (at := data.find(b"\xd3BLK", at)) >= 0:
        header = int.from_bytes(data[at + 4 : at + 6], "big")
        allocated, used = (int.from_bytes(data[at + place : at + place + 8], "big") for place in (14, 22))
        found.append(data[at + 6 + header :][:used])
        at += 6 + header + allocated
    return found


class Exploded(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name: str, **options) -> Path:
        content = tree()
        file = asdf.AsdfFile(content)
        file.set_array_compression(content["compressed"], "bzp2")
        if not options:
            file.set_array_storage(content["inline"], "inline")
        for view in content["views"]:
            file.set_array_save_base(view, True)
        file.write_to(self.folder / name, **options)
        return self.folder / name

    def check(self, path: Path, reader) -> None:
        found = reader(path)
        expected = tree()
        for key in ("compressed", "plain", "inline", "empty"):
            self.assertTrue(samples.same_bits(expected[key], found(key)), key)
        for number in range(2):
            self.assertTrue(samples.same_bits(expected["views"][number], found(f"views/{number}")))

    def by_python(self, path: Path):
        with asdf.open(path, validate_checksums=True, lazy_load=False) as file:
            arrays = {key: np.array(file[key]) for key in ("compressed", "plain", "inline", "empty")}
            arrays |= {f"views/{number}": np.array(view) for number, view in enumerate(file["views"])}
            self.assertEqual(np.ma.asarray(file["masked"]).tolist(), tree()["masked"].tolist())
            self.assertEqual(file["text"].tolist(), tree()["text"].tolist())
        return arrays.get

    def by_us(self, path: Path):
        file = open_for_reading(path)
        return lambda key: file.root().array(key).read()

    def test_there_and_back(self):
        whole = self.write("whole.asdf")
        for name in ("parts.asdf", "elsewhere/parts.asdf"):
            parts, back = self.folder / name, (self.folder / name).with_name("back.asdf")
            parts.parent.mkdir(exist_ok=True)
            kit.File.open(whole).explode(parts)
            self.assertEqual(kit.value_of(kit.c_int64, "asdf_file_block_count", kit.File.open(parts)), 0)
            # Both views are on one base.
            externals = sorted(parts.parent.glob("parts0*.asdf"))
            self.assertEqual(len(externals), len(payloads(whole)))
            self.assertEqual([payloads(path) for path in externals], [[payload] for payload in payloads(whole)])
            open_for_reading(parts).implode(back)
            self.assertEqual(payloads(back), payloads(whole))
            for path in (parts, back):
                self.check(path, self.by_us)
                self.check(path, self.by_python)
            # The text differs only in the name of the library.
            texts = [text_of(path.read_bytes()).split("history:") for path in (whole, back)]
            self.assertEqual(texts[0][1], texts[1][1])

    def test_what_python_exploded(self):
        exploded = self.write("main.asdf", all_array_storage="external")
        self.check(exploded, self.by_us)
        imploded = self.folder / "imploded.asdf"
        open_for_reading(exploded).implode(imploded)
        self.check(imploded, self.by_python)
        self.check(imploded, self.by_us)
        # In another directory the names would lead nowhere, so their targets are copied.
        (self.folder / "elsewhere").mkdir()
        moved = self.folder / "elsewhere" / "main.asdf"
        open_for_reading(exploded).explode(moved)
        self.check(moved, self.by_python)
        with self.assertRaises(kit.Error) as caught:
            kit.File.open(exploded).explode(self.folder / "elsewhere" / "again.asdf")
        self.assertEqual(caught.exception.status, "ASDF_ERR_EXTERNAL_REFERENCE")
        self.assertFalse((self.folder / "elsewhere" / "again.asdf").exists())

    def test_the_text_stays(self):
        array = b"!core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: little, shape: [4]}  # note\n"
        last = (
            b"!core/ndarray-1.1.0\n  # rows\n  source: -1\n  datatype: uint8\n  byteorder: little\n  shape: ['*', 2]\n"
        )
        text = (
            HEAD + b"# first\na: &x " + array + b"b: *x\nlast: " + last + b"other: !x/y-1.0.0 {source: 1} # kept\n...\n"
        )
        blocks = b"".join(
            b"\xd3BLK\x00\x30" + bytes(8) + len(payload).to_bytes(8, "big") * 3 + bytes(16) + payload
            for payload in (b"abcd", b"who names this?", b"nobody names this")
        )
        streamed = b"\xd3BLK\x00\x30\x00\x00\x00\x01" + bytes(44) + b"efghi"
        path, parts, back = (self.folder / name for name in ("a.asdf", "parts.asdf", "back.asdf"))
        path.write_bytes(text + blocks + streamed)
        kit.File.open(path).explode(parts)
        written = parts.read_bytes()
        expected = text.replace(b"source: 0", b"source: parts0000.asdf").replace(
            b"source: -1", b"source: parts0001.asdf"
        )
        self.assertTrue(written.startswith(expected[: expected.index(b"...\n")]))
        # Blocks that other nodes may name keep their numbers, and so do unnamed blocks.
        self.assertEqual(payloads(parts), [b"abcd", b"who names this?", b"nobody names this"])
        self.assertEqual(payloads(self.folder / "parts0001.asdf"), [b"efghi"])
        open_for_reading(parts).implode(back)
        root = kit.File.open(back).root()
        self.assertEqual(root.array("b").read().tobytes(), b"abcd")
        self.assertEqual(root.array("last").read().tobytes(), b"efgh")
        self.assertEqual(payloads(back), [b"abcd", b"who names this?", b"nobody names this", b"abcd", b"efghi"])
        self.assertIn(b"# first\na: &x", back.read_bytes())
        self.assertIn(b"{source: 1} # kept", back.read_bytes())

    def test_changes_that_are_not_saved(self):
        whole = self.write("whole.asdf")
        file = kit.File("asdf_file_open_for_update", bytes(whole), None)
        root = file.root()
        root.set_array("new", np.arange(5))
        root.set_storage("plain", "external", external_name=b"plain.asdf")
        root.set_storage("compressed", "streamed")
        root.set_array("inline", np.arange(3))
        parts, back = self.folder / "parts.asdf", self.folder / "back.asdf"
        file.explode(parts)
        file.implode(back)
        for path in (parts, back):
            self.check(path, self.by_python)
            found = self.by_us(path)
            self.assertTrue(samples.same_bits(np.arange(5), found("new")))
            self.check(path, self.by_us)
        self.check(whole, self.by_python)
        self.assertTrue((self.folder / "plain.asdf").exists())
        kit.call("asdf_file_close", file)

    def test_parts_of_exploded_files(self):
        exploded = self.write("main.asdf", all_array_storage="external")
        made, unasked, blind = kit.File.new(), kit.File.new(), kit.File.new()
        for key in ("views", "masked", "plain", "compressed"):
            made.root().copy(key, open_for_reading(exploded).root().get(key), storage=0)
        part = self.folder / "part.asdf"
        made.write(part)
        with asdf.open(part, validate_checksums=True, lazy_load=False) as file:
            for key in ("plain", "compressed"):
                self.assertTrue(samples.same_bits(tree()[key], np.array(file[key])))
            for expected, view in zip(tree()["views"], file["views"], strict=True):
                self.assertTrue(samples.same_bits(expected, np.array(view)))
            self.assertEqual(np.ma.asarray(file["masked"]).tolist(), tree()["masked"].tolist())
        self.assertEqual(sorted(kit.File.open(part).codecs()), ["", "", "", "", "bzp2"])
        # By default, a copy names the files as before. Without permission it cannot copy their content.
        unasked.root().copy("plain", open_for_reading(exploded).root().get("plain"))
        self.assertTrue(kit.text_of("asdf_node_get_string", unasked.root(), b"plain/source").startswith("main0"))
        with self.assertRaises(kit.Error) as caught:
            blind.root().copy("plain", kit.File.open(exploded).root().get("plain"), storage=0)
        self.assertEqual(caught.exception.status, "ASDF_ERR_EXTERNAL_REFERENCE")

    def test_copies_share_what_was_shared(self):
        root = kit.File.open(self.write("whole.asdf")).root()
        made = kit.File.new()
        made.root().copy("one", root.get("views/0"))
        made.root().copy("other", root.get("views/1"))
        self.assertEqual(made.codecs(), [""])
        # The same array copied again is another one, which can be changed separately.
        made.root().copy("again", root.get("views/0"))
        self.assertEqual(made.codecs(), ["", ""])
        made.root().set_array("one", np.arange(3))
        made.write(self.folder / "copy.asdf")
        with asdf.open(self.folder / "copy.asdf", validate_checksums=True, lazy_load=False) as file:
            for key, expected in (("one", np.arange(3)), ("other", tree()["views"][1]), ("again", tree()["views"][0])):
                self.assertTrue(samples.same_bits(expected, np.array(file[key])), key)
        for storage in kit.STORAGES:
            made = kit.File.new()
            made.root().copy("copy", root.get("compressed"), storage=kit.STORAGES[storage])
            made.write(self.folder / "stored.asdf")
            found = kit.File.open(self.folder / "stored.asdf", access=1).root().array("copy").read()
            self.assertTrue(samples.same_bits(samples.one_nan(tree()["compressed"]), samples.one_nan(found)))

    def test_failure_leaves_nothing(self):
        whole = self.write("whole.asdf")
        for number in range(20):
            (self.folder / f"x{number}").write_bytes(b"")
        before = sorted(self.folder.iterdir())
        with self.assertRaises(kit.Error):
            kit.File.open(whole).explode(self.folder / "missing" / "x.asdf")
        (self.folder / "main.asdf").mkdir()
        with self.assertRaises(kit.Error):
            kit.File.open(whole).explode(self.folder / "main.asdf")
        (self.folder / "main.asdf").rmdir()
        self.assertEqual(sorted(self.folder.iterdir()), before)


if __name__ == "__main__":
    unittest.main()
