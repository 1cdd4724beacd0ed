#!/usr/bin/env bash
# Measures the size and the build of a minimal program with a crate of ours, beside the same program
# with another crate for the same task. Prints rows for `report`.
#
#   tests/benches/other_crates.sh [CRATE...]     the other crates; by default all
#
# A program reads an object from stdin, and evaluates a rule or validates a schema from its
# arguments. The CPU seconds are those of one `cargo build` from nothing, dependencies included. The
# size is that of the stripped binary.
set -euo pipefail
export LC_ALL=C

crates=("$@")
[ ${#crates[@]} -gt 0 ] || crates=(cel kube-cel jsonschema)

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints the dependency of a program.
dependency() { # CRATE
    case $1 in
        k8s-*) echo "$1 = { path = \"$repo/crates/$1\" }" ;;
        cel) echo 'cel = "0.15"' ;;
        kube-cel) echo 'kube-cel = { version = "0.8", features = ["validation"] }' ;;
        jsonschema) echo 'jsonschema = { version = "0.61", default-features = false }' ;;
    esac
}

# Prints the statements of a program that use the crate.
body() { # CRATE
    case $1 in
        k8s-cel) cat <<'RUST'
    use k8s_cel::{Binding, DeclaredType, DeclaredTypes, Environment, Evaluator, cost::PER_CALL_LIMIT};
    let types = DeclaredType::object([("replicas", DeclaredType::int())]).build()?;
    let program = Environment::new(&types, DeclaredTypes::ROOT).compile(&argument)?;
    let this = Binding::new(&types, &object, DeclaredTypes::ROOT);
    let result = Evaluator::new(&types).run(&program, &this, None, PER_CALL_LIMIT).result?;
    println!("{:?}", result.as_bool());
RUST
            ;;
        cel) cat <<'RUST'
    use cel::{Context, Env, extensions};
    let mut env = Env::stdlib();
    for extension in [extensions::encoders, extensions::lists, extensions::math, extensions::strings] {
        env.add_extension(extension)?;
    }
    let program = env.compile(&argument)?;
    let mut context = Context::with_env(std::sync::Arc::new(env));
    context.add_variable("self", object)?;
    println!("{:?}", program.execute(&context)?);
RUST
            ;;
        kube-cel) cat <<'RUST'
    let schema: serde_json::Value = serde_json::from_str(&argument)?;
    let compiled = kube_cel::compile_schema(&schema);
    println!("{:?}", kube_cel::Validator::new().validate_compiled(&compiled, &object, None));
RUST
            ;;
        k8s-crd-validation) cat <<'RUST'
    use k8s_crd_validation::{ServerSettings, StructuralSchema};
    let (crd, mut object): (serde_json::Value, _) = (serde_json::from_str(&argument)?, object);
    let schema = StructuralSchema::compiler().crd(&crd, None)?;
    println!("{}", schema.create(&mut object, &ServerSettings::default()).is_accepted());
RUST
            ;;
        jsonschema) cat <<'RUST'
    let schema: serde_json::Value = serde_json::from_str(&argument)?;
    let validator = jsonschema::draft4::new(&schema).map_err(|error| error.to_string())?;
    println!("{}", validator.is_valid(&object));
RUST
            ;;
    esac
}

# Writes a program.
write() { # CRATE
    mkdir -p "$scratch/$1/src"
    # The lock file pins the versions that the repository is built with.
    cp "$repo/Cargo.lock" "$scratch/$1/Cargo.lock"
    cat >"$scratch/$1/Cargo.toml" <<TOML
[package]
name = "minimal"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
serde_json = { version = "1", features = ["float_roundtrip"] }
$(dependency "$1")

[profile.release]
debug = false
strip = true
TOML
    cat >"$scratch/$1/src/main.rs" <<RUST
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = std::env::args().nth(1).ok_or("the first argument is a rule or a schema")?;
    let object: serde_json::Value = serde_json::from_str(&std::io::read_to_string(std::io::stdin())?)?;
$(body "$1")
    Ok(())
}
RUST
}

declare -A seconds bytes packages
# Builds a program once, and measures the build and the program.
measure() { # CRATE
    local took TIMEFORMAT='%U %S'
    [[ -z ${seconds[$1]-} ]] || return 0
    echo "$1: building from nothing" >&2
    write "$1"
    cd "$scratch/$1"
    cargo fetch -q
    packages[$1]=$(cargo tree -q --offline --prefix none -e normal,build --no-dedupe | awk '{ print $1, $2 }' | sort -u | wc -l)
    rm -rf "$scratch/target"
    took=$({ time CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$scratch/target" cargo build -q --offline --release 2>"$scratch/errors"; } 2>&1) ||
        { cat "$scratch/errors" >&2; return 1; }
    seconds[$1]=$took
    bytes[$1]=$(stat -c %s "$scratch/target/release/minimal")
}

for crate in "${crates[@]}"; do
    ours=k8s-cel
    [[ $crate != jsonschema ]] || ours=k8s-crd-validation
    for side in ours:$ours reference:$crate; do
        measure "${side#*:}"
    done
    for side in ours:$ours reference:$crate; do
        program=${side#*:} side=${side%%:*}
        name="$ours beside $crate"
        printf '{"side": "%s", "what": "other crates", "row": "%s, a stripped program", "bytes": %s}\n' \
            "$side" "$name" "${bytes[$program]}"
        awk -v times="${seconds[$program]}" -v side="$side" -v name="$name, a build from nothing: ${packages[$ours]} packages, ${packages[$crate]} with $crate" \
            'BEGIN { split(times, cpu, " "); printf "{\"side\": \"%s\", \"what\": \"other crates\", \"row\": \"%s\", \"ns\": %.0f}\n", side, name, (cpu[1] + cpu[2]) * 1e9 }'
    done
done
