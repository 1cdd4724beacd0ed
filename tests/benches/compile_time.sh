#!/usr/bin/env bash
# Measures the cost of the derives in `cargo check`, beside the cost of JsonSchema. Prints rows for
# `report`, for one struct and for one enum.
#
#   tests/benches/compile_time.sh [--instructions] [--structs N] [--runs N]
#
# The structs have six fields (a discriminator, one ordinary field, four members). Three crates
# differ by derive: serde alone; serde and JsonSchema; serde, JsonSchema and Union with its schema
# hook.
#
# The enums have four variants. Three more crates differ by derive: no derive; serde and JsonSchema
# (externally tagged); UnionEnum, which replaces serde and JsonSchema.
#
# Two rows are the whole crates: a project with all of the structs or enums, beside the same project
# without unions.
#
# By default, the script measures user CPU seconds of `cargo check` (200 structs, the fastest of 10
# interleaved runs). The machine should be idle. With --instructions, callgrind counts the
# instructions of rustc (60 structs, one run). This is slow and needs valgrind, but the machine may
# be busy.
set -euo pipefail
export LC_ALL=C

usage() {
    sed -n '2,/^set /{/^# \{0,1\}/s///p}' "${BASH_SOURCE[0]}"
}

measure=seconds
structs=
runs=
while (($# > 0)); do
    case $1 in
        --instructions) measure=instructions ;;
        --structs) structs=${2:?--structs needs a number}; shift ;;
        --runs) runs=${2:?--runs needs a number}; shift ;;
        --help) usage; exit ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
if [[ $measure == instructions ]]; then
    structs=${structs:-60} runs=${runs:-1}
    command -v valgrind >/dev/null || { echo "valgrind is missing" >&2; exit 1; }
else
    structs=${structs:-200} runs=${runs:-10}
fi

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
variants=(serde schema union enum_bare enum_external enum_union)

# Only the derives and the hook differ by variant.
generate() {
    local variant=$1 derive='' hook='' enum_derive='' discriminator='' member='' optional=''
    if [[ $variant != serde ]]; then
        derive+=', JsonSchema' enum_derive+=', JsonSchema'
    fi
    if [[ $variant == union ]]; then
        derive+=', Union' enum_derive+=', EnumType'
        discriminator='#[union(discriminator)]'
        member='#[union(member)]'
        optional='#[union(member, optional)]'
    fi
    cat <<RUST
#![allow(unused_imports)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(Serialize, Deserialize, Clone, Debug$enum_derive)]
pub enum Kind {
    Alpha,
    Beta,
    Gamma,
    Delta,
}
RUST
    local i
    for ((i = 0; i < structs; i++)); do
        [[ $variant != union ]] || hook="#[schemars(transform = union_runtime::add_unions::<S$i>)]"
        cat <<RUST

#[derive(Serialize, Deserialize, Clone, Debug$derive)]
#[serde(rename_all = "camelCase")]
$hook
pub struct S$i {
    $discriminator
    pub kind: Kind,
    pub other: Option<String>,
    $member
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<String>,
    $member
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<i32>,
    $member
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gamma: Option<Vec<String>>,
    $optional
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<bool>,
}
RUST
    done
}

generate_enums() {
    local variant=$1 derive='' head='' other=''
    case $variant in
        enum_external) derive=', Serialize, Deserialize, JsonSchema' ;;
        enum_union) derive=', UnionEnum' head='#[union(discriminator = "type")]' other='#[union(other)] Other(RawUnion),' ;;
    esac
    cat <<RUST
#![allow(unused_imports)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
pub struct Config {
    pub name: String,
    pub size: Option<i32>,
}
RUST
    local i
    for ((i = 0; i < structs; i++)); do
        cat <<RUST

#[derive(Clone, Debug$derive)]
$head
pub enum E$i {
    Alpha(Config),
    Beta(String),
    Gamma(Vec<String>),
    Delta(Box<Config>),
    $other
}
RUST
    done
}

