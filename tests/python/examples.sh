#!/bin/sh
# The programs of examples/python: each does its task and reports wrong input. The package is on PYTHONPATH.
set -eu
cd "$(dirname "$0")"
. ../examples/check.sh
examples=$(cd ../../examples/python && pwd)
data=$(cd ../../examples-c && pwd)
work=$ASDFKIT_BUILD/tests/python_package/examples
rm -rf "$work"
mkdir -p "$work"
cd "$work"

run_example() {
    script=$examples/$1.py
    shift
    "$ASDFKIT_PYTHON" "$script" "$@"
}

printf '#ASDF 1.0.0\n--- [\n...\n' >broken.asdf

quickstart=$data/quickstart.asdf
check 0 '1.0.0' open_file "$quickstart"
check 0 'wavelengths' list_tree "$quickstart"
check 0 '139.8 s, 1 exposure(s)' read_scalar "$quickstart"
check 0 'NGC 1300' read_string "$quickstart"
check 0 '256 x 256, last pixel 112.1875' read_array "$quickstart"
check 0 'first 249.4375, last 573.3125' read_region "$quickstart"
check 0 '' write_file exposure.asdf
check 1 'exists' write_file exposure.asdf
check 0 '' edit_file exposure.asdf
check 0 '140.5 s' read_scalar exposure.asdf
check 0 'line 35: nothing at this path' handle_errors "$quickstart"
check 0 'shape: [4, 6]' describe_content exposure.asdf
sed 's/54\.9/x/' "$data/catalogue.ecsv" >wrong.ecsv
check 0 'missing' read_table "$data/catalogue.ecsv"
check 1 'wrong.ecsv:' read_table wrong.ecsv
check 2 '' read_table
for task in open_file list_tree read_scalar read_string read_array read_region edit_file handle_errors describe_content \
    read_cutout read_in_parallel; do
    check 1 'broken.asdf' "$task" broken.asdf
    check 2 '' "$task"
done
check 1 'nowhere' write_file nowhere/exposure.asdf
check 2 '' write_file

# Files of Python asdf: an image, and one with the tree of a Roman image.
cat >make.py <<'END'
import asdf
import numpy

image = numpy.arange(512 * 512, dtype="float32").reshape(512, 512)
asdf.AsdfFile({"meta": {"exposure": {"time": 139.8}}, "data": image}).write_to("image.asdf")
quality = numpy.zeros((512, 512), "uint32")
quality[100, 200] = 1
roman = {"meta": {"instrument": {"detector": "WFI01"}}, "data": image, "dq": quality}
asdf.AsdfFile({"roman": roman}).write_to("roman.asdf", all_array_compression="lz4")
END
cat >compare.py <<'END'
import asdf
import numpy

with asdf.open("copy.asdf") as file:
    assert file["meta"]["telescope"] == "Roman"
    assert numpy.array_equal(file["data"], numpy.arange(512 * 512, dtype="float32").reshape(512, 512))
END
check_command "$ASDFKIT_PYTHON" make.py
check 0 '139.8 (512, 512) 1.0' quickstart
check_command "$ASDFKIT_PYTHON" compare.py
check 0 'WFI01 1023 good pixels' read_cutout roman.asdf
check 0 'sum 34359607296.0' read_in_parallel image.asdf

# A catalogue as Python asdf writes those of the Roman telescope.
cat >catalogue.py <<'END'
import asdf
from astropy.table import Table

table = Table({"label": [1, 2, 3], "kron_flux": [0.5, 2.25, 4.0]})
table["kron_flux"].unit = "nJy"
asdf.AsdfFile({"roman": {"source_catalog": table}}).write_to("catalogue.asdf")
table.write("catalogue.ecsv", format="ascii.ecsv")
END
cat >parquet.py <<'END'
import pyarrow.parquet

for name in "asdf", "ecsv":
    found = pyarrow.parquet.read_table(f"{name}.parquet")
    assert found.to_pydict() == {"label": [1, 2, 3], "kron_flux": [0.5, 2.25, 4.0]}, found
    assert found.schema.field("kron_flux").metadata[b"ecsv:unit"] == b"nJy"
END
check_command "$ASDFKIT_PYTHON" catalogue.py
check 0 '3 sources, fluxes in nJy' catalogue_to_parquet catalogue.asdf asdf.parquet
check 0 '3 sources, fluxes in nJy' catalogue_to_parquet catalogue.ecsv ecsv.parquet
check_command "$ASDFKIT_PYTHON" parquet.py
check 1 'broken.asdf' catalogue_to_parquet broken.asdf none.parquet
check 2 '' catalogue_to_parquet broken.asdf

check_all_ran "$examples"/*.py
finish
