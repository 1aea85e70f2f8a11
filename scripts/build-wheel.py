#!/usr/bin/env python3
"""Makes a wheel of the Python package that holds the library, in build/wheel.

The library is linked against an old glibc by zig, so that the wheel runs on every Linux since then (manylinux_2_28).
--library PATH takes a library that is built already. The tag of the wheel says which glibc its symbols need.
"""

import argparse
import platform
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "bindings/python"
WORK = ROOT / "build/wheel"
GLIBC = "2.28"


def run(*command: str | Path, directory: Path = ROOT, path: Path | None = None) -> str:
    import os

    environment = dict(os.environ)
    if path:
        environment["PATH"] = f"{path}:{environment['PATH']}"
    done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ends with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def tools() -> Path:
    """Installs zig, cargo-zigbuild and wheel; returns the directory of their commands."""
    directory = WORK / "tools"
    if not (directory / "bin/cargo-zigbuild").exists():
        venv.create(directory, with_pip=True, clear=True)
        requirements = ROOT / "scripts/requirements-wheel.txt"
        run(
            directory / "bin/pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--require-hashes",
            "-r",
            requirements,
        )
    return directory / "bin"


def build(profile: str, commands: Path) -> Path:
    """Builds the library against the old glibc."""
    target = f"{platform.machine()}-unknown-linux-gnu"
    cargo = [commands / "cargo-zigbuild", "rustc", "--locked", "--profile", profile, "--lib", "--crate-type", "cdylib"]
    run(*cargo, "--target", f"{target}.{GLIBC}", "--target-dir", WORK / "cargo", path=commands)
    return WORK / "cargo" / target / profile / "libasdfkit.so"


def needed_glibc(library: Path) -> str:
    """Returns the newest version of glibc that a symbol of the library needs."""
    versions = re.findall(r"GLIBC_(\d+)\.(\d+)", run("objdump", "-T", library))
    major, minor = max((int(major), int(minor)) for major, minor in versions)
    return f"{major}_{minor}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, help="a shared library, instead of a new build")
    parser.add_argument("--profile", default="release", help="profile of cargo: release, or quick")
    arguments = parser.parse_args()
    commands = tools()
    library = arguments.library or build(arguments.profile, commands)
    source = WORK / "source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(WORK / "plain", ignore_errors=True)
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__", "tests"))
    (source / "src/asdfkit/_lib").mkdir(exist_ok=True)
    inside = source / "src/asdfkit/_lib/libasdfkit.so"
    shutil.copy(library, inside)
    run("strip", "--strip-unneeded", inside)
    for name in ("LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-LICENSES.md"):
        shutil.copy(ROOT / name, source / "src/asdfkit/_lib" / name)
    run(
        commands / "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "-w",
        WORK / "plain",
        source,
    )
    plain = next((WORK / "plain").glob("*.whl"))
    tag = f"manylinux_{needed_glibc(inside)}_{platform.machine()}"
    run(commands / "wheel", "tags", "--remove", "--platform-tag", tag, plain, directory=WORK / "plain")
    for wheel in (WORK / "plain").glob("*.whl"):
        shutil.move(wheel, WORK / wheel.name)
        print(WORK / wheel.name)


if __name__ == "__main__":
    main()
