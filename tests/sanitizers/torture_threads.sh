#!/bin/sh
# ThreadSanitizer sees the library and the C tests. It needs a standard library of Rust that it instruments, which is
# compiled from its source: Debian packages rustc-web, cargo-web, rust-web-src, and libclang-rt-22-dev for the runtime.
set -eu
cd "$(dirname "$0")/../.."
source=$PWD
work=$ASDFKIT_BUILD/sanitizers/threads
triple=$(/usr/bin/rustc -vV | sed -n 's/^host: //p')
runtime=/usr/lib/llvm-22/lib/clang/22/lib/linux/libclang_rt.tsan-${triple%%-*}.a
rm -rf "$work/programs"
mkdir -p "$work/programs"

RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc RUSTFLAGS=-Zsanitizer=thread /usr/bin/cargo rustc --quiet --locked \
    -Zbuild-std=std,panic_unwind --features reserve --profile quick --lib --crate-type staticlib --target "$triple" \
    --target-dir "$work/cargo"
passed=0
failed=0
# A fork of a program with threads is what some of them test.
export TSAN_OPTIONS=die_after_fork=0:halt_on_error=1:second_deadlock_stack=1:allocator_may_return_null=1
for test in tests/c/test_*.c; do
    name=$(basename "$test" .c)
    program=$work/programs/$name
    # They replace the functions that allocate, limit the address space, or change what floating-point traps do.
    case $name in test_no_memory* | test_float_environment) continue ;; esac
    gcc -std=c11 -g -O1 -fsanitize=thread -Iinclude -c "$test" -o "$program.o"
    gcc "$program.o" "$work/cargo/$triple/quick/libasdfkit.a" -Wl,--whole-archive "$runtime" -Wl,--no-whole-archive \
        -rdynamic -lm -ldl -lpthread -lrt -lstdc++ -o "$program"
    mkdir "$program.files"
    if (cd "$program.files" && ASDFKIT_SOURCE=$source timeout 600 "$program") >"$program.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name: $program.log"
        grep -m 3 -A 20 'WARNING: \|not so' "$program.log" || tail -n 5 "$program.log"
    fi
    rm -f "$program" "$program.o"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
