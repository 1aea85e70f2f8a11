# What the suites of sanitizers share, to be sourced in the root of the project. `work` names their folder.
source=$PWD
# Files of an earlier run must not influence this one.
programs=$work/programs
rm -rf "$programs"
mkdir -p "$programs"
: >"$work/results"

# Builds the library that AddressSanitizer sees: libasdfkit.a and libasdfkit.so in the folder $address_sanitizer. Stable
# compilers have the sanitizer behind this switch. The standard library is not instrumented.
build_with_address_sanitizer() {
    triple=$(rustc -vV | sed -n 's/^host: //p')
    address_sanitizer=$ASDFKIT_BUILD/sanitizers/cargo/$triple/quick
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -Cunsafe-allow-abi-mismatch=sanitizer" cargo rustc --quiet --locked \
        --profile quick --lib --crate-type cdylib,staticlib --target "$triple" --target-dir "$ASDFKIT_BUILD/sanitizers/cargo"
}

# Prints the names of the C tests that run with a sanitizer. The others replace the functions that allocate, limit the
# address space, or change what floating-point traps do.
c_tests() {
    for test in tests/c/test_*.c; do
        name=$(basename "$test" .c)
        case $name in test_no_memory* | test_float_environment) ;; *) echo "$name" ;; esac
    done
}

# Runs a program in a folder of its own, PROGRAM.files, and notes the result.
run_program() { # NAME PROGRAM
    mkdir -p "$2.files"
    if (cd "$2.files" && ASDFKIT_SOURCE=$source timeout 1200 "$2") >"$2.log" 2>&1; then
        echo "ok $1" >>"$work/results"
    else
        echo "FAILED $1: $2.log" >>"$work/results"
        grep -m 3 -A 20 'ERROR: \|WARNING: \|not so' "$2.log" || tail -n 5 "$2.log"
    fi
}

# Prints the failures and the line that the runner reads. Fails if a program has failed.
sum_up() {
    grep '^FAILED' "$work/results" || true
    passed=$(grep -c '^ok ' "$work/results" || true)
    failed=$(grep -c '^FAILED ' "$work/results" || true)
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}
