"""Copies the crates that the library needs into packages of source code, which then build without network.

The crates of the platforms below are copied without their tests. All other crates of the lock file are left empty,
because cargo looks for each.
"""

import itertools
import json
import re
import shutil
import subprocess
import tarfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

# Platforms that packages are built on.
TARGETS = [
    *(f"{machine}-unknown-linux-gnu" for machine in ("x86_64", "i686", "aarch64", "riscv64gc", "powerpc64le", "s390x")),
    *("armv7-unknown-linux-gnueabihf", "x86_64-unknown-linux-musl", "x86_64-unknown-freebsd"),
    *("x86_64-apple-darwin", "aarch64-apple-darwin"),
]
# Parts of crates that no build needs.
UNUSED = ("tests", "benches", "examples", "doc", "docs", "fuzz", "testdata", "programs")
# Sections of the manifest that only tests need.
TEST_SECTIONS = ("dev-dependencies", "example", "test", "profile.dev", "profile.quick.package")
# Content of an empty crate.
EMPTY = "// This crate is empty: no supported platform needs it.\n"


def run(*command: str | Path, directory: Path) -> str:
    """Runs a command and returns its output. Its messages stay visible."""
    return subprocess.run(command, cwd=directory, check=True, stdout=subprocess.PIPE, text=True).stdout


def without_sections(manifest: str, names: tuple[str, ...]) -> str:
    """Returns the manifest without the named sections, those of targets too, and the comments directly above them."""
    starts = [found.start() for found in re.finditer(r"(?m)^(?:#.*\n)*\[\[?[^\[\]\n]+\]\]?$", manifest)]
    kept = []
    for start, end in itertools.pairwise([0, *starts, len(manifest)]):
        section = manifest[start:end].rstrip("\n")
        header = re.search(r"^\[+([^\]]+)\]", section, re.MULTILINE)
        if not header or not any(f".{name}." in f".{header[1]}." for name in names):
            kept.append(section)
    return "\n\n".join(filter(None, kept)) + "\n"


def for_users(manifest: str) -> str:
    """Returns the manifest of the library without what only its own tests need."""
    manifest = without_sections(manifest, TEST_SECTIONS)
    # Without this section cargo takes the manifest for a part of the workspace that the folder may lie in.
    return manifest if re.search(r"^\[workspace\]", manifest, re.MULTILINE) else manifest + "\n[workspace]\n"


def used_crates(source: Path) -> set[str]:
    """Returns "NAME VERSION" of the crates that a build on one of the platforms takes."""
    used = set()
    for target in TARGETS:
        options = ["--workspace", "--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]
        for line in run("cargo", "tree", *options, "--target", target, directory=source).splitlines():
            if line:  # empty between the members of a workspace
                name, version = line.split()[:2]
                used.add(f"{name} {version.removeprefix('v')}")
    return used


def shrink(crate: Path, is_used: bool) -> None:
    """Removes what no build needs. Cargo compares the files that the list of checksums names: none."""
    checksums = crate / ".cargo-checksum.json"
    package = json.loads(checksums.read_text())["package"]
    if is_used:
        # Some crates show their examples in their documentation, which the compiler reads.
        source = "".join(path.read_text(errors="replace") for path in crate.glob("src/**/*.rs"))
        for name in UNUSED:
            if f'"../{name}/' not in source:
                shutil.rmtree(crate / name, ignore_errors=True)
    else:
        for entry in crate.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            elif entry.name != "Cargo.toml":
                entry.unlink()
        manifest = crate / "Cargo.toml"
        manifest.write_text(without_sections(manifest.read_text(), ("bin", "example", "test", "bench")))
        (crate / "src").mkdir()
        (crate / "src/lib.rs").write_text(EMPTY)
    checksums.write_text(json.dumps({"files": {}, "package": package}))


def vendor(source: Path) -> Path:
    """Copies the crates of a library, whose manifest names no test, into its folder `vendor`. Returns this folder."""
    # Removes the crates of the tests from the lock file. Unit tests are named by `mod tests;`, which only test builds
    # look for.
    run("cargo", "metadata", "--format-version", "1", directory=source)
    used = used_crates(source)
    crates = source / "vendor"
    run("cargo", "vendor", "--quiet", "--locked", crates, directory=source)
    for crate in crates.iterdir():
        package = tomllib.loads((crate / "Cargo.toml").read_text())["package"]
        shrink(crate, f"{package['name']} {package['version']}" in used)
    return crates


def packages(crates: Path) -> Iterator[tuple[Path, dict]]:
    """Yields the folder and the table `package` of each crate in the folder `vendor` that is not empty."""
    for crate in sorted(crates.iterdir()):
        library = crate / "src/lib.rs"
        if not library.exists() or library.read_text() != EMPTY:
            yield crate, tomllib.loads((crate / "Cargo.toml").read_text())["package"]


def authors(package: dict) -> str:
    """Returns the authors of a crate."""
    return ", ".join(package.get("authors", [])) or f"the {package['name']} developers"


def anonymous(time: int = 0) -> Callable[[tarfile.TarInfo], tarfile.TarInfo]:
    """Returns a filter that leaves out who made a file and when, so that equal sources give equal archives."""

    def apply(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = time
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    return apply
