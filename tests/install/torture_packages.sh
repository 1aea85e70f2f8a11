#!/bin/sh
# Makes the source tarball and the Debian packages, judges them with lintian, installs them in a fresh Debian, builds
# and runs programs in C, C++ and Fortran there, and removes them without a trace.
set -eu
cd "$(dirname "$0")"
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null || ! command -v dpkg-buildpackage >/dev/null; then
    echo 'SKIPPED: packages are NOT tested. This takes root, debootstrap and dpkg-dev.'
    echo '0 passed, 0 failed'
    exit 0
fi
work=$ASDFKIT_BUILD/tests/packages
results=$ASDFKIT_BUILD/packages
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$ASDFKIT_SOURCE/Cargo.toml" | head -n 1)
abi=$(sed -n 's/^const ABI: u32 = \([0-9]*\);/\1/p' "$ASDFKIT_SOURCE/build.rs")
tarball=asdfkit-$version.tar.xz
. ./expect.sh

# refuse NAME WORDS COMMAND…: the command fails with a message that has the words.
refuse() {
    name=$1
    words=$2
    shift 2
    if "$@" >"$work/refused" 2>&1; then
        echo "this did not fail: $*" >>"$work/refused"
    elif tr -s '\n ' '  ' <"$work/refused" | grep -qF "$words"; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "FAILED $name:"
    cat "$work/refused"
}

rm -rf "$work"
mkdir -p "$work"

# The packages are built from the tarball with an empty home of cargo, and run the tests in C. Equal sources give equal
# tarballs, whatever the permissions of new files are.
# Crates of other systems are in the lock file, too.
(cd "$ASDFKIT_SOURCE" && cargo fetch --quiet --locked)
CARGO_NET_OFFLINE=true DEB_BUILD_OPTIONS=terse "$ASDFKIT_SOURCE/scripts/build-debian-packages.sh" quick
(umask 077 && "$ASDFKIT_PYTHON" "$ASDFKIT_SOURCE/scripts/build-source-tarball.py")
expect 'equal sources give different tarballs' cmp "$results/$tarball" "$ASDFKIT_BUILD/source/$tarball"
expect 'lintian finds errors' lintian --fail-on error --allow-root "$results"/*.changes
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)

# A fresh system of this release from the mirror that apt uses.
codename=$(sed -n "s/^VERSION_CODENAME=//p" /etc/os-release)
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $codename" | head -n 1)
root=$work/root
debootstrap --variant=minbase --include=cmake,g++,gcc,gfortran,make,pkg-config "$codename" "$root" "$mirror" \
    >"$work/debootstrap.log"
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive \
        chroot "$root" "$@"
}
mkdir "$root/packages" "$root/projects"
cp "$results"/*.deb "$root/packages"
cp -R projects/. "$root/projects"
# Lists the files of the system, without the records of apt and dpkg.
files() {
    (cd "$root" && find . -xdev | sort |
        grep -vE '^\./(proc|sys|tmp|var/(cache|log|lib/apt))/|^\./var/lib/dpkg/[a-z-]*-old$')
}
inside ldconfig
files >"$work/before"

# The library and its headers; Fortran is missing first.
install_packages() {
    for name in "$@"; do
        set -- "$@" "/packages/$(basename "$root/packages/${name}_"*.deb)"
        shift
    done
    inside apt-get install -o Dpkg::Use-Pty=0 -y -qq --no-install-recommends "$@" >>"$work/apt.log"
}
install_packages "libasdfkit$abi" libasdfkit-dev
refuse 'find_package finds Fortran without its package' libasdfkit-fortran-dev \
    inside cmake -S /projects/find_package -B /projects/wrong -DLANGUAGES=Fortran
rm -rf "$root/packages"/*-dbgsym*
packages=$(cd "$root/packages" && for file in *.deb; do echo "${file%%_*}"; done)
# shellcheck disable=SC2086 # a list of words
install_packages $packages
echo "Installed: $packages"

expect 'find_package' inside cmake -S /projects/find_package -B /projects/cmake '-DLANGUAGES=C;CXX;Fortran'
expect 'cmake --build' inside cmake --build /projects/cmake -j2
mkdir "$root/projects/make"
expect 'pkg-config' inside make -C /projects/pkg_config OUT=/projects/make all /projects/make/program-fortran
documents=/usr/share/doc/libasdfkit-doc
expect 'the C example does not compile' inside sh -c \
    "cc $documents/examples-c/quickstart.c \$(pkg-config --cflags --libs asdfkit) -o /projects/quickstart"
expect 'the C example does not run' inside \
    /projects/quickstart "$documents/examples-c/quickstart.asdf" /projects/written.asdf
for program in "$root"/projects/cmake/program-* "$root"/projects/make/program-*; do
    program=${program#"$root"}
    expect "$program prints: $(inside "$program" "$documents/examples-c/quickstart.asdf" 2>&1)" \
        [ "$(inside "$program" "$documents/examples-c/quickstart.asdf" 2>&1)" = "asdfkit $version: 139.8 s" ]
done
count=$(find "$root/projects/cmake" "$root/projects/make" -maxdepth 1 -name 'program-*' | wc -l)
expect "there are $count programs instead of 10" [ "$count" = 10 ]
expect 'the library is not where multiarch wants it' [ -e "$root/usr/lib/$multiarch/libasdfkit.so.$abi" ]
expect 'the library holds debug information' \
    sh -c '! readelf -S "$1" | grep -qF .debug_' sh "$root/usr/lib/$multiarch/libasdfkit.so.$version"
for package in $packages; do
    expect "$package has no licences" [ -s "$root/usr/share/doc/$package/copyright" ]
done
if [ -e "$ASDFKIT_SOURCE/crates/command" ]; then
    expect 'the command does not run' inside asdfkit info "$documents/examples-c/quickstart.asdf"
fi

# Debug information belongs to the library that it was taken from.
id=$(readelf -n "$root/usr/lib/$multiarch/libasdfkit.so.$version" | sed -n 's/.*Build ID: //p')
expect "there is no debug information for the build $id" sh -c 'dpkg-deb -c "$1" | grep -F "$2"' sh \
    "$results/libasdfkit$abi-dbgsym_$version-1_$(dpkg --print-architecture).deb" "$(echo "$id" | cut -c3-).debug"

# shellcheck disable=SC2086 # a list of words
inside apt-get purge -o Dpkg::Use-Pty=0 -y -qq $packages >>"$work/apt.log"
refuse 'a removed library still runs programs' "libasdfkit.so.$abi" inside /projects/cmake/program-shared
rm -rf "$root/projects" "$root/packages"
mkdir "$root/projects" "$root/packages"
inside ldconfig
files >"$work/after"
left=$(comm -13 "$work/before" "$work/after")
expect "these files stay: $left" [ -z "$left" ]
rm -rf "$root"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
