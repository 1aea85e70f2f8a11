"""Tests of check_rooms.py on small crates: `python -m unittest scripts/test_check_rooms.py`."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from check_rooms import COMMAND, LIBRARY, MOST_IMPL_FILES, Floors, faults


class Rooms(unittest.TestCase):
    def found(self, files: dict[str, str], floors: Floors = LIBRARY) -> str:
        """Returns the faults of a crate with these files."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return "\n".join(faults(Path(folder), floors))

    def test_imports_from_lower_rooms_are_right(self) -> None:
        self.assertEqual(self.found({"error.rs": "pub struct Error;", "tree.rs": "use crate::error::Error;"}), "")

    def test_imports_from_higher_rooms_are_found_wherever_they_stand(self) -> None:
        higher = {"file.rs": "pub struct File;"}
        for text in (
            "use crate::file::File;",
            "use crate::{error, file::{self, File}};",
            "fn f(file: &crate::file::File) {}",
            "mod inner { use super::super::file::File; }",
        ):
            self.assertIn("tree imports file", self.found({**higher, "error.rs": "", "tree.rs": text}), text)

    def test_a_room_may_use_those_to_its_left_only(self) -> None:
        self.assertEqual(self.found({"layout.rs": "pub struct A;", "codec.rs": "use crate::layout::A;"}), "")
        self.assertIn(
            "layout imports codec", self.found({"codec.rs": "pub struct A;", "layout.rs": "use crate::codec::A;"})
        )

    def test_the_command_has_rooms_of_its_own(self) -> None:
        files = {"main.rs": "mod core; mod look;", "core/mod.rs": "pub struct A;", "look.rs": "use crate::core::A;"}
        self.assertEqual(self.found(files, COMMAND), "")
        self.assertIn("core imports look", self.found({"look.rs": "", "core.rs": "use crate::look::A;"}, COMMAND))

    def test_re_exports_lead_to_the_file_that_defines_the_name(self) -> None:
        files = {
            "lib.rs": "pub use file::File;",
            "file/mod.rs": "mod open; pub use open::File;",
            "file/open.rs": "pub struct File;",
            "tree.rs": "use crate::File;",
        }
        self.assertIn("tree imports file::open", self.found(files))

    def test_unknown_rooms_are_named(self) -> None:
        found = self.found({"cellar.rs": "pub struct A;", "tree.rs": "use crate::cellar::A;"})
        self.assertIn("the room cellar is on no floor", found)

    def test_circles_of_chambers_are_found(self) -> None:
        files = {
            "array/mod.rs": "mod read; mod write;",
            "array/read/mod.rs": "mod a;",
            "array/read/a.rs": "use crate::array::write::b::B; pub struct A;",
            "array/write/mod.rs": "pub(super) mod b;",
            "array/write/b.rs": "pub struct B;",
        }
        self.assertEqual(self.found(files), "")
        files["array/write/b.rs"] = "pub struct B(super::super::read::a::A);"
        self.assertIn("array: a circle of read, write", self.found(files))

    def test_a_chamber_that_uses_what_its_room_defines_makes_a_circle(self) -> None:
        files = {
            "array/mod.rs": "mod read; use read::A; pub struct Array(A);",
            "array/read/mod.rs": "pub struct A; fn f(_: crate::array::Array) {}",
        }
        self.assertIn("array: a circle of mod, read", self.found(files | {"array/read/b.rs": ""}))

    def test_two_files_may_depend_on_each_other_and_on_their_room(self) -> None:
        files = {
            "tree/mod.rs": "mod a; mod b; use a::A; pub struct Tree;",
            "tree/a.rs": "use super::b::B; use super::Tree; pub struct A;",
            "tree/b.rs": "use super::a::A; pub struct B;",
        }
        self.assertEqual(self.found(files), "")

    def test_circles_of_three_files_are_found(self) -> None:
        files = {
            "tree/mod.rs": "mod a; mod b; mod c;",
            "tree/a.rs": "use super::b::B; pub struct A;",
            "tree/b.rs": "use super::c::C; pub struct B;",
            "tree/c.rs": "pub struct C;",
        }
        self.assertEqual(self.found(files), "")
        files["tree/c.rs"] = "pub struct C(super::a::A);"
        self.assertIn("a circle of 3 files: tree::a, tree::b, tree::c", self.found(files))

    def test_methods_in_many_files_are_found(self) -> None:
        names = [f"m{number}" for number in range(MOST_IMPL_FILES)]
        files = {"tree/mod.rs": "".join(f"mod {name};" for name in names) + "pub struct Tree;"}
        files |= {f"tree/{name}.rs": "use super::Tree;\nimpl Tree { fn f() {} }\n" for name in names}
        # Another type of the same name.
        files["yaml.rs"] = "struct Tree;\nimpl Tree { fn f() {} }\n"
        self.assertEqual(self.found(files), "")
        files["tree/mod.rs"] += "\nimpl Tree { fn g() {} }\n"
        self.assertIn(f"methods of tree::Tree stand in {MOST_IMPL_FILES + 1} files", self.found(files))

    def test_tests_comments_and_strings_are_left_out(self) -> None:
        text = """
            // use crate::file::File;
            const A: &str = "crate::file::File";
            #[cfg(test)]
            mod tests { use crate::file::File; fn f() { let _ = '{'; } }
        """
        self.assertEqual(self.found({"file.rs": "pub struct File;", "tree.rs": text}), "")


if __name__ == "__main__":
    unittest.main()
