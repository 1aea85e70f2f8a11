"""Wrong input for every sub-command: no panic, a message with the file, the right exit code, and no changed file."""

import os
import signal
import subprocess
import time

import asdf
import numpy as np
import pytest
from conftest import COMMAND, document, refused, run

READING = [
    ["info"],
    ["blocks"],
    ["get"],
    ["stat"],
    ["find", "--key", "*"],
    ["head"],
    ["select"],
    ["verify"],
    ["ndl", "check"],
    ["ndl", "describe"],
    ["ndl", "cdl"],
    ["ndl", "header"],
    ["ndl", "module"],
]
CHANGING = [
    ("set", ["roman/meta/telescope", "X"]),
    ("delete", ["roman/data"]),
    ("rename", ["roman/data", "image"]),
    ("recompress", ["--codec", "zlib"]),
    ("compact", []),
    ("repair", []),
]
CONTENT = {
    "empty": b"",
    "zeros": bytes(5000),
    "binary": bytes(range(256)) * 20,
    "header": b"#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n",
    "open": b"#ASDF 1.0.0\n--- {a: [1, 2\n...\n",
    "cycle": b"#ASDF 1.0.0\n--- &a\nx: *a\n...\n",
    "bomb": b"#ASDF 1.0.0\n---\n"
    + b"".join(b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9) if n else b"1") for n in range(30))
    + b"...\n",
    "deep": b"#ASDF 1.0.0\n--- " + b"[" * 100_000 + b"\n...\n",
    "huge": b"#ASDF 1.0.0\n--- !<tag:yaml.org,2002:map>\na: !<tag:stsci.edu:asdf/core/ndarray-1.0.0>\n  "
    b"{source: 0, datatype: float64, shape: [9000000000000000000], byteorder: little}\n...\n",
    "block": b"#ASDF 1.0.0\n--- {}\n...\n\xd3BLK\0\x30" + b"\xff" * 48,
    "ecsv": b"# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\na\n1\nx\n",
    "latin": b"#ASDF 1.0.0\n--- {a: \xe9}\n...\n",
    "fits": b"SIMPLE  =                    T" + b" " * 2850,
}


def checked(*arguments, allowed=(1, 3), **options):
    """Runs a command on a wrong file, with time and memory bounded."""
    begin = time.monotonic()
    result = run(*arguments, code=None, text=False, **options)
    assert time.monotonic() - begin < 20
    assert result.returncode in allowed, (arguments, result.returncode, result.stdout[-300:], result.stderr[-300:])
    assert b"panicked" not in result.stderr and b"RUST_BACKTRACE" not in result.stderr, result.stderr
    return result


@pytest.mark.parametrize("name", CONTENT)
def test_wrong_content(tmp_path, name):
    path = tmp_path / "wrong"
    path.write_bytes(CONTENT[name])
    for command in READING:
        result = checked(*command, path, allowed=(0, 1, 2, 3))
        assert result.stderr or result.returncode < 2, command
    # A header alone is a valid file, and the others are valid up to a part that these commands need not read.
    if name not in ("header", "cycle", "bomb", "huge", "block", "ecsv"):
        for command in (["info"], ["get"], ["stat"]):
            message = refused(*command, path)
            assert message.startswith("asdfkit: ") and str(path) in message
    for command, options in CHANGING:
        result = checked(command, path, *options, allowed=(0, 1, 2, 3))
        if result.returncode:
            assert path.read_bytes() == CONTENT[name], command
        path.write_bytes(CONTENT[name])


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_no_file(tmp_path, command):
    message = refused(*command, tmp_path / "missing.asdf", match="missing.asdf")
    assert len(message.splitlines()) == 1
    refused(*command, tmp_path, match=str(tmp_path))
    missing = document(*command, tmp_path / "missing.asdf", code=3)
    assert missing["error"]["message"]


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_too_few_arguments(command):
    assert "Usage" in refused(*command, code=2)


