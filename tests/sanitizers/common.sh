# What the suites of sanitizers share, to be sourced in the root of the project. `work` names their folder.
source=$PWD
mkdir -p "$work"
: >"$work/results"

# Prints the names of the C tests that run with a sanitizer. The others replace the functions that allocate, limit the
# address space, or change what floating-point traps do.
c_tests() {
    for test in tests/c/test_*.c; do
        name=$(basename "$test" .c)
        case $name in test_no_memory* | test_float_environment) ;; *) echo "$name" ;; esac
    done
}

# Runs a program in a folder of its own, PROGRAM.files, and notes the result.
run() { # NAME PROGRAM
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
