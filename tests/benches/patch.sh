#!/usr/bin/env bash
# Measures strategic merge patches of growing lists, beside Kubernetes' own code, and prints the tables of README.md.
#
#   tests/benches/patch.sh [SECONDS]        SECONDS that each row is measured (default 0.5)
#
# The other side needs Go; without it, it is left out.
set -euo pipefail
export LC_ALL=C

seconds=${1:-0.5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bench() { cargo bench -q -p union-benches --features patch --bench patch -- "$@"; }
# What is built while the other side runs would slow it down.
cargo bench -q -p union-benches --features patch --bench patch --no-run

reference=()
if command -v go >/dev/null; then
    echo "the reference's side" >&2
    (cd tests/reference/strategic && go build -o "$work/strategic" .)
    bench --write >"$work/workloads.jsonl"
    "$work/strategic" -bench <"$work/workloads.jsonl" >"$work/reference.jsonl"
    reference=(--reference "$work/reference.jsonl")
else
    echo "no reference's side: there is no Go" >&2
fi
echo "our side" >&2
bench --seconds "$seconds" "${reference[@]}"
