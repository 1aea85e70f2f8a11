"""Reads references with fsspec, zarr, xarray, Dask and VirtualiZarr, and compares: `read_references.py FOLDER`.

No library for ASDF is installed. A server of the test counts requests and bytes.
"""

import http.server
import importlib.util
import json
import sys
import threading
import warnings
from pathlib import Path

import dask
import dask.array
import numpy as np
import xarray
import zarr
from kerchunk.utils import refs_as_store

FOLDER = Path(sys.argv[1])
passed, failed = 0, 0
# Bytes and requests that the server has sent.
sent = {"bytes": 0, "requests": 0}


def check(condition, what):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"not so: {what}")


def same(found, expected, what):
    check(found.shape == expected.shape and np.array_equal(found, expected), what)


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Serves ranges of the files of the folder."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=FOLDER)

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.answer(with_body=False)

    def do_GET(self):
        self.answer(with_body=True)

    def answer(self, with_body):
        content = Path(self.translate_path(self.path)).read_bytes()
        wanted = self.headers.get("Range")
        first, last = 0, len(content) - 1
        if wanted:
            low, high = wanted.removeprefix("bytes=").split("-")
            first, last = int(low), min(int(high or last), last)
        part = content[first : last + 1]
        self.send_response(206 if wanted else 200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        if wanted:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
        self.end_headers()
        if with_body:
            sent["bytes"] += len(part)
            sent["requests"] += 1
            self.wfile.write(part)


def opened(references, group=None):
    return zarr.open_group(store(references), mode="r", zarr_format=2, path=group)


def store(references):
    # Without a protocol, fsspec looks for it in a first array, and takes groups in Parquet for arrays.
    protocol = "http" if isinstance(references, dict) else "file"
    return refs_as_store(references, read_only=True, remote_protocol=protocol)


def dataset(references, group=None):
    if group is None:
        return xarray.open_dataset(references, engine="kerchunk", chunks={})
    # The engine does not look for consolidated metadata, without which there are no groups.
    return xarray.open_zarr(store(references), zarr_format=2, consolidated=True, group=group)


def compare(name, expected, port):
    """Reads all arrays in each way."""
    over_http = json.loads(
        (FOLDER / f"{name}.http.json").read_text().replace("http://SERVER/", f"http://127.0.0.1:{port}/")
    )
    sources = {"json": str(FOLDER / f"{name}.json"), "parquet": str(FOLDER / f"{name}.parquet"), "http": over_http}
    for kind, source in sources.items():
        group = opened(source)
        for path, values in expected.items():
            same(group[path][...], values, f"{name} {path} by zarr from {kind}")
    for kind, source in sources.items():
        for path, values in expected.items():
            parent, _, leaf = path.rpartition("/")
            with dataset(source, parent or None) as found:
                same(found[leaf].values, values, f"{name} {path} by xarray from {kind}")


def virtual(name, expected):
    from obspec_utils.registry import ObjectStoreRegistry
    from obstore.store import LocalStore
    from virtualizarr import open_virtual_dataset
    from virtualizarr.parsers import KerchunkJSONParser

    registry = ObjectStoreRegistry({"file://": LocalStore()})
    parser = KerchunkJSONParser()
    with open_virtual_dataset(f"file://{FOLDER}/{name}.json", registry=registry, parser=parser) as found:
        for path, values in expected.items():
            check(found[path].shape == values.shape, f"{name} {path} by VirtualiZarr: shape")
    stored = parser(f"file://{FOLDER}/{name}.json", registry)
    with xarray.open_zarr(stored, consolidated=False, zarr_format=3) as found:
        for path, values in expected.items():
            if values.ndim > 0:  # VirtualiZarr 2.5 fails for the chunk of an array without dimensions
                same(found[path].values, values, f"{name} {path} by VirtualiZarr")


def main():
    check(
        importlib.util.find_spec("asdf") is None and importlib.util.find_spec("asdfkit") is None, "no library for ASDF"
    )
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ranges)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    for name in ("plain", "zlib", "bzp2", "zstd", "blsc", "lz4", "nested", "new", "concat"):
        with np.load(FOLDER / f"{name}.npz") as file:
            expected = dict(file)
        compare(name, expected, port)
        if name != "nested":
            virtual(name, expected)

    # One row of one slab: the bytes of this slab and no others.
    references = json.loads((FOLDER / "plain.http.json").read_text().replace("SERVER", f"127.0.0.1:{port}"))
    group = opened(references)
    before = dict(sent)
    row = group["plain"][0]
    _, _, length = references["refs"]["plain/0.0.0"]
    fetched, requests = sent["bytes"] - before["bytes"], sent["requests"] - before["requests"]
    check(
        fetched == length and requests == 1 and row.shape == (5, 7), f"{fetched} bytes for a row in {requests} requests"
    )
    print(f"one row of an array over HTTP: {requests} request, {fetched} bytes")

    with np.load(FOLDER / "many.npz") as file:
        expected = file["image"]
    with dataset(str(FOLDER / "many.json")) as found, dask.config.set(scheduler="processes", num_workers=2):
        check(found.image.dims[0] == "exposure" and found.image.shape == (100, 50, 40), "100 files")
        check(np.allclose(found.image.mean("exposure").values, expected.mean(0)), "mean of 100 files by two processes")
        check(np.isclose(float(found.image.std()), expected.std()), "deviation of 100 files by two processes")
    server.shutdown()
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
