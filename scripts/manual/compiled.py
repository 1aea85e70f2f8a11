"""Reference pages of the C++ headers and the Fortran modules, made from the comments of their sources."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HEADERS = ROOT / "bindings/cpp/asdf"
MODULES = ROOT / "bindings/fortran/src"
# Classes of the namespace asdf::detail whose functions public classes inherit.
BASES = ("readable", "node_arrays", "node_tables")
# Headers and modules in the order of their use; the others follow.
FIRST_HEADERS = ("file", "node", "array", "view", "record", "table", "table_reader", "table_writer", "stream", "ndl")
FORTRAN_TYPES = (
    "asdfkit_file",
    "asdfkit_node",
    "asdfkit_array",
    "asdfkit_stream",
    "asdfkit_table",
    "asdfkit_ecsv",
    "asdfkit_ndl",
    "asdfkit_ndl_builder",
    "asdfkit_ndl_datatype",
    "asdfkit_options",
    "asdfkit_progress",
    "asdfkit_report",
    "asdfkit_unit",
    "asdfkit_coordinates",
    "asdfkit_wcs",
    "asdfkit_errors",
)
CLASS = re.compile(r"(?:template <.*> )?(?:enum )?(?:class|struct) (\w+)[^;]*\{")
ENUMERATOR = re.compile(r"\w+ = \w+,")
TYPE = re.compile(r"^  type, .*public :: (asdf_\w+)$")
PROCEDURE = re.compile(r"(?:[\w ]|type\(\w+\)|\([^()]*\))*?\b(subroutine|function) (\w+)\(([^)]*)\)")
BINDING = re.compile(r"    (?:generic|procedure)(?:, \w+)* :: (\w+)(?: => (\w+))?")


def definition(code: str, doc: list[str]) -> list[str]:
    """Returns an entry of a definition list: the code, and its comment."""
    lines = [f"  {line}".rstrip() for line in doc]
    lines[0] = f": {lines[0].strip()}"
    return [f"`{code}`", *lines, ""]


def declaration(lines: list[str]) -> str:
    """Returns a declaration of C++ without its body."""
    text = re.sub(r"\s+", " ", " ".join(lines)).strip()
    text = re.split(r"(?<=[\w)>]) : (?=\w+[({])|(?<!=)(?<!= )\{", text)[0]
    return text.rstrip("; ,").replace("( ", "(")


def cpp_header(path: Path) -> list[str]:
    lines: list[str] = []
    doc: list[str] = []
    source = iter(path.read_text().splitlines())
    first = next(source).removeprefix("// ")
    public = True
    detail = False
    for line in source:
        code = line.strip()
        if line.startswith(("namespace detail {", "} // namespace detail")):
            detail = not detail
            public = not detail
        elif code in ("public:", "private:", "protected:"):
            public = code == "public:"
        elif line.startswith("};"):
            public = not detail
        elif code.startswith("/// ") or code == "///":
            doc.append(code[4:])
        elif not doc and "///<" in code and public:
            member, _, comment = code.partition("///<")
            lines += definition(declaration([member]), [comment.strip()])
        elif doc:
            parts = [code]
            while not parts[-1].endswith((";", "{", "}")) and not ENUMERATOR.fullmatch(parts[-1]):
                parts.append(next(source).strip())
            found = CLASS.match(" ".join(parts))
            if found and not line.startswith("    "):
                public = not detail or found[1] in BASES
                if not public:
                    doc = []
                    continue
                lines += [f"### `{found[1]}`", "", *doc, ""]
                public = not parts[-1].startswith("class") or "enum" in code
            elif public:
                lines += definition(declaration(parts), doc)
            doc = []
    return [f"## `asdf/{path.name}`", "", first, "", *lines] if lines else []


def cpp_page() -> str:
    lines = [
        "# The C++ headers",
        "",
        "What [C++](../languages/cpp.md) describes, header by header. `#include <asdf.hpp>` includes all of them.",
        "The names are those of the namespace `asdf`.",
        "",
    ]
    names = [path.stem for path in sorted(HEADERS.glob("*.hpp"))]
    for name in [*FIRST_HEADERS, *(name for name in names if name not in FIRST_HEADERS)]:
        lines += cpp_header(HEADERS / f"{name}.hpp")
    return "\n".join(lines)


def joined(text: str) -> list[str]:
    """Returns the lines of a Fortran source with continued lines joined."""
    return re.sub(r"&\n\s*&?", "", text).splitlines()


def fortran_procedures(lines: list[str]) -> dict[str, tuple[str, list[str], list[list[str]]]]:
    """Returns the procedures of a module by name: a head, the comment, and the commented arguments."""
    found: dict[str, tuple[str, list[str], list[list[str]]]] = {}
    doc: list[str] = []
    current = ""
    for line in lines:
        code = line.strip()
        if code.startswith(("!> ", "!! ")) or code == "!!":
            doc.append(code[3:])
            continue
        head = PROCEDURE.fullmatch(re.sub(r" result\(\w+\)$", "", code))
        if head and line.startswith("  ") and not line.startswith("   ") and not code.startswith("end"):
            current = head[2]
            arguments = [each.strip() for each in head[3].split(",")]
            found[current] = (", ".join(each for each in arguments if each != "self"), doc, [])
        elif code.startswith("end "):
            current = ""
        elif current and doc and "::" in code:
            kind, _, names = code.partition(" :: ")
            found[current][2].append(definition(f"{names}: {kind}", doc))
        doc = []
    return found


def fortran_module(path: Path) -> list[str]:
    lines = joined(path.read_text())
    procedures = fortran_procedures(lines)
    written: list[str] = []
    doc: list[str] = []
    inside = hidden = False
    bound = {found[1]: found[2] for found in map(BINDING.match, lines) if found and found[2]}
    for line in lines:
        code = line.strip()
        if code.startswith(("!> ", "!! ")) or code == "!!":
            doc.append(code[3:])
            continue
        if found := TYPE.match(line):
            inside, hidden = True, True
            written += [f"## type `{found[1]}`", "", *doc, ""]
        elif code == "contains":
            hidden = False
        elif code == "end type":
            inside = False
        elif inside and not hidden and (found := BINDING.match(line)) and "private" not in code.partition("::")[0]:
            procedure = name = found[1]
            while procedure in bound:
                procedure = bound.pop(procedure) if procedure == name else bound[procedure]
            arguments, own, commented = procedures.get(procedure, ("", [], []))
            if doc or own:
                written += [f"### `{name}({arguments})`", "", *(own or doc), ""]
                for each in commented:
                    written += each
        doc = []
    for name, (arguments, own, commented) in procedures.items():
        if own and name.startswith("asdf_") and re.search(rf"(?m)^  public :: .*\b{name}\b", path.read_text()):
            written += [f"## `{name}({arguments})`", "", *own, ""]
            for each in commented:
                written += each
    return written


def fortran_page() -> str:
    lines = [
        "# The Fortran modules",
        "",
        "What [Fortran](../languages/fortran.md) describes, type by type. `use asdfkit` gives all of them.",
        "Every procedure that can fail takes `stat` and `errmsg`; without both, a failure stops the program with a message.",
        "A procedure for several kinds and ranks is shown with one of them.",
        "",
    ]
    for name in FORTRAN_TYPES:
        lines += fortran_module(MODULES / f"{name}.f90")
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """Returns the pages by their file names."""
    return {"cpp-headers.md": cpp_page(), "fortran-modules.md": fortran_page()}
