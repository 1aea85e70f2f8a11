"""Standard input, standard output and standard error that are closed, full or read twice; pipes and devices as files."""

import os
import shlex
import socket
import subprocess
import threading

import asdf
import pytest
from conftest import COMMAND, document, output, refused, run

# Each sub-command that writes to standard output.
WRITING = {
    "help": ["--help"],
    "help of a sub-command": ["info", "--help"],
    "version": ["--version"],
    "info": ["info", "FILE"],
    "info of two": ["info", "FILE", "TABLE"],
    "json": ["--json", "info", "FILE"],
    "blocks": ["blocks", "FILE"],
    "get": ["get", "FILE", "roman/meta/telescope"],
    "get tree": ["get", "FILE"],
    "get array": ["get", "FILE", "roman/data"],
    "get raw": ["get", "FILE", "roman/data", "--as", "raw"],
    "stat": ["stat", "FILE"],
    "find": ["find", "FILE", "--kind", "array"],
    "head": ["head", "TABLE"],
    "select": ["select", "TABLE"],
    "verify": ["verify", "FILE"],
    "diff": ["diff", "FILE", "OTHER"],
    "validate": ["validate", "--promise", "PROMISE", "FILE"],
    "validate schemas": ["validate", "FILE", "--schemas"],
    "describe": ["describe", "FILE", "asdf_library/name"],
    "ndl check": ["ndl", "check", "PROMISE"],
    "ndl describe": ["ndl", "describe", "FILE"],
    "ndl diff": ["ndl", "diff", "PROMISE", "OTHER_PROMISE"],
    "ndl cdl": ["ndl", "cdl", "PROMISE"],
    "ndl header": ["ndl", "header", "PROMISE"],
    "ndl module": ["ndl", "module", "PROMISE"],
    "set": ["set", "FILE", "wavelengths/0", "1", "--dry-run"],
    "delete": ["delete", "FILE", "wavelengths", "--dry-run"],
    "rename": ["rename", "FILE", "wavelengths", "w", "--dry-run"],
    "copy": ["copy", "FILE", "roman", "OTHER", "copied", "--dry-run"],
    "history": ["history", "add", "FILE", "text", "--dry-run"],
    "recompress": ["recompress", "FILE", "--codec", "zlib", "--dry-run"],
    "compact": ["compact", "FILE", "--dry-run"],
    "repair": ["repair", "FILE", "--dry-run"],
    "recover": ["recover", "FILE", "-o", "NEW"],
    "convert to CSV": ["convert", "TABLE", "-", "--to", "csv"],
    "convert to ECSV": ["convert", "TABLE", "-", "--to", "ecsv"],
    "convert to Arrow": ["convert", "TABLE", "-", "--to", "arrow"],
}


@pytest.fixture
def filled(roman, table, tmp_path):
    """Replaces the names of files in arguments."""
    (tmp_path / "promise.yaml").write_text("ndarrays: {a: {shape: [3], type: float64}}\n")
    (tmp_path / "other.yaml").write_text("ndarrays: {a: {shape: [4], type: float64}}\n")
    asdf.AsdfFile({"x": 1}).write_to(tmp_path / "other.asdf")
    names = {
        "FILE": roman,
        "TABLE": table,
        "OTHER": tmp_path / "other.asdf",
        "PROMISE": tmp_path / "promise.yaml",
        "OTHER_PROMISE": tmp_path / "other.yaml",
        "NEW": tmp_path / "new.asdf",
    }
    return lambda arguments: [str(names.get(argument, argument)) for argument in arguments]


def shell(arguments, redirections, **options):
    """Runs the command by a shell with redirections."""
    line = f"{shlex.join([COMMAND, *map(str, arguments)])} {redirections}"
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, errors="replace", timeout=60, check=False, **options
    )


@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
@pytest.mark.parametrize("name", WRITING)
def test_output_that_cannot_be_written(filled, name, redirection):
    result = shell(filled(WRITING[name]), redirection)
    assert result.returncode == 3, result
    assert result.stderr.splitlines()[-1].startswith("asdfkit: cannot write"), result.stderr


