#!/bin/sh
# Sanitizers: AddressSanitizer and LeakSanitizer see the library, the C tests and the tests of the C++ binding;
# UndefinedBehaviorSanitizer sees the C and C++ sides; ThreadSanitizer sees the tests of threads.
#
# The compiler of Rust brings the runtimes, gcc instruments C and C++ for them. `torture.sh address thread` names sanitizers.
set -eu
cd "$(dirname "$0")/../.."
source=$PWD
work=$ASDFKIT_BUILD/sanitizers
triple=$(rustc -vV | sed -n 's/^host: //p')
runtimes=$(rustc --print sysroot)/lib/rustlib/$triple/lib
mkdir -p "$work"
: >"$work/results"

build() { # SANITIZER
    # Stable compilers have the sanitizers behind this switch. The standard library is not instrumented.
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=$1 -Cunsafe-allow-abi-mismatch=sanitizer" cargo rustc --quiet --locked \
        --profile quick --lib --crate-type staticlib --target "$triple" --target-dir "$work/cargo-$1"
    library=$work/cargo-$1/$triple/quick/libasdfkit.a
}

# Compiles a program, and links the library with the runtime of the sanitizer.
make_program() { # RUNTIME SANITIZERS SOURCE PROGRAM
    case $3 in
    *.cpp) compiler='g++ -std=c++17 -Ibindings/cpp' ;;
    *) compiler='gcc -std=c11' ;;
    esac
    # Undefined behaviour ends the program by a trap, which needs no runtime.
    # shellcheck disable=SC2086 # several words
    $compiler -g -O1 -fno-omit-frame-pointer -fsanitize="$2" -fsanitize-undefined-trap-on-error -Iinclude -c "$3" -o "$4.o"
    # shellcheck disable=SC2086 # several words
    $compiler "$4.o" "$library" -Wl,--whole-archive "$runtimes/librustc-stable_rt.$1.a" -Wl,--no-whole-archive -rdynamic \
        -lm -ldl -lpthread -lrt -o "$4"
}

run() { # NAME PROGRAM ARGUMENT…
    name=$1
    shift
    mkdir -p "$1.files"
    log=$1.log
    if (cd "$1.files" && ASDFKIT_SOURCE=$source timeout 1200 "$@") >"$log" 2>&1; then
        echo "ok $name" >>"$work/results"
    else
        echo "FAILED $name: $log" >>"$work/results"
        grep -m 3 -A 12 'ERROR: \|WARNING: ThreadSanitizer\|not so' "$log" || tail -n 5 "$log"
    fi
}

address() {
    build address
    folder=$work/address
    mkdir -p "$folder/inputs"
    export ASAN_OPTIONS=detect_odr_violation=0:allocator_may_return_null=1:detect_stack_use_after_return=1
    for test in tests/c/test_*.c; do
        name=$(basename "$test" .c)
        # They replace the functions that allocate, limit the address space, or change what floating-point traps do.
        case $name in test_no_memory* | test_float_environment) continue ;; esac
        make_program asan address,undefined "$test" "$folder/$name"
        run "address $name" "$folder/$name"
    done
    for maker in tests/cpp/make_*.py; do "$ASDFKIT_PYTHON" "$maker" "$folder/inputs"; done
    for test in tests/cpp/test_*.cpp; do
        name=$(basename "$test" .cpp)
        # It is linked from two files.
        [ "$name" != test_one_definition ] || continue
        make_program asan address,undefined "$test" "$folder/cpp_$name"
        mkdir -p "$folder/cpp_$name.files"
        cp "$folder"/inputs/* "$folder/cpp_$name.files"
        run "address C++ $name" "$folder/cpp_$name"
    done
}

thread() {
    build thread
    folder=$work/thread
    mkdir -p "$folder"
    export TSAN_OPTIONS=halt_on_error=0:second_deadlock_stack=1
    for name in test_threads test_region_threads test_cache test_region_writes test_large_arrays; do
        make_program tsan thread "tests/c/$name.c" "$folder/$name"
        run "thread $name" "$folder/$name"
    done
}

[ $# -gt 0 ] || set -- address thread
for sanitizer in "$@"; do "$sanitizer"; done
grep '^FAILED' "$work/results" || true
passed=$(grep -c '^ok ' "$work/results" || true)
failed=$(grep -c '^FAILED ' "$work/results" || true)
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
