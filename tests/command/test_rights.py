"""Rights of the files that the command makes: at most those of the file that they are made for."""

import os
import struct

import asdf
import numpy as np
import pytest
from astropy.table import Table
from conftest import output, run

pytestmark = pytest.mark.skipif(not hasattr(os, "setxattr"), reason="rights are those of Linux")

# A user may write, the owning group may not; the mode bits of the group are those of the mask.
ENTRIES = [(1, 6, 2**32 - 1), (2, 6, 65534), (4, 4, 2**32 - 1), (16, 6, 2**32 - 1), (32, 0, 2**32 - 1)]
ACL = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in ENTRIES)
NAME = "system.posix_acl_access"


def mode(path):
    return path.stat().st_mode & 0o7777


@pytest.fixture
def private(tmp_path):
    path = tmp_path / "private.asdf"
    content = {"a": np.arange(5), "number": 1, "table": {"x": np.arange(3)}}
    asdf.AsdfFile(content).write_to(path, all_array_compression="zlib")
    path.chmod(0o600)
    return path


def give_list(path):
    try:
        os.setxattr(path, NAME, ACL)
    except OSError:
        pytest.skip("the file system has no access control lists")


CHANGES = [
    ("set", "number", "2"),
    ("delete", "number"),
    ("rename", "number", "other"),
    ("recompress", "--codec", "none"),
    ("compact",),
    ("repair", "--checksums"),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change[0])
def test_backups_have_the_rights_of_the_file(private, change):
    backup = private.with_name("private.asdf.bak")
    content = private.read_bytes()
    backup.write_text("old")
    backup.chmod(0o644)
    run(change[0], "--backup", private, *change[1:])
    assert (mode(private), mode(backup)) == (0o600, 0o600)
    private.write_bytes(content)
    give_list(private)
    os.setxattr(private, "user.note", b"kept")
    run(change[0], "--backup", private, *change[1:])
    for path in (private, backup):
        assert os.getxattr(path, NAME) == ACL and mode(path) == 0o660
    assert os.getxattr(private, "user.note") == b"kept"


def test_outputs_have_at_most_the_rights_of_the_input(private, tmp_path):
    table = tmp_path / "table.ecsv"
    Table({"x": [1, 2]}).write(table, format="ascii.ecsv")
    table.chmod(0o600)
    for source, target, arguments in [
        (table, "table.asdf", ("convert",)),
        (table, "table.csv", ("convert",)),
        (table, "table.arrow", ("convert",)),
        (table, "again.ecsv", ("convert",)),
        (private, "part.asdf", ("explode", "-o")),
        (private, "saved.asdf", ("recover", "-o")),
        (private, "text.txt", ("get", "a", "-o")),
        (private, "copy.asdf", ("copy", "a")),
    ]:
        made = tmp_path / target
        if arguments[0] == "get":
            run("get", source, "a", "-o", made)
        elif arguments[0] == "copy":
            run("copy", source, "a", made)
        elif arguments[0] == "convert":
            run("convert", source, made)
        else:
            run(arguments[0], source, "-o", made)
        assert mode(made) == 0o600, target
    assert mode(tmp_path / "part0000.asdf") == 0o600


def test_outputs_keep_the_rights_of_the_file_that_they_replace(tmp_path):
    table, target = tmp_path / "table.ecsv", tmp_path / "table.csv"
    Table({"x": [1, 2]}).write(table, format="ascii.ecsv")
    target.write_text("old")
    target.chmod(0o600)
    run("convert", "--force", table, target)
    assert mode(target) == 0o600
    give_list(target)
    run("convert", "--force", table, target)
    assert os.getxattr(target, NAME) == ACL


def test_a_trial_leaves_nothing(private):
    output("compact", "--dry-run", private)
    output("repair", "--dry-run", "--checksums", private)
    assert [each.name for each in private.parent.iterdir()] == ["private.asdf"]


def test_what_killed_programs_left_is_named_and_recovered(private, tmp_path):
    left = tmp_path / ".copy.asdf.0.asdf-tmp"
    left.write_bytes(private.read_bytes())
    for code, arguments in [
        (3, ("info", tmp_path / "copy.asdf")),
        (0, ("explode", private, "-o", tmp_path / "copy.asdf")),
        (0, ("set", tmp_path / "copy.asdf", "number", "2")),
        (None, ("explode", private, "-o", tmp_path / "copy.asdf")),
    ]:
        result = run(*arguments, code=code)
        assert str(left) in result.stderr and "asdfkit recover" in result.stderr, arguments
        assert left.read_bytes() == private.read_bytes()
    output("recover", left, "-o", tmp_path / "recovered.asdf")
    table, target = tmp_path / "table.ecsv", tmp_path / "again.ecsv"
    Table({"x": [1, 2]}).write(table, format="ascii.ecsv")
    (tmp_path / ".again.ecsv.0.asdf-tmp").write_text("# %ECSV 1.0\n")
    assert ".again.ecsv.0.asdf-tmp" in run("convert", table, target).stderr
