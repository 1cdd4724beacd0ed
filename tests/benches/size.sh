#!/usr/bin/env bash
# Measures the growth of a minimal program. Prints rows for `report`, in bytes of release binaries.
#
#   tests/benches/size.sh [--quick] [CASE...]   the given cases; by default all cases
#
# With --quick, the script only runs `cargo check` on our programs, and prints no rows.
#
# The reference is a program that reads an object of a struct and prints it. One program adds
# derive(Union) and the calls of a server; other programs add one call of an engine. The build has
# `opt-level = 3`, one crate, and no debug information. A row has the size as built by cargo, and
# the stripped size.
set -euo pipefail
export LC_ALL=C

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints the struct of a program. The derives and attributes depend on the case.
struct() { # SCHEMA UNION
    local derive='Serialize, Deserialize, Clone, Debug' enum= discriminator= member= hook=
    [ "$1" = no ] || derive+=', JsonSchema'
    enum=$derive
    if [ "$2" = yes ]; then
        derive+=', Union' enum+=', EnumType' discriminator='#[union(discriminator)]' member='#[union(member)]'
        [ "$1" = no ] || hook='#[schemars(transform = union_runtime::add_unions::<Probe>)]'
    fi
    cat <<RUST
#[derive($enum)]
pub enum ProbeType { Exec, Port }

#[derive($derive)]
$hook
pub struct Probe {
    $discriminator
    pub kind: ProbeType,
    $member
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exec: Option<Vec<String>>,
    $member
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
}
RUST
}

# Prints the main function of a program, which reads lines, runs BODY on them, and prints the
# results.
program() { # TYPE BODY
    cat <<RUST
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut old: Option<$1> = None;
    for line in std::io::stdin().lines() {
        let mut new: $1 = serde_json::from_str(&line?)?;
        $2
        println!("{}", serde_json::to_string(&new)?);
        old = Some(new);
    }
    drop(old);
    Ok(())
}
RUST
}

head='#![allow(unused_mut, unused_imports, dead_code)]
use serde::{Deserialize, Serialize};
use serde_json::Value;'
imports='use union_runtime::{EnumType, Union};'
admit='drop(new.admit_unions(old.as_ref(), &union_runtime::Settings::default()).into_result()?);'
schema_text='println!("{}", serde_json::to_string(&schemars::schema_for!(Probe))?);'
finished_text='println!("{}", serde_json::to_string(&union_runtime::schema_for::<Probe>())?);'
file='let document: Value = serde_json::from_str(&std::fs::read_to_string("schema.json")?)?;'

# Prints the source of a program: ours, or the reference that it is compared with.
source_of() { # NAME SIDE
    case $1-$2 in
        'derive(Union)-ours') echo "$imports"; struct no yes; program Probe "$admit" ;;
        'derive(Union)-reference') struct no no; program Probe '' ;;
        'derive(Union), JsonSchema-ours') echo "$imports"; echo 'use schemars::JsonSchema;'; struct yes yes; program Probe "$admit $finished_text" ;;
        'derive(Union), JsonSchema-reference') echo 'use schemars::JsonSchema;'; struct yes no; program Probe "$schema_text" ;;
        'feature engine-ours') program Value "$file let unions = union_json::Unions::compile(union_json::SchemaSource::Schema(&document))?;
            drop(unions.admit(&mut new, old.as_ref(), &union_runtime::Settings::default()).into_result()?);" ;;
        'k8s-crd-validation-ours') program Value "$file
            let schema = k8s_crd_validation::StructuralSchema::compiler().crd(&document, None)?;
            println!(\"{:?}\", schema.create(&mut new, &k8s_crd_validation::ServerSettings::default()));" ;;
        'k8s-strategic-merge-patch-ours') program Value "$file let schema = k8s_strategic_merge_patch::PatchSchema::compile(&document)?;
            new = schema.apply(old.clone().unwrap_or_default(), &new)?;" ;;
        feature*-reference | k8s-*-reference) program Value "$file println!(\"{document}\");" ;;
    esac
}
quick= sides=(ours reference)
if [ "${1-}" = --quick ]; then
    quick=yes sides=(ours)
    shift
fi
all=('derive(Union)' 'derive(Union), JsonSchema' 'feature engine' k8s-crd-validation k8s-strategic-merge-patch)
cases=("$@")
[ ${#cases[@]} -gt 0 ] || cases=("${all[@]}")

cat >"$scratch/Cargo.toml" <<TOML
[package]
name = "minimal"
version = "0.0.0"
edition = "2024"

[workspace]

[features]
schema = ["dep:schemars", "union-runtime?/schemars"]

[dependencies]
k8s-crd-validation = { path = "$repo/crates/k8s-crd-validation", optional = true }
k8s-strategic-merge-patch = { path = "$repo/crates/k8s-strategic-merge-patch", default-features = false, optional = true }
schemars = { version = "1", optional = true }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
union-json = { path = "$repo/crates/union-json", optional = true }
union-runtime = { path = "$repo/union-runtime", default-features = false, optional = true, features = ["derive"] }

[profile.release]
debug = false
TOML
# The lock file pins the versions that the repository is built with.
cp "$repo/Cargo.lock" "$scratch/Cargo.lock"
mkdir "$scratch/src"
cd "$scratch"
# The target directory is kept between runs, so that dependencies are built once.
export CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$repo/target}/minimal"

for case in "${cases[@]}"; do
    for side in "${sides[@]}"; do
        features=()
        case $case in
            *JsonSchema) features+=(schema) ;;
            feature*) [ $side = reference ] || features+=(union-json) ;;
            k8s-*) [ $side = reference ] || features+=("$case") ;;
        esac
        [[ $side = reference || $case = k8s-* ]] || features+=(union-runtime)
        { echo "$head"; source_of "$case" $side; } >src/main.rs
        if [ -n "$quick" ]; then
            echo "$case, $side" >&2
            cargo check -q --features "$(IFS=,; echo "${features[*]}")"
            continue
        fi
        for strip in none symbols; do
            echo "$case, $side, strip=$strip" >&2
            cargo rustc -q --release --features "$(IFS=,; echo "${features[*]}")" -- -Cstrip=$strip
            name=$case
            [ $strip = none ] || name+=', stripped'
            printf '{"side": "%s", "what": "binary", "row": "%s", "bytes": %s}\n' \
                $side "$name" "$(stat -c %s "$CARGO_TARGET_DIR/release/minimal")"
        done
    done
done
