#!/bin/sh
# Counts the instructions that the C++ binding adds to a call of the C interface, with callgrind: run.sh [OPERATION…]
#
# Prints instructions of a call by C and by C++, with the library, and the difference. It fails if a difference exceeds
# 2,000. Use a library that is optimized: a debug build counts several times as much.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/cpp-overhead
mkdir -p "$work"
flags=$(PKG_CONFIG_PATH=$ASDFKIT_PREFIX/lib/pkgconfig pkg-config --cflags --libs asdfkit)
# shellcheck disable=SC2086 # a list of options
${CXX:-g++} -O2 -std=c++17 calls.cpp -I../../../bindings/cpp $flags "-Wl,-rpath,$ASDFKIT_PREFIX/lib" -o "$work/calls"
if [ $# = 0 ]; then
    # shellcheck disable=SC2046 # a list of names
    set -- $("$work/calls")
fi

# count LANGUAGE OPERATION: instructions of one call, from the difference of 10 and 110 calls.
count() {
    few=$(instructions "$1" "$2" 10)
    many=$(instructions "$1" "$2" 110)
    echo $(((many - few) / 100))
}
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/calls" "$@" 2>&1 |
        sed -n 's/.*Collected : *//p'
}

status=0
printf '%-18s %10s %10s %8s\n' operation C C++ added
for operation; do
    by_c=$(count c "$operation")
    by_cpp=$(count cpp "$operation")
    printf '%-18s %10d %10d %8d\n' "$operation" "$by_c" "$by_cpp" $((by_cpp - by_c))
    [ $((by_cpp - by_c)) -le 2000 ] || status=1
done
exit $status
