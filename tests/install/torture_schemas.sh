#!/bin/sh
# `make install-schemas` on a machine without schemas: the command and a C program validate by the installed wheels alone.
# No Python is on the path, and the environment is empty.
set -eu
work=$ASDFKIT_BUILD/tests/install-schemas
rm -rf "$work"
mkdir -p "$work"
cp -R "$ASDFKIT_PREFIX" "$work/prefix"
rm -rf "$work/prefix/share/asdfkit/schemas"
command=$work/prefix/bin/asdfkit
passed=0
failed=0
count() { # NAME STATUS-EXPECTED COMMAND...
    name=$1 wanted=$2
    shift 2
    status=0
    env -i PATH=/nonexistent LD_LIBRARY_PATH="$work/prefix/lib" "$@" >"$work/output" 2>&1 || status=$?
    if [ "$status" = "$wanted" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "$name: exit status $status instead of $wanted"
        cat "$work/output"
    fi
}
roman=$ASDFKIT_SOURCE/tests/datamodels/files/roman_ImageModel.asdf
LC_ALL=C sed 's/extension_class: .*/extension_class: 5/' "$roman" >"$work/bad.asdf"
printf 'id: asdf://example.org/schemas/root-1.0.0\nrequired: [nothing]\n' >"$work/root.yaml"

count 'without schemas' 3 "$command" validate "$roman" --schemas
grep -q 'pip install' "$work/output" || { failed=$((failed + 1)); echo 'the error does not tell what to install'; }
make -s -C "$ASDFKIT_SOURCE" install-schemas PREFIX="$work/prefix"
count 'a valid file' 0 "$command" validate "$roman" --schemas
count 'packages by name' 0 "$command" validate "$roman" --schemas rad asdf-standard
count 'an invalid file' 1 "$command" validate "$work/bad.asdf" --schemas
grep -q 'extension_class' "$work/output" || { failed=$((failed + 1)); echo 'the violation is not named'; cat "$work/output"; }
count 'a schema of the caller' 1 "$command" validate "$roman" --schemas --schema "$work/root.yaml"
count 'an entry' 0 "$command" describe "$roman" roman/meta/exposure/start_time

cat >"$work/validate.c" <<'C'
#include <asdf.h>
#include <stdio.h>
int main(int count, char **names) {
    asdf_schemas *schemas = NULL;
    asdf_file *file = NULL;
    asdf_report *report = NULL;
    int64_t found = 0;
    if (count < 2 || asdf_schemas_new(&schemas) || asdf_schemas_add_package(schemas, NULL) ||
        asdf_file_open(names[1], NULL, &file) || asdf_file_validate(file, schemas, NULL, &report) ||
        asdf_report_count(report, &found, NULL)) {
        char message[1000];
        asdf_error_message(message, sizeof message, NULL);
        puts(message);
        return 3;
    }
    asdf_report_free(report);
    asdf_file_free(file);
    asdf_schemas_free(schemas);
    return found > 0;
}
C
cc -I"$work/prefix/include/asdfkit" "$work/validate.c" -L"$work/prefix/lib" -lasdfkit -o "$work/validate"
count 'a valid file in C' 0 "$work/validate" "$roman"
count 'an invalid file in C' 1 "$work/validate" "$work/bad.asdf"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
