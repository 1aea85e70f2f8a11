"""Schemas of the nodes of trees, which packages of the Python registry hold."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from ctypes import c_size_t
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Union

from ._library import Handle, buffer_bytes, check, encoded, lib, pointer, text, utf8
from ._options import options_for
from ._report import Finding, findings
from .constants import DescriptionField, Status

#: A package: its name, or the path of a folder, a wheel or a single schema.
Package = Union[str, "os.PathLike[str]"]
#: Schemas as functions take them: a set, packages, or None for all packages on the search path.
SchemaSet = Union["Schemas", Package, Iterable[Package], None]


def own_folders() -> list[str]:
    """Folders, and wheels, of the packages of this Python that announce schemas to asdf. The packages are not imported."""
    modules = {point.value.split(":")[0].split(".")[0] for point in entry_points(group="asdf.resource_mappings")}
    specs = [find_spec(module) for module in sorted(modules - {"asdf"})]
    folders = [Path(folder) for spec in specs if spec for folder in spec.submodule_search_locations or ()]
    # A package in a wheel on the path has a folder inside of that file.
    return [str(folder if folder.exists() else folder.parent) for folder in folders]


class Schemas(Handle):
    """Schemas, to validate files, nodes and tables with. Load them once; several threads can use them.

    Parameters
    ----------
    packages : names or paths, optional
        Packages: paths of folders, wheels and single schemas, or names of packages on the search path, such as "rad".
        Without any, all packages of this Python, and those on the search path: the environment variable
        ASDFKIT_SCHEMAS, the folder share/asdfkit/schemas of the installation, and the packages of the first Python on
        PATH. An empty list makes a set to which `add` adds schemas.
    """

    __slots__ = ()
    _free = lib.asdf_schemas_free

    def __init__(self, packages: Package | Iterable[Package] | None = None) -> None:
        super().__init__(pointer(lib.asdf_schemas_new))
        if packages is None:
            own = own_folders()
            for folder in own:
                self.add_package(folder)
            status = lib.asdf_schemas_add_package(self._pointer, None)
            if not own or status != Status.SCHEMA_NOT_FOUND:
                check(status)
        elif isinstance(packages, (str, os.PathLike)):
            self.add_package(packages)
        else:
            for package in packages:
                self.add_package(package)

    def add_package(self, package: Package) -> None:
        """Adds a package: the path of a folder, a wheel or a single schema, or the name of a package."""
        check(lib.asdf_schemas_add_package(self._pointer, encoded(os.fspath(package), "package")))

    def add(self, schema: str | dict[str, Any]) -> str:
        """Adds a schema or a manifest, as text in YAML or JSON or as a dict, and returns its URI."""
        data = utf8(schema if isinstance(schema, str) else json.dumps(schema))
        return buffer_bytes(lib.asdf_schemas_add_text, self._pointer, data, c_size_t(len(data))).decode()

    @property
    def uris(self) -> list[str]:
        """URIs of all schemas and manifests."""
        return buffer_bytes(lib.asdf_schemas_uris, self._pointer).decode().splitlines()


def validated(schemas: SchemaSet, schema: str | dict[str, Any] | None, function: Any, *arguments: Any) -> list[Finding]:
    """Findings of a function that validates. The schemas are a set, packages, or None for the search path."""
    found = schemas if isinstance(schemas, Schemas) else Schemas(schemas)
    with root_options(found, schema) as options:
        return findings(function, *arguments, found._pointer, options.pointer)


def described(schemas: SchemaSet, schema: str | dict[str, Any] | None, node: Any, path: str) -> dict[str, str]:
    """What the schemas say about the entry at a path below a node."""
    found = schemas if isinstance(schemas, Schemas) else Schemas(schemas)
    with root_options(found, schema) as options:
        arguments = found._pointer, node, encoded(path), int(DescriptionField.JSON), options.pointer
        description: dict[str, str] = json.loads(text(lib.asdf_schema_describe, *arguments))
        return description


def root_options(found: Schemas, schema: str | dict[str, Any] | None) -> Any:
    """Options with the schema of the root: a URI, or a schema as text or dict, which is added to the set."""
    is_uri = isinstance(schema, str) and "\n" not in schema and "{" not in schema
    uri = found.add(schema) if schema is not None and not is_uri else schema
    return options_for("asdf_file_validate", {} if uri is None else {"root_schema": uri})
