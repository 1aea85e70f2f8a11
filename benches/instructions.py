"""Counts the instructions of small operations and compares them with stored counts: `instructions.py [--update]`.

callgrind counts the same on a busy machine. An operation that needs over 3 % more instructions than stored in
instructions.json is a failure. Counts depend on the compiler, on the processor that valgrind imitates and on the C
library, so they are compared only if these are those of the stored counts.
"""

import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
STORED = HERE / "instructions.json"
TARGET = HERE.parent / "build" / "bench" / "cargo"
PROGRAM = TARGET / "release" / "operations"
# Many, because the addresses of memory and the seeds of hash tables differ from run to run.
FEW, MANY = 3, 43
ALLOWED = 1.03


def said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def circumstances() -> dict[str, str]:
    """Returns what the counts depend on besides the code."""
    flags = re.search(r"^flags\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    features = [one for one in ("avx", "avx2", "avx512f", "erms") if flags and one in flags[1].split()]
    return {
        "rustc": said("rustc", "--version"),
        "valgrind": said("valgrind", "--version"),
        "libc": " ".join(platform.libc_ver()),
        "processor": " ".join([platform.machine(), *features]),
    }


def collected(name: str, count: int) -> int:
    """Returns the number of instructions of a run with this many repetitions."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(PROGRAM), name, str(count)]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        sys.exit(f"{name} failed: {done.stderr}")
    return int(found[1])


def main() -> int:
    environment = os.environ | {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}
    command = ["cargo", "build", "--release", "--quiet", "--manifest-path", str(HERE / "Cargo.toml")]
    command += ["--package", "bench-asdfkit", "--bin", "operations", "--target-dir", str(TARGET)]
    subprocess.run(command, check=True, env=environment)
    counts = {}
    for name in said(str(PROGRAM)).split():
        counts[name] = (collected(name, MANY) - collected(name, FEW)) // (MANY - FEW)
        print(f"{name:16}{counts[name]:>12,}", flush=True)
    found = {"circumstances": circumstances(), "counts": counts}
    if "--update" in sys.argv[1:]:
        STORED.write_text(json.dumps(found, indent=2) + "\n")
        return 0
    stored = json.loads(STORED.read_text())
    if stored["circumstances"] != found["circumstances"]:
        print(f"The stored counts are not comparable: they are those of {stored['circumstances']}")
        return 0
    worse = [name for name, count in counts.items() if count > ALLOWED * stored["counts"].get(name, count)]
    for name in worse:
        print(f"{name} takes {counts[name] / stored['counts'][name] - 1:.1%} more instructions")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
