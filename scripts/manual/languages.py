"""Reference pages of the bindings, made from the comments of their sources: Python, Julia and R."""

import ast
import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PYTHON = ROOT / "bindings/python/src/asdfkit"
JULIA = ROOT / "bindings/julia/AsdfKit/src"
R = ROOT / "bindings/r/asdfkit/man"
JULIA_DOC = re.compile(r'(?ms)^(?:@doc )?"""\n(    .*?)"""\n')


def typed(argument: ast.arg, default: ast.expr | None = None) -> str:
    """Returns an argument with its type and its default."""
    # A type that is not known says nothing.
    known = argument.annotation is not None and ast.unparse(argument.annotation) not in ("Any", "object")
    text = f"{argument.arg}: {ast.unparse(argument.annotation)}" if known else argument.arg
    if default is None:
        return text
    return f"{text} = {ast.unparse(default)}" if known else f"{text}={ast.unparse(default)}"


def signature(function: ast.FunctionDef) -> str:
    """Returns the head of a Python function with the types of its arguments and of its result."""
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    shown = [typed(argument, default) for argument, default in zip(plain, defaults, strict=True)]
    if arguments.vararg:
        shown.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        shown.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        shown.append(typed(argument, default))
    if arguments.kwarg:
        shown.append(f"**{arguments.kwarg.arg}")
    result = ast.unparse(function.returns) if function.returns else "None"
    end = "" if result in ("None", "Any", "object") else f" -> {result}"
    return f"{function.name}({', '.join(name for name in shown if name not in ('self', 'cls'))}){end}".replace('"', "'")


def is_public(node: ast.stmt) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_") and bool(doc_of(node))


def doc_of(node: ast.FunctionDef | ast.ClassDef) -> str:
    """Returns a comment in Markdown. In Python its lists of parameters are in the style of NumPy."""
    lines: list[str] = []
    for line in (ast.get_docstring(node) or "").splitlines():
        if re.fullmatch("-{3,}", line) and lines:
            lines[-1:] = [f"**{lines[-1]}**", ""]
        elif found := re.match(r"([\w*, ]+) : (.*)", line):
            lines.append(f"- `{found[1]}`: {found[2]}.")
        else:
            lines.append(line)
    return "\n".join(lines)


def is_property(function: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "property" for each in function.decorator_list)


# Topics of the Python reference, each a module. Modules without a title follow under their names.
TOPICS = {
    "files": "Files",
    "nodes": "Trees",
    "arrays": "Arrays",
    "tables": "Tables",
    "ecsv": "ECSV files",
    "units": "Units",
    "wcs": "World coordinates",
    "streams": "Streams of rows",
    "blocks": "Blocks",
    "ndl": "Descriptions",
    "astropy": "With astropy",
    "errors": "Errors",
}


def python_modules() -> list[Path]:
    """Returns the public modules in the order of the topics."""
    found = [path for path in PYTHON.glob("*.py") if not path.stem.startswith("_")]
    order = list(TOPICS)
    public = [path for path in found if path.stem not in ("constants", "options")]
    return sorted(public, key=lambda path: (order.index(path.stem) if path.stem in order else len(order), path.stem))


def exported() -> tuple[set[str], set[str]]:
    """Returns the names of the package, and the modules that programs use under their own names."""
    names: set[str] = set()
    modules: set[str] = set()
    for node in ast.parse((PYTHON / "__init__.py").read_text()).body:
        if isinstance(node, ast.ImportFrom):
            (names if node.module else modules).update(each.name for each in node.names)
    return names, modules


# Functions of these modules that only the package itself calls.
INTERNAL = {"spelling_number"}


def python_page() -> str:
    names, modules = exported()
    lines = ["# The Python package", "", "What [Python](../languages/python.md) describes, by topic.", ""]
    for path in python_modules():
        module = ast.parse(path.read_text())
        offered = [node for node in module.body if is_public(node) and node.name not in INTERNAL]
        public = [node for node in offered if path.stem in modules or node.name in names]
        if not public:
            continue
        lines += [f"## {TOPICS.get(path.stem, path.stem.capitalize())}", "", f"Module `asdfkit.{path.stem}`.", ""]
        for node in public:
            if isinstance(node, ast.FunctionDef):
                lines += [f"### `{signature(node)}`", "", doc_of(node), ""]
                continue
            lines += [f"### class `{node.name}`", "", doc_of(node), ""]
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and is_public(member):
                    head = member.name if is_property(member) else signature(member)
                    lines += [
                        f"`{head}`",
                        *textwrap.indent(doc_of(member), "  ").replace("  ", ": ", 1).splitlines(),
                        "",
                    ]
    return "\n".join(lines)


def links_of_julia(text: str) -> str:
    """Returns a comment without the links of Julia's own documentation."""
    return re.sub(r"\[([^\]]*)\]\(@ref[^)]*\)", r"\1", text).replace("\\$", "$")


def julia_page() -> str:
    lines = ["# The Julia package", "", "What [Julia](../languages/julia.md) describes, function by function.", ""]
    for path in sorted(JULIA.glob("*.jl")):
        found = JULIA_DOC.findall(path.read_text())
        if not found or path.stem in ("LibAsdfKit", "keywords"):
            continue
        lines += [f"## {path.stem.replace('_', ' ').capitalize()}", ""]
        for doc in found:
            head, _, body = doc.partition("\n\n")
            lines += ["```julia", textwrap.dedent(head), "```", "", links_of_julia(body.strip()), ""]
    return "\n".join(lines)


def plain(text: str) -> str:
    """Returns a text of an R help page in Markdown."""
    for _ in range(4):
        text = re.sub(r"\\code\{([^{}]*)\}", r"`\1`", text)
        text = re.sub(r"\\(?:link|emph|strong|sQuote|dQuote|pkg|file)(?:\[[^\]]*\])?\{([^{}]*)\}", r"\1", text)
    return text.replace("\\%", "%").strip()


def section(text: str, name: str) -> str:
    """Returns the content of a section of an R help page, whose braces may be nested."""
    start = text.find(f"\\{name}{{")
    if start < 0:
        return ""
    depth, begin = 0, start + len(name) + 1
    for place in range(begin, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return text[begin + 1 : place]
    return ""


def r_page() -> str:
    lines = [
        "# The R package",
        "",
        "The functions that [R](../languages/r.md) describes. `help(NAME)` in R has the whole page.",
        "",
    ]
    for path in sorted(R.glob("*.Rd")):
        text = path.read_text()
        lines += [f"## {plain(section(text, 'title'))}", ""]
        usage = re.sub(r"\\(?:method|S3method)\{([^}]*)\}\{[^}]*\}", r"\1", section(text, "usage")).strip()
        if usage:
            lines += ["```r", usage.replace("\\%", "%"), "```", ""]
        lines += [plain(section(text, "description")), ""]
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """Returns the pages by their file names."""
    return {"python-package.md": python_page(), "julia-package.md": julia_page(), "r-package.md": r_page()}
