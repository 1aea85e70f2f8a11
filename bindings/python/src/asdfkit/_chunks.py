"""Shapes of chunks, in the notation of h5py: `chunks=`, `maxshape=`."""

from __future__ import annotations

import operator
from collections.abc import Sequence

#: Bytes of a chunk whose shape is chosen here.
TARGET = 1 << 20
#: Bytes of a slab of rows that is read at once.
SLAB = 16 << 20


def checked_maxshape(
    maxshape: Sequence[int | None] | int | None, shape: tuple[int, ...]
) -> tuple[int | None, ...] | None:
    """Largest extents, None for any. Fails with ValueError if the shape does not fit them."""
    if maxshape is None:
        return None
    given = (maxshape,) if not isinstance(maxshape, Sequence) else tuple(maxshape)
    most = tuple(None if extent is None else operator.index(extent) for extent in given)
    if len(most) != len(shape) or any(limit is not None and limit < extent for limit, extent in zip(most, shape)):
        raise ValueError(f"an array of the shape {shape} does not fit the maxshape {most}")
    return most


def chosen(shape: tuple[int, ...], maxshape: tuple[int | None, ...] | None, item_size: int) -> tuple[int, ...]:
    """Shape of chunks of about 1 MiB. Dimensions that grow are divided first: one step is one chunk at least."""
    most = maxshape or shape
    chunk = [max(extent, 1) if limit == extent else 1 for extent, limit in zip(shape, most)]
    grows = [limit != extent for extent, limit in zip(shape, most)]

    def size() -> int:
        product = max(item_size, 1)
        for extent in chunk:
            product *= extent
        return product

    while size() > TARGET and max(chunk) > 1:
        longest = max(range(len(chunk)), key=chunk.__getitem__)
        chunk[longest] = -(-chunk[longest] // 2)
    for axis in reversed(range(len(chunk))):
        if grows[axis]:
            room = max(TARGET // size(), 1)
            limit = most[axis]
            chunk[axis] = room if limit is None else max(min(room, limit), 1)
    return tuple(chunk)


def slab(shape: tuple[int, ...], item_size: int) -> tuple[int, ...]:
    """Shape of the whole rows that are nearest to 16 MiB, for a packed array. Rows that are larger are divided, too."""
    result = [max(extent, 1) for extent in shape]
    row = max(item_size, 1)
    for extent in result:
        row *= extent
    for axis, extent in enumerate(result):
        row //= extent
        result[axis] = min(max(round(SLAB / row), 1), extent)
        if row <= SLAB:
            break
    return tuple(result)
