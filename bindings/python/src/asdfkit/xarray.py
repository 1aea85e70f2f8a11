"""The engine of xarray: `xarray.open_dataset("image.asdf", engine="asdfkit")`, and `xarray.open_datatree`.

Each mapping with arrays is a group, each array in it a variable that is read when its elements are needed. This module
needs xarray, which nothing else in the package imports.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import xarray as xr
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from . import files
from ._dimensions import DECLARED, Beside, Described, complete
from .arrays import Array
from .constants import Kind
from .nodes import Node, Tree, key_text

SCALARS = {Kind.BOOL, Kind.INTEGER, Kind.FLOAT, Kind.COMPLEX, Kind.STRING}
ARRAYS = {Kind.ARRAY, Kind.QUANTITY}
# Mappings of these are objects of their own, whose arrays are parameters.
OBJECTS = ("tag:stsci.edu:gwcs/", "tag:stsci.edu:asdf/transform/")
# Key of an encoding.
PREFERRED = "preferred_chunks"
OF_FILES = {"asdf_library", "history"}


class LazyArray(BackendArray):  # type: ignore[misc]
    """Elements of an array, read by region. Missing elements are NaN."""

    def __init__(self, array: Array) -> None:
        self.array = array
        self.shape = array.shape
        self.dtype = array.dtype
        self.is_masked = array.has_mask
        if self.is_masked and self.dtype.kind in "iub":
            # Doubles hold these integers exactly.
            self.dtype = np.dtype(np.float64)

    @staticmethod
    def can_show(array: Array) -> bool:
        """False for an array whose missing elements no value stands for."""
        return not array.has_mask or array.dtype.kind in "fc" or array.dtype.kind in "iub" and array.dtype.itemsize <= 4

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        if not self.is_masked:
            return np.asarray(self.array.read(key))
        return np.asarray(self.array.read(key, dtype=self.dtype, fill=self.dtype.type(np.nan)))


class Group:
    """A mapping with arrays: its name among the groups, its variables and attributes."""

    def __init__(self, path: str, attributes: dict[str, Any]) -> None:
        self.path = path
        self.attributes = attributes
        self.sizes: dict[str, int] = {}
        self.variables: dict[str, xr.Variable] = {}

    def fits(self, name: str, dims: tuple[str, ...], shape: tuple[int, ...]) -> bool:
        """True if the group can have this variable."""
        has_sizes = all(self.sizes.get(dim, extent) == extent for dim, extent in zip(dims, shape))
        return has_sizes and (name not in self.sizes or dims == (name,))

    def add(self, name: str, dims: tuple[str, ...], array: Array) -> None:
        self.sizes.update(zip(dims, array.shape))
        attributes = {} if array.unit is None else {"units": array.unit}
        encoding = {PREFERRED: dict(zip(dims, array.chunks or ()))}
        data = indexing.LazilyIndexedArray(LazyArray(array))
        self.variables[name] = xr.Variable(dims, data, attributes, encoding)

    def add_number(self, name: str, quantity: Tree) -> None:
        """Adds a quantity that is one number."""
        self.variables[name] = xr.Variable((), quantity["value"], {"units": quantity.text_of("unit")}, {PREFERRED: {}})

    def dataset(self, dropped: set[str], close: Any) -> xr.Dataset:
        variables = {name: variable for name, variable in self.variables.items() if name not in dropped}
        coordinates = {name for name, variable in variables.items() if variable.dims == (name,)}
        dataset = xr.Dataset(variables, attrs=self.attributes).set_coords(coordinates)
        dataset.set_close(close)
        return dataset


class Groups:
    """The groups of a file, by their paths."""

    def __init__(self, root: Node, described: Described) -> None:
        self.found: dict[str, Group] = {}
        self._described = described
        seen: set[int] = set()
        waiting = [root]
        while waiting:
            node = waiting.pop(0)
            # A mapping with several places is one group, and a cycle ends.
            if node._identity() not in seen:
                seen.add(node._identity())
                waiting += self._take(node)

    def _take(self, node: Node) -> list[Node]:
        """Takes the arrays of a mapping or a list. Returns the mappings and lists in it."""
        inner: list[Node] = []
        arrays: list[tuple[str, Array]] = []
        numbers: list[tuple[str, Tree]] = []
        attributes: dict[str, Any] = {}
        for index in range(len(node)):
            name = name_of(node, index)
            child = node._child(index)
            if not isinstance(child, Node) or not node.path and name in OF_FILES or name == DECLARED:
                continue
            kind = child.kind
            if kind == Kind.QUANTITY and isinstance(child, Tree) and child.node("value").kind in SCALARS:
                numbers.append((name, child))
            elif kind in ARRAYS:
                arrays.append((name, child.array()))
            elif kind in SCALARS and isinstance(node, Tree):
                attributes[name] = node[node._key(index)]
            elif kind in (Kind.MAPPING, Kind.SEQUENCE) and not (child.tag or "").startswith(OBJECTS):
                inner.append(child)
        if arrays:
            self._add(node, arrays, attributes)
        if (group := self.found.get(node.path or "/")) is not None:
            for name, quantity in numbers:
                if group.fits(name, (), ()):
                    group.add_number(name, quantity)
                else:
                    attributes[name] = f"{quantity['value']} {quantity.text_of('unit')}"
        return inner

    def _add(self, node: Node, arrays: list[tuple[str, Array]], attributes: dict[str, Any]) -> None:
        path = node.path or "/"
        beside = Beside(node)
        group = self.found[path] = Group(path, attributes)
        named = []
        for name, array in arrays:
            if not LazyArray.can_show(array):
                message = f"the masked {array.datatype_name} array {array.path} is left out: no value is free for missing ones"
                warnings.warn(message, stacklevel=2)
                continue
            names = self._described.names(array.path, array.ndim) or beside.names(name, array.shape)
            named.append((name, array, complete(names, name, array.ndim)))
        used = {dim for name, _, dims in named for dim in dims}
        # Coordinates come last, when all sizes are known.
        named.sort(key=lambda item: item[1].ndim == 1 and item[0] in used)
        for name, array, dims in named:
            if array.ndim == 1 and name in used and group.sizes.get(name) == array.shape[0]:
                dims = (name,)
            if group.fits(name, dims, array.shape):
                group.add(name, dims, array)
                continue
            own = f"{path.rstrip('/')}/{name}"
            apart = self.found.setdefault(own, Group(own, {}))
            apart.add(name, dims, array)
        if not group.variables:
            del self.found[path]

    def outermost(self) -> Group:
        """The only group that is nearest to the root."""
        if not self.found:
            raise ValueError("the file has no arrays")
        depth = min(path.rstrip("/").count("/") for path in self.found)
        nearest = [path for path in self.found if path.rstrip("/").count("/") == depth]
        if len(nearest) > 1:
            raise ValueError(f"several groups have arrays; choose one by group=: {', '.join(nearest)}")
        return self.found[nearest[0]]

    def aligned(self) -> None:
        """Renames dimensions that have another size, or other coordinates, in a group above: a tree cannot have both."""
        for path in sorted(self.found, key=lambda path: path.rstrip("/").count("/")):
            group = self.found[path]
            above = [other for other in self.found.values() if other is not group and is_below(path, other.path)]
            title = path.rsplit("/", 1)[-1]
            changed = {
                dim: f"{title}_{dim}"
                for dim, size in group.sizes.items()
                for other in above
                if other.sizes.get(dim, size) != size or is_other_index(dim, group, other)
            }
            if changed:
                group.sizes = {changed.get(dim, dim): size for dim, size in group.sizes.items()}
                group.variables = {
                    changed.get(name, name) if variable.dims == (name,) else name: renamed(variable, changed)
                    for name, variable in group.variables.items()
                }


def is_below(path: str, other: str) -> bool:
    return path.startswith(other.rstrip("/") + "/")


def is_other_index(dim: str, group: Group, other: Group) -> bool:
    """True if both groups have coordinates of a dimension that differ."""
    one, two = group.variables.get(dim), other.variables.get(dim)
    if one is None or two is None or one.dims != (dim,) or two.dims != (dim,):
        return False
    return not one.equals(two)  # type: ignore[no-untyped-call]


def renamed(variable: xr.Variable, changed: dict[str, str]) -> xr.Variable:
    dims = tuple(changed.get(str(dim), str(dim)) for dim in variable.dims)
    preferred = variable.encoding[PREFERRED]
    encoding = {PREFERRED: {changed.get(dim, dim): size for dim, size in preferred.items()}}
    return xr.Variable(dims, variable._data, variable.attrs, encoding)


def name_of(node: Node, index: int) -> str:
    """Name of an item among variables. A slash would separate groups."""
    key = key_text(node._key(index)) if isinstance(node, Tree) else str(index)
    return key.replace("~", "~0").replace("/", "~1")


class AsdfkitBackend(BackendEntrypoint):  # type: ignore[misc]
    """Opens ASDF files as data sets of xarray."""

    description = "ASDF files (.asdf), by asdfkit"
    supports_groups = True

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        return isinstance(filename_or_obj, (str, os.PathLike)) and os.fspath(filename_or_obj).endswith(".asdf")

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        group: str | None = None,
        description: Any = None,
        options: dict[str, Any] | None = None,
    ) -> xr.Dataset:
        """Opens one group. Without `group`, it is the only one nearest to the root.

        Parameters
        ----------
        filename_or_obj : str, os.PathLike, bytes or file object
            File, as for `asdfkit.open`; also a URL.
        drop_variables : str or list of str
            Variables to leave out.
        group : str
            Path of a mapping with arrays, such as "roman".
        description : str, os.PathLike or asdfkit.ndl.Description
            Description in the NDL with the names of dimensions. By default the file with the suffix .yaml, .yml or .ndl
            beside the data, if there is one.
        options : dict
            Options of `asdfkit.open`.
        """
        file, groups = opened(filename_or_obj, description, options)
        try:
            if group is None:
                found = groups.outermost()
            elif (path := "/" + group.strip("/")) in groups.found:
                found = groups.found[path]
            else:
                raise ValueError(f"no group {path!r} has arrays; these have: {', '.join(groups.found) or 'none'}")
            return found.dataset(as_names(drop_variables), file.close)
        except BaseException:
            file.close()
            raise

    def open_groups_as_dict(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        description: Any = None,
        options: dict[str, Any] | None = None,
    ) -> dict[str, xr.Dataset]:
        """Opens all groups, by their paths."""
        file, groups = opened(filename_or_obj, description, options)
        dropped = as_names(drop_variables)
        return {path: group.dataset(dropped, file.close) for path, group in groups.found.items()}

    def open_datatree(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        description: Any = None,
        options: dict[str, Any] | None = None,
    ) -> xr.DataTree:
        """Opens all groups as a tree. A dimension that has another size in a group above is named after its group, too."""
        file, groups = opened(filename_or_obj, description, options)
        try:
            groups.aligned()
            dropped = as_names(drop_variables)
            tree = xr.DataTree.from_dict({path: group.dataset(dropped, None) for path, group in groups.found.items()})
            tree.set_close(file.close)
        except BaseException:
            file.close()
            raise
        return tree


def as_names(names: str | Iterable[str] | None) -> set[str]:
    return {names} if isinstance(names, str) else set(names or ())


def opened(source: Any, description: Any, options: dict[str, Any] | None) -> tuple[files.File, Groups]:
    described = Described.beside(source) if description is None else Described(description)
    file = files.open(source, astropy=False, **(options or {}))
    try:
        return file, Groups(file, described)
    except BaseException:
        file.close()
        raise