def test_cut_files(roman, tmp_path):
    """A file that ends anywhere gives a message or what is whole, never wrong elements."""
    content = roman.read_bytes()
    with asdf.open(roman) as file:
        data, packed = np.array(file["roman"]["data"]), np.array(file["roman"]["packed"])
    path = tmp_path / "cut.asdf"
    for length in range(0, len(content), len(content) // 60):
        path.write_bytes(content[:length])
        for name, expected in (("data", data), ("packed", packed)):
            result = checked("get", path, f"roman/{name}", "--as", "raw", allowed=(0, 3))
            assert result.stdout == expected.tobytes() if result.returncode == 0 else result.stderr, length
        # The blocks are whole if only the index behind them is cut.
        checked("verify", path, allowed=(0,) if length >= content.rindex(b"#ASDF BLOCK INDEX") else (1, 3))


def test_cut_index(roman):
    content = roman.read_bytes()
    begin = content.rindex(b"#ASDF BLOCK INDEX")
    with asdf.open(roman) as file:
        expected = np.array(file["roman"]["data"])
    # The index only saves time: a file without it, or with a part of it, is whole.
    for length in (begin + 10, begin + 40, len(content) - 4):
        roman.write_bytes(content[:length])
        run("verify", "--strict", roman)
        assert run("get", roman, "roman/data", "--as", "raw", text=False).stdout == expected.tobytes()
    run("repair", roman)
    run("verify", "--strict", roman)


def test_flipped_bytes(roman, tmp_path):
    random = np.random.default_rng(3)
    content = roman.read_bytes()
    path = tmp_path / "flipped.asdf"
    for place in random.integers(0, len(content), 60):
        wrong = bytearray(content)
        wrong[place] ^= 1 << int(random.integers(8))
        path.write_bytes(wrong)
        for command in (["info"], ["stat"], ["verify"], ["blocks"]):
            checked(*command, path, allowed=(0, 1, 3))


@pytest.mark.parametrize(("command", "options"), CHANGING)
def test_nothing_changes_without_need(roman, table, damaged, tmp_path, command, options):
    before = roman.read_bytes()
    entries = sorted(os.listdir(tmp_path))
    run(command, roman, *options, "--dry-run")
    assert roman.read_bytes() == before and sorted(os.listdir(tmp_path)) == entries
    content = table.read_bytes()
    refused(command, table, *options)
    assert table.read_bytes() == content and sorted(os.listdir(tmp_path)) == entries
    content = damaged.read_bytes()
    if checked(command, damaged, *options, allowed=(0, 1, 3)).returncode == 3:
        assert damaged.read_bytes() == content and sorted(os.listdir(tmp_path)) == entries


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["delete", "FILE", "roman/nothing"], 1),
        (["rename", "FILE", "roman/nothing", "x"], 1),
        (["rename", "FILE", "roman/data", "big"], 2),
        (["rename", "FILE", "roman", "/roman/inside"], 2),
        (["set", "FILE", "roman/data/x", "1"], 1),
        (["set", "FILE", "roman/meta", "x", "--type", "integer"], 2),
        (["set", "FILE", "roman/meta", "{", "--type", "json"], 2),
        (["recompress", "FILE", "--codec", "zip"], 2),
        (["recompress", "FILE", "roman/nothing", "--codec", "zlib"], 1),
        (["recompress", "FILE", "roman/meta", "--codec", "zlib"], 1),
        (["recompress", "FILE", "--codec", "zlib", "--level", "99"], None),
        (["history", "add", "FILE", "x", "--time", "yesterday"], 2),
        (["history", "add", "FILE", "x", "--software-version", "1"], 2),
        (["copy", "FILE", "roman/nothing", "NEW"], 1),
        (["explode", "FILE", "-o", "FILE"], None),
        (["implode", "FILE", "-o", "FILE"], None),
        (["recover", "FILE", "-o", "FILE"], None),
        (["get", "FILE", "roman/data", "-o", "FILE"], None),
        (["ndl", "create", "FILE", "FILE"], None),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_refused_changes(roman, tmp_path, command, code):
    before = roman.read_bytes()
    names = {"FILE": str(roman), "NEW": str(tmp_path / "new.asdf")}
    result = run(*[names.get(word, word) for word in command], code=None)
    assert result.returncode in ((2, 3) if code is None else (code,)), result
    assert result.stderr and roman.read_bytes() == before and os.listdir(tmp_path) == ["roman.asdf"]


def test_existing_targets(roman, tmp_path):
    target = tmp_path / "target.asdf"
    target.write_bytes(b"precious")
    for command in ("explode", "implode", "recover"):
        refused(command, roman, "-o", target, code=None)
        assert target.read_bytes() == b"precious", command
    model = tmp_path / "model.yaml"
    model.write_text("ndarrays: {a: {shape: [3], type: int8}}\n")
    refused("ndl", "create", model, target, code=None)
    assert target.read_bytes() == b"precious"
    run("ndl", "create", "--force", model, target)
    with asdf.open(target) as file:
        assert file["a"].shape == (3,)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_no_permission(roman):
    roman.chmod(0)
    refused("info", roman, match="ermission")
    roman.parent.chmod(0o500)


def test_links_and_modes_stay(roman, tmp_path):
    link = tmp_path / "link.asdf"
    link.symlink_to(roman)
    roman.chmod(0o640)
    name = "a longer name" * 20
    run("set", link, "roman/meta/telescope", name)
    assert link.is_symlink() and roman.stat().st_mode & 0o777 == 0o640
    with asdf.open(roman) as file:
        assert file["roman"]["meta"]["telescope"] == name


def test_backup_is_the_old_file(roman):
    for number, value in enumerate(("first", "second" * 500)):
        before = roman.read_bytes()
        run("set", roman, "roman/meta/telescope", value, "--backup")
        assert roman.with_name("roman.asdf.bak").read_bytes() == before, number


@pytest.mark.parametrize("delay", [0.05, 0.2, 0.5, 1.0])
def test_interrupted_recompression(tmp_path, delay):
    values = np.random.default_rng(1).integers(0, 9, 12_000_000).astype("i4")
    path = tmp_path / "large.asdf"
    asdf.AsdfFile({"a": values}).write_to(path)
    process = subprocess.Popen([COMMAND, "recompress", path, "--codec", "bzp2"], stderr=subprocess.PIPE)
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode in (0, 130, 3, -signal.SIGINT)
    with asdf.open(path) as file:
        assert np.array_equal(file["a"], values)
    assert os.listdir(tmp_path) == ["large.asdf"]


def test_a_search_for_nothing_is_refused_once():
    assert refused("find", "a.asdf", "b.asdf", code=2).count("--key") == 1


def test_files_elsewhere_are_not_read(tmp_path):
    path = tmp_path / "apart.asdf"
    path.write_text(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
        "x: !core/ndarray-1.1.0 {source: /etc/x.asdf, datatype: int8, byteorder: little, shape: [1]}\n...\n"
    )
    assert "ASDF_OPTION" not in refused("get", path, "x", match="outside the folder of the file")
