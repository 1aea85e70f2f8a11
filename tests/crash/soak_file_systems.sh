#!/bin/sh
# Runs the tests of kills, power cuts and failing calls on each file system that can be mounted here, and fills it.
# It needs the Debian packages e2fsprogs, xfsprogs and btrfs-progs. `soak_file_systems.sh ext4` names file systems.
set -eu
cd "$(dirname "$0")"
self=$PWD/$(basename "$0")

# In a space of mounts of its own: mounts a file system, and runs the tests there.
if [ "${1-}" = --mounted ]; then
    kind=$2
    work=$3
    if [ "$kind" = tmpfs ]; then
        mount -t tmpfs -o size=600m none "$work/files"
    else
        truncate -s 600M "$work/image"
        if [ "$kind" = ext4 ]; then force=-F; else force=-f; fi
        "mkfs.$kind" -q "$force" "$work/image"
        mount -o loop "$work/image" "$work/files"
    fi
    echo >"$work/mounted"
    ASDFKIT_BUILD=$work/files
    export ASDFKIT_BUILD
    status=0
    ./run.sh >"$work/crash.log" 2>&1 || status=1
    ../faults/run.sh >"$work/faults.log" 2>&1 || status=1
    # The tests of a full device need some ten thousand bytes, and less than 300,000.
    mkdir "$work/files/full"
    dd if=/dev/zero of="$work/files/filler" bs=4k >"$work/filler.log" 2>&1 || true
    sync
    truncate -s -204800 "$work/files/filler"
    sync
    (cd "$work/files/full" && "$work/files/tests/faults/writer" full) >"$work/full.log" 2>&1 || status=1
    exit "$status"
fi

[ $# -gt 0 ] || set -- ext4 xfs btrfs tmpfs
all=$ASDFKIT_BUILD/tests/file_systems
sums=$all/sums
mkdir -p "$all"
: >"$sums"
for kind in "$@"; do
    work=$all/$kind
    rm -rf "$work"
    mkdir -p "$work/files"
    unshare --mount "$self" --mounted "$kind" "$work" >"$work/log" 2>&1 && status=0 || status=$?
    if ! [ -e "$work/mounted" ]; then
        echo "skipped: $kind cannot be mounted here: $(tail -n 1 "$work/log")"
        continue
    fi
    awk '/^[0-9]+ passed, / { passed[FILENAME] = $1; failed[FILENAME] = $3 }
        END { for (name in passed) { p += passed[name]; f += failed[name] } print p + 0 " " f + 0 }' \
        "$work/crash.log" "$work/faults.log" "$work/full.log" >"$work/sum"
    read -r passed failed <"$work/sum"
    # A log without a sum is a failure, too.
    [ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1
    echo "$kind: $passed passed, $failed failed"
    [ "$failed" = 0 ] || grep -h -m 5 'FAILED\|not so\|wrong' "$work/crash.log" "$work/faults.log" "$work/full.log" || true
    echo "$passed $failed" >>"$sums"
done
awk '{ passed += $1; failed += $2 } END { print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 }' "$sums"
