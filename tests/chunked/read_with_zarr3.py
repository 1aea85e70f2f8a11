"""Reads the chunked arrays of `ours.asdf` in FOLDER with zarr 3, which takes the same metadata: `read_with_zarr3.py FOLDER`.

Python asdf finds the blocks. It has no extension for the nodes here.
"""

import json
import os
import sys
import warnings

import asdf
import numpy as np
import zarr


def main():
    folder = sys.argv[1]
    expected = np.load(os.path.join(folder, "expected.npz"))
    warnings.simplefilter("ignore")
    with asdf.open(os.path.join(folder, "ours.asdf")) as file:
        blocks = file._blocks.blocks
        for key in expected.files:
            node = file.tree[key]
            metadata = dict(node[".zarray"])
            numbers = np.frombuffer(blocks[node["chunk_block_map"]].cached_data.tobytes(), "<i4")
            grid = [-(-size // chunk) for size, chunk in zip(metadata["shape"], metadata["chunks"])]
            store = {".zarray": json.dumps(metadata).encode()}
            for index, number in zip(np.ndindex(*grid), numbers):
                if number >= 0:
                    store[".".join(map(str, index)) or "0"] = blocks[number].cached_data.tobytes()
            buffers = {name: zarr.core.buffer.cpu.Buffer.from_bytes(data) for name, data in store.items()}
            array = zarr.open_array(zarr.storage.MemoryStore(buffers), mode="r", zarr_format=2)
            native = expected[key].dtype.newbyteorder("=")
            found = np.asarray(array[...])
            assert found.astype(native).tobytes() == expected[key].astype(native).tobytes(), f"{key} {metadata}"
    print(f"{len(expected.files)} arrays by zarr {zarr.__version__}")


if __name__ == "__main__":
    main()
