"""URLs in C++, Fortran, Julia and R: each program reads a tile from a web server of our own, and counts the requests.

Usage: test_languages.py FOLDER …, where FOLDER/programs has a line for each program: its language, and its command.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import asdfkit
import numpy as np
from server import Server

folder = Path(sys.argv[1])
numbers = np.arange(4096 * 4096, dtype=np.float32).reshape(4096, 4096)
server = Server()
with asdfkit.new({"data": numbers}) as file:
    server.files["image.asdf"] = file.to_bytes()
expected = float(numbers[3000:3064, 2000:2064].sum(dtype=np.float64))
passed = failed = 0
for line in (folder / "programs").read_text().splitlines():
    language, command = line.split(" ", 1)
    server.clear()
    # The library is found beside libasdfkit, or by the environment.
    found = subprocess.run([*command.split(), server.url("ok/")], capture_output=True, text=True)
    lines = [line.split() for line in found.stdout.splitlines()]
    requests = [count for path, _, count in server.requests if path.endswith("image.asdf")]
    # The first MiB, the last 64 KiB, and one for the tile, of which two are one call of the library.
    is_right = (
        found.returncode == 0
        and len(lines) == 2
        and float(lines[0][0]) == expected
        and len(requests) == 3
        and 1 <= int(lines[0][1]) <= 3
        and int(lines[0][2]) == sum(requests)
        and lines[1] == ["1"]
    )
    print(f"{language}: {'ok' if is_right else 'failed'}; requests {len(requests)}, bytes {sum(requests)}")
    if not is_right:
        print(found, server.requests)
    passed, failed = passed + is_right, failed + (not is_right)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)
