"""The reader for browsers under Node, compared with Python asdf and astropy."""

import hashlib
import json
import math
import os
import subprocess
import warnings
from pathlib import Path

import asdf
import numpy as np
import pytest
from astropy.table import Table

PACKAGE = os.environ["ASDFKIT_NPM"]
CORPORA = Path(os.environ["ASDFKIT_CORPORA"])
REFERENCE = Path(os.environ["ASDFKIT_REFERENCE_FILES"])
HERE = Path(__file__).parent


def dump(files):
    """What the reader finds in each file, by its name."""
    found = {}
    files = [str(file) for file in files]
    for start in range(0, len(files), 200):
        command = ["node", str(HERE / "dump.mjs"), PACKAGE, *files[start : start + 200]]
        lines = (
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout.strip().split("\n")
        )
        found.update((line["name"], line) for line in map(json.loads, lines))
    assert len(found) == len(files)
    return found


def at(tree, path):
    for key in path.split("/")[1:]:
        key = key.replace("~1", "/").replace("~0", "~")
        tree = tree[int(key) if isinstance(tree, (list, tuple)) else key]
    return tree


def hash_of(array):
    """The hash of the elements in little-endian C order; missing ones are zeros."""
    if np.ma.isMaskedArray(array):
        array = array.filled(0)
    array = np.asarray(array)
    if array.dtype == bool:
        # Any byte but 0 is true; numpy keeps it as it is.
        array = (array.view(np.uint8) != 0).astype(np.uint8)
    if array.dtype.kind == "f" and array.dtype.itemsize == 2:
        array = array.astype(np.float32)
    array = np.array(array, array.dtype.newbyteorder("<"), order="C", ndmin=1)
    if array.dtype.kind in "fc":
        parts = array.reshape(-1).view(f"<f{array.dtype.itemsize // (2 if array.dtype.kind == 'c' else 1)}")
        # All NaN are one.
        parts[np.isnan(parts)] = np.nan
    return hashlib.sha256(array.tobytes()).hexdigest()


# Python asdf makes another type of lists with null, and does not follow a reference to a mask. test_masks compares them.
DIFFERENT = ("inline/infer_null", "masks/ref.asdf")


def check_arrays(found):
    """Compares the arrays of each file that Python asdf reads. Returns their number."""
    compared = 0
    for name, facts in found.items():
        if "error" in facts or facts["format"] != "asdf" or any(part in name for part in DIFFERENT):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with asdf.open(name, memmap=False, lazy_load=False) as file:
                    for path, mine in facts["arrays"].items():
                        array = at(file.tree, path)
                        if not isinstance(array, (asdf.tags.core.NDArrayType, np.ndarray)):
                            continue
                        array = array[...]
                        if array.dtype.fields or "error" in mine:
                            continue
                        assert mine["shape"] == list(array.shape), (name, path)
                        if "texts" in mine:
                            texts = [
                                text.decode() if isinstance(text, bytes) else text for text in array.ravel().tolist()
                            ]
                            assert mine["texts"] == texts, (name, path)
                        else:
                            assert mine["hash"] == hash_of(array), (name, path)
                        compared += 1
        except AssertionError:
            raise
        except Exception:
            # Python asdf does not read this file, or not all of it.
            continue
    return compared


def test_reference_files():
    files = sorted(REFERENCE.rglob("*.asdf"))
    found = dump(files)
    assert not any(facts.get("restarted") for facts in found.values())
    assert check_arrays(found) > 100


def test_corpora():
    """Most of these files are damaged. Each gives values or an error of the library, and none ends the reader."""
    files = sorted(CORPORA.rglob("*.asdf"))
    found = dump(files)
    for name, facts in found.items():
        assert "error" not in facts or facts["isTyped"], (name, facts)
    assert not any(facts.get("restarted") for facts in found.values())
    assert check_arrays(found) > 100