{
    printf '[workspace]\nresolver = "3"\nmembers = ['
    printf '"ct_%s", ' "${variants[@]}"
    printf ']\n'
} >"$scratch/Cargo.toml"
# The lock file pins the versions that the repository is built with.
cp "$repo/Cargo.lock" "$scratch/Cargo.lock"
for variant in "${variants[@]}"; do
    mkdir -p "$scratch/ct_$variant/src"
    cat >"$scratch/ct_$variant/Cargo.toml" <<TOML
[package]
name = "ct_$variant"
version = "0.0.0"
edition = "2024"

[dependencies]
schemars = "1"
serde = { version = "1", features = ["derive"] }
union-runtime = { path = "$repo/union-runtime" }
TOML
    case $variant in
        enum_*) generate_enums "$variant" ;;
        *) generate "$variant" ;;
    esac >"$scratch/ct_$variant/src/lib.rs"
done

cd "$scratch"
# The target directory is kept between runs, so that dependencies are built once.
export CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$repo/target}/compile_time"
# valgrind must run the compiler itself, and not rustup's proxy for it.
RUSTC=$(rustc --print sysroot)/bin/rustc
export RUSTC
if [[ $measure == instructions ]]; then
    cat >"$scratch/wrapper" <<'WRAPPER'
#!/usr/bin/env bash
# Called by cargo as `wrapper rustc ARGS...` for the crates of this workspace; counts only when it
# compiles one.
set -euo pipefail
if [[ -n ${COUNT_INTO:-} && " $* " == *" --crate-name ct_"* ]]; then
    exec valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$COUNT_INTO" "$@"
fi
exec "$@"
WRAPPER
    chmod +x "$scratch/wrapper"
    export RUSTC_WORKSPACE_WRAPPER=$scratch/wrapper
fi

# Prints the cost of one `cargo check` of a crate, whose dependencies are already built.
once() {
    touch "ct_$1/src/lib.rs"
    if [[ $measure == instructions ]]; then
        COUNT_INTO=$scratch/count cargo check -q -p "ct_$1" >&2
        awk '/Collected/ { print $NF }' "$scratch/count"
    else
        local TIMEFORMAT=%U
        { time cargo check -q -p "ct_$1" 2>"$scratch/errors"; } 2>&1 || {
            cat "$scratch/errors" >&2
            return 1
        }
    fi
}

echo "building what the crates depend on" >&2
cargo check -q --workspace >&2
: >"$scratch/results"
for ((run = 1; run <= runs; run++)); do
    for variant in "${variants[@]}"; do
        result=$(once "$variant")
        echo "run $run of $runs: $variant: $result $measure" >&2
        echo "$variant $result" >>"$scratch/results"
    done
done

awk -v structs="$structs" -v measure="$measure" '
    !($1 in least) || $2 < least[$1] { least[$1] = $2 }
    function part(side, row, added) { print_row(side, row, added / structs) }
    function print_row(side, row, cost) {
        printf "{\"side\": \"%s\", \"what\": \"cargo check\", \"row\": \"%s\", ", side, row
        # The seconds are CPU time in user mode.
        if (measure == "instructions") printf "\"instructions\": %.0f}\n", cost
        else printf "\"ns\": %.0f}\n", cost * 1e9
    }
    END {
        part("ours", "a struct, Union beside JsonSchema", least["union"] - least["schema"])
        part("reference", "a struct, Union beside JsonSchema", least["schema"] - least["serde"])
        part("ours", "a struct, serde, Clone and Debug", least["serde"])
        part("ours", "an enum, UnionEnum beside serde and JsonSchema", least["enum_union"] - least["enum_bare"])
        part("reference", "an enum, UnionEnum beside serde and JsonSchema", least["enum_external"] - least["enum_bare"])
        project = "a project with " structs " "
        print_row("ours", project "structs, Union beside serde and JsonSchema", least["union"])
        print_row("reference", project "structs, Union beside serde and JsonSchema", least["schema"])
        print_row("ours", project "enums, UnionEnum beside serde and JsonSchema", least["enum_union"])
        print_row("reference", project "enums, UnionEnum beside serde and JsonSchema", least["enum_external"])
    }
' "$scratch/results"
