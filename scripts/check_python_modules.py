"""Checks the architecture of a Python package: `check_python_modules.py [FOLDER]` lists the circles of modules that
import each other, and fails if there are any.

Imports inside functions count like all others. Imports for type hints alone, below `if TYPE_CHECKING`, do not.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from check_rooms import circles


def imported(text: str, package: str, modules: set[str]) -> Iterator[tuple[int, str]]:
    """Returns line and module of each import of a module of the package. `__init__` stands for the package itself."""
    todo: list[ast.AST] = [ast.parse(text)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            todo += node.orelse
        elif isinstance(node, ast.Import):
            for path in (alias.name.split(".") for alias in node.names):
                if path[0] == package:
                    yield node.lineno, path[1] if len(path) > 1 else "__init__"
        elif isinstance(node, ast.ImportFrom):
            path = (node.module or "").split(".")
            if node.level == 0 and path[0] == package:
                path = path[1:]
            elif node.level != 1:
                continue
            if path and path[0]:
                yield node.lineno, path[0]
            else:
                for alias in node.names:
                    yield node.lineno, alias.name if alias.name in modules else "__init__"
        else:
            todo += ast.iter_child_nodes(node)


def faults(folder: Path) -> list[str]:
    """Returns each circle, followed by its imports."""
    texts = {file.stem: file.read_text() for file in sorted(folder.glob("*.py"))}
    imports = {
        (start, end): line
        for start, text in texts.items()
        for line, end in imported(text, folder.name, set(texts))
        if start != end
    }
    graph: dict[str, set[str]] = {module: set() for module in texts}
    for start, end in imports:
        graph[start].add(end)
    result = []
    for members in circles(graph):
        result.append(f"a circle of {len(members)} modules: {', '.join(members)}")
        result += [
            f"    {start}.py:{line} imports {end}"
            for (start, end), line in imports.items()
            if start in members and end in members
        ]
    return result


def main() -> int:
    default = Path(__file__).resolve().parent.parent / "bindings/python/src/asdfkit"
    found = faults(Path(sys.argv[1]) if len(sys.argv) > 1 else default)
    print("\n".join(found) if found else "No circle.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
