//! The table of functions: our own, which must be equal to the server's.

use std::collections::BTreeSet;

use k8s_cel::{Feature, KubeVersion, Signature, Type};
use serde_json::Value;

/// The overloads of the checker. The macros are in [`MACROS`].
pub(crate) struct Table {
    pub(crate) overloads: Vec<Signature>,
}

/// A macro: its name and the number of its arguments, without the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Macro {
    pub(crate) name: &'static str,
    pub(crate) arguments: usize,
    /// The function that only this macro calls.
    pub(crate) calls: &'static str,
    /// The first version that has the macro.
    since: u16,
}

impl Macro {
    const fn since(self, minor: u16) -> Self {
        Self {
            since: minor,
            ..self
        }
    }
}

const fn a(name: &'static str, arguments: usize, calls: &'static str) -> Macro {
    Macro {
        name,
        arguments,
        calls,
        since: 0,
    }
}

/// All macros of an API server.
pub(crate) const MACROS: &[Macro] = &[
    a("all", 2, "@not_strictly_false"),
    a("all", 3, "").since(32),
    a("exists", 2, ""),
    a("exists", 3, "").since(32),
    a("existsOne", 3, "").since(32),
    a("exists_one", 2, ""),
    a("exists_one", 3, "").since(32),
    a("filter", 2, ""),
    a("has", 1, ""),
    a("map", 2, ""),
    a("map", 3, ""),
    a("optFlatMap", 2, "").since(28),
    a("optMap", 2, "").since(28),
    a("sortBy", 2, "@sortByAssociatedKeys").since(34),
    a("transformList", 3, "").since(32),
    a("transformList", 4, "").since(32),
    a("transformMap", 3, "cel.@mapInsert").since(32),
    a("transformMap", 4, "").since(32),
    a("transformMapEntry", 3, "cel.@mapInsert").since(32),
    a("transformMapEntry", 4, "").since(32),
];

impl Table {
    /// Returns the overloads of a server.
    pub(crate) fn new(server: KubeVersion) -> Self {
        let mut overloads = k8s_cel::overloads();
        overloads.retain(|each| {
            each.since.is_some_and(|since| since <= server)
                && each.removed.is_none_or(|removed| server < removed)
        });
        Self { overloads }
    }

    /// Returns the differences between this table and the server's table for a version. `theirs` is
    /// the result of the query `{"table": version}`.
    pub(crate) fn differences(&self, theirs: &Value, version: KubeVersion) -> Vec<String> {
        let texts = |key: &str| -> BTreeSet<String> {
            let texts = theirs[key].as_array().into_iter().flatten();
            texts.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let functions: BTreeSet<String> = texts("functions")
            .iter()
            .map(|text| numbered(text))
            .collect();
        let functions = functions
            .into_iter()
            .filter(|text| !is_operator(text))
            .filter(|text| !is_hidden(text, version))
            .collect();
        let ours = self
            .overloads
            .iter()
            .filter(|each| {
                // A later server does not have an overload that was removed.
                let since = match each.removed {
                    Some(_) => each.since,
                    None => each.libraries_since,
                };
                since.is_some_and(|since| since <= version)
            })
            .filter(|each| each.name != "_?_:_" || !each.is_member);
        let ours: BTreeSet<String> = ours.map(|each| numbered(&signature(each))).collect();
        let ours: BTreeSet<String> = ours
            .into_iter()
            .filter(|text| !is_operator(text) && !is_selector(text))
            .collect();
        let key = |each: &Macro| format!("{}:{}:{}", each.name, each.arguments, each.name != "has");
        let macros = MACROS.iter().filter(|each| each.since <= version.minor());
        let macros: BTreeSet<String> = macros.map(key).collect();
        let mut found = Vec::new();
        for (ours, theirs) in [(ours, functions), (macros, texts("macros"))] {
            found.extend(
                theirs
                    .difference(&ours)
                    .map(|text| format!("{version}: only the server has {text}")),
            );
            found.extend(
                ours.difference(&theirs)
                    .map(|text| format!("{version}: only we have {text}")),
            );
        }
        found
    }
}

/// Returns true for operators that the two tables describe in different ways, so that they are not
/// compared.
fn is_operator(signature: &str) -> bool {
    let name = signature.split('(').next().unwrap_or_default();
    matches!(name, "_in_" | "in" | "__not_strictly_false__" | "_?._")
}

/// Returns true if a server of this version declares an overload that no expression can call, such
/// as a comparison of numbers of different types.
fn is_hidden(signature: &str, version: KubeVersion) -> bool {
    if is_selector(signature) {
        return true;
    }
    let (name, types) = signature.split_once('(').unwrap_or((signature, ""));
    let is_mixed = || {
        let types = types.split_once(')').map_or("", |types| types.0);
        let types = types.split_once(", ");
        types.is_some_and(|(one, other)| one != other)
    };
    matches!(name, "_<_" | "_<=_" | "_>_" | "_>=_")
        && !version.has(Feature::MixedComparisons)
        && is_mixed()
}

/// Returns true for the functions `fieldSelector` and `labelSelector`. No server has them with
/// libraries below 1.31, and the modules of 1.37 declare them only from 1.31 on.
fn is_selector(signature: &str) -> bool {
    signature.contains(".fieldSelector(") || signature.contains(".labelSelector(")
}

/// Returns a signature in the form of the server's program.
fn signature(of: &Signature) -> String {
    let mut args: Vec<String> = of.args.iter().map(Type::to_string).collect();
    let receiver = if of.is_member && !args.is_empty() {
        args.remove(0) + "."
    } else {
        String::new()
    };
    format!(
        "{receiver}{}({}) -> {}",
        of.name,
        args.join(", "),
        of.result
    )
}

/// Replaces the type parameters by numbers, in the order of their first use.
fn numbered(signature: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut numbered = String::new();
    let mut word = String::new();
    for letter in signature.chars().chain(['\n']) {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        let is_parameter = word.starts_with("_var")
            || (word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase()));
        if is_parameter {
            let at = names
                .iter()
                .position(|name| *name == word)
                .unwrap_or_else(|| {
                    names.push(word.clone());
                    names.len() - 1
                });
            word = format!("T{at}");
        }
        numbered.push_str(&std::mem::take(&mut word));
        numbered.push(letter);
    }
    numbered.trim_end().to_owned()
}
