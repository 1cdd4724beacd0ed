#!/usr/bin/env bash
# Measures time and instructions of the derive beside hand-written code, and prints rows for
# `report`, as lines of JSON.
#
#   tests/benches/typed.sh [--quick]        --quick: one short round, unoptimized, no instructions
#
# The fastest round counts. Instructions need valgrind, and `cargo install gungraun-runner` in the
# version of gungraun in Cargo.lock. Without both, the script prints no instructions.
set -euo pipefail
export LC_ALL=C

rounds=5 samples=400 quick= build=(--profile bench -p union-benches)
if [ "${1-}" = --quick ]; then
    # No package is selected, so that the build of `cargo test` is reused.
    rounds=1 samples=10 quick=yes build=(--profile dev)
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$here/../.."
if [ -z "$quick" ]; then
    # A call takes two nanoseconds, and the address of a function can change the time by a fifth. So
    # all functions get the same alignment. These flags need a separate target directory: otherwise,
    # the next ordinary build would compile everything again.
    export RUSTFLAGS="${RUSTFLAGS:-} -Cllvm-args=-align-all-functions=6 -Cllvm-args=-align-loops=64"
    export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/ratios"
fi

for ((round = 1; round <= rounds; round++)); do
    echo "time, round $round of $rounds" >&2
    cargo bench -q "${build[@]}" --bench typed -- --color never --sample-count "$samples" >>"$work/time"
done

: >"$work/instructions"
if [ -n "$quick" ]; then
    echo "no instructions with --quick" >&2
elif command -v valgrind >/dev/null && command -v gungraun-runner >/dev/null; then
    echo "instructions" >&2
    cargo bench -q -p union-benches --features instructions --bench instructions -- \
        --color never >"$work/instructions"
else
    echo "no instructions: valgrind or gungraun-runner is missing" >&2
fi

awk -v objects=1024 '
    function seconds(number, unit) {
        return number * (unit == "ns" ? 1 : unit == "ms" ? 1e6 : unit == "s" ? 1e9 : 1e3)
    }
    function part(side, what, row, key) {
        if (!(key in time)) return
        printf "{\"side\": \"%s\", \"what\": \"%s\", \"row\": \"%s\", \"ns\": %.3f", side, what, row, time[key] / objects
        if (key in count) printf ", \"instructions\": %.1f", count[key] / objects
        if (key in allocs) printf ", \"allocs\": %.3f", allocs[key]
        print "}"
    }
    function both(row, by_hand, derived) {
        part("ours", "typed", row, derived)
        part("reference", "typed", row, by_hand)
    }

    # divan prints a tree of rows, then "name  fastest unit | ...". Lines of throughput have no
    # name.
    FILENAME ~ /time$/ {
        gsub(/[^ -~]+s /, "us ")            # the unit with a Greek letter
        gsub(/[^ -~]/, "")                  # the lines of the tree
        if ($1 ~ /^[a-z_]+$/ && NF == 1) { row = $1; next }
        if ($1 == "nothing") { row = "nothing"; who = "walk" } else who = $1
        if (who ~ /^(by_hand|derived|walk)$/ && $2 ~ /^[0-9.]+$/) {
            key = row "/" who
            value = seconds($2, $3)
            if (!(key in time) || value < time[key]) time[key] = value
        }
        next
    }

    # gungraun prints "instructions::rows::row who:(...)", then "  Instructions:  count|before".
    /^instructions::/ {
        row = $1
        sub(/.*::/, "", row)
        sub(/nothing_at_all/, "nothing", row)
        who = $2
        sub(/:.*/, "", who)
        key = row "/" who
    }
    $1 == "Instructions:" { split($2, parts, "|"); count[key] = parts[1] }

    END {
        rows_count = split("validate_mixed validate_one_type update_echo update_switch normalize_echo normalize_switch " \
            "validate_invalid update_ratcheted normalize_stale read_enum", names, " ")
        for (i = 1; i <= rows_count; i++) {
            both(names[i], names[i] "/by_hand", names[i] "/derived")
            if (names[i] == "validate_mixed")
                both("validate_mixed, match", "validate_mixed_by_match/by_hand", "validate_mixed/derived")
        }
        part("ours", "typed", "the walk and an empty call, in every row", "nothing/walk")
        # The Go functions of Kubernetes run on the same objects.
        for (i = 1; i <= rows_count; i++)
            if (names[i] !~ /one_type|ratcheted|read_enum/)
                part("ours", "typed, Go", names[i], names[i] "/derived")
    }
' "$work/time" "$work/instructions"
