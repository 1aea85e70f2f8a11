"""Checks the architecture of the library and the crates beside it: `check_rooms.py` lists imports in the wrong direction,
circles, and types whose methods stand in too many files, and fails if there are any.

A room is a module of a crate's root. It may import only from the rooms before it in FLOORS. A chamber is a folder
in a room. The chambers of one folder, and the files beside them, import from one another without a circle. Two files
may depend on each other, and so may a module and those inside it, but no more files in a circle.

An import is a path below `crate`, `self` or `super`, in a `use` or elsewhere. It leads to the file that defines the
name, also through re-exports. Test code is ignored. Method calls are not imports: a method whose `impl` is in a
higher room or chamber than its caller is not found.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

Floors = list[list[str]]
# The crates. From the bottom up: each room may use the rooms of the lines before it, and those to its left.
LIBRARY: Floors = [
    ["error", "hint", "tags", "reserve", "progress", "process", "bytes", "float", "json", "report"],
    ["limits", "source"],
    ["remote"],
    ["layout", "codec", "tree"],
    ["yaml", "array"],
    ["schema", "fits"],
    ["file", "table"],
    ["standard", "ndl"],
    ["wcs", "references"],
    ["ffi"],
]
COMMAND: Floors = [["core"], ["change", "look", "check", "convert", "picture", "page", "serve"], ["cli"], ["tip"]]
FORMATS: Floors = [
    ["failure", "element", "report"],
    ["core", "fits"],
    ["decoder", "to_asdf"],
    ["to_fits"],
    ["exports"],
]
PICTURES: Floors = [["array"], ["plot"], ["output"]]
REMOTE: Floors = [
    ["failure", "statistics", "cache"],
    ["settings", "runtime", "core", "disk"],
    ["store"],
    ["object"],
    ["exports"],
]
WASM: Floors = [
    ["answer", "limits", "source"],
    ["request", "kept_rows", "sorted_rows", "text_rows"],
    ["opened"],
    ["region", "rows", "sky"],
    ["tree", "picture"],
    ["search"],
    ["call"],
    ["boundary"],
]
FLOORS = {
    "src": LIBRARY,
    "crates/command/src": COMMAND,
    "crates/formats/src": FORMATS,
    "crates/pictures/src": PICTURES,
    "crates/remote/src": REMOTE,
    "crates/wasm/src": WASM,
}
LEXEMES = re.compile(
    r"""//[^\n]*|/\*.*?\*/|r(?P<hashes>\#*)".*?"(?P=hashes)|b?"(?:\\.|[^"\\])*"|b?'(?:\\.[^']*|[^'\\])'""", re.DOTALL
)
TEST_ITEM = re.compile(r"#\[cfg\((?:test|all\(test\b[^\]]*)\)?\]\s*(?:#\[[^\]]*\]\s*)*")
USE = re.compile(r"\b(?P<public>pub(?:\([^)]*\))?\s+)?use\s+(?P<tree>[^;]+);")
PATH = re.compile(r"(?<![\w:$])(?<!\bin )(?:crate|super|self)(?:\s*::\s*(?:super\b|[a-zA-Z_]\w*))+")

# Largest number of files with methods of one type. It may only fall.
MOST_IMPL_FILES = 20
IMPL = re.compile(r"^impl(?:<[^{]*?>)?\s+([A-Z]\w*)(?:<[^{]*?>)?\s*(?:where[^{]*)?\{", re.MULTILINE)

# Names of a module and its parents, from the crate's root.
ModulePath = tuple[str, ...]
# An import: importing module, imported module, line.
Edge = tuple[ModulePath, ModulePath, int]


