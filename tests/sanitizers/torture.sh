#!/bin/sh
# AddressSanitizer and LeakSanitizer see the library, the C tests and the tests of the C++ binding;
# UndefinedBehaviorSanitizer sees the C and C++ sides. The compiler of Rust brings the runtime, gcc instruments C and C++.
set -eu
cd "$(dirname "$0")/../.."
work=$ASDFKIT_BUILD/sanitizers
. tests/sanitizers/common.sh
build_with_address_sanitizer
library=$address_sanitizer/libasdfkit.a
runtimes=$(rustc --print sysroot)/lib/rustlib/$triple/lib

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

mkdir "$programs/inputs"
export ASAN_OPTIONS=detect_odr_violation=0:allocator_may_return_null=1:detect_stack_use_after_return=1
for name in $(c_tests); do
    make_program "tests/c/$name.c" "$programs/$name"
    run_program "C $name" "$programs/$name"
done
for maker in tests/cpp/make_*.py; do "$ASDFKIT_PYTHON" "$maker" "$programs/inputs"; done
for test in tests/cpp/test_*.cpp; do
    name=$(basename "$test" .cpp)
    # It is linked from two files.
    [ "$name" != test_one_definition ] || continue
    make_program "$test" "$programs/cpp_$name"
    mkdir "$programs/cpp_$name.files"
    cp "$programs"/inputs/* "$programs/cpp_$name.files"
    run_program "C++ $name" "$programs/cpp_$name"
done
sum_up
