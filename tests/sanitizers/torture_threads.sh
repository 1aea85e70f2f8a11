#!/bin/sh
# ThreadSanitizer sees the library and the C tests. It needs a standard library of Rust that it instruments: else it takes
# each lock and each Arc for a race. That library is compiled from its source: Debian packages rustc-web, cargo-web,
# rust-web-src, and libclang-rt-22-dev for the runtime.
set -eu
cd "$(dirname "$0")/../.."
work=$ASDFKIT_BUILD/sanitizers/threads
. tests/sanitizers/common.sh
triple=$(/usr/bin/rustc -vV | sed -n 's/^host: //p')
runtime=/usr/lib/llvm-22/lib/clang/22/lib/linux/libclang_rt.tsan-${triple%%-*}.a

RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc RUSTFLAGS=-Zsanitizer=thread /usr/bin/cargo rustc --quiet --locked \
    -Zbuild-std=std,panic_unwind --features reserve --profile quick --lib --crate-type staticlib --target "$triple" \
    --target-dir "$work/cargo"
# A fork of a program with threads is what some of them test.
export TSAN_OPTIONS=die_after_fork=0:halt_on_error=1:second_deadlock_stack=1:allocator_may_return_null=1
for name in $(c_tests); do
    program=$programs/$name
    gcc -std=c11 -g -O1 -fsanitize=thread -Iinclude -c "tests/c/$name.c" -o "$program.o"
    gcc "$program.o" "$work/cargo/$triple/quick/libasdfkit.a" -Wl,--whole-archive "$runtime" -Wl,--no-whole-archive \
        -rdynamic -lm -ldl -lpthread -lrt -lstdc++ -o "$program"
    run_program "C $name" "$program"
    rm -f "$program" "$program.o"
done
sum_up
