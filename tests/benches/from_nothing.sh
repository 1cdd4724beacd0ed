#!/usr/bin/env bash
# Measures `cargo build` of a minimal user from scratch, dependencies included. Prints rows for
# `report`, in CPU seconds, which depend little on other load of the machine. The name of a row has
# the number of crates.
#
#   tests/benches/from_nothing.sh [--runs N]
#
# The user is a crate with a struct with a union. The script builds the user with the derive, and
# with union-runtime alone (`default-features = false`). The reference is the same crate without a
# union, with serde, serde_json and schemars.
set -euo pipefail
export LC_ALL=C

runs=3
case ${1-} in
    '') ;;
    --runs) runs=${2:?--runs needs a number} ;;
    *) sed -n '2,/^set /{/^# \{0,1\}/s///p}' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
variants=(without runtime derive)

write() { # VARIANT
    local variant=$1 dependency='' derive='' attributes='' enum=''
    case $variant in
        runtime) dependency="union-runtime = { path = \"$repo/union-runtime\", default-features = false }" ;;
        derive)
            dependency="union-runtime = { path = \"$repo/union-runtime\" }"
            derive=', union_runtime::Union' enum=', union_runtime::EnumType'
            attributes='#[schemars(transform = union_runtime::add_unions::<Strategy>)]'
            ;;
    esac
    mkdir -p "$scratch/$variant/src"
    cp "$repo/Cargo.lock" "$scratch/$variant/Cargo.lock"
    cat >"$scratch/$variant/Cargo.toml" <<TOML
[package]
name = "minimal"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
schemars = { version = "1", default-features = false, features = ["derive", "std"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
$dependency
TOML
    local discriminator='' member=''
    [[ $variant != derive ]] || discriminator='#[union(discriminator)]' member='#[union(member, optional)]'
    cat >"$scratch/$variant/src/main.rs" <<RUST
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema$enum)]
enum StrategyType {
    Recreate,
    RollingUpdate,
}

#[derive(Serialize, Deserialize, JsonSchema$derive)]
#[serde(rename_all = "camelCase")]
$attributes
struct Strategy {
    $discriminator
    r#type: StrategyType,
    $member
    #[serde(skip_serializing_if = "Option::is_none")]
    rolling_update: Option<u32>,
}

fn main() {
    let read: Strategy = serde_json::from_str(r#"{"type": "Recreate"}"#).expect("JSON");
    println!("{}", serde_json::to_string(&read).expect("JSON"));
}
RUST
}

# Prints the CPU seconds of a build. Dependencies are already fetched.
once() { # VARIANT
    local TIMEFORMAT='%U %S'
    rm -rf "$scratch/target"
    (
        cd "$scratch/$1"
        { time CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$scratch/target" cargo build -q --offline 2>"$scratch/errors"; } 2>&1 || {
            cat "$scratch/errors" >&2
            exit 1
        }
    ) | awk '{ print $1 + $2 }'
}

declare -A least crates
for variant in "${variants[@]}"; do
    write "$variant"
    (cd "$scratch/$variant" && cargo fetch -q)
    crates[$variant]=$(cd "$scratch/$variant" && cargo tree -q --offline --prefix none -e normal,build --no-dedupe | awk '{ print $1 }' | sort -u | wc -l)
done
for ((run = 1; run <= runs; run++)); do
    for variant in "${variants[@]}"; do
        took=$(once "$variant")
        echo "run $run of $runs: $variant: $took seconds, ${crates[$variant]} crates" >&2
        if [[ -z ${least[$variant]-} ]] || awk -v a="$took" -v b="${least[$variant]}" 'BEGIN { exit !(a < b) }'; then
            least[$variant]=$took
        fi
    done
done

for variant in runtime derive; do
    name="a minimal user from nothing, with ${variant/runtime/union-runtime alone}"
    name="${name/%derive/the derive}: ${crates[$variant]} crates, ${crates[without]} without"
    for side in ours:$variant reference:without; do
        awk -v side="${side%%:*}" -v name="$name" -v seconds="${least[${side#*:}]}" \
            'BEGIN { printf "{\"side\": \"%s\", \"what\": \"cargo build\", \"row\": \"%s\", \"ns\": %.0f}\n", side, name, seconds * 1e9 }'
    done
done
