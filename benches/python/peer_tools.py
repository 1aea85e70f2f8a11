"""Programs of netCDF and HDF5 in the comparison, measured as whole processes."""

import json
import os
import statistics
import subprocess
import time

from measure import ENOUGH, MIN_RUNS, SLOW, arguments

ARRAYS = 10_000
program, _, source, output = arguments()
# The command, and the beginning of the output lines that show one array each.
COMMANDS = {
    "ncdump": (["ncdump", "-h", source], "float "),
    "h5dump": (["h5dump", "-H", source], "DATASET "),
    "ncgen": (["ncgen", "-k", "nc4", "-o", output, source], ""),
}


def run() -> dict:
    """Returns wall time, CPU time and peak memory of one process."""
    command, beginning = COMMANDS[program]
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    told = sum(line.lstrip().startswith(beginning) for line in child.stdout) if child.stdout else 0
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    if status or (beginning and told != ARRAYS):
        raise SystemExit(f"{program} ended with {status} and told of {told} arrays")
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "resident": usage.ru_maxrss << 10}


runs = [run()]
while runs[0]["wall"] < SLOW and (len(runs) < MIN_RUNS or sum(one["wall"] for one in runs) < ENOUGH):
    runs.append(run())
medians = {key: statistics.median(one[key] for one in runs) for key in runs[0]}
print(json.dumps(medians | {"heap": None, "io": None, "check": ARRAYS}))
