#!/bin/sh
# The programs of examples/r do their tasks and report wrong input. run.sh calls this with ASDFKIT_WORK and R_LIBS.
set -eu
. "$ASDFKIT_SOURCE/tests/examples/check.sh"
examples=$ASDFKIT_SOURCE/examples/r
data=$ASDFKIT_SOURCE/examples-c
run_example() {
    script=$examples/$1.R
    shift
    "$ASDFKIT_R" --no-echo --no-restore "--file=$script" --args "$@"
}
mkdir -p "$ASDFKIT_WORK/examples"
cd "$ASDFKIT_WORK/examples"

printf '#ASDF 1.0.0\n--- [\n...\n' >broken.asdf
printf '# %%ECSV 1.0\n# ---\n# datatype:\n# - {name: name, datatype: string}\n# - {name: flux, datatype: int8}\nname flux\na 300\n' \
    >wrong.ecsv
quickstart=$data/quickstart.asdf
check 0 'standard 1.6.0' open_file "$quickstart"
check 0 'wavelengths' list_tree "$quickstart"
check 0 '139.8 s, 1 exposure(s)' read_scalar "$quickstart"
check 0 '256 x 256, last pixel 112.1875' read_array "$quickstart"
check 0 'first 249.4375, last 573.3125' read_region "$quickstart"
check 0 '' write_file exposure.asdf
check 1 'exists' write_file exposure.asdf
check 1 'nowhere' write_file nowhere/exposure.asdf
check 0 '' edit_file exposure.asdf
check 0 '140.5 s' read_scalar exposure.asdf
check 0 'shape: [4, 6]' describe_content exposure.asdf
check 0 'line 35 is no array' handle_errors "$quickstart"
check 0 'flux in mJy' read_table "$data/catalogue.ecsv"
check 1 'wrong.ecsv:7' read_table wrong.ecsv
for task in open_file list_tree read_scalar read_array read_region edit_file handle_errors describe_content; do
    check 1 'broken.asdf' "$task" broken.asdf
    check 2 'usage' "$task"
done
check 2 'usage' read_table
check 2 'usage' write_file

cat >make.R <<'END'
library(asdfkit)
file <- asdf_new()
file[["meta/exposure/time"]] <- 139.8
asdf_set(file, "data", matrix(0:(512 * 512 - 1), 512), datatype = "float32")
asdf_write(file, "image.asdf")
END
"$ASDFKIT_R" --no-echo --no-restore --file=make.R
cp "$data/catalogue.ecsv" .
check 0 '139.8 512 512 32 32 4' quickstart
cat >compare.py <<'END'
import asdf
import numpy

with asdf.open("copy.asdf") as file:
    assert file["meta"]["telescope"] == "Roman"
    assert numpy.array_equal(file["data"], numpy.arange(512 * 512, dtype="float32").reshape(512, 512))
END
check_command "$ASDFKIT_PYTHON" compare.py
check_all_ran "$examples"/*.R
finish
