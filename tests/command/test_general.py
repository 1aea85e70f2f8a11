"""What holds for all sub-commands: exit codes, JSON, colours, pipes, memory."""

import json
import os
import pty
import resource
import subprocess

import asdf
import numpy as np
from conftest import COMMAND, output, run


def test_usage():
    assert "Usage" in output("--help") and output("--version").startswith("asdfkit ")
    for arguments in ((), ("nothing",), ("info",), ("select", "a", "b", "c"), ("stat", "a", "--percentiles=x")):
        result = run(*arguments, code=2)
        assert "Usage" in result.stderr or "error" in result.stderr
    for name in output("--help").split("Commands:")[1].split("Options:")[0].splitlines():
        if name.startswith("  ") and not name.startswith("   ") and name.split()[0] != "help":
            assert output(name.split()[0], "--help"), name


def test_failures_as_json(roman, tmp_path):
    result = run("--json", "get", roman, "roman/nothing", code=1)
    found = json.loads(result.stdout)
    assert found["error"]["status"] == "NOT_FOUND" and found["error"]["line"] > 0 and "asdfkit: " in result.stderr
    result = run("--json", "info", tmp_path / "none.asdf", code=3)
    assert json.loads(result.stdout)["error"]["status"] == "FILE_NOT_FOUND"


def test_closed_pipes(tmp_path):
    path = tmp_path / "large.asdf"
    asdf.AsdfFile({"a": np.arange(2_000_000)}).write_to(path)
    script = f"'{COMMAND}' get '{path}' a --as csv | head -n 1; echo ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "0" and not result.stderr


def on_a_terminal(*arguments, env=None):
    """Output of the command when it is a terminal."""
    ours, theirs = pty.openpty()
    variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen(
        [COMMAND, *map(str, arguments)], stdout=theirs, stderr=theirs, env={**variables, "TERM": "xterm", **(env or {})}
    )
    os.close(theirs)
    content = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        content += piece
    assert process.wait() == 0
    os.close(ours)
    return content


def test_colours(roman):
    assert b"\x1b[" not in run("info", roman, text=False).stdout
    assert b"\x1b[" in on_a_terminal("info", roman)
    assert b"\x1b[" not in on_a_terminal("info", roman, env={"NO_COLOR": "1"})


def test_texts_of_files_do_not_reach_the_terminal_raw(tmp_path):
    path = tmp_path / "file.asdf"
    asdf.AsdfFile({"a": "x\x1b[31mred\nline"}).write_to(path)
    assert "\x1b" not in output("info", path) and "\nline" not in output("info", path)


def test_memory(tmp_path):
    path, made = tmp_path / "large.asdf", tmp_path / "model.yaml"
    count = 64 << 20  # of zeros, which take no room on the disk
    made.write_text(f"ndarrays: {{a: {{shape: [{count}], type: float64}}}}\n")
    limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (64 << 20, 64 << 20))
    run("ndl", "create", made, path)
    assert path.stat().st_size > count * 8
    for arguments in (
        ("info", path),
        ("stat", path, "a"),
        ("get", path, "a[::1000000]"),
        ("verify", path),
        ("diff", path, path, "--threads", "1"),
    ):
        result = subprocess.run([COMMAND, *map(str, arguments)], preexec_fn=limit, capture_output=True, check=False)
        assert result.returncode == 0, (arguments, result.stderr)


def test_manual_pages_name_program_version_and_manual(tmp_path):
    output("manual", tmp_path)
    pages = sorted((tmp_path / "man1").glob("*.1"))
    version = output("--version").split()[1]
    assert {"asdfkit.1", "asdfkit-info.1"} <= {page.name for page in pages}
    for page in pages:
        head = next(line for line in page.read_text().splitlines() if line.startswith(".TH "))
        assert f'"asdfkit {version}"' in head and '"Manual of asdfkit"' in head, head
