#!/usr/bin/env bash
# Runs both benches and prints one Markdown table: time and instructions per object, and the ratios of derived to by hand.
#
#   tests/benches/ratios.sh [ROUNDS]        ROUNDS of the timed bench (default 5), of which the fastest counts
#
# Needs valgrind, and `cargo install gungraun-runner` of the version of gungraun that Cargo.lock has. Without the two, the
# columns of instructions stay empty.
set -euo pipefail
export LC_ALL=C

rounds=${1:-5}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$here/../.."
# The calls take two nanoseconds each, and the placement of a function alone moves that by a fifth: so all are placed alike.
# Flags of its own need a target directory of its own, or the next ordinary build would start from nothing.
export RUSTFLAGS="${RUSTFLAGS:-} -Cllvm-args=-align-all-functions=6 -Cllvm-args=-align-loops=64"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/ratios"

for ((round = 1; round <= rounds; round++)); do
    echo "time, round $round of $rounds" >&2
    cargo bench -q -p union-benches --bench typed -- --color never --sample-count 400 >>"$work/time"
done

: >"$work/instructions"
if command -v valgrind >/dev/null && command -v gungraun-runner >/dev/null; then
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
    function per_object(total) { return total == "" ? "" : sprintf("%.2f", total / objects) }
    function whole(total) { return total == "" ? "" : sprintf("%.0f", total / objects) }
    function ratio(derived, by_hand) {
        return derived == "" || by_hand == "" ? "" : sprintf("%.2f", derived / by_hand)
    }
    function line(row, by_hand, derived) {
        printf "| `%s` | %s | %s | **%s** | %s | %s | **%s** |\n", row, \
            per_object(time[by_hand]), per_object(time[derived]), ratio(time[derived], time[by_hand]), \
            whole(count[by_hand]), whole(count[derived]), ratio(count[derived], count[by_hand])
    }

    # divan: a tree of rows, then "name  fastest unit | ...". Lines of throughput have no name.
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

    # gungraun: "instructions::rows::row who:(...)", then "  Instructions:  count|before".
    /^instructions::/ {
        row = $1
        sub(/.*::/, "", row)
        who = $2
        sub(/:.*/, "", who)
        key = row "/" who
    }
    $1 == "Instructions:" { split($2, parts, "|"); count[key] = parts[1] }

    END {
        print "| row | by hand, ns | derived, ns | time ratio | by hand, instr. | derived, instr. | instr. ratio |"
        print "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
        rows = "validate_mixed validate_one_type update_echo update_switch normalize_echo normalize_switch " \
            "validate_invalid update_ratcheted normalize_stale"
        rows_count = split(rows, names, " ")
        for (i = 1; i <= rows_count; i++) {
            line(names[i], names[i] "/by_hand", names[i] "/derived")
            if (names[i] == "validate_mixed")
                line("validate_mixed, match", "validate_mixed_by_match/by_hand", "validate_mixed/derived")
        }
        printf "\nThe walk and an empty call, which are in every number: %s ns, %s instructions.\n", \
            per_object(time["nothing/walk"]), whole(count["nothing_at_all/walk"])
    }
' "$work/time" "$work/instructions"
