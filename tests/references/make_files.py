"""Makes files, the expected elements of their arrays, and references: `make_files.py ASDFKIT FOLDER`.

Python asdf writes the files where it can, the command the others. `NAME.npz` holds the elements as Python asdf reads
them, by the names that the arrays have in the references.
"""

import subprocess
import sys
from pathlib import Path

import asdf
import numpy as np

COMMAND, FOLDER = sys.argv[1], Path(sys.argv[2])
SERVER = "http://127.0.0.1:{port}/"


def write(name, tree, codec=None):
    path = FOLDER / name
    asdf.AsdfFile(tree).write_to(path, all_array_compression=codec)
    return path


def run(*arguments, status=0):
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != status:
        sys.exit(f"{arguments}: {done.returncode}\n{done.stderr}")
    return done


def references(name, paths, *options):
    """References as JSON and Parquet, to the files on disk and on a server."""
    for suffix in ("json", "parquet"):
        run("references", *paths, "-o", FOLDER / f"{name}.{suffix}", "--record-size", 7, *options)
    run("references", *paths, "-o", FOLDER / f"{name}.http.json", "--url", "http://SERVER/", *options)


def arrays():
    numbers = np.arange(61 * 35)
    return {
        "plain": numbers.astype("<f4").reshape(61, 5, 7),
        "big": numbers.astype(">i2").reshape(61, 35),
        "flag": numbers[:60] % 3 == 0,
        "bytes": numbers.astype("u1"),
        "wave": numbers[:8] * (1 + 2j),
        "number": np.array(7.5),
        "fortran": np.asfortranarray(np.arange(30.0).reshape(2, 3, 5)),
    }


def main():
    tree = arrays()
    expected = dict(tree, fortran=tree["fortran"].T)
    np.savez(FOLDER / "plain.npz", **expected)
    references("plain", [write("plain.asdf", tree)], "--slab", 700)

    packed = {name: tree[name] for name in ("plain", "big", "fortran", "number")}
    stored = {name: expected[name] for name in packed}
    for codec in ("zlib", "bzp2"):
        np.savez(FOLDER / f"{codec}.npz", **stored)
        references(codec, [write(f"{codec}.asdf", packed, codec)])
    for codec in ("zstd", "blsc", "lz4"):
        path = write(f"{codec}.asdf", packed)
        run("recompress", path, "--codec", codec)
        np.savez(FOLDER / f"{codec}.npz", **stored)
        references(codec, [path])

    nested = write("nested.asdf", {"a": {"x": np.arange(5), "b": {"y": np.arange(6.0).reshape(2, 3)}}})
    np.savez(FOLDER / "nested.npz", **{"a/x": np.arange(5), "a/b/y": np.arange(6.0).reshape(2, 3)})
    references("nested", [nested])

    for name, rows, options in (("new", [4] * 5, ["--new-dim", "time"]), ("concat", [4, 4, 4, 3], ["--concat"])):
        parts = [np.arange(count * 6.0).reshape(count, 6) + 100 * part for part, count in enumerate(rows)]
        paths = [write(f"{name}_{part}.asdf", {"a": values}) for part, values in enumerate(parts)]
        np.savez(FOLDER / f"{name}.npz", a=np.stack(parts) if name == "new" else np.concatenate(parts))
        references(name, paths, "--slab", 96, *options)

    many = [np.random.default_rng(part).normal(size=(50, 40)) for part in range(100)]
    paths = [write(f"many_{part:03}.asdf", {"image": values}) for part, values in enumerate(many)]
    np.savez(FOLDER / "many.npz", image=np.stack(many))
    references("many", paths, "--new-dim", "exposure")

    check = run("references", "--check", FOLDER / "many.json", FOLDER / "many.parquet")
    assert check.stdout.count("100 files, 0 changed") == 2, check.stdout


main()
