#!/bin/sh
# The reader for browsers: values under Node against Python asdf and astropy, its size, and the viewer in Chromium.
set -eu
cd "$(dirname "$0")"
export ASDFKIT_NPM="$ASDFKIT_BUILD/tests/wasm/package" LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
work=$ASDFKIT_BUILD/tests/wasm
rm -rf "$work"
mkdir -p "$work/screenshots" "$work/served"
"$ASDFKIT_SOURCE/scripts/build-npm-package.sh" "$ASDFKIT_NPM"
passed=0
failed=0

size=$(gzip -9 -c "$ASDFKIT_NPM/asdfkit.wasm" | wc -c)
echo "asdfkit.wasm: $size bytes compressed"
if [ "$size" -le 1500000 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi

count() {
    number=$(sed -n "s/.*\b\([0-9][0-9]*\) $2.*/\1/p" "$1" | tail -n 1)
    echo "${number:-0}"
}

"$ASDFKIT_PYTHON" -m pytest -q -p no:cacheprovider --basetemp "$work/files" test_node.py >"$work/node" 2>&1 ||
    [ "$(count "$work/node" failed)" != 0 ] || failed=$((failed + 1))
cat "$work/node"

"$ASDFKIT_PYTHON" make_files.py "$work/served" "$work/expected.json"
"${ASDFKIT_COMMAND:-$ASDFKIT_PREFIX/bin/asdfkit}" serve "$work/served" --viewer "$ASDFKIT_NPM" >"$work/address" &
server=$!
trap 'kill "$server"' EXIT
while ! [ -s "$work/address" ] && kill -0 "$server"; do sleep 0.1; done
node browser.mjs "$(cat "$work/address")" "$work/screenshots" "$work/expected.json" >"$work/browser" 2>&1 ||
    [ "$(count "$work/browser" failed)" != 0 ] || failed=$((failed + 1))
cat "$work/browser"
rm "$work/served/large.asdf"

for part in node browser; do
    passed=$((passed + $(count "$work/$part" passed)))
    failed=$((failed + $(count "$work/$part" failed)))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
