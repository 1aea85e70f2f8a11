#!/usr/bin/env python3
"""Makes the wheel of the Python package in build/wheel, with the library inside: asdfkit-VERSION-py3-none-PLATFORM.whl.

On Linux, cargo links with zig against an old C library, so that the wheel runs on older systems; `--system` links with
the tools of this system, `--library FILE` takes a library that is built. The platform in the name is that of the
newest symbol of the C library that the library really uses. Needs cargo, strip and objdump.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
TOOLS = BUILD / "wheel-tools"
REQUIREMENTS = ROOT / "scripts/requirements-wheel.txt"
# Libraries that every Linux system of the platforms "manylinux" has.
SYSTEM_LIBRARIES = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s)\.so\.\d+|ld-linux[-\w]*\.so\.\d+")
LICENCES = {"LICENSE-MIT": "LICENSE-MIT", "LICENSE-APACHE": "LICENSE-APACHE"}
LICENCES["THIRD-PARTY-LICENSES.md"] = "LICENSES-OF-CRATES.md"


def run(*command: str | Path, **options) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def tools() -> Path:
    """Returns the Python of an environment with the pinned packages, which it makes if they have changed."""
    stamp, wanted = TOOLS / "stamp", REQUIREMENTS.read_text()
    python = TOOLS / "bin/python"
    if not stamp.exists() or stamp.read_text() != wanted:
        print("Installing zig and the builder of wheels into build/wheel-tools", flush=True)
        venv.create(TOOLS, clear=True, with_pip=True)
        pip = ["-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--require-hashes"]
        run(python, *pip, "-r", REQUIREMENTS)
        stamp.write_text(wanted)
    return python


def build_library(profile: str, glibc: str | None) -> Path:
    """Builds the library, for this version of the C library if there is one, and returns its file."""
    host = re.search(r"^host: (.*)$", run("rustc", "-vV"), re.MULTILINE)[1]
    target_dir = BUILD / "cargo-wheel"
    home = os.environ.get("CARGO_HOME") or Path.home() / ".cargo"
    # The library holds no paths of this machine.
    flags = f"['--remap-path-prefix={home}=cargo', '--remap-path-prefix={ROOT}=asdfkit']"
    options = [
        "--locked",
        "--profile",
        profile,
        "--lib",
        "--features",
        "reserve",
        "--crate-type",
        "cdylib",
        "--target-dir",
        target_dir,
    ]
    options += ["--config", f"target.'cfg(all())'.rustflags={flags}"]
    if glibc:
        path = f"{TOOLS / 'bin'}{os.pathsep}{os.environ['PATH']}"
        command = [TOOLS / "bin/cargo-zigbuild", "rustc", "--target", f"{host}.{glibc}"]
        run(*command, *options, cwd=ROOT, env={**os.environ, "PATH": path})
    else:
        run("cargo", "rustc", "--target", host, *options, cwd=ROOT)
    suffix = "dylib" if sys.platform == "darwin" else "so"
    return target_dir / host / profile / f"libasdfkit.{suffix}"


def platform(library: Path) -> str:
    """Returns the platform that the library needs, as wheels name it."""
    needed = re.findall(r"NEEDED +(\S+)", run("objdump", "-p", library))
    if foreign := [name for name in needed if not SYSTEM_LIBRARIES.fullmatch(name)]:
        raise SystemExit(f"{library} needs {', '.join(foreign)}, which other systems may lack")
    versions = re.findall(r"\(?GLIBC_(\d+)\.(\d+)", run("objdump", "-T", library))
    major, minor = max((int(major), int(minor)) for major, minor in versions)
    return f"manylinux_{major}_{minor}_{os.uname().machine}"


def build_wheel(python: Path, library: Path, output: Path) -> Path:
    """Builds the wheel in a copy of the package, because the build leaves files beside the sources."""
    work = output / "source"
    shutil.rmtree(output, ignore_errors=True)
    shutil.copytree(ROOT / "bindings/python", work, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    for name, copy in LICENCES.items():
        shutil.copy(ROOT / name, work / copy)
    copy = shutil.copy(library, output)
    environment = {**os.environ, "ASDFKIT_WHEEL_LIBRARY": copy}
    options = []
    if sys.platform == "linux":
        run("strip", "--strip-unneeded", copy)
        options = [f"--config-setting=--build-option=--plat-name={platform(Path(copy))}"]
    pip = ["-m", "pip", "--quiet", "--disable-pip-version-check", "wheel", "--no-index", "--no-deps"]
    run(python, *pip, "--no-build-isolation", *options, "--wheel-dir", output, work, env=environment)
    shutil.rmtree(work)
    Path(copy).unlink()
    return next(output.glob("asdfkit-*.whl"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--library", type=Path, help="library to take; this Python then needs setuptools")
    choice.add_argument("--system", action="store_true", help="link with the tools and C library of this system")
    parser.add_argument(
        "--glibc", default="2.17", help="oldest C library that the wheel shall run with (default: 2.17)"
    )
    parser.add_argument("--profile", default="release", help="profile of cargo (default: release)")
    parser.add_argument("--output", type=Path, default=BUILD / "wheel", help="folder of the wheel; it is emptied")
    arguments = parser.parse_args()
    try:
        if library := arguments.library:
            python = Path(sys.executable)
        else:
            python = tools()
            zig = sys.platform == "linux" and not arguments.system
            library = build_library(arguments.profile, arguments.glibc if zig else None)
        print(build_wheel(python, library, arguments.output.resolve()))
    except (subprocess.CalledProcessError, OSError) as problem:
        raise SystemExit(f"The wheel is not built: {problem}") from None


if __name__ == "__main__":
    main()
