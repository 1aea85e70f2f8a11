"""verify, diff, validate and ndl."""

import json
import os
import re
import subprocess
from pathlib import Path

import asdf
import numpy as np
from conftest import document, output, refused, run


def changed(path, target, change, **options):
    with asdf.open(path, lazy_load=False, memmap=False) as file:
        content = file.tree
        change(content)
        asdf.AsdfFile(content).write_to(target, **options)
    return target


def test_verify(roman, table, damaged, tmp_path):
    assert "good" in output("verify", roman)
    assert document("verify", roman)["blocks_with_checksum"] == 7
    found = document("verify", damaged, code=1)
    assert not found["valid"] and found["problems"]
    summary = run("verify", roman, table, damaged, tmp_path / "none.asdf", code=3)
    assert "4 files: 2 good, 1 damaged, 1 not read" in summary.stdout
    broken = bytearray(roman.read_bytes())
    broken[-200] ^= 1
    (tmp_path / "bit.asdf").write_bytes(broken)
    problems = document("verify", tmp_path / "bit.asdf", code=1)["problems"]
    assert any("damaged" in problem for problem in problems)
    text = table.read_text().replace("b c", '"b')
    (tmp_path / "bad.ecsv").write_text(text)
    output("verify", tmp_path / "bad.ecsv", code=1)


def test_what_is_not_damage(tmp_path):
    reports = Path(os.environ["ASDFKIT_CORPORA"]) / "reports"
    unknown = tmp_path / "unknown.asdf"
    unknown.write_bytes((reports / "xz_block.asdf").read_bytes().replace(b"xz\0\0", b"new1"))
    found = document("verify", unknown)
    assert found["valid"] and not found["problems"] and "new1" in found["unchecked"][0]
    text = output("verify", unknown)
    assert "cannot be checked" in text and "damaged" not in text
    output("verify", "--strict", unknown, code=1)
    chunked = bytearray((reports / "zarr_internal.asdf").read_bytes())
    assert document("verify", reports / "zarr_internal.asdf")["notes"] == []
    (tmp_path / "longer.asdf").write_bytes(chunked + b"junk")
    notes = document("verify", "--strict", tmp_path / "longer.asdf")["notes"]
    assert len(notes) == 1 and notes[0].endswith("4 bytes follow the block index")
    (tmp_path / "unused.asdf").write_bytes(chunked.replace(b"tags/zarr-1.0.0>", b"tags/none-1.0.0>"))
    assert document("verify", tmp_path / "unused.asdf")["notes"] == ["no node of the tree uses blocks 0, 1, 2, 3"]
    (tmp_path / "lost.asdf").write_bytes(chunked.replace(b"chunk_block_map: 4", b"chunk_block_map: 9"))
    found = document("verify", tmp_path / "lost.asdf", code=1)
    assert "the map of the chunked array is block 9" in found["problems"][0]


def test_references_are_followed(tmp_path):
    path = tmp_path / "references.asdf"
    path.write_text(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---\na: {$ref: '#/x'}\nb: {$ref: 'none.asdf#/x'}\n...\n"
    )
    problems = document("verify", path, code=1)["problems"]
    assert len(problems) == 2 and "at /a: " in problems[0] and "at /b: " in problems[1]
    (tmp_path / "none.asdf").write_text(path.read_text().replace("a: ", "x: 1\na: "))
    path.write_text(path.read_text().replace("#/x'}\nb", "#/b'}\nb"))
    assert document("verify", path)["problems"] == []


def test_diff_of_chunked_arrays(tmp_path):
    source = Path(os.environ["ASDFKIT_CORPORA"]) / "reports" / "zarr_internal.asdf"
    content = bytearray(source.read_bytes())
    # Two blocks swapped, in the file and in the map: the same chunks under other numbers.
    places = [match.start() + 6 for match in re.finditer(rb"\xd3BLK", content)]
    starts = [at + int.from_bytes(content[at - 2 : at], "big") for at in places]
    one, two, chunks = starts[0], starts[1], starts[4]
    size = int.from_bytes(content[places[0] + 16 : places[0] + 24], "big")
    content[one : one + size], content[two : two + size] = content[two : two + size], content[one : one + size]
    other = tmp_path / "other.asdf"
    other.write_bytes(content)
    assert "32 of 64 elements differ" in output("diff", source, other, code=1)
    content[chunks : chunks + 8] = content[chunks + 4 : chunks + 8] + content[chunks : chunks + 4]
    other.write_bytes(content)
    assert output("diff", source, other) == ""
    content[:] = content.replace(b"chunk_block_map: 4", b"chunk_block_map: 9")
    other.write_bytes(content)
    assert "an array -> an unreadable array" in output("diff", source, other, code=1)


