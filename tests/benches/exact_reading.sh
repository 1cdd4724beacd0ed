#!/usr/bin/env bash
# Measures the cost of reading numbers exactly: the instructions of serde_json with
# `float_roundtrip`, which every crate of ours switches on, beside serde_json without this feature.
# Prints rows for `report`.
#
#   tests/benches/exact_reading.sh [--rounds N]
#
# A round parses one document of 1,000 numbers, or of 100 objects without decimals, into a
# `serde_json::Value`. A count is the difference between a run with N rounds (20 by default) and a
# run with one round, divided by N - 1. The script needs valgrind, but the machine may be busy.
set -euo pipefail
export LC_ALL=C

usage() {
    sed -n '2,/^set /{/^# \{0,1\}/s///p}' "${BASH_SOURCE[0]}"
}

rounds=20
while (($# > 0)); do
    case $1 in
        --rounds) rounds=${2:?--rounds needs a number}; shift ;;
        --help) usage; exit ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
((rounds > 1)) || { echo "--rounds must be at least 2" >&2; exit 2; }
command -v valgrind >/dev/null || { echo "valgrind is missing" >&2; exit 1; }

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/Cargo.toml" <<'TOML'
[package]
name = "exact_reading"
version = "0.0.0"
edition = "2024"

[workspace]

[features]
exact = ["serde_json/float_roundtrip"]

[dependencies]
serde_json = "1"

[profile.release]
debug = false
TOML
# The lock file pins the versions that the repository is built with.
cp "$repo/Cargo.lock" "$scratch/Cargo.lock"
mkdir "$scratch/src"
cat >"$scratch/src/main.rs" <<'RUST'
use serde_json::{Value, json};

/// Returns random doubles, which need up to 17 digits.
fn doubles() -> Value {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        f64::from_bits(state)
    };
    std::iter::repeat_with(|| next()).filter(|double| double.is_finite()).take(1_000).collect()
}

fn document(name: &str) -> Value {
    match name {
        "1,000 random doubles" => doubles(),
        "1,000 decimals of 3 digits" => (0..1_000).map(|i| f64::from(i * 7 + 1) / 1_000.0).collect(),
        "1,000 integers" => (0..1_000).map(|i| i * 7_919).collect(),
        "100 objects without decimals" => (0..100)
            .map(|i| json!({"name": format!("port-{i}"), "port": 8_000 + i, "protocol": "TCP", "labels": {"app": "web"}}))
            .collect(),
        other => panic!("{other} is not the name of a document"),
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (name, rounds) = (arguments.next().expect("a name"), arguments.next().expect("a count"));
    let text = document(&name).to_string();
    for _ in 0..rounds.parse().expect("a number of rounds") {
        let value: Value = serde_json::from_str(std::hint::black_box(&text)).expect("JSON");
        std::hint::black_box(&value);
    }
}
RUST

cd "$scratch"
# The target directory is kept between runs, so that dependencies are built once.
export CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$repo/target}/exact_reading"
for side in ours reference; do
    features=()
    [ $side = reference ] || features=(--features exact)
    cargo build -q --release "${features[@]}"
    cp "$CARGO_TARGET_DIR/release/exact_reading" "$scratch/$side"
done

count() { # SIDE DOCUMENT ROUNDS
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$scratch/count" "$scratch/$1" "$2" "$3"
    awk '/Collected/ { print $NF }' "$scratch/count"
}
for document in '1,000 random doubles' '1,000 decimals of 3 digits' '1,000 integers' '100 objects without decimals'; do
    for side in ours reference; do
        instructions=$((($(count $side "$document" "$rounds") - $(count $side "$document" 1)) / (rounds - 1)))
        printf '{"side": "%s", "what": "exact reading", "row": "%s", "instructions": %s}\n' $side "$document" "$instructions"
    done
done
