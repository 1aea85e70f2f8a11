# The programs of examples/julia do their tasks and report wrong input; run.sh sources this file. Prints the numbers of
# checks, and exits with 1 if one failed.
. "$ASDFKIT_SOURCE/tests/examples/check.sh"
examples=$ASDFKIT_SOURCE/examples/julia
data=$ASDFKIT_SOURCE/examples-c
run_example() {
    script=$examples/$1.jl
    shift
    # Without optimization, small programs are compiled in less time.
    "$ASDFKIT_JULIA" --startup-file=no -O0 "$script" "$@"
}
mkdir -p "$work/examples"
cd "$work/examples"

printf '#ASDF 1.0.0\n--- [\n...\n' >broken.asdf
printf '# %%ECSV 1.0\n# ---\n# datatype:\n# - {name: name, datatype: string}\n# - {name: flux, datatype: int8}\nname flux\na 300\n' \
    >wrong.ecsv
quickstart=$data/quickstart.asdf
check 0 '1.0.0' open_file "$quickstart"
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
check 0 'line 35 is no number' handle_errors "$quickstart"
check 0 'missing' read_table "$data/catalogue.ecsv"
check 1 'wrong.ecsv:7' read_table wrong.ecsv
for task in open_file list_tree read_scalar read_array read_region edit_file handle_errors describe_content; do
    check 1 'broken.asdf' "$task" broken.asdf
    check 2 '' "$task"
done
check 2 '' read_table
check 2 '' write_file

"$ASDFKIT_JULIA" --startup-file=no -O0 -e '
    using AsdfKit
    file = AsdfKit.new()
    file["meta/exposure/time"] = 139.8
    file["data"] = reshape(collect(Float32, 0:512*512-1), 512, 512)
    AsdfKit.write(file, "image.asdf")'
check 0 '139.8 512x512 (32, 32) 0.0' quickstart
cat >compare.py <<'END'
import asdf
import numpy

with asdf.open("copy.asdf") as file:
    assert file["meta"]["telescope"] == "Roman"
    assert numpy.array_equal(file["data"], numpy.arange(512 * 512, dtype="float32").reshape(512, 512))
END
check_command "$ASDFKIT_PYTHON" compare.py
check_all_ran "$examples"/*.jl
finish
