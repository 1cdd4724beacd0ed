#!/usr/bin/env bash
# Measures the generation of Rust types from CRDs: `unionctl generate rust`, beside kopium. Prints
# rows for `report`.
#
#   tests/benches/generators.sh [--quick] <CRDS
#
# Each line of stdin is a CRD as JSON, with one version. A row has the time of one process, as the
# mean of all CRDs. Other rows are the sizes of both stripped programs, and the CPU seconds of
# `cargo check` of the generated types, without dependencies. The fastest round counts.
#
# kopium is installed from crates.io into cargo's target folder. With --quick, the programs are not
# optimized, kopium is measured only if it is installed, and types are generated but not checked.
set -euo pipefail
export LC_ALL=C

rounds=10 checks=3 quick= build=(--release) profile=release
case "${1-}" in
    '') ;;
    --quick) rounds=1 checks=0 quick=yes build=() profile=debug ;;
    *) sed -n '2,/^set /{/^# \{0,1\}/s///p}' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/crds"
awk -v folder="$scratch/crds" '{ file = folder "/" NR ".json"; print >file; close(file) }'
crds=("$scratch"/crds/*.json)

cd "$repo"
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target"
target=$(realpath "$target")
# The same place and version as in tests/generated/real/run.
kopium=${KOPIUM:-$target/kopium/bin/kopium}
[ -n "$quick" ] || [ -x "$kopium" ] || cargo install -q --locked --root "$target/kopium" kopium --version 0.24.0 >&2
cargo build -q "${build[@]}" --bin unionctl
declare -A generate=(
    [ours]="$target/$profile/unionctl generate rust --crd"
    [reference]="$kopium --docs --schema derived -f"
)
sides=(ours)
[ ! -x "$kopium" ] || sides+=(reference)

row() { # SIDE NAME UNIT NUMBER
    printf '{"side": "%s", "what": "generate, kopium", "row": "%s", "%s": %s}\n' "$1" "$2" "$3" "$4"
}

for side in "${sides[@]}"; do
    mkdir -p "$scratch/$side/src"
done
declare -A least
for ((round = 1; round <= rounds; round++)); do
    for side in "${sides[@]}"; do
        start=${EPOCHREALTIME/./}
        for crd in "${crds[@]}"; do
            # shellcheck disable=SC2086 # each word is an argument
            ${generate[$side]} "$crd" >"$scratch/$side/src/crd_$(basename "$crd" .json).rs"
        done
        took=$((${EPOCHREALTIME/./} - start))
        [ "${least[$side]:-$took}" -lt "$took" ] || least[$side]=$took
    done
done
for side in "${sides[@]}"; do
    row "$side" "a process for a CRD, mean of ${#crds[@]} CRDs" ns $((least[$side] * 1000 / ${#crds[@]}))
    program=${generate[$side]%% *}
    strip -o "$scratch/stripped" "$program"
    row "$side" "the program, with all of its commands, stripped" bytes "$(stat -c %s "$scratch/stripped")"
done
((checks > 0)) || exit 0

printf '[workspace]\nresolver = "3"\nmembers = ["ours", "reference"]\n' >"$scratch/Cargo.toml"
# The lock file pins the versions that the repository is built with.
cp "$repo/Cargo.lock" "$scratch/Cargo.lock"
for side in "${sides[@]}"; do
    cat >"$scratch/$side/Cargo.toml" <<TOML
[package]
name = "types_$side"
version = "0.0.0"
edition = "2024"

[dependencies]
k8s-openapi = { version = "0.29", features = ["schemars", "v1_37"] }
kube = { version = "5", default-features = false, features = ["derive"] }
schemars = "1"
serde = { version = "1", features = ["derive"] }
serde_json = "1"
union-runtime = { path = "$repo/union-runtime" }
TOML
    {
        # Lints are about code that people wrote.
        echo '#![allow(warnings)]'
        for crd in "${crds[@]}"; do
            echo "pub mod crd_$(basename "$crd" .json);"
        done
    } >"$scratch/$side/src/lib.rs"
done

cd "$scratch"
# The target directory is kept between runs, so that dependencies are built once.
export CARGO_INCREMENTAL=0 CARGO_TARGET_DIR=$target/generators
echo "building what the types depend on" >&2
cargo check -q --workspace >&2
least=()
for ((check = 1; check <= checks; check++)); do
    for side in "${sides[@]}"; do
        touch "$side/src/lib.rs"
        TIMEFORMAT=%U
        took=$({ time cargo check -q -p "types_$side" 2>"$scratch/errors"; } 2>&1) || { cat "$scratch/errors" >&2; exit 1; }
        if [ -z "${least[$side]-}" ] || awk -v a="$took" -v b="${least[$side]}" 'BEGIN { exit !(a < b) }'; then
            least[$side]=$took
        fi
    done
done
for side in "${sides[@]}"; do
    row "$side" "cargo check of the types of ${#crds[@]} CRDs" ns "$(awk -v s="${least[$side]}" 'BEGIN { printf "%.0f", s * 1e9 }')"
done
