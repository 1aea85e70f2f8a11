#!/bin/sh
# Makes the source tarball and Debian packages of it in build/packages: `scripts/build-debian-packages.sh [PROFILE]`.
# The build takes no network. DEB_BUILD_OPTIONS=terse runs the tests in C as well.
set -eu
cd "$(dirname "$0")/.."
profile=${1:-release}

tarball=$(python3 scripts/build-source-tarball.py)
rm -rf build/packages
mkdir -p build/packages/work
cp "$tarball" build/packages/
tar -C build/packages/work -xf "$tarball"
cd build/packages/work/asdfkit-*
python3 packaging/debian/prepare.py

# The build has a home directory of its own, where rustup finds no toolchain; so its programs are named here.
toolchain=$(rustc --print sysroot)/bin
PATH="$toolchain:$PATH" ASDFKIT_CARGO_PROFILE=$profile DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-nocheck terse}" \
    dpkg-buildpackage --build=binary --no-sign --no-check-builddeps
cd ../..
mv work/*.deb work/*.buildinfo work/*.changes .
rm -rf work
ls
