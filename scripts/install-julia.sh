#!/bin/sh
# Unpacks Julia 1.5.3 into a directory: `scripts/install-julia.sh DIRECTORY`. DIRECTORY/julia is the command.
# Debian 12 has no Julia, so the packages come from Debian 11. They are unpacked only: nothing is installed, and the
# caller needs no rights.
set -eu
directory=${1:?usage: scripts/install-julia.sh DIRECTORY}
release=bullseye
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# Julia, and the libraries that Debian 12 has in other versions.
packages='julia julia-common libjulia1 libllvm9 libopenlibm3 libgit2-1.1 libmbedtls12 libmbedx509-0 libmbedcrypto3
libutf8proc2 libunwind8 libdsfmt-19937-1 libhttp-parser2.9 libssh2-1 libffi7 libz3-4 libgmp10 libmpfr6
libcurl3-gnutls libldap-2.4-2 libgfortran5 libsuitesparseconfig5 libcholmod3 libumfpack5 libspqr2 libamd2 libcolamd2
libcamd2 libccolamd2 libarpack2 libnettle8 libhogweed6 libpcre2-8-0 libopenblas64-0-pthread libopenblas64-0 libblas3
liblapack3 libedit2'

if [ "$("$directory/julia" -e 'print(VERSION)' 2>/dev/null)" = 1.5.3 ]; then exit 0; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/packages"
: >"$work/status"
# The mirror that this machine uses, and the archive of old releases.
mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1)
if [ -z "$mirror" ]; then
    mirror=$(awk '$1 == "deb" && $0 !~ /security/ { for (i = 2; i <= NF; i++) if ($i ~ /^http/) { print $i; exit } }' \
        /etc/apt/sources.list 2>/dev/null || true)
fi

download() {
    echo "deb [signed-by=$keyring] $1 $release main" >"$work/sources.list"
    set -- -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::Lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
        -o APT::Sandbox::User= -o Acquire::Check-Valid-Until=false -o Acquire::Retries=2
    # shellcheck disable=SC2086 # a list of words
    apt-get "$@" update && (cd "$work/packages" && apt-get "$@" download $packages)
}
if ! { [ -n "$mirror" ] && download "$mirror"; } && ! download http://archive.debian.org/debian; then
    echo "Julia could not be downloaded from Debian's release $release." >&2
    exit 1
fi

rm -rf "$directory"
mkdir -p "$directory/root"
for package in "$work"/packages/*.deb; do dpkg-deb --extract "$package" "$directory/root"; done
libraries=$(basename "$(dirname "$(find "$directory/root/usr/lib" -name 'libjulia.so*' | head -n 1)")")
cat >"$directory/julia" <<END
#!/bin/sh
root=\$(cd "\$(dirname "\$(readlink -f "\$0")")/root" && pwd)
libraries=\$root/usr/lib/$libraries
export JULIA_BINDIR="\$root/usr/bin"
export LD_LIBRARY_PATH="\$libraries:\$libraries/julia:\$libraries/openblas64-pthread\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
exec "\$root/usr/bin/julia" "\$@"
END
chmod +x "$directory/julia"
"$directory/julia" --startup-file=no -e 'println("Julia ", VERSION, " is in ", ARGS[1])' "$directory"