def test_tables():
    compared = others = 0
    for name, facts in dump(sorted(CORPORA.rglob("*.ecsv"))).items():
        if "error" in facts:
            assert facts["isTyped"], (name, facts)
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                table = Table.read(name, format="ascii.ecsv")
        except Exception:
            # astropy does not read this file.
            continue
        if len(table) != facts["rows"]:
            # The suite `conformance` knows the right number of rows of these few.
            others += 1
            continue
        for mine in facts["columns"]:
            if (
                mine["name"] not in table.colnames
                or mine.get("cellShape")
                or table[mine["name"]].dtype.kind not in "iuf"
            ):
                continue
            column = table[mine["name"]]
            if column.dtype.itemsize > 8:
                continue
            mask = np.ma.getmaskarray(np.ma.asarray(column))
            assert [bool(flag) for flag in mask] == [row in set(mine["missing"]) for row in range(len(table))], name
            for row, value in enumerate(mine["values"]):
                if not mask[row]:
                    expected = float(column[row])
                    value = float(value if value is not None else "nan")
                    # astropy rounds narrow floats twice.
                    near = (
                        2.0**-52 if column.dtype.itemsize == 8 else 2.0 ** (-22 if column.dtype.itemsize == 4 else -9)
                    )
                    near = 0 if column.dtype.kind in "iu" else near
                    same = math.isclose(value, expected, rel_tol=near) or (math.isnan(value) and math.isnan(expected))
                    assert same, (name, mine["name"], row)
            compared += 1
    assert compared > 100
    assert others < 5


def test_parts_and_pictures(tmp_path):
    """Regions with steps, codecs, and the colours of a picture."""
    random = np.random.default_rng(1)
    image = random.normal(size=(300, 500)).astype(np.float32)
    image[5, 7] = np.nan
    for compression in [None, "zlib", "bzp2", "lz4"]:
        file = tmp_path / f"{compression}.asdf"
        asdf.AsdfFile({"image": image}).write_to(file, all_array_compression=compression)
        script = f"""
        import {{ load }} from "{PACKAGE}/core.js";
        import {{ BytesSource }} from "{PACKAGE}/sources.js";
        import {{ readFileSync }} from "node:fs";
        const core = await load(readFileSync("{PACKAGE}/asdfkit.wasm"));
        const file = core.open(new BytesSource(readFileSync("{file}")));
        const part = file.readRegion("/image", {{ start: [10, 400], count: [3, 4], step: [2, -5] }});
        const painted = file.picture("/image", {{ start: [0, 0], count: [10, 10], step: [1, 1], colours: "grey", low: -2, high: 2 }});
        let refused = "";
        try {{ file.readRegion("/image", {{ start: [0, 0], count: [301, 1] }}); }} catch (error) {{ refused = error.name; }}
        console.log(JSON.stringify({{ part: Array.from(part.data), painted: Array.from(painted.pixels), zscale:
          file.picture("/image", {{ start: [0, 0], count: [300, 500], step: [1, 1] }}), refused }}));
        """
        run = subprocess.run(["node", "--input-type=module", "-e", script], check=True, capture_output=True, text=True)
        seen = json.loads(run.stdout)
        assert seen["part"] == image[10:16:2, 400:380:-5].ravel().tolist()
        assert seen["refused"] == "AsdfError"
        pixels = np.array(seen["painted"]).reshape(10, 10, 4)
        assert pixels[5, 7].tolist() == [255, 0, 255, 255]
        levels = np.clip(((image[:10, :10] + 2) / 4 * 256).astype(float), 0, 255)
        good = np.isfinite(image[:10, :10])
        assert np.abs(pixels[..., 0] - levels)[good].max() <= 1
        from astropy.visualization import ZScaleInterval

        low, high = ZScaleInterval().get_limits(image)
        assert seen["zscale"]["low"] == pytest.approx(low, rel=1e-5)
        assert seen["zscale"]["high"] == pytest.approx(high, rel=1e-5)


def of_script(script):
    """What a program of the package prints, as JSON."""
    head = f"""
    import {{ load }} from "{PACKAGE}/core.js";
    import {{ BytesSource }} from "{PACKAGE}/sources.js";
    import {{ readFileSync }} from "node:fs";
    const core = await load(readFileSync("{PACKAGE}/asdfkit.wasm"));
    const open = name => core.open(new BytesSource(readFileSync(name)));
    """
    command = ["node", "--input-type=module", "-e", head + script]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout)