def test_nothing_to_write_needs_no_output(filled):
    assert shell(filled(["set", "FILE", "wavelengths/0", "1"]), ">&-").returncode == 0
    assert shell(filled(["diff", "FILE", "FILE"]), ">&-").returncode == 0
    assert shell(filled(["diff", "FILE", "OTHER", "--quiet"]), ">&-").returncode == 1


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_messages_that_cannot_be_written(filled, tmp_path, redirection):
    for arguments, code in (
        (["info", tmp_path / "missing.asdf"], 3),
        (["info"], 2),
        (["info", "FILE"], 0),
        (["verify", "FILE", tmp_path / "missing.asdf"], 3),
        (["ndl", "describe", "FILE"], 0),
    ):
        assert shell(filled(map(str, arguments)), redirection).returncode == code, arguments


@pytest.mark.parametrize("name", [name for name in WRITING if "version" not in name])
def test_readers_that_are_gone(filled, tmp_path, name):
    """The exit code is that of the result as far as it is known, and there is no message."""
    expected = run(*filled(WRITING[name]), code=None, text=False).returncode
    (tmp_path / "new.asdf").unlink(missing_ok=True)
    result = shell(filled(WRITING[name]), "| true; echo ${PIPESTATUS[0]}")
    assert result.stdout.split()[-1] in ("0", str(expected)), result
    assert all(line.startswith("note: ") for line in result.stderr.splitlines()), result


def test_results_without_a_reader(filled, damaged):
    for arguments, code in (
        (["diff", "FILE", "OTHER"], "1"),
        (["verify", damaged, "FILE"], "1"),
        (["info", "FILE"], "0"),
    ):
        script = "| (exec <&-; sleep 0.2); echo ${PIPESTATUS[0]}"
        result = shell(filled(map(str, arguments)), script)
        assert result.stdout.split()[-1] == code and not result.stderr, (arguments, result)


READING = [
    ["info", "-"],
    ["blocks", "-"],
    ["get", "-"],
    ["stat", "-"],
    ["find", "-", "--key", "*"],
    ["head", "-"],
    ["select", "-"],
    ["verify", "-"],
    ["diff", "-", "FILE"],
    ["diff", "FILE", "-"],
    ["validate", "--promise", "-", "FILE"],
    ["validate", "--promise", "PROMISE", "-"],
    ["ndl", "check", "-"],
    ["ndl", "describe", "-"],
    ["ndl", "diff", "-", "PROMISE"],
    ["ndl", "create", "-", "NEW"],
    ["ndl", "cdl", "-"],
    ["ndl", "header", "-"],
    ["ndl", "module", "-"],
    ["copy", "-", "roman", "NEW"],
    ["explode", "-", "-o", "NEW"],
    ["implode", "-", "-o", "NEW"],
    ["recover", "-", "-o", "NEW"],
    ["convert", "-", "NEW", "--from", "ecsv"],
]


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_closed_input(filled, arguments):
    result = shell(filled(arguments), "<&-")
    assert result.returncode == 3 and result.stderr == "asdfkit: cannot read standard input: it is closed\n", result


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_empty_input(filled, arguments):
    result = shell(filled(arguments), "</dev/null")
    assert result.returncode in (1, 3) and "panicked" not in result.stderr
    assert result.stderr or result.returncode == 1, result


@pytest.mark.parametrize(
    "arguments",
    [["info", "-", "-"], ["diff", "-", "-"], ["ndl", "diff", "-", "-"], ["validate", "--promise", "-", "-"]],
    ids=" ".join,
)
def test_input_is_read_once(filled, arguments):
    name = "PROMISE" if "ndl" in arguments or "validate" in arguments else "FILE"
    with open(filled([name])[0]) as source:
        result = shell(arguments, "", stdin=source)
    assert result.returncode == 2 and "'-' is given twice" in result.stderr, result


