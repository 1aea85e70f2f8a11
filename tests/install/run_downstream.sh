#!/bin/sh
# Builds the projects of the folder `projects` as users would, runs them and compares their output.
set -eu
cd "$(dirname "$0")"
source=$(cd ../.. && pwd)
work=$ASDFKIT_BUILD/tests/downstream
sample=$source/examples-c/quickstart.asdf
abi=$(sed -n 's/^const ABI: u32 = \([0-9]*\);/\1/p' "$source/build.rs")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$source/Cargo.toml" | head -n 1)
. ./expect.sh
languages='C;CXX'
fortran=
if command -v gfortran >/dev/null; then
    languages='C;CXX;Fortran'
    fortran=gfortran-$(gfortran -dumpversion | cut -d. -f1)
else
    echo 'There is no gfortran: no Fortran project is built.'
fi

# check NAME LIBRARY PROGRAM: the program works and links to this library.
check() {
    output=$("$3" "$sample" 2>&1) || true
    linked=static
    if readelf -d "$3" | grep -q "NEEDED.*libasdfkit\.so\.$abi"; then linked=shared; fi
    if [ "$output" = "asdfkit $version: 139.8 s" ] && [ "$linked" = "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1, $2 library: it is linked to the $linked library and prints: $output"
    fi
}

# check_cmake NAME DIRECTORY: the programs of a CMake project in C that was built in the directory, and those in other
# languages as far as they were built.
check_cmake() {
    check "$1, default" shared "$2/program-asdfkit"
    check "$1" shared "$2/program-shared"
    check "$1" static "$2/program-static"
    for language in cpp fortran; do
        if [ -e "$2/program-$language" ]; then check "$1, $language" shared "$2/program-$language"; fi
    done
}

build_find_package() { # DIRECTORY PREFIX [OPTION…]
    directory=$1
    prefix=$2
    shift 2
    cmake -S find_package -B "$directory" -DCMAKE_PREFIX_PATH="$prefix" "$@"
    cmake --build "$directory" -j2
}

build_pkg_config() { # DIRECTORY PREFIX [TARGET…]
    out=$1
    path=$2/lib/pkgconfig
    shift 2
    mkdir -p "$out"
    PKG_CONFIG_PATH=$path make -C pkg_config OUT="$out" "$@"
}

# The projects are built outside the source tree, where only the installed files are within reach.
rm -rf "$work"
mkdir -p "$work"
cp -R projects "$work"
cd "$work/projects"

build_find_package "$work/find_package" "$ASDFKIT_PREFIX" -DLANGUAGES='C;CXX'
check_cmake find_package "$work/find_package"
build_find_package "$work/find_package_cpp" "$ASDFKIT_PREFIX" -DLANGUAGES=CXX
check 'find_package, C++ alone' shared "$work/find_package_cpp/program-cpp"
build_find_package "$work/find_package_static" "$ASDFKIT_PREFIX" -DASDFKIT_USE_STATIC_LIBS=ON -DLANGUAGES='C;CXX'
check 'find_package, static by option' static "$work/find_package_static/program-asdfkit"
check 'find_package, static by option, cpp' static "$work/find_package_static/program-cpp"

# A component that needs a language of the project, and one that does not exist.
for case in 'Fortran=which has not enabled Fortran' 'Cobol=but not Cobol'; do
    if build_find_package "$work/find_package_wrong" "$ASDFKIT_PREFIX" -DCOMPONENTS="${case%%=*}" >"$work/wrong" 2>&1; then
        echo "find_package finds the component ${case%%=*}" >"$work/wrong"
    fi
    expect "find_package, component ${case%%=*}: $(cat "$work/wrong")" \
        sh -c 'tr -s "\n " " " <"$1" | grep -qF "$2"' sh "$work/wrong" "${case#*=}"
done

documents=$(find "$ASDFKIT_PREFIX/share/doc" -name index.md -path '*/docs/index.md' | head -n 1)
expect 'the installed pages link to files that are not installed' \
    "$ASDFKIT_PYTHON" "$source/tests/install/installed_links.py" "$(dirname "$(dirname "$documents")")"

# Versions: a major number, ranges, and others, which are refused with the reason.
for wanted in 0 0.1...0.9 '0.1...<1' "$version"; do
    expect "find_package, version $wanted" cmake -S find_package -B "$work/find_package_versions" \
        -DCMAKE_PREFIX_PATH="$ASDFKIT_PREFIX" -DWANTED="$wanted"
done
for wanted in 0.0 0.2 1 0.2...1 '0.0...<0.1'; do
    expect "find_package accepts the version $wanted" sh -c '! cmake -S find_package -B "$1" -DCMAKE_PREFIX_PATH="$2" \
        -DWANTED="$3" >"$1-log" 2>&1' sh "$work/find_package_versions" "$ASDFKIT_PREFIX" "$wanted"
done

# The static library beside another one with the same names inside: that of Debian, or one of the program.
others=other_names.c
if [ -e "/usr/lib/$(gcc -dumpmachine)/libzstd.a" ]; then others="-DDEBIAN other_names.c -l:libzstd.a"; fi
static=$(PKG_CONFIG_PATH=$ASDFKIT_PREFIX/lib/pkgconfig pkg-config --static --cflags --libs asdfkit)
# shellcheck disable=SC2086 # lists of words
expect 'the static library does not link beside another zstd' \
    gcc $others $(echo "$static" | sed "s|-lasdfkit|$ASDFKIT_PREFIX/lib/libasdfkit.a|") -o "$work/other_names"
expect 'the static library uses another zstd' "$work/other_names"
expect 'the static library exports other names' \
    sh -c '! nm -g --defined-only "$1" | awk "{ print \$3 }" | grep . | grep -qv "^asdf_"' sh "$ASDFKIT_PREFIX/lib/libasdfkit.a"

build_pkg_config "$work/pkg_config" "$ASDFKIT_PREFIX"
check pkg-config shared "$work/pkg_config/program-shared"
check pkg-config static "$work/pkg_config/program-static"
check 'pkg-config and -static' static "$work/pkg_config/program-fully-static"
check 'pkg-config, cpp' shared "$work/pkg_config/program-cpp"

if [ -n "$fortran" ]; then
    # A project in Fortran alone; static libraries; warnings as errors.
    build_find_package "$work/find_package_fortran" "$ASDFKIT_PREFIX" -DLANGUAGES=Fortran -DASDFKIT_USE_STATIC_LIBS=ON \
        -DCMAKE_Fortran_FLAGS='-O1 -std=f2018 -Wall -Wextra -Werror'
    check 'find_package, Fortran alone' static "$work/find_package_fortran/program-fortran"
    # Modules of one compiler are useless for another, so none may lie elsewhere.
    directory=$work/find_package_fortran
    expect "find_package puts modules outside $fortran" \
        [ "$(find "$directory" -name 'asdfkit*.mod' -exec dirname {} + | sort -u)" = "$directory/asdfkit-fortran/$fortran" ]

    build_pkg_config "$work/pkg_config" "$ASDFKIT_PREFIX" "$work/pkg_config/program-fortran"
    check 'pkg-config, fortran' shared "$work/pkg_config/program-fortran"

    fpm=$(dirname "$ASDFKIT_PYTHON")/fpm
    expect 'fpm.toml has another version' grep -qx "version = \"$version\"" "$ASDFKIT_PREFIX/share/asdfkit/fortran/fpm.toml"
    if [ -x "$fpm" ]; then
        mkdir -p fpm/app
        cp main.f90 fpm/app/
        packagedir=$(PKG_CONFIG_PATH=$ASDFKIT_PREFIX/lib/pkgconfig pkg-config --variable=packagedir asdfkit-fortran)
        ln -s "$packagedir" fpm/asdfkit
        flags="-L$ASDFKIT_PREFIX/lib -Wl,-rpath,$ASDFKIT_PREFIX/lib"
        (cd fpm && "$fpm" install --prefix "$work/fpm" --link-flag "$flags")
        check fpm shared "$work/fpm/bin/downstream"
    else
        echo 'There is no fpm: its project is not built.'
    fi
fi

# A prefix that was moved after the installation. For CMake its name contains a blank; pkg-config and make cannot quote
# one.
cp -a "$ASDFKIT_PREFIX" "$work/moved prefix"
build_find_package "$work/find_package_moved" "$work/moved prefix" -DLANGUAGES="$languages"
check_cmake 'find_package in a moved prefix' "$work/find_package_moved"
readelf -d "$work/find_package_moved/program-shared" | grep -q 'R.*PATH.*moved prefix'
mv "$work/moved prefix" "$work/moved"
build_pkg_config "$work/pkg_config_moved" "$work/moved"
check 'pkg-config in a moved prefix' shared "$work/pkg_config_moved/program-shared"
check 'pkg-config in a moved prefix' static "$work/pkg_config_moved/program-static"
if grep -rqF "$ASDFKIT_PREFIX" "$work/moved/lib/cmake" "$work/moved/lib/pkgconfig"; then
    failed=$((failed + 1))
    echo 'FAILED the installed package knows where it was installed'
fi

# Installed files contain no paths of the build machine and no debug information.
expect "these files hold the path $source: $(grep -rlF "$source/" "$ASDFKIT_PREFIX")" \
    sh -c '! grep -rqF "$1/" "$2"' sh "$source" "$ASDFKIT_PREFIX"
cargo_home=${CARGO_HOME:-$HOME/.cargo}
for library in "$ASDFKIT_PREFIX/lib/libasdfkit.so" "$ASDFKIT_PREFIX/lib/libasdfkit.a"; do
    expect "$library holds the path $cargo_home" sh -c '! grep -qF "$1/" "$2"' sh "$cargo_home" "$library"
    if readelf -S "$library" 2>/dev/null | grep -qF .debug_; then
        failed=$((failed + 1))
        echo "FAILED $library holds debug information"
    else
        passed=$((passed + 1))
    fi
done

# Installs with debug information and Fortran modules on request, and uninstalls without a trace.
modules=OFF
if [ -n "$fortran" ]; then modules=ON; fi
cmake -S "$source" -B "$work/installer" -DBUILD_TESTING=OFF -DASDFKIT_INSTALL_DEBUG_INFO=ON -DASDFKIT_INSTALL_FORTRAN_MODULES=$modules -DCMAKE_BUILD_TYPE=Release \
    -DASDFKIT_CARGO_TARGET_DIR="$ASDFKIT_BUILD/cargo" -DASDFKIT_CARGO_PROFILE="$ASDFKIT_PROFILE"
cmake --build "$work/installer"
DESTDIR="$work/root" cmake --install "$work/installer" --prefix /usr
readelf --string-dump=.gnu_debuglink "$work/root/usr/lib/libasdfkit.so" | grep -qF "libasdfkit.so.$version.debug"
readelf -S "$work/root/usr/lib/libasdfkit.so.$version.debug" | grep -qF .debug_
if [ -n "$fortran" ]; then
    build_pkg_config "$work/pkg_config_modules" "$work/root/usr" "$work/pkg_config_modules/program-fortran-modules"
    check 'pkg-config, installed modules' shared "$work/pkg_config_modules/program-fortran-modules"
    modules=$work/root/usr/lib/asdfkit/$fortran
    expect 'modules are installed outside their directory' \
        [ "$(find "$work/root" -name '*.mod' -exec dirname {} + | sort -u)" = "$modules" ]
    expect 'an installed module holds a path of the build' \
        sh -c 'for module in "$1"/*.mod; do gzip -dc <"$module"; done | cat - "$1"/*.a | grep -qF "$2/" && exit 1; true' \
        sh "$modules" "$source"
fi
cmake -DDESTDIR="$work/root" -DBUILD="$work/installer" -P "$source/cmake/uninstall.cmake"
left=$(find "$work/root" -name '*asdf*')
expect "these stay after uninstall: $left" [ -z "$left" ]

# Builds from source inside the other project, which has not asked for the command. Here it is built all the same: cargo
# then finds all that `make install` has built. Without it, crates have fewer features and are compiled once more. One of
# the projects is enough for the Fortran modules, which take longest.
for mode in OFF ON; do
    build=$work/add_subdirectory_$mode
    configure() { # [OPTION]
        cmake -S add_subdirectory -B "$build" -DUSE_FETCHCONTENT=$mode -DLANGUAGES="$languages" -DASDFKIT_SOURCE="$source" \
            -DASDFKIT_CARGO_TARGET_DIR="$ASDFKIT_BUILD/cargo" -DASDFKIT_CARGO_PROFILE="$ASDFKIT_PROFILE" "$@"
    }
    configure
    expect 'add_subdirectory builds the command unasked' grep -qx 'ASDFKIT_BUILD_COMMAND:BOOL=OFF' "$build/CMakeCache.txt"
    configure -DASDFKIT_BUILD_COMMAND=ON
    cmake --build "$build" -j2
    check_cmake "add_subdirectory, FetchContent $mode" "$build"
    languages='C;CXX'
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
