#!/usr/bin/env python3
"""Makes the source package of R in build/r: asdfkit_VERSION.tar.gz, which builds without network.

The package holds the library and the crates that it needs, so that it can be installed where asdfkit is not: its
`configure` takes an installed library if pkg-config finds one, and otherwise builds these. `--plain` leaves the crates
out. Needs cargo and R.
"""

import argparse
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import vendored_crates

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "bindings/r/asdfkit"
WORK = ROOT / "build/r"


def manifest() -> str:
    """Returns the manifest of the library alone."""
    text = vendored_crates.for_users((ROOT / "Cargo.toml").read_text())
    return re.sub(r"^((default-)?members|readme) = .*\n", "", text, flags=re.MULTILINE)


def list_of_crates(vendor: Path) -> str:
    """Returns the list of the crates with version, licence and authors."""
    lines = ["The source package holds these Rust crates in src/rust/vendor.tar.xz:", ""]
    for _, package in vendored_crates.packages(vendor):
        licence = package.get("license") or "see the file " + package["license-file"]
        line = f"{package['name']} {package['version']}: {licence}. {vendored_crates.authors(package)}. "
        lines.append((line + package.get("repository", "")).rstrip())
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
    vendor = vendored_crates.vendor(rust)
    (package / "inst").mkdir(exist_ok=True)
    (package / "inst/AUTHORS").write_text(list_of_crates(vendor))
    shutil.copy(ROOT / "THIRD-PARTY-LICENSES.md", package / "inst")
    with (package / "DESCRIPTION").open("a") as description:
        description.write("Copyright: inst/AUTHORS and inst/THIRD-PARTY-LICENSES.md list the owners of the crates\n")
    with tarfile.open(rust / "vendor.tar.xz", "w:xz") as archive:
        archive.add(vendor, "vendor", filter=vendored_crates.anonymous())
    shutil.rmtree(vendor)
    # R refuses names of more than 100 characters and hidden files; an archive has them all.
    with tarfile.open(rust / "library.tar.xz", "w:xz") as archive:
        for name in ("Cargo.toml", "Cargo.lock", "build.rs", "src", "include", "examples"):
            archive.add(rust / name, name, filter=vendored_crates.anonymous())
    for name in ("Cargo.toml", "Cargo.lock", "build.rs"):
        (rust / name).unlink()
    for name in ("src", "include", "examples"):
        shutil.rmtree(rust / name)
    shutil.rmtree(rust / "target", ignore_errors=True)


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
