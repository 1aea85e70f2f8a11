#!/bin/sh
# Builds the projects of this directory as users would, runs them and compares their output.
set -eu
cd "$(dirname "$0")"
source=$(cd ../.. && pwd)
work=$ASDFKIT_BUILD/tests/downstream
sample=$source/examples-c/quickstart.asdf
abi=$(sed -n 's/^const ABI: u32 = \([0-9]*\);/\1/p' "$source/build.rs")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$source/Cargo.toml" | head -n 1)
passed=0
failed=0

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

# check_cmake NAME DIRECTORY: the three programs of a CMake project that was built in the directory.
check_cmake() {
    check "$1, default" shared "$2/program-asdfkit"
    check "$1" shared "$2/program-shared"
    check "$1" static "$2/program-static"
}

build_find_package() { # DIRECTORY PREFIX [OPTION…]
    directory=$1
    prefix=$2
    shift 2
    cmake -S find_package -B "$directory" -DCMAKE_PREFIX_PATH="$prefix" "$@"
    cmake --build "$directory"
}

build_pkg_config() { # DIRECTORY PREFIX
    mkdir -p "$1"
    PKG_CONFIG_PATH=$2/lib/pkgconfig make -C pkg_config OUT="$1"
}

rm -rf "$work"
mkdir -p "$work"

build_find_package "$work/find_package" "$ASDFKIT_PREFIX"
check_cmake find_package "$work/find_package"
build_find_package "$work/find_package_static" "$ASDFKIT_PREFIX" -DASDFKIT_USE_STATIC_LIBS=ON
check 'find_package, static by option' static "$work/find_package_static/program-asdfkit"

build_pkg_config "$work/pkg_config" "$ASDFKIT_PREFIX"
check pkg-config shared "$work/pkg_config/program-shared"
check pkg-config static "$work/pkg_config/program-static"
check 'pkg-config and -static' static "$work/pkg_config/program-fully-static"

# A prefix that was moved after the installation. For CMake its name contains a blank; pkg-config and make cannot quote
# one.
cp -a "$ASDFKIT_PREFIX" "$work/moved prefix"
build_find_package "$work/find_package_moved" "$work/moved prefix"
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
cargo_home=${CARGO_HOME:-$HOME/.cargo}
for library in "$ASDFKIT_PREFIX/lib/libasdfkit.so" "$ASDFKIT_PREFIX/lib/libasdfkit.a"; do
    for path in "$source" "$cargo_home"; do
        if grep -qF "$path/" "$library"; then
            failed=$((failed + 1))
            echo "FAILED $library holds the path $path"
        else
            passed=$((passed + 1))
        fi
    done
    if readelf -S "$library" 2>/dev/null | grep -qF .debug_; then
        failed=$((failed + 1))
        echo "FAILED $library holds debug information"
    else
        passed=$((passed + 1))
    fi
done

# Installs with debug information on request, and uninstalls without a trace.
cmake -S "$source" -B "$work/installer" -DBUILD_TESTING=OFF -DASDFKIT_INSTALL_DEBUG_INFO=ON \
    -DASDFKIT_CARGO_TARGET_DIR="$ASDFKIT_BUILD/cargo" -DASDFKIT_CARGO_PROFILE="$ASDFKIT_PROFILE"
cmake --build "$work/installer"
DESTDIR="$work/root" cmake --install "$work/installer" --prefix /usr
readelf --string-dump=.gnu_debuglink "$work/root/usr/lib/libasdfkit.so" | grep -qF "libasdfkit.so.$version.debug"
readelf -S "$work/root/usr/lib/libasdfkit.so.$version.debug" | grep -qF .debug_
cmake -DDESTDIR="$work/root" -DBUILD="$work/installer" -P "$source/cmake/uninstall.cmake"
if [ -z "$(find "$work/root" -name '*asdf*')" ]; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAILED these stay after uninstall: $(find "$work/root" -name '*asdf*')"
fi

# Builds from source inside the other project. Cargo's results are shared to save time.
for mode in OFF ON; do
    cmake -S add_subdirectory -B "$work/add_subdirectory_$mode" -DUSE_FETCHCONTENT=$mode \
        -DASDFKIT_SOURCE="$source" -DASDFKIT_CARGO_TARGET_DIR="$ASDFKIT_BUILD/cargo" -DASDFKIT_CARGO_PROFILE="$ASDFKIT_PROFILE"
    cmake --build "$work/add_subdirectory_$mode"
    check_cmake "add_subdirectory, FetchContent $mode" "$work/add_subdirectory_$mode"
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
