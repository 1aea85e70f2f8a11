#!/usr/bin/env python3
"""Makes the source package of R in build/r: asdfkit_VERSION.tar.gz, which builds without network.

The package holds the library and the crates that it needs, so that it can be installed where asdfkit is not: its
`configure` takes an installed library if pkg-config finds one, and otherwise builds these. `--plain` leaves the crates
out. Needs cargo and R.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "bindings/r/asdfkit"
WORK = ROOT / "build/r"
# Platforms that R packages are built on. Crates of other platforms are left empty.
TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-apple-darwin", "aarch64-apple-darwin"]
# Parts of crates that no build needs.
UNUSED = ("tests", "benches", "examples", "doc", "docs", "fuzz", "testdata", "programs")


def run(*command: str | Path, directory: Path = WORK) -> str:
    return subprocess.run(command, cwd=directory, check=True, capture_output=True, text=True).stdout


def manifest() -> str:
    """Returns the manifest of the library without what only its own tests need."""
    text = (ROOT / "Cargo.toml").read_text()
    text = re.sub(r"\n# Runs corpora.*?(?=\n\[dev-dependencies\])", "\n", text, flags=re.DOTALL)
    text = re.sub(r"\n\[dev-dependencies\].*?(?=\n\[lints)", "\n", text, flags=re.DOTALL)
    text = re.sub(r"\n# Lines are enough.*", "\n", text, flags=re.DOTALL)
    return text.replace('readme = "README.md"\n', "")


def used_crates(source: Path) -> set[str]:
    """Returns "NAME VERSION" of the crates that a build on one of the platforms takes."""
    used = set()
    for target in TARGETS:
        options = ["--offline", "--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]
        for line in run("cargo", "tree", *options, "--target", target, directory=source).splitlines():
            name, version = line.split()[:2]
            used.add(f"{name} {version.removeprefix('v')}")
    return used


def shrink(crate: Path, is_used: bool) -> None:
    """Removes what no build needs. Cargo compares the files that the list of checksums names: none."""
    checksums = crate / ".cargo-checksum.json"
    package = json.loads(checksums.read_text())["package"]
    if is_used:
        for name in UNUSED:
            shutil.rmtree(crate / name, ignore_errors=True)
    else:
        for entry in crate.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            elif entry.name != "Cargo.toml":
                entry.unlink()
        text = (crate / "Cargo.toml").read_text()
        (crate / "Cargo.toml").write_text(
            re.sub(r"\n\[\[(?:bin|example|test|bench)\]\].*?(?=\n\[|\Z)", "\n", text, flags=re.DOTALL)
        )
        (crate / "src").mkdir()
        (crate / "src/lib.rs").write_text("")
    checksums.write_text(json.dumps({"files": {}, "package": package}))


def authors(vendor: Path, used: set[str]) -> str:
    """Returns the list of the crates with version, licence and authors."""
    lines = ["The source package holds these Rust crates in src/rust/vendor.tar.xz:", ""]
    for crate in sorted(vendor.iterdir()):
        text = (crate / "Cargo.toml").read_text()
        head = text[text.index("[package]") :]

        def field(name: str, head: str = head) -> str:
            found = re.search(rf'^{name} = "(.*)"', head, re.MULTILINE)
            return found[1] if found else ""

        if f"{field('name')} {field('version')}" not in used:
            continue
        listed = re.search(r"^authors = \[(.*?)\]", head, re.MULTILINE | re.DOTALL)
        names = ", ".join(re.findall(r'"([^"]*)"', listed[1])) if listed else f"the {field('name')} developers"
        licence = field("license") or "see the file " + field("license-file")
        lines.append(f"{field('name')} {field('version')}: {licence}. {names}. {field('repository')}".rstrip())
    return "\n".join(lines) + "\n"


def add_library(package: Path) -> None:
    """Puts the library and its crates into the package."""
    rust = package / "src/rust"
    rust.mkdir()
    (rust / "Cargo.toml").write_text(manifest())
    for name in ("Cargo.lock", "build.rs"):
        shutil.copy(ROOT / name, rust / name)
    for name in ("src", "include"):
        shutil.copytree(ROOT / name, rust / name, ignore=shutil.ignore_patterns("tests", "tests.rs", "*-api.json"))
    # The documentation of the library includes this program.
    (rust / "examples").mkdir()
    shutil.copy(ROOT / "examples/quickstart.rs", rust / "examples")
    # Unit tests are named by `mod tests;`, which only test builds look for.
    run("cargo", "metadata", "--format-version", "1", directory=rust)
    used = used_crates(rust)
    vendor = rust / "vendor"
    run("cargo", "vendor", "--locked", vendor, directory=rust)
    for crate in vendor.iterdir():
        text = (crate / "Cargo.toml").read_text()
        name, version = (re.search(rf'^{key} = "(.*)"', text, re.MULTILINE)[1] for key in ("name", "version"))
        shrink(crate, f"{name} {version}" in used)
    (package / "inst").mkdir(exist_ok=True)
    (package / "inst/AUTHORS").write_text(authors(vendor, used))
    shutil.copy(ROOT / "THIRD-PARTY-LICENSES.md", package / "inst")
    with (package / "DESCRIPTION").open("a") as description:
        description.write("Copyright: inst/AUTHORS and inst/THIRD-PARTY-LICENSES.md list the owners of the crates\n")
    with tarfile.open(rust / "vendor.tar.xz", "w:xz") as archive:
        archive.add(vendor, "vendor", filter=anonymous)
    shutil.rmtree(vendor)
    # R refuses names of more than 100 characters and hidden files; an archive has them all.
    with tarfile.open(rust / "library.tar.xz", "w:xz") as archive:
        for name in ("Cargo.toml", "Cargo.lock", "build.rs", "src", "include", "examples"):
            archive.add(rust / name, name, filter=anonymous)
    for name in ("Cargo.toml", "Cargo.lock", "build.rs"):
        (rust / name).unlink()
    for name in ("src", "include", "examples"):
        shutil.rmtree(rust / name)
    shutil.rmtree(rust / "target", ignore_errors=True)


def anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leaves out who made a file and when, so that equal sources give equal archives."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = 0
    return entry


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plain", action="store_true", help="leave out the library and its crates")
    plain = parser.parse_args().plain
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    package = WORK / "asdfkit"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("*.o", "*.so", "Makevars"))
    if not plain:
        add_library(package)
    # R installs the package to run the vignette. This library is not the one that users get, so it may be a fast build.
    environment = {"ASDFKIT_CARGO_PROFILE": "demo", **os.environ}
    subprocess.run(["R", "CMD", "build", package], cwd=WORK, check=True, env=environment)
    print(next(WORK.glob("asdfkit_*.tar.gz")).relative_to(ROOT))


if __name__ == "__main__":
    main()
