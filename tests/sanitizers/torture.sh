#!/bin/sh
# AddressSanitizer and LeakSanitizer see the library, the C tests and the tests of the C++ binding;
# UndefinedBehaviorSanitizer sees the C and C++ sides. The compiler of Rust brings the runtime, gcc instruments C and C++.
# ThreadSanitizer needs a standard library of Rust that it instruments: else it takes each lock and each Arc for a race.
set -eu
cd "$(dirname "$0")/../.."
source=$PWD
work=$ASDFKIT_BUILD/sanitizers
triple=$(rustc -vV | sed -n 's/^host: //p')
runtimes=$(rustc --print sysroot)/lib/rustlib/$triple/lib
mkdir -p "$work"
: >"$work/results"

# Compiles a program, and links the library with the runtime of the sanitizer.
make_program() { # SOURCE PROGRAM
    case $1 in
    *.cpp) compiler='g++ -std=c++17 -Ibindings/cpp' ;;
    *) compiler='gcc -std=c11' ;;
    esac
    # Undefined behaviour ends the program by a trap, which needs no runtime.
    # shellcheck disable=SC2086 # several words
    $compiler -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fsanitize-undefined-trap-on-error -Iinclude -c "$1" -o "$2.o"
    # shellcheck disable=SC2086 # several words
    $compiler "$2.o" "$library" -Wl,--whole-archive "$runtimes/librustc-stable_rt.asan.a" -Wl,--no-whole-archive -rdynamic \
        -lm -ldl -lpthread -lrt -o "$2"
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
        grep -m 3 -A 12 'ERROR: \|not so' "$log" || tail -n 5 "$log"
    fi
}

# Stable compilers have the sanitizers behind this switch. The standard library is not instrumented.
RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -Cunsafe-allow-abi-mismatch=sanitizer" cargo rustc --quiet --locked \
    --profile quick --lib --crate-type staticlib --target "$triple" --target-dir "$work/cargo"
library=$work/cargo/$triple/quick/libasdfkit.a
folder=$work/programs
mkdir -p "$folder/inputs"
export ASAN_OPTIONS=detect_odr_violation=0:allocator_may_return_null=1:detect_stack_use_after_return=1
for test in tests/c/test_*.c; do
    name=$(basename "$test" .c)
    # They replace the functions that allocate, limit the address space, or change what floating-point traps do.
    case $name in test_no_memory* | test_float_environment) continue ;; esac
    make_program "$test" "$folder/$name"
    run "C $name" "$folder/$name"
done
for maker in tests/cpp/make_*.py; do "$ASDFKIT_PYTHON" "$maker" "$folder/inputs"; done
for test in tests/cpp/test_*.cpp; do
    name=$(basename "$test" .cpp)
    # It is linked from two files.
    [ "$name" != test_one_definition ] || continue
    make_program "$test" "$folder/cpp_$name"
    mkdir -p "$folder/cpp_$name.files"
    cp "$folder"/inputs/* "$folder/cpp_$name.files"
    run "C++ $name" "$folder/cpp_$name"
done
grep '^FAILED' "$work/results" || true
passed=$(grep -c '^ok ' "$work/results" || true)
failed=$(grep -c '^FAILED ' "$work/results" || true)
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
