#!/usr/bin/env python3
"""Makes the source tarball build/source/asdfkit-VERSION.tar.xz, which builds without network.

It holds the crates that the library needs, but no tests apart from those in C, which CMake builds. Equal commits give
equal tarballs. Needs cargo and git.
"""

import os
import re
import shutil
import tarfile
from pathlib import Path

import vendored_crates

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build/source"
# Files that users do not need, and those among them that CMake tests or installs.
LEFT_OUT = re.compile(r"(tests|benches|crates/fuzz|\.ci)/|(.*/)?src/(.*/)?tests(/|\.rs$)|.*/tests/")
KEPT = ("tests/c/", "tests/README.md")
CARGO_SETTINGS = """\
# The crates are in the folder `vendor`. Cargo does not ask for others.
[source.crates-io]
replace-with = "vendored-sources"

[source.vendored-sources]
directory = "vendor"

[net]
offline = true
"""


def main() -> None:
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
    tree = WORK / f"asdfkit-{version}"
    shutil.rmtree(WORK, ignore_errors=True)
    for name in vendored_crates.run("git", "ls-files", directory=ROOT).splitlines():
        if not LEFT_OUT.match(name) or name.startswith(KEPT):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    for manifest in tree.rglob("Cargo.toml"):
        text = manifest.read_text()
        if manifest.parent == tree:
            manifest.write_text(vendored_crates.for_users(text))
        else:
            manifest.write_text(vendored_crates.without_sections(text, vendored_crates.TEST_SECTIONS))
    vendored_crates.vendor(tree)
    (tree / ".cargo").mkdir()
    (tree / ".cargo/config.toml").write_text(CARGO_SETTINGS)
    shutil.rmtree(tree / "target", ignore_errors=True)
    time = os.environ.get("SOURCE_DATE_EPOCH") or vendored_crates.run(
        "git", "log", "-1", "--format=%ct", directory=ROOT
    )
    with tarfile.open(WORK / f"{tree.name}.tar.xz", "w:xz", preset=9) as archive:
        archive.add(tree, tree.name, filter=vendored_crates.anonymous(int(time)))
    shutil.rmtree(tree)
    print((WORK / f"{tree.name}.tar.xz").relative_to(ROOT))


if __name__ == "__main__":
    main()
