"""Runs the code blocks of the pages.

c     A program is compiled as it is. Every block needs a harness, a program tests/docs/blocks/PAGE/NAME.c that makes the
      input, includes "NAME.block.c" (or, for a program, runs "./program") and checks the result. NAME is the word after
      the language of the block, or else its number among the blocks of the page without a name.
cpp, fortran, julia, r, python
      Lines of the program NAME in the directory of the language, such as examples/cpp/NAME.cpp, which a suite runs. NAME
      is the word after the language.
sh    Blocks of docs are run beside a link to examples-c. Those of other pages are left to the suites that do the same.
FILE  A block in any language whose name has a dot is a file with this name for the sh blocks after it.
yaml  Blocks named "ndl" are descriptions without a fault; others are YAML.
text  The output of the c or sh block before it. With UPDATE_DOCS=1 the page gets the output that there is.
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from markdown import SOURCE, Block, blocks, pages

import yaml

HARNESSES = SOURCE / "tests/docs/blocks"
WORK = Path(os.environ["ASDFKIT_BUILD"]) / "tests/docs"
PREFIX = Path(os.environ["ASDFKIT_PREFIX"])
UPDATE = os.environ.get("UPDATE_DOCS") == "1"
EXAMPLES = {
    "cpp": ("examples/cpp", ".cpp"),
    "fortran": ("examples/fortran", ".f90"),
    "julia": ("examples/julia", ".jl"),
    "r": ("examples/r", ".R"),
    "python": ("examples/python", ".py"),
}
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror"]


class Fault(Exception):
    """The reason why a block fails."""


def key(page: Path) -> str:
    """Returns the name of the directory for harnesses and work: that of the page, with its folders if it is elsewhere."""
    folder = page.parent.relative_to(SOURCE)
    return page.stem if folder.parts[:1] in ((), ("docs",)) else "-".join([*folder.parts, page.stem])


def call(command: list[str], directory: Path) -> str:
    """Runs a command, which must succeed, and returns its output and then its errors."""
    environment = dict(
        os.environ,
        PKG_CONFIG_PATH=str(PREFIX / "lib/pkgconfig"),
        CMAKE_PREFIX_PATH=str(PREFIX),
        LD_LIBRARY_PATH=str(PREFIX / "lib"),
        PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}",  # fpm
    )
    done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, timeout=180)
    if done.returncode != 0:
        raise Fault(f"{Path(command[0]).name} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def compile_program(source: Path, program: Path, *includes: Path) -> None:
    flags = call(["pkg-config", "--cflags", "--libs", "asdfkit"], WORK).split()
    paths = [f"-I{path}" for path in includes]
    call([os.environ.get("CC", "cc"), *WARNINGS, *paths, str(source), *flags, "-lm", "-o", str(program)], WORK)


def fresh_directory(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


def run_c(page: Path, block: Block) -> str:
    """Compiles and runs the harness of a block and returns its output."""
    harness = HARNESSES / key(page) / f"{block.name}.c"
    if not harness.exists():
        raise Fault(f"the block has no harness {harness.relative_to(SOURCE)}")
    directory = fresh_directory(WORK / key(page) / block.name)
    extracted = WORK / key(page) / f"{block.name}.block.c"
    is_program = re.search(r"^int main\(", block.text, re.MULTILINE)
    if is_program:
        compile_program(extracted, directory / "program")
    elif f'#include "{extracted.name}"' not in harness.read_text():
        raise Fault(f"{harness.relative_to(SOURCE)} does not include {extracted.name}")
    # In a directory of its own, so that files of the harness and of the block do not meet.
    test = WORK / key(page) / f"{block.name}.test"
    compile_program(harness, test, extracted.parent, SOURCE / "tests/docs", SOURCE / "tests/c")
    # A message with the address of a file reads the same on every machine.
    return call([str(test)], directory).replace(str(directory.resolve()), "/data")


def is_file(block: Block) -> bool:
    return "." in block.name


def run_sh(page: Path, block: Block) -> str:
    directory = fresh_directory(WORK / key(page) / f"line{block.line}")
    (directory / "examples-c").symlink_to(SOURCE / "examples-c")
    for file in blocks(page):
        if is_file(file) and file.line < block.line:
            (directory / file.name).write_text(file.text)
    return call(["sh", "-euc", block.text], directory)


def run_yaml(page: Path, block: Block) -> str:
    if block.name != "ndl":
        yaml.safe_load(block.text)
        return ""
    directory = fresh_directory(WORK / key(page) / f"line{block.line}")
    (directory / "block.yaml").write_text(block.text)
    compile_program(SOURCE / "examples-c/check_description.c", directory / "check_description")
    return call(["./check_description", "block.yaml"], directory)


def check_excerpt(block: Block, example: Path) -> str:
    """Checks that the lines of a block are lines of an example program, without their common indentation."""
    if not example.is_file():
        raise Fault(f"there is no example {example.relative_to(SOURCE)}")
    program = [line.strip() for line in example.read_text().splitlines()]
    lines = [line.strip() for line in block.text.splitlines()]
    if not any(program[start : start + len(lines)] == lines for start in range(len(program))):
        raise Fault(f"the block is not a part of {example.relative_to(SOURCE)}")
    return ""


def run(page: Path, block: Block, expected: Block | None) -> str:
    """Runs a block and returns its output, or raises the reason why it fails."""
    runners = {"c": run_c, "yaml": run_yaml}
    if SOURCE / "docs" in page.parents:
        runners["sh"] = run_sh
    elif block.language == "sh":
        return ""
    if block.language in EXAMPLES:
        directory, suffix = EXAMPLES[block.language]
        return check_excerpt(block, SOURCE / directory / (block.name + suffix))
    if block.language not in runners:
        known = ", ".join(sorted([*EXAMPLES, *runners, "text"]))
        raise Fault(f"the language {block.language!r} of the block is none of {known}")
    output = runners[block.language](page, block)
    if expected and expected.text.rstrip() != output.rstrip() and not UPDATE:
        raise Fault(f"the page says\n{expected.text}but the output is\n{output}UPDATE_DOCS=1 takes it into the page.")
    return output


def names_of_blocks(page: Path, found: list[Block]) -> list[str]:
    """Names the blocks in C, extracts them, and returns faults."""
    faults, seen, number = [], set(), 0
    for block in found:
        if block.language != "c":
            continue
        if not block.name:
            number += 1
            block.name = str(number)
        if block.name in seen or not re.fullmatch(r"\w+", block.name):
            faults.append(f"FAILED {page.name}:{block.line}: another block is named {block.name}, or it is no name")
        seen.add(block.name)
        (WORK / key(page)).mkdir(exist_ok=True)
        line = f'#line {block.line} "{page.relative_to(SOURCE)}"\n'
        (WORK / key(page) / f"{block.name}.block.c").write_text(line + block.text)
    for harness in sorted((HARNESSES / key(page)).glob("*.c")):
        if harness.stem not in seen:
            faults.append(f"FAILED {harness.relative_to(SOURCE)}: {page.name} has no block of this name")
    return faults


def main() -> int:
    passed, faults, tasks = 0, [], []
    documents = pages("README.md", "docs/**/*.md", "bindings/**/README.md")
    for directory in sorted(HARNESSES.iterdir()):
        if directory.name not in {key(page) for page in documents}:
            faults.append(f"FAILED {directory.relative_to(SOURCE)}: there is no page of this name")
    for page in documents:
        found = blocks(page)
        faults += names_of_blocks(page, found)
        for index, block in enumerate(found):
            if is_file(block):
                continue
            after = found[index + 1] if index + 1 < len(found) else None
            if block.language == "text":
                if index == 0 or found[index - 1].language not in ("c", "sh"):
                    faults.append(f"FAILED {page.name}:{block.line}: the text is the output of no block")
                continue
            tasks.append((page, block, after if after and after.language == "text" else None))

    outputs: dict[Path, list[tuple[Block, str]]] = {}
    with ThreadPoolExecutor() as pool:
        futures = [pool.submit(run, *task) for task in tasks]
        for (page, block, expected), future in zip(tasks, futures, strict=True):
            try:
                output = future.result()
                passed += 1
                if expected:
                    outputs.setdefault(page, []).append((expected, output))
            except (Fault, OSError, subprocess.SubprocessError, yaml.YAMLError) as fault:
                faults.append(f"FAILED {page.relative_to(SOURCE)}:{block.line}: {fault}")
    if UPDATE:
        for page, texts in outputs.items():
            lines = page.read_text().splitlines()
            for expected, output in reversed(texts):
                start = expected.line - 1
                lines[start : start + expected.text.count("\n")] = output.rstrip("\n").splitlines()
            page.write_text("\n".join(lines) + "\n")
    print("\n".join(faults))
    print(f"{passed} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
