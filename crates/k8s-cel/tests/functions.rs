//! Tests of the functions: the documented table matches the checker.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use k8s_cel::{DeclaredType, DeclaredTypes, Environment, KubeVersion, Signature, Type, overloads};

/// The page with the table. The test writes the page if `UPDATE_SNAPSHOTS=1` is set.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/functions.md");

fn type_names(types: &[Type]) -> String {
    let names: Vec<String> = types.iter().map(Type::to_string).collect();
    names.join(", ")
}

/// Returns a call of the function as an expression writes it.
fn format_signature(signature: &Signature) -> String {
    let name = signature.name;
    let call = match signature.args.split_first() {
        Some((target, rest)) if signature.is_member => {
            format!("{target}.{name}({})", type_names(rest))
        }
        _ => format!("{name}({})", type_names(&signature.args)),
    };
    let call = format!("{call} -> {}", signature.result);
    call.replace("_var0", "A").replace("_var1", "B")
}

/// Returns the table, with a row for each function and version.
fn table() -> String {
    type Versions = [Option<KubeVersion>; 2];
    let mut rows: BTreeMap<(&str, Versions), Vec<String>> = BTreeMap::new();
    for signature in overloads() {
        if signature.removed.is_some() {
            continue;
        }
        // Expressions cannot call the internal functions that macros expand to.
        if signature.name.contains('@') && signature.name != "@in" {
            continue;
        }
        let row = rows
            .entry((
                signature.name,
                [signature.since, signature.since_in_new_rules],
            ))
            .or_default();
        row.push(format!("`{}`", format_signature(&signature)));
    }
    let mut table = "| function | overloads | stored rules since | new rules since |\n| --- | --- | --- | --- |\n".to_owned();
    for ((name, versions), overloads) in rows {
        let [stored, new] = versions;
        let stored_since = stored.expect("a version with the overload");
        let since_text = |since: KubeVersion| {
            if since > KubeVersion::EARLIEST {
                since.to_string()
            } else {
                String::new()
            }
        };
        let stored = since_text(stored_since);
        // New rules may use the functions of the latest version in the next version.
        let next_version = || format!("1.{}", stored_since.minor() + 1);
        let new = new.map_or_else(next_version, since_text);
        let line = format!(
            "| `{name}` | {} | {stored} | {new} |",
            overloads.join("<br>")
        );
        // A vertical bar would end the cell.
        let line = line.replace("_||_", "_\\|\\|_");
        writeln!(table, "{line}").unwrap();
    }
    table
}

#[test]
fn the_documented_functions_match_the_checker() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (introduction, _) = page.split_once("| function |").expect("a table");
    let new_page = format!("{introduction}{}", table());
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(PAGE, &new_page).unwrap();
    }
    let page = std::fs::read_to_string(PAGE).unwrap();
    assert!(
        page == new_page,
        "functions.md has another table; run this test with UPDATE_SNAPSHOTS=1, and read the diff"
    );
}

#[test]
fn every_signature_is_unique() {
    let mut seen: Vec<(&str, String)> = overloads()
        .iter()
        .map(|signature| (signature.name, format_signature(signature)))
        .collect();
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), count);
    assert!(count > 250, "{count}");
}

#[test]
fn a_function_compiles_from_its_version_on() {
    let types = DeclaredType::object([
        ("x", DeclaredType::string()),
        ("namespace", DeclaredType::string()),
    ]);
    let types = types.build().expect("types");
    for (source, since) in [
        ("self.x.charAt(0) == 'a'", 25),
        ("self.namespace == ''", 31),
        ("self.__namespace__ == ''", 25),
        ("self.?x.hasValue()", 28),
        ("1 < 1.5", 28),
        ("quantity('1').isInteger()", 28),
        ("optional.of(1).optMap(x, x).hasValue()", 28),
        (
            "optional.of(1).optFlatMap(x, optional.of(x)).hasValue()",
            29,
        ),
        ("type(1) == optional_type", 31),
        ("[1].first().hasValue()", 33),
        ("matches(self.x, 'a')", 28),
        ("sets.contains([1], [1])", 29),
        ("'%s'.format([self.x]) == ''", 29),
        ("ip(self.x).family() == 4", 30),
        ("isIP(self.x)", 30),
        ("type(1) == net.IP", 30),
        ("format.uri().validate(self.x).hasValue()", 31),
        ("[1].all(i, v, v > i)", 32),
        ("semver(self.x).major() == 1", 33),
        ("[2, 1].sort() == [1, 2]", 34),
        ("[2, 1].sortBy(x, x) == [1, 2]", 34),
    ] {
        for version in KubeVersion::all() {
            let types = types.clone().with_server_version(version);
            let compiled = Environment::new(&types, DeclaredTypes::ROOT).compile(source);
            assert_eq!(
                compiled.is_ok(),
                version.minor() >= since,
                "{source} in {version}: {compiled:?}"
            );
        }
    }
}
