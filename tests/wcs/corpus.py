"""A corpus for `conformance wcs`: files, and a manifest with inputs and what astropy and gwcs compute for them."""

import hashlib
import itertools
import json
import warnings
from pathlib import Path
from typing import Any

import asdf
import gwcs
import numpy as np
from astropy.modeling import Model

Columns = list[np.ndarray]


def plain(columns: Columns) -> list[list[float | str]]:
    """Returns columns for JSON, which has no NaN and no infinities."""
    return [
        [float(value) if np.isfinite(value) else str(float(value)) for value in np.asarray(column).ravel()]
        for column in columns
    ]


def evaluated(function, inputs: Columns) -> Columns:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        values = function(*[np.array(column) for column in inputs])
    values = values if isinstance(values, tuple | list) else [values]
    # Constants come as a single value.
    return [np.broadcast_to(np.asarray(value, dtype=float), np.shape(inputs[0])) for value in values]


class Corpus:
    """A directory of files with its manifest."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.entries: list[dict[str, Any]] = []
        directory.mkdir(parents=True, exist_ok=True)

    def add(self, name: str, tree: dict[str, Any], entry: dict[str, Any]) -> None:
        """Writes a file and its entry. The tree may be the bytes of a file."""
        path = self.directory / name
        if isinstance(tree, bytes):
            path.write_bytes(tree)
        else:
            asdf.AsdfFile(tree).write_to(path)
        content = path.read_bytes()
        self.entries.append(
            {"file": name, "size": len(content), "md5": hashlib.md5(content).hexdigest(), "rtol": 1e-12} | entry
        )

    def add_transform(
        self,
        name: str,
        model: Model,
        inputs: Columns,
        tolerance: float = 1e-11,
        inverse_tolerance: float = 1e-8,
        without_inverse: bool = False,
    ) -> None:
        """Adds a transform, which is evaluated as it comes from the file; also its inverse, if it has one."""
        buffer = self.directory / name
        asdf.AsdfFile({"transform": model}).write_to(buffer)
        with asdf.open(buffer, lazy_load=False) as file:
            read = file["transform"]
        outputs = evaluated(read, inputs)
        entry = {
            "kind": "transform",
            "path": "transform",
            "n_inputs": read.n_inputs,
            "n_outputs": read.n_outputs,
            "inputs": list(read.inputs),
            "outputs": list(read.outputs),
            "atol": tolerance,
            "forward": {"in": plain(inputs), "out": plain(outputs)},
        }
        if without_inverse:
            self.add(name, buffer.read_bytes(), entry)
            return
        try:
            inverse = read.inverse
        except NotImplementedError:
            entry["inverse"] = {"exists": False}
        else:
            entry["inverse"] = {
                "exists": True,
                "in": plain(outputs),
                "out": plain(evaluated(inverse, outputs)),
                "inputs": list(inverse.inputs),
                "outputs": list(inverse.outputs),
                "atol": inverse_tolerance,
                "rtol": 1e-9,
            }
        self.add(name, buffer.read_bytes(), entry)

    def add_wcs(
        self,
        name: str,
        wcs: gwcs.WCS,
        pixels: Columns,
        method: str,
        tolerance: float = 1e-11,
        content: bytes | None = None,
        path: str = "wcs",
    ) -> None:
        """Adds a WCS with pixels inside of its box. `method` says how pixels are found: by a transform, numerically, or
        not at all.
        """
        if content is None:
            asdf.AsdfFile({"wcs": wcs}).write_to(self.directory / name)
            with asdf.open(self.directory / name, lazy_load=False) as file:
                wcs = file["wcs"]
                steps = self.steps(wcs, pixels)
        else:
            steps = self.steps(wcs, pixels)
        total = evaluated(wcs.forward_transform, pixels)
        back: dict[str, Any] = {"method": method}
        if method != "none":
            # Where there is no inverse in the file, the true pixels are wanted.
            found = evaluated(wcs.backward_transform, total) if method == "transform" else pixels
            back |= {"in": plain(total), "out": plain(found), "atol": 1e-8, "rtol": 0}
        entry = {
            "kind": "wcs",
            "path": path,
            "name": wcs.name or "",
            "n_pixel": wcs.pixel_n_dim,
            "n_world": wcs.world_n_dim,
            "pixel_shape": list(wcs.pixel_shape) if wcs.pixel_shape else None,
            "frames": [{"name": frame} for frame in wcs.available_frames],
            "atol": tolerance,
            "pixel_to_world": {"in": plain(pixels), "out": plain(total)},
            "between": steps,
            "world_to_pixel": back,
        }
        self.add(name, (self.directory / name).read_bytes() if content is None else content, entry)

    @staticmethod
    def steps(wcs: gwcs.WCS, pixels: Columns) -> list[dict[str, Any]]:
        frames = wcs.available_frames
        result, values = [], pixels
        for start, end in itertools.pairwise(frames):
            outputs = evaluated(wcs.get_transform(start, end), values)
            result.append({"from": start, "to": end, "in": plain(values), "out": plain(outputs)})
            values = outputs
        return result

    def write(self) -> None:
        (self.directory / "manifest.json").write_text(json.dumps({"files": self.entries}))