class Module:
    """A source file: its path in the crate, its submodules, and the names that it imports, re-exports and mentions."""

    def __init__(self, path: ModulePath, text: str) -> None:
        self.path = path
        plain, self.tests = without_tests(LEXEMES.sub(blank, text))
        self.methods_of = set(IMPL.findall(plain))
        self.names: dict[str, ModulePath] = {}
        self.mentions: list[tuple[int, ModulePath]] = []
        inner = inner_modules(plain)
        for use in USE.finditer(plain):
            depth = sum(start <= use.start() < end for start, end in inner)
            line = plain.count("\n", 0, use.start()) + 1
            for target, name in use_paths(use["tree"]):
                absolute = self.absolute(target, depth)
                if absolute is None:
                    continue
                if name != "*":
                    self.names[name] = absolute
                if not use["public"]:
                    self.mentions.append((line, absolute))
        for found in PATH.finditer(USE.sub(lambda use: blank(use), plain)):
            depth = sum(start <= found.start() < end for start, end in inner)
            absolute = self.absolute([part.strip() for part in found[0].split("::")], depth)
            if absolute is not None:
                self.mentions.append((plain.count("\n", 0, found.start()) + 1, absolute))

    def absolute(self, parts: list[str], depth: int) -> ModulePath | None:
        """Returns the path from the crate's root, or None if it leads out of the crate. `depth` counts the modules
        inside the file that contain the path.
        """
        if parts[0] == "crate":
            return tuple(parts[1:])
        if parts[0] not in ("self", "super"):
            return (*self.path, *parts)
        base = [*self.path, *("{}" for _ in range(depth))]
        for part in parts:
            if part == "super":
                if not base:
                    return None
                base.pop()
        return (*(part for part in base if part != "{}"), *(part for part in parts if part not in ("self", "super")))


def inner_modules(text: str) -> list[tuple[int, int]]:
    """Returns the first and last positions of the modules inside a file."""
    found = []
    for module in re.finditer(r"\bmod\s+\w+\s*\{", text):
        depth, end = 1, module.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        found.append((module.end(), end))
    return found


def blank(match: re.Match[str]) -> str:
    """Returns spaces in place of a match, with its line feeds."""
    return re.sub(r"[^\n]", " ", match[0])


def without_tests(text: str) -> tuple[str, set[str]]:
    """Returns the text without items of `#[cfg(test)]`, and the names of the files that are test modules."""
    files = set()
    while found := TEST_ITEM.search(text):
        item = text[found.end() :]
        end = re.search(r"[;{]", item)
        length = end.end() if end else len(item)
        if end and end[0] == "{":
            depth = 1
            while depth and length < len(item):
                depth += {"{": 1, "}": -1}.get(item[length], 0)
                length += 1
        elif module := re.match(r"(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;", item):
            files.add(module[1])
        whole = text[found.start() : found.end() + length]
        text = text.replace(whole, re.sub(r"[^\n]", " ", whole), 1)
    return text, files


def use_paths(tree: str) -> Iterator[tuple[list[str], str]]:
    """Returns the paths of a use tree with the names they bind; `*` stands for all names of a module."""
    tree = tree.strip()
    head, brace, rest = tree.partition("{")
    if brace:
        prefix = [part.strip() for part in head.split("::") if part.strip()]
        depth, start = 0, 0
        inside = rest[: rest.rindex("}")]
        for index, character in enumerate([*inside, ","]):
            depth += {"{": 1, "}": -1}.get(character, 0)
            if character == "," and depth == 0:
                if inside[start:index].strip():
                    for parts, name in use_paths(inside[start:index]):
                        yield (
                            (prefix if parts == ["self"] else prefix + parts),
                            (prefix[-1] if name == "self" else name),
                        )
                start = index + 1
        return
    path, _, alias = (part.strip() for part in re.sub(r"\bas\b", "\0", tree).partition("\0"))
    parts = [part.strip() for part in path.split("::") if part.strip()]
    if parts[-1] == "*":
        yield parts[:-1], "*"
    else:
        yield parts, alias or parts[-1]


Modules = dict[ModulePath, Module]


def read_modules(source: Path) -> Modules:
    """Returns all modules of the crate except test modules."""
    modules = {}
    for file in sorted(source.rglob("*.rs")):
        parts = list(file.relative_to(source).with_suffix("").parts)
        if parts[-1] in ("mod", "lib", "main"):
            parts.pop()
        modules[tuple(parts)] = Module(tuple(parts), file.read_text())
    tests = {(*path, name) for path, module in modules.items() for name in module.tests}
    return {
        path: module
        for path, module in modules.items()
        if not any(path[: length + 1] in tests for length in range(len(path)))
    }


def definer(modules: Modules, path: ModulePath, depth: int = 0) -> ModulePath | None:
    """Returns the module that defines the item of this path."""
    length = next(length for length in range(len(path), -1, -1) if path[:length] in modules)
    module = modules[path[:length]]
    if length == len(path) or depth > 20:
        return path[:length]
    name = path[length]
    if name in module.names and module.names[name] != path:
        return definer(modules, (*module.names[name], *path[length + 1 :]), depth + 1)
    return path[:length]


