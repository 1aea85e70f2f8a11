"""The C interface as data: reads include/asdfkit-api.json into dataclasses."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Argument:
    """An argument of a function, or a parameter of a callback; the latter has only name, type and text."""

    name: str
    type: str
    doc: str
    direction: str = "in"
    role: str = "value"
    nullable: bool = False
    handle: str | None = None
    changes: bool = False
    length: str | None = None
    ownership: str | None = None


@dataclass(frozen=True)
class Group:
    """A group of functions, and its introduction. Like all descriptions, this is Markdown with wrapped lines."""

    chapter: str
    title: str
    doc: str


@dataclass(frozen=True)
class Function:
    name: str
    group: str
    doc: str
    arguments: tuple[Argument, ...]
    returns: str
    returns_doc: str
    since: str
    threads: str


@dataclass(frozen=True)
class Callback:
    name: str
    doc: str
    parameters: tuple[Argument, ...]
    returns: str


@dataclass(frozen=True)
class Constant:
    name: str
    value: int
    doc: str


@dataclass(frozen=True)
class Tag:
    """A tag, or the prefix of tags, that bindings need."""

    name: str
    value: str
    doc: str


@dataclass(frozen=True)
class Handle:
    """A type of handles. Types without `retain` have one owner."""

    name: str
    doc: str
    free: str
    retain: str | None


@dataclass(frozen=True)
class Option:
    """A key of options. `takes` names the kind of its value; `setter` sets a value of kind "object"."""

    name: str
    key: int
    takes: str
    default: str
    doc: str
    least: int | None = None
    most: int | None = None
    constants: str | None = None
    setter: str | None = None

    @property
    def short_name(self) -> str:
        return self.name.removeprefix("ASDF_OPTION_").lower()


@dataclass(frozen=True)
class Call:
    """A group of functions that know the same options. `lasts`: the returned handle keeps the options."""

    title: str
    functions: tuple[str, ...]
    options: tuple[str, ...]
    lasts: bool


# The option that bindings set themselves, from the types of their languages, and offer to no program.
HIDDEN = "ASDF_OPTION_DATATYPE"


@dataclass(frozen=True)
class Interface:
    groups: tuple[Group, ...]
    functions: tuple[Function, ...]
    callbacks: tuple[Callback, ...]
    constants: tuple[Constant, ...]
    tags: tuple[Tag, ...]
    handles: tuple[Handle, ...]
    options: tuple[Option, ...]
    calls: tuple[Call, ...]
    options_of_every_call: tuple[str, ...]

    def function(self, name: str) -> Function:
        return next(function for function in self.functions if function.name == name)

    def option(self, name: str) -> Option:
        return next(option for option in self.options if option.name == name)

    def options_of(self, function: str) -> tuple[Option, ...]:
        """Options that a function knows, those of every call last."""
        names = next(call.options for call in self.calls if function in call.functions)
        return tuple(self.option(name) for name in (*names, *self.options_of_every_call))


def offered(options: list[str]) -> tuple[str, ...]:
    return tuple(option for option in options if option != HIDDEN)


def read(path: Path) -> Interface:
    data = json.loads(path.read_text())
    docs = {constant["name"]: constant["doc"] for constant in data["constants"]}
    functions = tuple(
        Function(
            **{"returns_doc": "", **entry, "arguments": tuple(Argument(**argument) for argument in entry["arguments"])}
        )
        for entry in data["functions"]
    )
    callbacks = tuple(
        Callback(
            **{**entry, "parameters": tuple(Argument(**parameter) for parameter in entry["parameters"])},
        )
        for entry in data["callbacks"]
    )
    return Interface(
        groups=tuple(Group(**entry) for entry in data["groups"]),
        functions=functions,
        callbacks=callbacks,
        tags=tuple(Tag(**entry) for entry in data["tags"]),
        constants=tuple(Constant(**entry) for entry in data["constants"]),
        handles=tuple(Handle(**{"retain": None, **entry}) for entry in data["handles"]),
        options=tuple(Option(**{**entry, "doc": docs[entry["name"]]}) for entry in data["options"]),
        calls=tuple(
            Call(**{**entry, "functions": tuple(entry["functions"]), "options": offered(entry["options"])})
            for entry in data["calls"]
        ),
        options_of_every_call=tuple(data["options_of_every_call"]),
    )
