"""Checks the lists of files of all packages, and what is generated for them, against an installation."""

import re
import subprocess
import sys
import tomllib
import unittest
from os import environ
from pathlib import Path, PurePosixPath

ROOT = Path(environ["ASDFKIT_SOURCE"])
PREFIX = Path(environ["ASDFKIT_PREFIX"])
DEBIAN = ROOT / "packaging/debian"
sys.path[:0] = [str(ROOT / "scripts"), str(DEBIAN)]
sys.dont_write_bytecode = True
import prepare
import vendored_crates


def output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def packages_of(path: PurePosixPath) -> list[str]:
    """Returns the Debian packages whose lists name the file, or a folder that it is in.

    The list of the command is a program that has the names of folders among its words.
    """
    found = []
    for file in DEBIAN.glob("*.install"):
        patterns = file.read_text().split()
        if any(place.match(f"/{pattern}") for pattern in patterns for place in (path, *path.parents)):
            found.append(file.stem)
    return found


def installed() -> list[PurePosixPath]:
    """Returns the installed files by their places in Debian."""
    paths = []
    for file in PREFIX.rglob("*"):
        if not file.is_dir() or file.is_symlink():
            name = f"/usr/{file.relative_to(PREFIX).as_posix()}"
            name = re.sub("^/usr/lib/", "/usr/lib/x86_64-linux-gnu/", name)
            paths.append(PurePosixPath(name.replace("/share/doc/asdfkit/", "/share/doc/libasdfkit-doc/")))
    return paths


class DebianPackages(unittest.TestCase):
    def test_each_installed_file_is_in_one_package(self):
        files = installed()
        self.assertGreater(len(files), 50)
        for file in files:
            with self.subTest(file=str(file)):
                self.assertEqual(len(packages_of(file)), 1, packages_of(file))

    def test_places(self):
        places = {
            "lib/T/libasdfkit.so.0.1.0": ["libasdfkitABI"],
            "lib/T/libasdfkit.so": ["libasdfkit-dev"],
            "lib/T/libasdfkit.a": ["libasdfkit-dev"],
            "include/asdfkit/asdf/file.hpp": ["libasdfkit-dev"],
            "lib/T/pkgconfig/asdfkit-fortran.pc": ["libasdfkit-fortran-dev"],
            "share/doc/libasdfkit-doc/docs/index.md": ["libasdfkit-doc"],
            "bin/asdfkit": ["asdfkit"],
            "share/man/man1/asdfkit.1": ["asdfkit"],
            "lib/T/other": [],
        }
        for place, expected in places.items():
            with self.subTest(place=place):
                self.assertEqual(packages_of(PurePosixPath(f"/usr/{place}")), expected)

    def test_symbols_are_those_of_the_library(self):
        listed = set(re.findall(r"^ (\w+)@Base ", prepare.symbols("1"), re.MULTILINE))
        library = output("nm", "--dynamic", "--defined-only", str(PREFIX / "lib/libasdfkit.so"))
        self.assertEqual(listed, set(re.findall(r" T (\w+)$", library, re.MULTILINE)))

    def test_each_crate_has_a_licence_with_a_text(self):
        texts, owners, licences = prepare.third_parties()
        options = ["--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p}|{l}"]
        for line in output("cargo", "tree", *options).splitlines():
            crate, expression = line.removesuffix(" (*)").split("|")
            name = crate.split()[0]
            with self.subTest(crate=name):
                self.assertTrue(prepare.licence(expression, licences.get(name, set()), texts))
        self.assertEqual(licences["libdeflate-sys"], {"Apache-2.0", "MIT"})
        self.assertIn("Copyright 2016 Eric Biggers", owners["libdeflate-sys"])
        for name, text in texts.items():
            self.assertNotRegex(text, r"(?i)^copyright [0-9(]", name)

    def test_licences_in_the_notation_of_debian(self):
        known = {"MIT": "", "Apache-2.0": "", "Unicode-3.0": ""}
        cases = {
            ("MIT/Apache-2.0", ""): "Expat or Apache-2.0",
            ("(MIT OR Apache-2.0) AND Unicode-3.0", "Unicode-3.0"): "Expat or Apache-2.0, and Unicode-3.0",
            ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", "MIT"): "Apache-2.0 or Expat",
            ("Apache-2.0", "MIT"): "Apache-2.0, and Expat",
        }
        for (expression, listed), expected in cases.items():
            with self.subTest(expression=expression):
                self.assertEqual(prepare.licence(expression, set(listed.split()), known), expected)
        with self.assertRaises(SystemExit):
            prepare.licence("LGPL-2.1", set(), known)


class SourcePackages(unittest.TestCase):
    def test_manifest_names_no_test(self):
        text = (ROOT / "Cargo.toml").read_text()
        before, after = tomllib.loads(text), tomllib.loads(vendored_crates.for_users(text))
        for name in ("dev-dependencies", "example", "test"):
            self.assertIn(name, before)
            self.assertNotIn(name, after)
        self.assertIn("workspace", after)
        for name in ("package", "lib", "features", "dependencies", "target", "lints"):
            self.assertEqual(before[name], after[name])
        self.assertEqual(after["profile"]["release"], before["profile"]["release"])

    def test_sections_leave_with_their_comments(self):
        text = "[package]\nname = 'a'\n\n# Why.\n[[test]]\nname = 'b'\n\n[tests]\nc = 1\n\n[test.d]\ne = 1\n"
        text += "\n[target.'cfg(unix)'.test]\nf = 1\n"
        self.assertEqual(vendored_crates.without_sections(text, ("test",)), "[package]\nname = 'a'\n\n[tests]\nc = 1\n")

    def test_sections_need_no_empty_line_between(self):
        text = "[package]\nname = 'a'\n[[test]]\nname = 'b'\n[dependencies.c]\nversion = '1'\n"
        expected = "[package]\nname = 'a'\n\n[dependencies.c]\nversion = '1'\n"
        self.assertEqual(vendored_crates.without_sections(text, ("test",)), expected)

    def test_published_crate(self):
        files = output("cargo", "package", "--list", "--allow-dirty").split()
        for name in ("build.rs", "src/lib.rs", "examples/quickstart.rs", "include/asdf.h", "LICENSE-MIT"):
            self.assertIn(name, files)
        for name in files:
            self.assertNotRegex(name, r"^(tests|benches|bindings|crates|docs)/|(^|/)tests(/|\.rs$)")


if __name__ == "__main__":
    program = unittest.main(exit=False)
    failed = len({str(test) for test, _ in program.result.failures + program.result.errors})
    print(f"{program.result.testsRun - min(failed, program.result.testsRun)} passed, {failed} failed")
    sys.exit(not program.result.wasSuccessful())
