#!/usr/bin/env bash
# Measures requests for custom resources, beside the API server's own code, and prints the tables of README.md.
#
#   tests/benches/crd.sh [SECONDS]          SECONDS that each row is measured (default 0.5)
#
# The server's side needs Go, and the Gateway API's objects in ../shared/cases or $SHARED_CASES; instructions need valgrind.
# What is not there is left out.
set -euo pipefail
export LC_ALL=C

seconds=${1:-0.5}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export SHARED_CASES="${SHARED_CASES:-$here/../../../shared/cases}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$here/../.."
bench() { cargo bench -q -p union-benches --features crd --bench crd -- "$@"; }
# What is built while the other side runs would slow it down.
cargo bench -q -p union-benches --features crd --bench crd --no-run

reference=()
if command -v go >/dev/null && [ -d "$SHARED_CASES/gateway" ]; then
    echo "the server's side" >&2
    tests/reference/crd/run bench >"$work/reference.jsonl"
    reference=(--reference "$work/reference.jsonl")
else
    echo "no server's side: Go or the Gateway API's objects are missing" >&2
fi
echo "our side" >&2
bench --seconds "$seconds" "${reference[@]}"
