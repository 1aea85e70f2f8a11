#!/bin/sh
# Installs the packages that a make target needs: `scripts/setup.sh demo|build|formats|remote|package|test|torture|soak`.
# Idempotent, and quick when nothing is missing. Everything except Debian's packages goes to build/.
# ASDFKIT_SKIP="julia r" leaves out what these suites need.
set -eu
cd "$(dirname "$0")/.."

# Lines "command package": the Debian package that contains the command.
case ${1:-} in
demo | remote) tools='cc gcc' ;;
build) tools='cc gcc
cmake cmake' ;;
formats) tools='cc gcc
pkg-config pkg-config' ;;
package) tools='cc gcc
cmake cmake
dh debhelper
dpkg-buildpackage dpkg-dev
git git
make make
python3 python3' ;;
test | torture | soak) tools='cc gcc
c++ g++
gfortran gfortran
cmake cmake
pkg-config pkg-config
valgrind valgrind
clang-format clang-format
python3 python3
ncgen netcdf-bin' ;;
*)
    echo "usage: $0 demo|build|formats|remote|package|test|torture|soak" >&2
    exit 2
    ;;
esac
# Other compilers for the C++ and Fortran bindings, a browser for the manual, a compiler of WebAssembly, and the tools of
# Debian packages.
if [ "$1" = torture ] || [ "$1" = soak ]; then
    tools="$tools
clang++-19 clang-19
flang-22 flang-22
chromium chromium
node nodejs
/usr/bin/rustc rustc-web
/usr/bin/cargo cargo-web
/usr/lib/rustlib/src/rust/x.py rust-web-src
wasm-ld-19 lld-19
debootstrap debootstrap
dh debhelper
dpkg-buildpackage dpkg-dev
lintian lintian"
fi
# Other machines and file systems, and a fast linker for mutants.
if [ "$1" = soak ]; then
    tools="$tools
qemu-s390x qemu-user
i686-linux-gnu-gcc gcc-i686-linux-gnu
s390x-linux-gnu-gcc gcc-s390x-linux-gnu
aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
x86_64-w64-mingw32-gcc-posix gcc-mingw-w64-x86-64-posix
/usr/sbin/mkfs.ext4 e2fsprogs
/usr/sbin/mkfs.xfs xfsprogs
/usr/sbin/mkfs.btrfs btrfs-progs
mold mold"
fi

skips() {
    case " ${ASDFKIT_SKIP:-} " in
    *" $1 "*) true ;;
    *) false ;;
    esac
}

missing_packages() {
    echo "$tools" | while read -r command package; do
        command -v "$command" >/dev/null 2>&1 || printf ' %s' "$package"
    done
    case $1 in
    formats | test | torture | soak)
        if ! pkg-config --exists cfitsio 2>/dev/null; then printf ' libcfitsio-dev'; fi
        ;;
    esac
    case $1 in
    test | torture | soak)
        if ! python3 -c 'import ensurepip, venv' >/dev/null 2>&1; then printf ' python3-venv'; fi
        if ! skips r; then
            if ! command -v Rscript >/dev/null 2>&1; then printf ' r-base-core'; fi
            for name in bit64 testthat knitr markdown; do
                if ! Rscript -e "quit(status = !nzchar(system.file(package = '$name')))" >/dev/null 2>&1; then
                    printf ' r-cran-%s' "$name"
                fi
            done
        fi
        ;;
    esac
    case $1 in
    torture | soak)
        [ -e /usr/lib/llvm-19/include/c++/v1/version ] || printf ' libc++-19-dev libc++abi-19-dev'
        # The runtime of ThreadSanitizer.
        [ -e "/usr/lib/llvm-22/lib/clang/22/lib/linux/libclang_rt.tsan-$(uname -m).a" ] || printf ' libclang-rt-22-dev'
        ;;
    esac
}

if ! command -v cargo >/dev/null 2>&1; then
    echo "Rust is missing: install it as https://rustup.rs describes, then run this again." >&2
    exit 1
fi

missing=$(missing_packages "$1")
if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "Please install what these Debian packages hold, then run this again:$missing" >&2
        exit 1
    elif [ "$(id -u)" = 0 ]; then
        as_root=
    elif sudo -n true 2>/dev/null; then
        as_root='sudo -n'
    else
        echo "Please run this, then try again:  sudo apt-get install$missing" >&2
        exit 1
    fi
    echo "Installing:$missing"
    $as_root apt-get update -qq
    # shellcheck disable=SC2086 # both are lists of words
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
    still_missing=$(missing_packages "$1")
    if [ -n "$still_missing" ]; then
        echo "These could not be installed:$still_missing" >&2
        exit 1
    fi
fi

if [ "$1" = test ] || [ "$1" = torture ] || [ "$1" = soak ]; then
    if ! skips julia && ! command -v julia >/dev/null 2>&1 && ! scripts/install-julia.sh build/julia; then
        echo 'Julia is missing: install Julia 1.5 or later, or set ASDFKIT_SKIP=julia to leave out its tests.' >&2
        exit 1
    fi
    # The stamp holds the checksum of the list of packages, so that a change of the list installs again.
    mkdir -p build
    lists='scripts/requirements.txt scripts/requirements-python-package.txt scripts/requirements-corpus.txt'
    # shellcheck disable=SC2086 # a list of words
    wanted=$(cat $lists scripts/setup.sh | cksum)
    if [ "$(cat build/python.stamp 2>/dev/null)" != "$wanted" ] || ! build/python/bin/python -c '' 2>/dev/null; then
        echo 'Installing the Python packages of the tests into build/python'
        rm -rf build/python build/python.stamp build/reference_files build/corpus
        python3 -m venv build/python
        pip='build/python/bin/python -m pip --quiet --disable-pip-version-check'
        $pip install --require-hashes -r scripts/requirements.txt -r scripts/requirements-python-package.txt
        $pip download --require-hashes --no-deps --no-binary asdf-standard \
            --dest build/corpus -r scripts/requirements-corpus.txt
        tar -xzf build/corpus/asdf_standard-*.tar.gz -C build/corpus
        mv build/corpus/asdf_standard-*/reference_files build/reference_files
        rm -rf build/corpus
        echo "$wanted" >build/python.stamp
    fi
fi
