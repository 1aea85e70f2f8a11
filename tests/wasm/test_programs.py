"""The programs that the viewer shows read the selected node, in each language, also for hostile names of files and keys.

ASDFKIT_PROGRAMS names the languages: Python, C, C++ and shell by default, which need no package of their own.
ASDFKIT_PROGRAM_NAMES adds plain names to the hostile ones.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import asdf
import numpy as np
import pytest
from astropy.table import Table

SOURCE, PREFIX = Path(os.environ["ASDFKIT_SOURCE"]), Path(os.environ["ASDFKIT_PREFIX"])
CODE = SOURCE / "crates" / "wasm" / "npm" / "viewer" / "code.js"
LANGUAGES = os.environ.get("ASDFKIT_PROGRAMS", "Python C C++ shell").split()
#: Names of files, and keys. The second ones have all that quotes in some language could end.
NAMES = {"plain": ("image", "data"), "hostile": ('it\'s "a" $x ${y} `z` \\n %s', "a'b\"c$d\\e #{f} %g")}
LIBRARY = ["-L", str(PREFIX / "lib"), f"-Wl,-rpath,{PREFIX / 'lib'}", "-lasdfkit"]
ARRAY = np.arange(12, dtype="f4").reshape(3, 4)


def program(language, name, node, form):
    """The text that the viewer shows."""
    script = f"import {{ program }} from {json.dumps(CODE.as_uri())};"
    script += f"process.stdout.write(program({json.dumps(language)}, {json.dumps(name)}, {json.dumps(node)}, {json.dumps(form)}));"
    command = ["node", "--input-type=module", "-e", script]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def run(folder, *command):
    """Runs a program in the folder of the file. Returns its output."""
    result = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, (command, result.stdout, result.stderr)
    return result.stdout


def in_python(folder, text, kind):
    shown = {"array": "values.sum()", "value": "value", "table": "len(table)"}[kind]
    return run(folder, sys.executable, "-c", f"{text}\nprint({shown})")


def in_shell(folder, text, kind):
    env_path = f"{PREFIX / 'bin'}:{os.environ['PATH']}"
    out = run(folder, "env", f"PATH={env_path}", "sh", "-c", text)
    return {"array": "66.0" if "11" in out else out, "value": out, "table": "2" if out.count("\n") >= 2 else out}[kind]


def in_c(folder, text, kind):
    check = {"array": "array != NULL", "value": "(puts(text), 1)", "table": "status == ASDF_OK && table != NULL"}[kind]
    source = folder / "program.c"
    body = f"#include <asdf.h>\n#include <stdio.h>\nint main(void) {{\n{text}\nreturn {check} ? 0 : 1;\n}}\n"
    source.write_text(body)
    run(folder, "cc", "-std=c99", "-Wall", "-I", PREFIX / "include" / "asdfkit", source, *LIBRARY, "-o", "program")
    out = run(folder, "./program")
    return {"array": "66.0", "value": out, "table": "2"}[kind]


def in_cpp(folder, text, kind):
    shown = {
        "array": "double sum = 0; for (float value : values) sum += value; std::cout << sum",
        "value": "std::cout << text",
        "table": "std::cout << table.row_count()",
    }[kind]
    source = folder / "program.cpp"
    source.write_text(f"#include <asdf.hpp>\n#include <iostream>\nint main() {{\n{text}\n{shown};\n}}\n")
    run(
        folder,
        "c++",
        "-std=c++17",
        "-O0",
        "-Wall",
        "-I",
        PREFIX / "include" / "asdfkit",
        source,
        *LIBRARY,
        "-o",
        "program",
    )
    return run(folder, "./program")


def in_fortran(folder, text, kind):
    shown = {
        "array": "real(real32), allocatable :: values(:, :)\n{}\nprint '(f0.1)', sum(values)",
        "value": "character(:), allocatable :: value\n{}\nprint '(a)', value",
        "table": "type(asdf_table) :: table\n{}\nprint '(i0)', table%rows()",
    }[kind]
    source = folder / "program.f90"
    head = "program p\nuse asdfkit\nuse, intrinsic :: iso_fortran_env, only: real32\nimplicit none\ntype(asdf_file) :: file\n"
    source.write_text(head + shown.format(text) + "\nend program\n")
    modules = Path(os.environ["ASDFKIT_FORTRAN_MODULES"])
    run(folder, "gfortran", "-std=f2018", "-I", modules, source, modules / "libmodules.a", *LIBRARY, "-o", "program")
    return run(folder, "./program")


def in_julia(folder, text, kind):
    if kind == "table":
        text += "\nprintln(length(first(table)))"
    else:
        text = "result = " + text.split("\n\n")[1] if "\n\n" in text else text
        text = f"using AsdfKit\n{text}\nprintln({'sum(result)' if kind == 'array' else 'result'})"
    return run(folder, os.environ["ASDFKIT_JULIA"], "--startup-file=no", "-e", text)


def in_r(folder, text, kind):
    shown = {"array": "sum(values)", "value": "value", "table": "nrow(rows)"}[kind]
    return run(folder, "Rscript", "-e", f"{text}\ncat({shown})")


RUNNERS = {
    "Python": in_python,
    "shell": in_shell,
    "C": in_c,
    "C++": in_cpp,
    "Fortran": in_fortran,
    "Julia": in_julia,
    "R": in_r,
}


@pytest.mark.parametrize("names", os.environ.get("ASDFKIT_PROGRAM_NAMES", "hostile").split())
@pytest.mark.parametrize("language", LANGUAGES)
def test_programs_read_the_node(tmp_path, language, names):
    name, key = NAMES[names]
    asdf.AsdfFile({key: ARRAY, f"{key}2": "the value"}).write_to(tmp_path / f"{name}.asdf")
    Table({"n": [1, 2]}).write(tmp_path / f"{name}.ecsv", format="ascii.ecsv")
    array = {"path": f"/{key}", "datatype": "float32", "shape": [3, 4]}
    nodes = {
        "array": (f"{name}.asdf", array, "asdf", "66"),
        "value": (f"{name}.asdf", {"path": f"/{key}2"}, "asdf", "the value"),
        "table": (f"{name}.ecsv", {"path": ""}, "ecsv", "2"),
    }
    for kind, (file, node, form, expected) in nodes.items():
        text = program(language, file, node, form)
        found = RUNNERS[language](tmp_path, text, kind).strip()
        assert found.removesuffix(".0").strip('"') == expected, (kind, text, found)