def test_diff_of_equal_content(roman, tmp_path):
    assert output("diff", roman, roman) == ""
    other = changed(roman, tmp_path / "other.asdf", lambda content: None, all_array_compression="bzp2")
    assert output("diff", roman, other) == ""
    found = document("diff", roman, other)
    assert found["equal"] and found["differences"] == [] and (found["old"], found["new"]) == (str(roman), str(other))


def test_diff(roman, tmp_path):
    def change(content):
        content["roman"]["meta"]["telescope"] = "HST"
        content["roman"]["data"][10, 20] += 0.5
        del content["roman"]["complex"]
        content["added"] = 1

    other = changed(roman, tmp_path / "other.asdf", change)
    found = document("diff", roman, other, code=1)
    kinds = {item["path"]: item["operation"] for item in found["differences"]}
    assert kinds["/roman/meta/telescope"] == "change"
    assert kinds["/roman/complex"] == "remove" and kinds["/added"] == "add"
    place = [path for path in kinds if path.startswith("/roman/data")]
    assert place and "10" in json.dumps(found["differences"]) and "20" in json.dumps(found["differences"])
    assert output("diff", roman, other, "--path", "wavelengths") == ""
    ignored = ["--ignore", "roman/complex", "--ignore", "added", "--ignore", "roman/meta"]
    assert output("diff", roman, other, *ignored, "--atol", "0.5") == ""
    output("diff", roman, other, *ignored, "--atol", "0.4", code=1)
    assert output("diff", roman, other, "--quiet", code=1) == ""
    refused("diff", roman, tmp_path / "none.asdf", match="No such file")


def test_diff_of_numbers(tmp_path):
    first, second = tmp_path / "a.asdf", tmp_path / "b.asdf"
    asdf.AsdfFile({"a": np.array([1.0, np.nan, 0.0])}).write_to(first)
    asdf.AsdfFile({"a": np.array([1.0, np.nan, -0.0])}).write_to(second)
    output("diff", first, second)
    asdf.AsdfFile({"a": np.array([1, 2, 3])}).write_to(second)
    output("diff", first, second, code=1)


def test_diff_of_tables(table, tmp_path):
    other = tmp_path / "other.ecsv"
    other.write_text(table.read_text().replace("4.5", "4.25"))
    assert output("diff", table, table) == ""
    assert "flux" in output("diff", table, other, code=1)
    assert output("diff", table, other, "--atol", "0.25") == ""


def test_validate(roman, tmp_path):
    promise = tmp_path / "promise.yaml"
    promise.write_text(output("ndl", "describe", roman))
    assert document("validate", "-p", promise, roman)
    promise.write_text(promise.read_text().replace("[60, 80]", "[60, 81]"))
    assert "data" in output("validate", "-p", promise, roman, code=1)
    promise.write_text("/roman: {ndarrays: {data: {shape: [60, 80], type: float32}}}")
    output("validate", "-p", promise, roman, code=1)
    output("validate", "-p", promise, "--subset", roman)


def test_ndl(roman, tmp_path):
    model = tmp_path / "model.yaml"
    model.write_text("dimcoords: {x: {size: 3, type: float64}}\nndarrays: {a: {shape: [x, 2], type: int16}}\n")
    output("ndl", "check", model)
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("ndarrays: {a: {shape: [2], type: int8, value: [1, 300]}}\n")
    assert "E-VALUE-RANGE" in output("ndl", "check", wrong, code=1)
    assert document("ndl", "check", wrong, code=1)
    assert "shape: [60, 80]" in output("ndl", "describe", roman)
    output("ndl", "diff", model, model)
    other = tmp_path / "other.yaml"
    other.write_text(model.read_text().replace("int16", "int32"))
    assert "/a" in output("ndl", "diff", model, other, code=1)
    refused("ndl", "diff", model, wrong, match="E-VALUE-RANGE")
    assert "short a(x" in output("ndl", "cdl", model)
    header = tmp_path / "model.h"
    header.write_text(output("ndl", "header", model))
    subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", header], check=True)
    assert "module" in output("ndl", "module", model)
    made = tmp_path / "made.asdf"
    run("ndl", "create", model, made)
    with asdf.open(made) as file:
        assert file["a"].shape == (3, 2) and file["a"].dtype == np.int16
    refused("ndl", "create", model, made, match="exists")


def test_standard_input(roman, table):
    assert "telescope: ROMAN" in run("info", "-", stdin=roman.read_bytes(), text=False).stdout.decode()
    assert run("head", "-", stdin=table.read_text()).stdout.splitlines()[0].split()[0] == "id"
    with open(roman, "rb") as file:
        content = file.read()
    assert run("diff", "-", roman, stdin=content, text=False).stdout == b""