def edges(modules: Modules) -> Iterator[Edge]:
    """Returns each import as (from, to, line)."""
    for path, module in modules.items():
        for line, target in module.mentions:
            found = definer(modules, target)
            if found is not None and found != path and not (found == () and path != ()):
                yield path, found, line


def unit(path: ModulePath, folder: ModulePath) -> str:
    """Returns the child of the folder that contains the module; `mod` for the folder's own file."""
    return path[len(folder)] if len(path) > len(folder) else "mod"


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Returns the strongly connected components with more than one member, by reachability."""
    reach: dict[str, set[str]] = {}
    for start in graph:
        seen, todo = set(), [start]
        while todo:
            for following in graph.get(todo.pop(), ()):
                if following not in seen:
                    seen.add(following)
                    todo.append(following)
        reach[start] = seen
    found = []
    for start in sorted(graph):
        members = sorted(other for other in reach[start] if start in reach.get(other, ()))
        if len(members) > 1 and members[0] == start:
            found.append(members)
    return found


def upward(found: list[Edge], floors: Floors) -> list[str]:
    """Returns the imports from a room that is not lower."""
    height = {room: number for number, room in enumerate(room for rooms in floors for room in rooms)}
    result = []
    for start, end, line in found:
        if not start or not end or start[0] == end[0]:
            continue
        place = f"{'::'.join(start)}:{line}"
        unknown = [room for room in (start[0], end[0]) if room not in height]
        if unknown:
            result.append(f"{place}: the room {unknown[0]} is on no floor")
        elif height[end[0]] > height[start[0]]:
            result.append(f"{place}: {start[0]} imports {'::'.join(end)}, which is not on a lower floor")
    return result


def circles_of(folder: ModulePath, modules: Modules, found: list[Edge]) -> list[str]:
    """Returns the circles among the chambers of a folder and the files beside them."""
    folders = {path[:length] for path in modules for length in range(1, len(path))}
    graph: dict[str, set[str]] = {}
    why: dict[tuple[str, str], str] = {}
    for start, end, line in found:
        if start[: len(folder)] != folder or end[: len(folder)] != folder:
            continue
        one, other = unit(start, folder), unit(end, folder)
        if one != other:
            graph.setdefault(one, set()).add(other)
            graph.setdefault(other, set())
            why.setdefault((one, other), f"{'::'.join(start)}:{line} imports {'::'.join(end)}")
    result = []
    for members in circles(graph):
        if any((*folder, member) in folders for member in members):
            result.append(f"{'::'.join(folder)}: a circle of {', '.join(members)}")
            result += [f"    {text}" for (one, other), text in why.items() if one in members and other in members]
    return result


def circles_of_files(found: list[Edge]) -> list[str]:
    """Returns the circles of more than two files. Imports between a module and those inside it do not count."""
    graph: dict[str, set[str]] = {}
    for start, end, _ in found:
        shared = min(len(start), len(end))
        if start[:shared] != end[:shared]:
            graph.setdefault("::".join(start), set()).add("::".join(end))
            graph.setdefault("::".join(end), set())
    return [f"a circle of {len(members)} files: {', '.join(members)}" for members in circles(graph) if len(members) > 2]


def scattered(modules: Modules) -> list[str]:
    """Returns the types whose methods stand in too many files."""
    files: dict[ModulePath, int] = {}
    for path, module in modules.items():
        for name in module.methods_of:
            target = module.names.get(name, (*path, name))
            kind = (*(definer(modules, target) or path), name)
            files[kind] = files.get(kind, 0) + 1
    return [
        f"methods of {'::'.join(kind)} stand in {number} files, more than {MOST_IMPL_FILES}"
        for kind, number in sorted(files.items())
        if number > MOST_IMPL_FILES
    ]


def faults(source: Path, floors: Floors = LIBRARY) -> list[str]:
    """Returns all faults of a crate, one line each."""
    modules = read_modules(source)
    found = list(edges(modules))
    folders = {path[:length] for path in modules for length in range(1, len(path))}
    chambers = [text for folder in sorted(folders) for text in circles_of(folder, modules, found)]
    return upward(found, floors) + chambers + circles_of_files(found) + scattered(modules)


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    found = [text for source, floors in FLOORS.items() for text in faults(root / source, floors)]
    print("\n".join(found) if found else "No import upward and no circle.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
