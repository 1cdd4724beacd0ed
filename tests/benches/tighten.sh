#!/usr/bin/env bash
# Measures `unionctl tighten` on many objects of many kinds, with one thread and with a thread for
# each processor, beside a Go program with the code of an API server. Prints rows for `report`.
#
#   tests/benches/tighten.sh [--objects COUNT] [--kinds COUNT] [--quick]
#
# The Go program (tests/reference/crd/tighten.go) sends three requests per object: a create by the
# old and by the new CRD, and an unrelated update. unionctl sends these three, and two more to
# compare stored fields and defaults. The script fails if the programs count other objects that
# the new CRDs reject, or if the output depends on the number of threads.
#
# With --quick, unionctl is not optimized, and there are few objects. Without Go, the rows have no
# reference. Without /usr/bin/time, there are no rows of memory.
set -euo pipefail
export LC_ALL=C

objects=100000 kinds=100 build=(--release -p unionctl) profile=release
while [ $# -gt 0 ]; do
    case $1 in
        --objects) objects=$2; shift 2 ;;
        --kinds) kinds=$2; shift 2 ;;
        --quick) objects=600 kinds=4 build=() profile=debug; shift ;;
        *) sed -n '2,/^set /{/^# \{0,1\}/s///p}' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
    esac
done

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
cargo build -q "${build[@]}" --bin unionctl
unionctl=$(realpath "${CARGO_TARGET_DIR:-target}/$profile/unionctl")
go=
if command -v go >/dev/null; then
    . tests/reference/build_go.sh
    go=$(build_go reference/crd)
fi
processors=$(nproc)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
write() { awk -v kinds="$kinds" "$@" -f "$here/objects.awk"; }
write -v crds=old >old.json
write -v crds=new >new.json
write -v first=0 -v count="$objects" >stream.json
# A folder for each kind, with a file for each object.
mkdir folder
for ((kind = 0; kind < kinds; kind++)); do mkdir "folder/$kind"; done
awk -v kinds="$kinds" '{ file = sprintf("folder/%d/%07d.json", (NR - 1) % kinds, NR); print >file; close(file) }' stream.json

row() { # SIDE NAME UNIT NUMBER
    printf '{"side": "%s", "what": "tighten", "row": "%s", "size": %d, "%s": %s}\n' "$1" "$2" "$objects" "$3" "$4"
}

# Runs a program, and prints the rows of its time and of its memory.
measure() { # SIDE NAME OUTPUT COMMAND...
    local side=$1 name=$2 output=$3 start end with=()
    shift 3
    [ ! -x /usr/bin/time ] || with=(/usr/bin/time -q -f %M -o memory)
    start=${EPOCHREALTIME/./}
    "${with[@]}" "$@" >"$output"
    end=${EPOCHREALTIME/./}
    row "$side" "$name" ns $(((end - start) * 1000))
    [ ! -x /usr/bin/time ] || row "$side" "$name, memory" bytes $(($(tail -1 memory) * 1024))
}

ours() { # NAME JOBS OBJECTS OUTPUT
    measure ours "$1" "$4" "$unionctl" tighten --crd old.json --crd-new new.json --jobs "$2" -f "$3"
}
reference() { # NAME WORKERS
    measure reference "$1" "reference.$2" env GOMAXPROCS="$2" "$go" -tighten -workers "$2" old.json new.json <stream.json
}

ours 'a stream, one thread' 1 stream.json stream.1
ours 'a stream, all processors' "$processors" stream.json stream.all
ours 'a folder with a file for each object, one thread' 1 folder folder.1
ours 'a folder with a file for each object, all processors' "$processors" folder folder.all
for input in stream folder; do
    cmp "$input.1" "$input.all" >&2
done
for output in stream.all folder.all; do
    grep -qx "checked: $objects objects" "$output"
done
if [ -n "$go" ]; then
    reference 'a stream, one thread' 1
    reference 'a stream, all processors' "$processors"
    # The lines "create N N" and "unrelated update N N" of the summary.
    counts=$(awk '/^create /{create = $2} /^unrelated update /{update = $3} END {
        printf "{\"objects\":%d,\"refused_on_create\":%d,\"refused_on_unrelated_update\":%d}\n", objects, create, update
    }' objects="$objects" stream.all)
    for output in "reference.1" "reference.$processors"; do
        [ "$(cat "$output")" = "$counts" ] || { echo "other counts: $(cat "$output"), not $counts" >&2; exit 1; }
    done
fi
