"""Parses the output of `ncdump -h -s`: groups, dimensions, datatypes, variables and attributes."""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"""\s+ | //[^\n]* | (?P<text>"(?:[^"\\]|\\.)*") | (?P<mark>[{}(),;=*:])
    | (?P<word>(?:[^\s"{}(),;=*:\\]|\\.)+)""",
    re.VERBOSE | re.DOTALL,
)
PRIMITIVES = {
    "byte": "int8", "short": "int16", "int": "int32", "int64": "int64",
    "ubyte": "uint8", "ushort": "uint16", "uint": "uint32", "uint64": "uint64",
    "float": "float32", "double": "float64", "string": "string",
}  # fmt: skip
SUFFIXES = {"b": "int8", "s": "int16", "LL": "int64", "UB": "uint8", "US": "uint16", "U": "uint32", "ULL": "uint64"}
INTEGER = re.compile(r"([+-]?\d+)(b|s|LL|UB|US|U|ULL)?")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass
class Attribute:
    datatype: object  # the datatypes of the JSON model; "char" for a text that is not a string
    values: list


@dataclass
class Variable:
    datatype: object
    dimensions: list[str]
    attributes: dict[str, Attribute] = field(default_factory=dict)


@dataclass
class Group:
    dimensions: dict[str, int | None] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    attributes: dict[str, Attribute] = field(default_factory=dict)


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), text, flags=re.DOTALL)


class Reader:
    """Parses the text from its first to its last token. An unexpected token is an AssertionError."""

    def __init__(self, text: str):
        # Without variables, only a comment shows where the attributes of a group begin.
        text = re.sub(r"^\s*// (global|group) attributes:$", "variables:", text, flags=re.MULTILINE)
        self.tokens = []
        position = 0
        while position < len(text):
            match = TOKEN.match(text, position)
            assert match, text[position : position + 80]
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match[0]))
            position = match.end()
        self.at = 0
        self.groups: dict[str, Group] = {}
        self.datatypes: dict[str, object] = {}

    def next(self, wanted: str | None = None) -> str:
        token = self.tokens[self.at][1]
        assert wanted in (None, token), f"{token} instead of {wanted} before {self.tokens[self.at : self.at + 9]}"
        self.at += 1
        return token

    def have(self, *wanted: str) -> bool:
        """Consumes these tokens, if they come next."""
        found = tuple(token for _, token in self.tokens[self.at : self.at + len(wanted)]) == wanted
        self.at += len(wanted) * found
        return found

    def name(self) -> str:
        return unescaped(self.next())

    def file(self) -> dict[str, Group]:
        self.next("netcdf")
        self.name()
        self.next("{")
        self.group("/")
        assert self.at == len(self.tokens)
        return self.groups

    def group(self, path: str) -> None:
        group = self.groups[path] = Group()
        section = ""
        while not self.have("}"):
            for heading in ("types", "dimensions", "variables"):
                # A variable of this name has attributes: `types :units`. Two colons begin the attributes of the group.
                is_section = heading not in group.variables or self.tokens[self.at + 2][1] == ":"
                if is_section and self.have(heading, ":"):
                    section = heading
            if [token for _, token in self.tokens[self.at + 3 : self.at + 4]] == ["{"] and self.have("group", ":"):
                name = self.name()
                self.next("{")
                self.group(f"{path.rstrip('/')}/{name}")
            elif self.have("}"):
                return
            elif section == "types":
                self.definition()
            elif section == "dimensions":
                name = self.name()
                self.next("=")
                extent = self.next()
                group.dimensions[name] = None if extent == "UNLIMITED" else int(extent)
                self.next(";")
            else:
                self.variable_or_attribute(group)

    def definition(self) -> None:
        if self.have("compound"):
            name = self.name()
            self.next("{")
            members = []
            while not self.have("}"):
                datatype, member = self.datatype(), self.name()
                if extents := self.list_in_brackets():
                    datatype = {"array": {"base": datatype, "shape": [int(extent) for extent in extents]}}
                self.next(";")
                members.append([member, datatype])
            self.datatypes[name] = {"compound": members}
        elif self.have("opaque"):
            (size,) = self.list_in_brackets()
            self.datatypes[self.name()] = {"opaque": {"size": int(size)}}
        else:
            base = self.datatype()
            if self.have("enum"):
                name = self.name()
                self.next("{")
                members = {}
                while not self.have("}"):
                    constant = self.name()
                    self.next("=")
                    members[constant] = int(INTEGER.fullmatch(self.next())[1])
                    self.have(",")
                self.datatypes[name] = {"enum": {"base": base, "members": members}}
            else:
                assert self.have("(", "*", ")")
                self.datatypes[self.name()] = {"vlen": {"base": base}}
        self.next(";")

    def datatype(self) -> object:
        name = self.name()
        return PRIMITIVES.get(name) or self.datatypes[name]

    def list_in_brackets(self) -> list[str]:
        items = []
        if self.have("("):
            while not self.have(")"):
                items.append(self.name())
                self.have(",")
        return items

    def variable_or_attribute(self, group: Group) -> None:
        if self.have(":"):
            self.attribute(group.attributes, None)
            return
        first = self.name()
        if self.tokens[self.at][1] != ":" or first in PRIMITIVES or first in self.datatypes:
            datatype = PRIMITIVES.get(first) or self.datatypes[first]
            if self.have(":"):
                self.attribute(group.attributes, datatype)
                return
            second = self.name()
            if self.have(":"):
                self.attribute(group.variables[second].attributes, datatype)
                return
            group.variables[second] = Variable(datatype, self.list_in_brackets())
            self.next(";")
        else:
            self.next(":")
            self.attribute(group.variables[first].attributes, None)

    def attribute(self, attributes: dict[str, Attribute], datatype: object) -> None:
        name = self.name()
        self.next("=")
        start = self.at
        values = [self.value()]
        while self.have(","):
            values.append(self.value())
        self.next(";")
        if datatype is None:
            kind, token = self.tokens[start]
            integer = INTEGER.fullmatch(token)
            if kind == "text":
                datatype, values = "char", ["".join(values)]
            elif integer:
                datatype = SUFFIXES.get(integer[2], "int32")
            else:
                datatype = "float32" if token.endswith("f") else "float64"
        attributes[name] = Attribute(datatype, values)

    def value(self) -> object:
        kind, _ = self.tokens[self.at]
        token = self.next()
        if token == "{":
            items = []
            while not self.have("}"):
                items.append(self.value())
                self.have(",")
            return items
        if kind == "text":
            return unescaped(token[1:-1])
        if integer := INTEGER.fullmatch(token):
            return int(integer[1])
        if re.match(r"-?(\d|\.\d|NaN|Infinity)", token) and not token.lower().startswith("0x"):
            return float(token.removesuffix("f"))
        return unescaped(token)