def test_rows_of_tables(tmp_path):
    """Any rows in any order are those of the whole table, in each form."""
    count = 3500
    table = Table({"n": np.arange(count), "t": [f"text {number}" for number in range(count)]})
    table["grid"] = np.arange(2 * count).reshape(count, 2) / 4
    for compression in (None, "zlib"):
        path = tmp_path / f"{compression}.asdf"
        asdf.AsdfFile({"t": table}).write_to(path, all_array_compression=compression)
        table.write(tmp_path / "t.ecsv", overwrite=True)
        ranges = [[0, 100], [3400, 100], [3450, 100], [995, 10], [100, 100], [0, 3500], [3500, 5], [9999, 1], [7, 0]]
        for name, node in ((path, "t"), (tmp_path / "t.ecsv", "")):
            pages = of_script(f"""
            const file = open({json.dumps(str(name))});
            console.log(JSON.stringify({json.dumps(ranges)}.map(([start, count]) => {{
              const {{ rows, columns }} = file.readTable({json.dumps(node)}, {{ start, count }});
              return [rows, columns.map(column => Array.from(column.data, String))];
            }})));
            """)
            for (start, number), (rows, (n, t, grid)) in zip(ranges, pages, strict=True):
                part = table[start : start + number]
                assert rows == count
                assert n == [str(value) for value in part["n"]] and t == list(part["t"])
                assert [float(value) for value in grid] == np.ravel(part["grid"]).tolist()


def test_search(tmp_path):
    path = tmp_path / "x.asdf"
    asdf.AsdfFile({"Meta": {"NAME": "M 31"}, "list": [{"name": 1}, "renamed"], "data": np.eye(2)}).write_to(path)
    found = of_script(f"""
    const file = open({json.dumps(str(path))});
    console.log(JSON.stringify(["name", "m 31", "ndarray", "", "nothing"].map(text => file.search(text))));
    """)
    paths = [
        [node["path"] for node in one["nodes"] if not node["path"].startswith(("/history", "/asdf_lib"))]
        for one in found
    ]
    assert paths[:3] == [["/Meta/NAME", "/list/0/name", "/list/1"], ["/Meta/NAME"], ["/data"]]
    assert "/list/0" in paths[3] and paths[4] == []
    assert all(one["isComplete"] for one in found)


def test_masks():
    """Lists with null and referenced masks, which Python asdf reads in another way: the manifest of the corpus knows them."""
    manifest = json.loads((CORPORA / "asdf-samples" / "manifest.json").read_text())
    entries = [entry for entry in manifest["files"] if any(part in entry["file"] for part in DIFFERENT)]
    assert len(entries) >= 3
    compared = 0
    for entry in entries:
        wanted = {pair[0]["str"]: pair[1].get("ndarray") for pair in entry["values"]["map"]}
        found = of_script(f"""
        const file = open({json.dumps(str(CORPORA / "asdf-samples" / entry["file"]))});
        console.log(JSON.stringify(file.tree().children.filter(node => node.datatype).map(node => {{
          const {{ data, mask, shape, datatype }} = file.readRegion(node.path);
          return {{ key: node.key, data: Array.from(data, Number), mask: mask && Array.from(mask), shape, datatype }};
        }})));
        """)
        for array in found:
            expected = wanted[array["key"]]
            assert (array["shape"], array["datatype"]) == (expected["shape"], expected["datatype"]), entry["file"]
            mask = array["mask"] or [0] * len(array["data"])
            if expected.get("mask_md5"):
                assert sum(mask) == expected["mask_count"], entry["file"]
                assert hashlib.md5(bytes(mask)).hexdigest() == expected["mask_md5"], entry["file"]
            for value, first, missing in zip(array["data"], expected["first"], mask, strict=False):
                assert missing or value == float(first), entry["file"]
            compared += 1
    assert compared >= 3
