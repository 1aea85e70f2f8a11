"""Reads and writes a large array in Python: arrays.py open|read|write FILE."""

import sys

import asdfkit
import numpy as np

action, path = sys.argv[1:]
if action == "write":
    file = asdfkit.new()
    file.set("data", np.full((4096, 8192), 1.5), lend=True)
    file.write(path)
else:
    array = asdfkit.open(path)["data"]
    if action == "read":
        assert array[...][-1, -1] == 1.5
