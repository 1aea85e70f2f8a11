"""Names of the dimensions of arrays: declared beside them, by a description, or by the world coordinates of an image."""

from __future__ import annotations

import os
from typing import Any

from . import ndl
from ._library import is_url
from .constants import Kind
from .errors import AsdfError
from .nodes import List, Node, Tree
from .wcs import WCS

#: Key of a mapping beside arrays: a list for all arrays of this rank, or a mapping with a list for each array.
DECLARED = "_ARRAY_DIMENSIONS"
WCS_TAG = "tag:stsci.edu:gwcs/wcs-"
# Places of the world coordinates of the images of a mapping.
WCS_PATHS = "wcs", "meta/wcs"
SUFFIXES = ".yaml", ".yml", ".ndl"

Names = tuple[str | None, ...]


class Described:
    """Dimensions of arrays by a description in the Ndarray Data Language."""

    def __init__(self, description: Any) -> None:
        """Takes a `Description`, the name of a file with one, or None."""
        if isinstance(description, (str, os.PathLike)):
            description = ndl.read(description)
        if description is not None and not description.is_valid:
            raise ValueError("the description has errors; its report() lists them")
        arrays = {} if description is None else description.content().get("ndarrays", {})
        self._dims: dict[str, list[Any]] = {path: array.get("dims") or [] for path, array in arrays.items()}

    @classmethod
    def beside(cls, path: Any) -> Described:
        """The description in the file of the same name with another suffix, if there is a valid one."""
        if isinstance(path, (str, os.PathLike)) and not is_url(path):
            stem = os.path.splitext(os.fspath(path))[0]
            for suffix in SUFFIXES:
                if os.path.isfile(stem + suffix):
                    try:
                        return cls(stem + suffix)
                    except (AsdfError, ValueError):
                        # Other text files have these suffixes, too.
                        continue
        return cls(None)

    def names(self, path: str, rank: int) -> Names | None:
        dims = self._dims.get(path)
        if dims is None or len(dims) != rank:
            return None
        return tuple(None if dim is None else str(dim).rsplit("/", 1)[-1] for dim in dims)


class Beside:
    """Dimensions that a mapping declares for the arrays in it."""

    def __init__(self, group: Node) -> None:
        self._declared: Any = None
        self._pixel: Names = ()
        self._shape: tuple[int, ...] | None = None
        if isinstance(group, Tree):
            if DECLARED in group:
                node = group.node(DECLARED)
                self._declared = node.load() if isinstance(node, (Tree, List)) else None
            self._take_pixel_axes(group)

    def _take_pixel_axes(self, group: Tree) -> None:
        """Takes the pixel axes of world coordinates, and the shape of the images that have them."""
        for path in WCS_PATHS:
            if path not in group or not (group.tag_of(path) or "").startswith(WCS_TAG):
                continue
            try:
                wcs = WCS(group.node(path))
                names = tuple(wcs.pixel_axis_names)[::-1]
                shape = wcs.array_shape
            except AsdfError:
                # World coordinates that cannot be evaluated name no axes.
                continue
            if all(names) and len(set(names)) == len(names):
                if shape is None and "data" in group and group.node("data").kind in (Kind.ARRAY, Kind.QUANTITY):
                    shape = group.node("data").array().shape[-len(names) :]
                self._pixel, self._shape = names, shape
            return

    def names(self, name: str, shape: tuple[int, ...]) -> Names | None:
        declared = self._declared.get(name) if isinstance(self._declared, dict) else self._declared
        if isinstance(declared, list) and len(declared) == len(shape):
            return tuple(item if isinstance(item, str) and item else None for item in declared)
        rank = len(self._pixel)
        if rank and len(shape) >= rank and shape[-rank:] == self._shape:
            return (None,) * (len(shape) - rank) + self._pixel
        return None


def complete(names: Names | None, name: str, rank: int) -> tuple[str, ...]:
    """Names for all dimensions of the array `name`. Those that are missing or appear twice are `<name>_dim_<i>`."""
    result: list[str] = []
    for axis in range(rank):
        given = names[axis] if names is not None else None
        # xarray reserves the name of a dimension for a variable of rank 1.
        is_free = given is not None and given not in result and "/" not in given and (rank == 1 or given != name)
        result.append(given if given is not None and is_free else f"{name}_dim_{axis}")
    return tuple(result)
