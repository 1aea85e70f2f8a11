#!/bin/sh
# AddressSanitizer sees the library in the suites of the Python, Julia and R packages. The interpreters are not
# instrumented, so the runtime of gcc is loaded before them; LeakSanitizer would report what they keep until they end.
set -eu
cd "$(dirname "$0")/../.."
work=$ASDFKIT_BUILD/sanitizers/bindings
. tests/sanitizers/common.sh
rm -rf "$work/prefix" "$work/reports"
mkdir -p "$work/reports"

build_with_address_sanitizer
cp -R "$ASDFKIT_PREFIX" "$work/prefix"
cp "$address_sanitizer/libasdfkit.so" "$(readlink -f "$work/prefix/lib/libasdfkit.so")"
gcc -O1 -shared -fPIC -o "$work/no_deepbind.so" tests/sanitizers/no_deepbind.c -ldl
# Interceptors of exceptions look for the library of C++ when the runtime begins.
runtimes="$work/no_deepbind.so $(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)"
# Julia has a handler of its own for SIGSEGV and its own stacks.
export ASAN_OPTIONS="detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1:verify_asan_link_order=0:\
handle_segv=0:allow_user_segv_handler=1:use_sigaltstack=0:log_path=$work/reports/report"
# These tests measure memory, which the sanitizer keeps when it is freed.
export PYTEST_ADDOPTS="-k 'not free_their and not memory_stays_constant and not leaks_nothing'"

# Writes a program that runs an interpreter with the runtime.
sanitized() { # INTERPRETER NAME
    printf '#!/bin/sh\nLD_PRELOAD="%s" exec "%s" "$@"\n' "$runtimes" "$1" >"$work/$2"
    chmod +x "$work/$2"
    echo "$work/$2"
}

passed=0
failed=0
run_suite() { # SUITE SCRIPT VARIABLE=INTERPRETER
    echo "== $1"
    log=$work/$1.log
    env "$3" ASDFKIT_BUILD="$work" ASDFKIT_PREFIX="$work/prefix" sh "$2" >"$log" 2>&1 || true
    tail -n 3 "$log"
    # shellcheck disable=SC2046 # two words
    set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log" | tail -n 1)
    passed=$((passed + ${1:-0}))
    failed=$((failed + ${2:-1}))
}
run_suite python_package tests/python/run_python_package.sh "ASDFKIT_PYTHON=$(sanitized "$ASDFKIT_PYTHON" python)"
if [ -n "${ASDFKIT_R:-}" ]; then
    run_suite r tests/r/run.sh "ASDFKIT_R=$(sanitized "$ASDFKIT_R" R)"
fi
if [ -n "${ASDFKIT_JULIA:-}" ]; then
    run_suite julia tests/julia/run.sh "ASDFKIT_JULIA=$(sanitized "$ASDFKIT_JULIA" julia)"
fi
for report in "$work"/reports/*; do
    [ -e "$report" ] || continue
    grep -m 1 'ERROR: \|CHECK failed' "$report" || continue
    echo "FAILED $report"
    failed=$((failed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
