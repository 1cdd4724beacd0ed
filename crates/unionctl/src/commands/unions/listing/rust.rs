//! Writes the listed unions as Rust: a function for each version, with `union_spec!` for each
//! union.

use std::fmt::Write as _;

use crd_unions::{Union, UnionModel};

use super::model::{ListedKind, ListedVersion, Listing};
use crate::judge::inferred_unions;

/// The name of the macro that declares a union.
const UNION_SPEC_MACRO: &str = "union_spec!";

/// Returns the Rust source, and notes on unions that `union_spec!` cannot express.
pub(super) fn rust_source(listing: &Listing) -> (String, Vec<String>) {
    let mut functions = String::new();
    let mut notes = Vec::new();
    let mut function_names = Vec::new();
    for kind in &listing.kinds {
        for version in &kind.versions {
            add_function(
                kind,
                version,
                &mut function_names,
                &mut functions,
                &mut notes,
            );
        }
    }
    let mut source = "use union_json::{Compiler, Unions};\n".to_owned();
    // An unused import would cause a warning.
    if functions.contains(UNION_SPEC_MACRO) {
        source += "use union_json::union_spec;\n";
    }
    source += &functions;
    (source, notes)
}

fn add_function(
    kind: &ListedKind,
    version: &ListedVersion,
    function_names: &mut Vec<String>,
    source: &mut String,
    notes: &mut Vec<String>,
) {
    let title = format!("{} {}", kind.name, version.names.join(", "));
    let title = title.trim_end();
    let mut name = function_name(&kind.name, version.names.first().map_or("", String::as_str));
    while function_names.contains(&name) {
        name.push('_');
    }
    // Writing to a String cannot fail.
    let _ = write!(
        source,
        "\n/// The unions of {}, read from its rules.\npub fn {name}() -> Compiler {{\n    Unions::compiler()\n",
        without_control_characters(title)
    );
    function_names.push(name);
    for object in &version.objects {
        for union in object
            .analysis
            .unions
            .iter()
            .filter(|union| union.is_trusted())
        {
            if union
                .discriminator
                .as_ref()
                .is_some_and(|discriminator| discriminator.open)
            {
                notes.push(format!(
                    "{}: {}: left out: its discriminator accepts any string, but `union_spec!` must list all values",
                    inferred_unions::display_path(&object.path),
                    inferred_unions::union_name(union)
                ));
                continue;
            }
            let _ = writeln!(
                source,
                "        // {}\n        .union_at(\n            {},\n            {},\n        )",
                without_control_characters(inferred_unions::display_path(&object.path)),
                string_literal(&object.pointer),
                macro_call(union)
            );
        }
    }
    *source += "}\n";
}

/// Returns the macro call for a union.
fn macro_call(union: &Union) -> String {
    let mut call = format!("{UNION_SPEC_MACRO} {{\n");
    let mut add_line = |line: &str| {
        call += "                ";
        call += line;
        call += ",\n";
    };
    match (&union.discriminator, union.arity) {
        (Some(discriminator), arity) => {
            let discriminator_kind = match (
                arity,
                discriminator.required || discriminator.default.is_some(),
            ) {
                (UnionModel::Discriminated, true) => "",
                (UnionModel::Discriminated, false) => "optional ",
                _ => "deduced ",
            };
            add_line(&format!(
                "{discriminator_kind}discriminator = {}",
                string_literal(&discriminator.name)
            ));
        }
        (None, UnionModel::ExactlyOne) => add_line("exactly_one"),
        (None, _) => add_line("at_most_one"),
    }
    for member in &union.members {
        let optional = if member.optional && union.arity == UnionModel::Discriminated {
            "optional "
        } else {
            ""
        };
        add_line(&format!(
            "{} => {optional}{}",
            string_literal(&member.value),
            string_literal(&member.name)
        ));
    }
    let discriminators = union
        .discriminator
        .iter()
        .filter(|_| union.arity == UnionModel::Discriminated);
    for value in discriminators.flat_map(|discriminator| &discriminator.empty_members) {
        add_line(&format!("{} => ()", string_literal(value)));
    }
    call + "            }"
}

/// Returns a string as a Rust literal.
fn string_literal(string: &str) -> String {
    format!("\"{}\"", string.escape_default())
}

/// Replaces control characters in a string by spaces, because a line break would end a comment.
fn without_control_characters(string: &str) -> String {
    string
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// Returns the name of the function for a version, such as `http_route_v1_unions`.
fn function_name(kind: &str, version: &str) -> String {
    let characters: Vec<char> = kind.chars().chain(['_']).chain(version.chars()).collect();
    let mut name = String::new();
    for (index, c) in characters.iter().enumerate() {
        let is_lowercase_at = |index: Option<usize>| {
            let c = index.and_then(|index| characters.get(index));
            c.is_some_and(char::is_ascii_lowercase)
        };
        if !c.is_ascii_alphanumeric() {
            if !name.is_empty() && !name.ends_with('_') {
                name.push('_');
            }
            continue;
        }
        // A capital letter starts a word if a lowercase letter is beside it: `HTTPRoute` becomes
        // `http_route`.
        let starts_word = is_lowercase_at(index.checked_sub(1)) || is_lowercase_at(Some(index + 1));
        if c.is_ascii_uppercase() && starts_word && !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    let name = name.trim_end_matches('_');
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        format!("{name}_unions")
    } else {
        format!("unions_{name}")
    }
}
