"""Pages on the C interface: functions by group, options by call, constants, and an index of all names.

The texts are those of include/asdfkit-api.json.
"""

import re
from collections.abc import Iterable

from bindings.interface import Argument, Constant, Function, Group, Interface, Option

NAME = re.compile(r"(?<![`\w/#-])((?:asdf|ASDF)_[A-Za-z0-9_]+(?:\(\))?)(?![\w`]|\.\.\.)")


def slug(title: str) -> str:
    """Returns the file name of a page, or the anchor of a heading."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


class Names:
    """Pages and anchors of the names of the interface, to which their mentions link."""

    def __init__(self, api: Interface) -> None:
        self.places = {function.name: f"{slug(function.group)}.md#{function.name}" for function in api.functions}
        self.places |= {option.name: f"keys-of-options.md#{anchor(option.name)}" for option in api.options}
        self.places |= {constant.name: "constants.md" for constant in api.constants if constant.name not in self.places}

    def linked(self, text: str) -> str:
        """Marks names as code, with a link to the place that describes them."""

        def link(found: re.Match[str]) -> str:
            place = self.places.get(found[1].removesuffix("()"))
            return f"[`{found[1]}`]({place})" if place else f"`{found[1]}`"

        return NAME.sub(link, text)


def anchor(name: str) -> str:
    """Returns the anchor of a heading that is a name."""
    return name.lower()


def with_code(text: str, names: Names) -> str:
    """Returns Markdown with links on the names outside of its examples."""
    parts = text.split("```")
    return "```".join(part if number % 2 else names.linked(part) for number, part in enumerate(parts))


def signature(function: Function) -> str:
    """Returns the declaration of a function, an argument a line if it is long."""

    def declared(argument: Argument) -> str:
        return argument.type + ("" if argument.type.endswith("*") else " ") + argument.name

    arguments = [declared(argument) for argument in function.arguments] or ["void"]
    gap = "" if function.returns.endswith("*") else " "
    line = f"{function.returns}{gap}{function.name}({', '.join(arguments)});"
    if len(line) <= 90:
        return line
    return f"{function.returns}{gap}{function.name}(\n    " + ",\n    ".join(arguments) + ");"


def cell(text: str) -> str:
    return text.replace("\n", " ").replace("|", "\\|")


def function_lines(function: Function, api: Interface, names: Names) -> Iterable[str]:
    yield from (f"## `{function.name}`", "", "```c", signature(function), "```", "")
    yield from (names.linked(function.doc), "")
    if function.arguments:
        yield from ("| argument | |", "|---|---|")
        for argument in function.arguments:
            yield f"| `{argument.name}` | {names.linked(cell(argument.doc))} |"
        yield ""
    if function.returns_doc:
        yield from (f"Returns: {names.linked(function.returns_doc)}", "")
    call = next((call for call in api.calls if function.name in call.functions), None)
    if call and call.options:
        options = ", ".join(names.linked(option) for option in call.options)
        yield from (f"Options: {options}; and [those of every call](keys-of-options.md#options-of-every-call).", "")
    yield from (f"Since {function.since}.", "")


def group_page(group: Group, api: Interface, names: Names) -> str:
    functions = [function for function in api.functions if function.group == group.title]
    lines = [f"# {group.title}", "", with_code(group.doc, names), ""]
    for function in functions:
        lines += function_lines(function, api, names)
    return "\n".join(lines)


def value_of(option: Option) -> str:
    """Returns what values an option takes."""
    if option.constants:
        return f"`{option.constants}...`"
    if option.takes == "flag":
        return "0 or 1"
    if option.least is not None:
        most = "" if option.most is None else f" to {option.most:,}"
        return f"{option.takes}, {option.least:,}{most}" if most else f"{option.takes} from {option.least:,}"
    if option.setter:
        return f"`{option.setter}()`"
    return option.takes


def options_page(api: Interface, names: Names) -> str:
    lines = [
        "# Keys of options",
        "",
        "An options handle holds values under keys; a call takes the keys that it knows, and refuses others. The first",
        "table names the calls of each key, the sections describe the keys.",
        "",
        "| call | keys |",
        "|---|---|",
    ]
    for call in api.calls:
        if call.options:
            keys = ", ".join(names.linked(option) for option in call.options)
            lines.append(
                f"| {call.title}: {', '.join(names.linked(name + '()') for name in call.functions)} | {keys} |"
            )
    every = ", ".join(names.linked(option) for option in api.options_of_every_call)
    lines += ["", "## Options of every call", "", f"{every}.", ""]
    for option in api.options:
        lines += [f"## {option.name}", "", names.linked(option.doc), ""]
        default = f", default {option.default}" if option.default else ""
        lines += [f"Value: {value_of(option)}{default}. Number of the key: {option.key}.", ""]
    return "\n".join(lines)


def family(constant: Constant) -> str:
    """Returns the part of a name that the constants of a family share."""
    words = constant.name.split("_")
    return "_".join(words[:2]) if words[1] not in ("NDL", "OPTION") else "_".join(words[:3])


def constants_page(api: Interface, names: Names) -> str:
    options = {option.name for option in api.options}
    families: dict[str, list[Constant]] = {}
    for constant in api.constants:
        if constant.name not in options:
            families.setdefault(family(constant), []).append(constant)
    single = [members[0] for members in families.values() if len(members) == 1]
    lines = ["# Constants", "", "The statuses are on the page [Errors](../../guide/errors.md#numbers), too.", ""]
    for name, members in {**{n: m for n, m in families.items() if len(m) > 1}, "Others": single}.items():
        lines += [f"## {name}{'' if name == 'Others' else '_...'}", "", "| constant | value | |", "|---|---|---|"]
        for constant in members:
            lines.append(f"| `{constant.name}` | {constant.value} | {names.linked(cell(constant.doc))} |")
        lines.append("")
    return "\n".join(lines)


def callbacks_page(api: Interface, names: Names) -> str:
    lines = ["# Handles and callbacks", "", "## Handles", ""]
    lines += ["| handle | | freed by | further owner by |", "|---|---|---|---|"]
    for handle in api.handles:
        retain = names.linked(handle.retain + "()") if handle.retain else "–"
        lines.append(f"| `{handle.name}` | {cell(handle.doc)} | {names.linked(handle.free + '()')} | {retain} |")
    lines.append("")
    for callback in api.callbacks:
        parameters = ", ".join(f"{parameter.type} {parameter.name}" for parameter in callback.parameters)
        lines += [f"## `{callback.name}`", "", "```c", f"{callback.returns} callback({parameters})", "```", ""]
        lines += [names.linked(callback.doc), "", "| parameter | |", "|---|---|"]
        lines += [f"| `{each.name}` | {names.linked(cell(each.doc))} |" for each in callback.parameters]
        lines.append("")
    return "\n".join(lines)


def pages(api: Interface) -> dict[str, str]:
    """Returns the pages by their file names."""
    names = Names(api)
    lines = ["# The C interface", ""]
    lines += ["`#include <asdf.h>` declares all that follows. [Ownership](../../guide/ownership.md),"]
    lines += ["[errors](../../guide/errors.md) and [threads](../../guide/threads.md) hold for all functions.", ""]
    for chapter in dict.fromkeys(group.chapter for group in api.groups):
        lines += [f"## {chapter}", "", "| group | functions |", "|---|---|"]
        for title in (group.title for group in api.groups if group.chapter == chapter):
            functions = [names.linked(each.name) for each in api.functions if each.group == title]
            lines.append(f"| [{title}]({slug(title)}.md) | {' '.join(functions)} |")
        lines.append("")
    hidden = [slug(group.title) for group in api.groups]
    lines += ["```{toctree}", ":hidden:", "", "constants", "handles-and-callbacks", *hidden, "```", ""]
    return {
        "index.md": "\n".join(lines),
        "constants.md": constants_page(api, names),
        "handles-and-callbacks.md": callbacks_page(api, names),
        **{f"{slug(group.title)}.md": group_page(group, api, names) for group in api.groups},
        # The header lists the keys in a table of text.
        "keys-of-options.md": options_page(api, names),
    }