def test_a_description_from_standard_input_holds_for_all_files(filled, tmp_path):
    for name in ("one.asdf", "two.asdf"):
        run("ndl", "create", *filled(["PROMISE"]), tmp_path / name)
    promise = (tmp_path / "promise.yaml").read_text()
    found = output("validate", "-p", "-", tmp_path / "one.asdf", tmp_path / "two.asdf", stdin=promise)
    assert found.count("keeps the promise") == 2


def fed(pipe, content):
    """Writes into a pipe from another thread, as another program would."""

    def feed():
        with open(pipe, "wb") as out:
            out.write(content)

    thread = threading.Thread(target=feed)
    thread.start()
    return thread


@pytest.mark.parametrize("arguments", [each for each in READING if "recover" not in each], ids=" ".join)
def test_pipes_are_read_like_files(filled, tmp_path, arguments):
    content = "TABLE" if arguments[0] in ("head", "select", "convert") else "FILE"
    if arguments[0] == "ndl" and arguments[1] != "describe" or arguments == ["validate", "--promise", "-", "FILE"]:
        content = "PROMISE"
    plain = filled([content])[0]
    # Under the same name in another folder, because names of files are part of what is written.
    pipe = tmp_path / "pipes" / os.path.basename(plain)
    pipe.parent.mkdir()
    os.mkfifo(pipe)
    with open(plain, "rb") as file:
        thread = fed(pipe, file.read())
    result = run(*filled([str(pipe) if each == "-" else each for each in arguments]), code=None, text=False)
    thread.join(20)
    for each in tmp_path.glob("new*.asdf"):
        each.unlink()
    expected = run(*filled([plain if each == "-" else each for each in arguments]), code=None, text=False)
    assert result.returncode == expected.returncode < 2, result
    assert result.stdout.replace(str(pipe).encode(), plain.encode()) == expected.stdout


def test_recover_reads_pipes(roman, damaged, tmp_path):
    content = damaged.read_bytes()
    expected = document("recover", damaged, "-o", tmp_path / "expected.asdf", code=1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    thread = fed(pipe, content)
    found = document("recover", pipe, "-o", tmp_path / "from_pipe.asdf", code=1)
    thread.join(20)
    assert found["losses"] == expected["losses"]
    result = run("recover", "-", "-o", tmp_path / "from_input.asdf", stdin=content, code=1, text=False)
    assert b"losses in " in result.stdout
    blocks = lambda path: path.read_bytes()[path.read_bytes().index(b"\xd3BLK") :]
    for name in ("from_pipe.asdf", "from_input.asdf"):
        assert blocks(tmp_path / name) == blocks(tmp_path / "expected.asdf")


CHANGING = [
    ["set", "x", "1"],
    ["delete", "x"],
    ["rename", "x", "y"],
    ["history", "add", "text"],
    ["recompress", "--codec", "zlib"],
    ["compact"],
    ["compact", "--dry-run"],
    ["repair"],
    ["repair", "--dry-run"],
]


def in_place(command, path):
    count = 2 if command[0] == "history" else 1
    return [*command[:count], path, *command[count:]]


@pytest.mark.parametrize("command", CHANGING, ids=" ".join)
def test_changes_need_a_file(command, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))
        refused(*in_place(command, "-"), code=2, match="standard input cannot be changed in place")
        refused(*in_place(command, tmp_path / "pipe"), code=2, match="a pipe cannot be changed in place")
        refused(*in_place(command, tmp_path / "socket"), match="a device or a socket")
        refused(*in_place(command, "/dev/zero"), match="a device or a socket")
        (tmp_path / "folder").mkdir()
        refused(*in_place(command, tmp_path / "folder"), match="directory")


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_devices_are_not_read(filled, tmp_path, arguments):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))
        for name in ("/dev/zero", "/dev/null", str(tmp_path / "socket")):
            refused(*filled([name if each == "-" else each for each in arguments]), match="a device or a socket")
    (tmp_path / "folder").mkdir()
    refused(*filled([str(tmp_path / "folder") if each == "-" else each for each in arguments]), match="directory")
