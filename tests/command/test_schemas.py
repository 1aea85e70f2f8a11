"""validate, describe and info with schemas."""

import zipfile

import asdf
import pytest
from conftest import document, output, refused, run

MANIFEST = """\
id: asdf://example.org/manifests/a-1.0.0
extension_uri: asdf://example.org/extensions/a-1.0.0
tags:
- tag_uri: asdf://example.org/tags/thing-1.0.0
  schema_uri: asdf://example.org/schemas/thing-1.0.0
"""
THING = """\
%YAML 1.1
---
id: asdf://example.org/schemas/thing-1.0.0
title: A thing
type: object
properties:
  size: {title: Size, description: How large it is., type: number, unit: m, default: 1.5}
...
"""
TREE = """\
#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
--- !<tag:stsci.edu:asdf/core/asdf-1.1.0>
thing: !<asdf://example.org/tags/thing-1.0.0>
  //: weighs nothing
  size: SIZE
...
"""


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "package" / "resources"
    folder.mkdir(parents=True)
    (folder / "manifest.yaml").write_text(MANIFEST)
    (folder / "thing.yaml").write_text(THING)
    return folder.parent


def tree(tmp_path, size):
    path = tmp_path / f"{size}.asdf"
    path.write_text(TREE.replace("SIZE", size))
    return path


def test_files_are_validated(package, tmp_path):
    good, bad = tree(tmp_path, "5"), tree(tmp_path, "large")
    assert output("validate", good, "--schemas", package) == f"{good}: valid\n"
    found = document("validate", bad, "--schemas", package, code=1)
    assert not found["valid"] and found["errors"] == 1
    (finding,) = found["findings"]
    assert (finding["code"], finding["path"], finding["line"], finding["column"]) == ("type", "/thing/size", 7, 9)
    assert finding["subject"] == "asdf://example.org/schemas/thing-1.0.0#/properties/size/type"
    text = output("validate", bad, "--schemas", package, code=1)
    assert text.startswith(f"{bad}:7:9, byte ") and text.endswith("invalid, 1 violation\n")
    with zipfile.ZipFile(tmp_path / "thing-1.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr("thing/resources/manifest.yaml", MANIFEST)
        wheel.writestr("thing/resources/thing.yaml", THING)
    output("validate", bad, "--schemas", tmp_path / "thing-1.0-py3-none-any.whl", code=1)
    (tmp_path / "root.yaml").write_text("required: [other]\n")
    found = document("validate", good, "--schemas", package, "--schema", tmp_path / "root.yaml", code=1)
    assert [finding["code"] for finding in found["findings"]] == ["required"]


def test_packages_are_searched_for(roman, tmp_path, monkeypatch):
    assert "valid" in output("validate", roman, "--schemas")
    assert "valid" in output("validate", roman, "--schemas", "asdf-standard", "asdf_astropy")
    asdf.AsdfFile({"history": {"entries": 5}}, version="1.6.0")
    bad = tmp_path / "bad.asdf"
    bad.write_text(TREE.split("thing:")[0] + "history: 5\n...\n")
    assert document("validate", bad, "--schemas", code=1)["findings"][0]["code"] == "anyOf"
    message = refused("validate", roman, "--schemas", "no-such-package", code=3)
    assert "pip install" in message and "ASDFKIT_SCHEMAS" in message
    monkeypatch.setenv("PATH", "/nonexistent")
    assert "no schemas were found" in refused("validate", roman, "--schemas", code=3)


def test_promise_and_schemas_together(package, tmp_path):
    path = tree(tmp_path, "large")
    (tmp_path / "promise.yaml").write_text(run("ndl", "describe", path, code=None).stdout)
    arguments = ["validate", "-p", tmp_path / "promise.yaml", path, "--schemas", package]
    assert "keeps the promise" in output(*arguments, code=1)
    assert not document(*arguments, code=1)["schemas"]["valid"]
    refused("validate", path, code=2)


def test_tables_are_validated(table, tmp_path):
    (tmp_path / "root.yaml").write_text("properties: {datatype: {items: {required: [unit]}}}\n")
    found = document("validate", table, "--schema", tmp_path / "root.yaml", code=1)
    assert found["findings"][0]["path"].startswith("/datatype/") and found["findings"][0]["line"] > 3


def test_entries_are_described(package, tmp_path):
    path = tree(tmp_path, "5")
    found = document("describe", path, "thing/size", "--schemas", package)["description"]
    assert (found["title"], found["unit"], found["default"]) == ("Size", "m", "1.5")
    text = output("describe", path, "thing", "--schemas", package)
    assert "A thing" in text and "// weighs nothing" in text
    assert "no schema" in output("describe", path, "other", "--schemas", package, code=1)
    lines = output("info", f"--describe={package}", path).splitlines()
    assert any(line.endswith("— A thing") and "# weighs nothing" in line for line in lines)
    assert any("size: 5" in line and "'m'" in line and "— Size" in line for line in lines)
    # Without a value, the option takes no argument that follows it.
    assert "— A thing" not in output("info", "--describe", path)
    assert "no package" in refused("info", "--describe=none", path, code=3)


def test_names_of_files_in_messages(roman, table, tmp_path):
    (tmp_path / "root.yaml").write_text("%YAML 1.1\n---\nrequired: [foo]\n...\n")
    text = output("validate", table, "--schema", tmp_path / "root.yaml", code=1)
    assert text.startswith(f"{table}:") and text.splitlines()[0].count(str(table)) == 1
    refused("validate", roman, "--schema", table, match=f"asdfkit: {table}:")
    refused("validate", roman, "--schema", "none.yaml", match="none.yaml: there is no such file")
