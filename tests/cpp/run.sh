#!/bin/sh
# The C++ binding: compiles the tests with full warnings and runs them, some under valgrind.
#
#     run.sh [all]
#
# `all` runs each test with each compiler, standard library and standard, and all under valgrind. Otherwise g++ in C++17
# runs each test, and the tests of newer standard types run with newer standards, and with clang++ if it is installed.
set -eu
cd "$(dirname "$0")"
what=${1:-some}
source=$ASDFKIT_SOURCE
work=$ASDFKIT_BUILD/tests/cpp
rm -rf "$work"
mkdir -p "$work/inputs"
for maker in make_*.py; do "$ASDFKIT_PYTHON" "$maker" "$work/inputs"; done
export LC_ALL=C work source

clang=$(command -v clang++-19 || command -v clang++ || true)
has_libcxx=no
if [ -n "$clang" ] &&
    echo '#include <version>' | "$clang" -std=c++17 -stdlib=libc++ -x c++ -c - -o /dev/null 2>/dev/null; then
    has_libcxx=yes
fi

# Lines "compiler:standard:library:runner:test".
list_tests() {
    for test in test_*.cpp; do
        name=${test%.cpp}
        case $what:$name in
        all:* | *:test_callbacks | *:test_handles | *:test_records | *:test_streams | *:test_tables) runner=valgrind ;;
        *) runner=direct ;;
        esac
        echo "g++:17:libstdc++:$runner:$name"
        case $what:$name in
        all:* | *:test_options | *:test_views)
            echo "g++:20:libstdc++:direct:$name"
            echo "g++:23:libstdc++:direct:$name"
            ;;
        *:test_arrays) echo "g++:20:libstdc++:direct:$name" ;;
        esac
        [ -n "$clang" ] || continue
        if [ "$what" = all ]; then
            for standard in 17 20 23; do
                echo "$clang:$standard:libstdc++:direct:$name"
                [ $has_libcxx = no ] || echo "$clang:$standard:libc++:direct:$name"
            done
        elif [ "$name" = test_views ]; then
            # Only libc++ has std::mdspan.
            [ $has_libcxx = no ] || echo "$clang:23:libc++:direct:$name"
        fi
    done
}

# Each header alone, without those that programs include before it.
alone=0
if [ "$what" = all ]; then headers=$(cd "$source/bindings/cpp" && ls asdf/*.hpp); else headers='asdf/ndl_datatype.hpp asdf/value.hpp'; fi
for header in $headers; do
    echo "#include <$header>" >"$work/alone.cpp"
    g++ -std=c++17 -fsyntax-only "-I$source/bindings/cpp" "-I$ASDFKIT_PREFIX/include/asdfkit" "$work/alone.cpp" ||
        { echo "FAILED: $header does not stand alone" && alone=$((alone + 1)); }
done

# Options of another call than the one that sets an array: one error, which names the right ones.
if [ "$what" = all ]; then
    cat >"$work/wrong_options.cpp" <<'END'
#include <asdf.hpp>
void wrong(asdf::file file) { file["a"].set(std::vector<float>{1}, {1}, asdf::store_options()); }
END
    status=0
    g++ -std=c++17 -fsyntax-only "-I$source/bindings/cpp" "-I$ASDFKIT_PREFIX/include/asdfkit" "$work/wrong_options.cpp" \
        >"$work/wrong_options.log" 2>&1 || status=$?
    if [ "$status" = 0 ] || [ "$(grep -c 'error:' "$work/wrong_options.log")" != 1 ] ||
        ! grep -q 'error: .*takes asdf::array_options' "$work/wrong_options.log"; then
        echo 'FAILED: the wrong options for an array are not named' && alone=$((alone + 1))
    fi
fi

[ -n "$clang" ] || echo 'clang++ is not installed: tested with g++ only'
list_tests >"$work/tests"
# Those under valgrind first, so that both processors end together.
sort -t: -k4,4r "$work/tests" | xargs -P 2 -n 1 ./compile_and_run.sh >"$work/results" 2>&1 || true
grep -v '^passed' "$work/results" || true
passed=$(grep -c '^passed' "$work/results" || true)
failed=$(($(wc -l <"$work/tests") - passed + alone))
# A name that the headers define as a macro reaches every program that includes them.
if grep -n '#define' "$source"/bindings/cpp/asdf.hpp "$source"/bindings/cpp/asdf/*.hpp; then
    echo 'FAILED the headers define a macro'
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
