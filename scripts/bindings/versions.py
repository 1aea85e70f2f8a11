"""The version of the library in the files of other packages and of the manual. Cargo.toml has it."""

import re
import tomllib
from pathlib import Path

from .interface import Interface

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = [
    "bindings/fortran/fpm.toml",
    "bindings/julia/AsdfKit/Project.toml",
    "bindings/julia/yggdrasil/build_tarballs.jl",
    "bindings/python/pyproject.toml",
    "bindings/python/src/asdfkit/__init__.py",
    "bindings/r/asdfkit/DESCRIPTION",
    "crates/command/Cargo.toml",
    "crates/pictures/Cargo.toml",
    "docs/conf.py",
]
# The line with the version in each of these files, and the dependencies of the command.
VERSION = re.compile(
    r'(?m)^((?:asdfkit(?:-pictures)? = \{ |__)?[Vv]ersion(?:__| = release)?(?: = v?"|: ))\d+\.\d+\.\d+'
)


def generate(_: Interface) -> dict[str, str]:
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["version"]
    return {name: VERSION.sub(rf"\g<1>{version}", (ROOT / name).read_text()) for name in FILES}
