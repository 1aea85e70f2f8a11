#!/bin/sh
# Files in stores of other makers: nginx, moto (Amazon S3), azurite (Azure). What cannot be installed here is named.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/remote-stores
rm -rf "$work"
mkdir -p "$work"
DESTDIR='' "$ASDFKIT_SOURCE/scripts/install-remote.sh" "$work/prefix" release >&2
export ASDFKIT_REMOTE_LIBRARY="$work/prefix/lib/libasdfkit_remote.so" ASDFKIT_LIBRARY="$ASDFKIT_PREFIX/lib/libasdfkit.so"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$ASDFKIT_SOURCE/bindings/python/src"
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy
command -v nginx >/dev/null || apt-get install -y -qq nginx-light >/dev/null || true
command -v npm >/dev/null || apt-get install -y -qq npm >/dev/null || true
if [ ! -x "$ASDFKIT_BUILD/stores/bin/moto_server" ]; then
    python3 -m venv "$ASDFKIT_BUILD/stores"
    "$ASDFKIT_BUILD/stores/bin/pip" install --quiet 'moto[s3,server]==5.2.5' 'azure-storage-blob==12.31.1'
fi
if [ ! -x "$ASDFKIT_BUILD/stores/node_modules/.bin/azurite-blob" ]; then
    npm install --silent --prefix "$ASDFKIT_BUILD/stores" azurite@3.35.0 >/dev/null || true
fi
. ./languages.sh
for script in test_languages.py test_stores.py; do
    # A script that ends without its sum counts as a failure.
    "$ASDFKIT_PYTHON" $script "$work" "$ASDFKIT_BUILD/stores" >"$work/output" 2>&1 || echo failed >>"$work/faults"
    cat "$work/output"
    grep -E '^[0-9]+ passed, [0-9]+ failed$' "$work/output" >>"$work/sums" || echo '0 passed, 1 failed' >>"$work/sums"
done
awk '{ passed += $1; failed += $3 } END { print passed " passed, " failed " failed" }' "$work/sums"
[ ! -e "$work/faults" ]
