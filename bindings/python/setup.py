"""Steps of the build that pyproject.toml cannot express: the library in the wheel, and the platform in its name.

The library is the file that ASDFKIT_WHEEL_LIBRARY names, or the one that the source tree around this folder has built.
Without either the wheel is pure Python, and looks for an installed library when it is imported.
"""

import os
import shutil
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

FILE_NAME = {"darwin": "libasdfkit.dylib", "win32": "asdfkit.dll"}.get(sys.platform, "libasdfkit.so")
BUILT = [Path(__file__).resolve().parents[2] / "build" / folder / FILE_NAME for folder in ("cmake/lib",)]


def library() -> Path | None:
    """Library to put into the wheel, if there is one."""
    if name := os.environ.get("ASDFKIT_WHEEL_LIBRARY"):
        return Path(name)
    return next((path for path in BUILT if path.exists()), None)


class Platform(Distribution):
    def has_ext_modules(self) -> bool:
        return library() is not None


class BuildWithLibrary(build_py):
    def run(self) -> None:
        super().run()
        folder = Path(self.build_lib, "asdfkit", "_lib")
        # An earlier build may have left another library.
        shutil.rmtree(folder, ignore_errors=True)
        # An editable installation finds the library of the source tree without a copy.
        if (path := library()) and not self.editable_mode:
            folder.mkdir(parents=True)
            shutil.copy(path, folder / FILE_NAME)


class Wheel(bdist_wheel):
    def get_tag(self) -> tuple[str, str, str]:
        """The library does not depend on Python, so the wheel fits each version."""
        return "py3", "none", super().get_tag()[2]


setup(distclass=Platform, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": Wheel})
