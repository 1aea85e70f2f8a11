"""Tests of check_python_modules.py on small packages: `python -m unittest scripts/test_check_python_modules.py`."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from check_python_modules import faults


class Circles(unittest.TestCase):
    def found(self, files: dict[str, str]) -> str:
        """Returns the faults of a package `kit` with these files."""
        with tempfile.TemporaryDirectory() as above:
            folder = Path(above, "kit")
            folder.mkdir()
            for name, text in files.items():
                (folder / f"{name}.py").write_text(text)
            return "\n".join(faults(folder))

    def test_imports_in_one_direction_are_right(self) -> None:
        files = {"__init__": "from .a import A", "a": "from . import b\nfrom .c import C", "b": "import json", "c": ""}
        self.assertEqual(self.found(files), "")

    def test_circles_are_found_by_every_form_of_import(self) -> None:
        for text in (
            "from .a import A",
            "from . import a",
            "from kit.a import A",
            "from kit import a",
            "import kit.a",
            "def f():\n    from .a import A",
            "try:\n    from .a import A\nexcept ImportError:\n    pass",
        ):
            found = self.found({"a": "from .b import B", "b": text})
            self.assertIn("a circle of 2 modules: a, b", found, text)
            self.assertIn("a.py:1 imports b", found)

    def test_circles_through_the_package_are_found(self) -> None:
        found = self.found({"__init__": "from .a import A", "a": "from . import VERSION"})
        self.assertIn("a circle of 2 modules: __init__, a", found)

    def test_imports_for_type_hints_do_not_count(self) -> None:
        hints = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import A"
        self.assertEqual(self.found({"a": "from .b import B", "b": hints}), "")
        otherwise = f"{hints}\nelse:\n    from .a import A"
        self.assertIn("a circle", self.found({"a": "from .b import B", "b": otherwise}))


if __name__ == "__main__":
    unittest.main()
