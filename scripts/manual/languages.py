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


def signature(function: ast.FunctionDef) -> str:
    """Returns the head of a Python function without types."""
    arguments = function.args
    names = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
    defaults = [f"={ast.unparse(default)}" for default in arguments.defaults]
    shown = [
        name + default for name, default in zip(names, [""] * (len(names) - len(defaults)) + defaults, strict=True)
    ]
    if arguments.vararg:
        shown.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        shown.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        shown.append(argument.arg + (f"={ast.unparse(default)}" if default else ""))
    if arguments.kwarg:
        shown.append(f"**{arguments.kwarg.arg}")
    return f"{function.name}({', '.join(name for name in shown if name != 'self')})"


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


def python_page() -> str:
    lines = ["# The Python package", "", "What [Python](../languages/python.md) describes, function by function.", ""]
    for path in sorted(PYTHON.glob("*.py")):
        if path.stem.startswith("_") or path.stem in ("constants", "options"):
            continue
        module = ast.parse(path.read_text())
        public = [node for node in module.body if is_public(node)]
        if not public:
            continue
        lines += [f"## asdfkit.{path.stem}", "", ast.get_docstring(module) or "", ""]
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
