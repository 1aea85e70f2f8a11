"""Tests that the comparison of interface data finds the changes that break compiled programs, and nothing else."""

import copy
import json
import unittest
from pathlib import Path

from compare_interface import breaking_changes

INTERFACE = json.loads((Path(__file__).parent.parent / "include" / "asdfkit-api.json").read_text())


class CompareInterface(unittest.TestCase):
    def setUp(self):
        self.new = copy.deepcopy(INTERFACE)

    def changes(self) -> list[str]:
        return breaking_changes(INTERFACE, self.new)

    def function(self, name: str) -> dict:
        return next(function for function in self.new["functions"] if function["name"] == name)

    def test_additions_and_words_are_compatible(self):
        added = copy.deepcopy(self.function("asdf_file_open"))
        added["name"] = "asdf_file_open_again"
        self.new["functions"].append(added)
        self.new["constants"].append({"name": "ASDF_ERR_ANOTHER", "value": 999, "doc": ""})
        self.function("asdf_file_open")["doc"] = "Other words."
        self.assertEqual(self.changes(), [])

    def test_a_function_that_is_gone(self):
        self.new["functions"] = [one for one in self.new["functions"] if one["name"] != "asdf_file_open"]
        self.assertEqual(self.changes(), ["The function asdf_file_open is gone."])

    def test_an_argument_of_another_type_or_place(self):
        self.function("asdf_file_open")["arguments"].reverse()
        self.function("asdf_file_root")["returns"] = "int64_t"
        self.assertEqual(len(self.changes()), 2)

    def test_an_argument_that_must_be_given_now(self):
        for argument in self.function("asdf_file_open")["arguments"]:
            argument["nullable"] = False
        self.assertEqual(self.changes(), ["The argument options of asdf_file_open may no longer be NULL."])

    def test_constants(self):
        values = {constant["name"]: constant for constant in self.new["constants"]}
        values["ASDF_ERR_IO"]["value"] = 299
        values["ASDF_VERSION_MINOR"]["value"] = 2
        self.assertEqual(self.changes(), ["The constant ASDF_ERR_IO was 201 and is 299."])

    def test_options(self):
        option = self.new["options"][0]
        option["default"] = "other"
        call = next(call for call in self.new["calls"] if "asdf_file_open" in call["functions"])
        taken = call["options"].pop()
        changes = self.changes()
        self.assertIn(f"The function asdf_file_open no longer takes {taken}.", changes)
        self.assertTrue(any(change.startswith(f"The default of {option['name']} was ") for change in changes))

    def test_callbacks(self):
        self.new["callbacks"][0]["parameters"].pop()
        self.assertEqual(len(self.changes()), 1)


if __name__ == "__main__":
    unittest.main()
