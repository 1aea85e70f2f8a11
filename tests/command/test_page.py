"""The page docs/languages/command.md shows the output of its commands as it is. UPDATE_PAGE=1 writes it anew."""

import os
import re
import subprocess
from pathlib import Path

import asdf
import numpy as np
import pytest
from astropy import units as u
from conftest import COMMAND

PAGE = Path(__file__).resolve().parents[2] / "docs" / "languages" / "command.md"


@pytest.fixture
def folder(tmp_path):
    """A folder with the files of the page."""
    rows, columns = np.mgrid[:60, :80]
    image = (100 + (rows * 7 + columns * 3) % 11).astype("f4")
    image[3, 4] = np.nan
    stars = np.zeros(3, [("id", "i4"), ("flux", "f8")])
    stars["id"], stars["flux"] = [1, 2, 3], [0.5, 12.25, 3.0]
    tree = {
        "meta": {"telescope": "ROMAN", "exposure": {"time": 139.8, "count": 8}, "temperature": 88.5 * u.K},
        "data": image,
        "stars": stars,
    }
    file = asdf.AsdfFile(tree)
    file.set_array_compression(image, "zlib")
    file.write_to(tmp_path / "image.asdf")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "asdfkit").symlink_to(Path(COMMAND).resolve())
    return tmp_path


def shown(command, folder):
    """What a command of the page writes."""
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    result = subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode in (0, 1), (command, result.stderr)
    # The version of Python asdf may differ.
    return re.sub(r"written by asdf \S+", "written by asdf 6.0.0", result.stdout + result.stderr)


def test_page(folder):
    text = PAGE.read_text()
    commands = 0

    def renewed(block):
        nonlocal commands
        lines = []
        for line in block.group().splitlines():
            if line.startswith("    $ "):
                commands += 1
                lines.append(line)
                lines.extend(f"    {out}".rstrip() for out in shown(line[6:], folder).splitlines())
        return "\n".join(lines) + "\n"

    blocks = re.compile(r"(?:^    (?!cargo|make).*\n)+", re.MULTILINE)
    expected = blocks.sub(renewed, text)
    if os.environ.get("UPDATE_PAGE"):
        PAGE.write_text(expected)
    assert commands >= 10
    assert expected == text


def test_table_names_every_command():
    usage = subprocess.run([COMMAND, "--help"], capture_output=True, text=True, check=True).stdout
    listed = re.findall(r"^  ([a-z]+) ", usage.split("Commands:")[1].split("Options:")[0], re.MULTILINE)
    page = PAGE.read_text()
    named = re.findall(r"^\| `([a-z]+)", page, re.MULTILINE)
    assert sorted(set(listed) - {"help"}) == sorted(named)
