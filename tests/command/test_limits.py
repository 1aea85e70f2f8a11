"""--limit in every sub-command, and messages that name it."""

import subprocess

import asdf
import numpy as np
import pytest
from conftest import COMMAND, document, output, refused, run

HEAD = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"


@pytest.fixture
def description(tmp_path):
    (tmp_path / "promise.yaml").write_text("ndarrays: {a: {shape: [3], type: float64}}\n")
    return tmp_path / "promise.yaml"


@pytest.mark.parametrize(
    "arguments",
    [
        ["info", "FILE"],
        ["blocks", "FILE"],
        ["get", "FILE"],
        ["stat", "FILE"],
        ["find", "FILE", "--key", "*"],
        ["head", "FILE", "roman/records"],
        ["select", "FILE", "roman/records"],
        ["verify", "FILE"],
        ["diff", "FILE", "FILE"],
        ["validate", "-p", "PROMISE", "FILE"],
        ["ndl", "describe", "FILE"],
        ["set", "FILE", "x", "1"],
        ["delete", "FILE", "roman"],
        ["rename", "FILE", "roman", "r"],
        ["copy", "FILE", "/", "NEW"],
        ["history", "add", "FILE", "text"],
        ["recompress", "FILE", "--codec", "zlib"],
        ["explode", "FILE", "-o", "NEW"],
        ["implode", "FILE", "-o", "NEW"],
        ["compact", "FILE"],
        ["repair", "FILE"],
        ["convert", "FILE", "NEW", "--path", "roman/records"],
    ],
    ids=" ".join,
)
def test_every_command_has_limits(arguments, roman, description, tmp_path):
    names = {"FILE": roman, "PROMISE": description, "NEW": tmp_path / "new.asdf"}
    arguments = [str(names.get(argument, argument)) for argument in arguments]
    message = refused(*arguments, "--limit", "nodes=5", match="the limit of 5 on ")
    assert message.endswith("; --limit nodes=NUMBER raises it\n")
    refused("--limit=nodes=5", *arguments, match="--limit nodes=NUMBER raises it")
    run("--limit", "nodes=100_000", *arguments, code=None)
    failed = document(*arguments, "--limit", "tree-bytes=10", code=3)
    assert failed["error"]["status"] == "LIMIT" and "--limit tree-bytes=NUMBER" in failed["error"]["message"]


def test_limits_of_descriptions(description, tmp_path):
    for arguments in (["cdl", description], ["header", description], ["create", description, tmp_path / "new.asdf"]):
        refused("ndl", *arguments, "--limit", "nodes=3", match="--limit nodes=NUMBER raises it")
    assert "--limit nodes=NUMBER raises it" in output("ndl", "check", description, "--limit", "nodes=3", code=1)
    create = ["ndl", "create", description, tmp_path / "new.asdf"]
    refused(*create, "--limit", "created-bytes=5", match="--limit created-bytes=NUMBER raises it")
    output(*create, "--limit", "created-bytes=1KiB")


def test_limits_of_tables(tmp_path):
    path = tmp_path / "table.ecsv"
    path.write_text("# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: string}\na\n" + "x" * 100_000 + "\n")
    for command in (["head"], ["select"], ["verify"]):
        refused(*command, path, "--limit", "record-bytes=10", match="--limit record-bytes=NUMBER raises it")
        run(*command, path)
    content = path.read_bytes()
    refused("info", "-", "--limit", "decoded-bytes=10", "--limit", "temporary-bytes=50", stdin=content, match="--limit")
    assert b"ECSV" in run("info", "-", "--limit", "decoded-bytes=10", stdin=content, text=False).stdout


def test_wrong_limits(roman):
    for text in ("nodes", "nodes=", "nodes=0", "nodes=-1", "nodes=x", "knots=5", "rank=33", "tree-bytes=1TiB"):
        refused("info", roman, f"--limit={text}", code=2, match="--limit")
    assert "external-files" in output("info", "--help") and "external-files" in refused(
        "info", roman, "--limit", "files=1", code=2
    )


def test_highest_limits_name_no_option(tmp_path):
    path = tmp_path / "rank.asdf"
    shape = ", ".join(["1"] * 33)
    tree = b"a: !core/ndarray-1.0.0 {source: 0, datatype: int8, byteorder: little, shape: [%s]}\n" % shape.encode()
    path.write_bytes(HEAD + tree + b"...\n")
    message = refused("get", path, "a")
    assert "33" in message or "32" in message
    assert "raises it" not in message


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A file with more blocks than other files may be opened by default."""
    path = tmp_path_factory.mktemp("many") / "many.asdf"
    asdf.AsdfFile({"a": [np.array([index], "i2") for index in range(1100)]}).write_to(path)
    return path


def test_exploded_files_of_many_arrays_are_imploded(many, tmp_path):
    output("explode", many, "-o", tmp_path / "many.asdf")
    assert len(list(tmp_path.iterdir())) == 1101
    output("implode", tmp_path / "many.asdf", "-o", tmp_path / "whole.asdf")
    output("diff", many, tmp_path / "whole.asdf")
    output("copy", tmp_path / "many.asdf", "/", tmp_path / "copy.asdf")
    output("diff", many, tmp_path / "copy.asdf")
    # Reading opens other files unasked, so the limit holds, and its message helps.
    assert "--limit external-files=NUMBER raises it" in refused("stat", tmp_path / "many.asdf")
    output("stat", tmp_path / "many.asdf", "--limit", "external-files=2000")


def test_out_of_descriptors(many, tmp_path):
    output("explode", many, "-o", tmp_path / "many.asdf")
    script = f"ulimit -n 60; exec '{COMMAND}' implode {tmp_path}/many.asdf -o {tmp_path}/whole.asdf"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    message = result.stderr
    assert result.returncode == 3 and "no file descriptor left" in message and "ulimit -n" in message
    assert not (tmp_path / "whole.asdf").exists()
