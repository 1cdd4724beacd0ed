//! Tests of public functions: parameters are enums and not flags, because `true` in a call does not
//! show its meaning.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr as _;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{crates, sources};

/// The functions that still take a flag, by crate, file and name. New functions must not be added.
const FLAGS: [&str; 18] = [
    "k8s-cel/checker/environment.rs: optional_old_self",
    "k8s-crd-validation/settings.rs: ratchet",
    "k8s-go-text/semver.rs: parse",
    "k8s-json-internals/value/key.rs: scalar_key",
    "union-policy/lib.rs: by_convention",
    "union-runtime/generated/declaration.rs: deduced",
    "union-runtime/generated/declaration.rs: discriminator",
    "union-runtime/generated/declaration.rs: reject_if",
    "union-runtime/generated/declaration.rs: undiscriminated",
    "union-runtime/generated/flattened.rs: check_flattened_enum",
    "union-runtime/rules/settings.rs: unions",
    "union-runtime/rules/validate.rs: only_one_of",
    "union-runtime/union_spec/discriminator.rs: for_enum",
    "union-runtime/union_spec/discriminator.rs: for_string",
    "union-runtime/union_spec/discriminator.rs: from_list",
    "union-runtime/union_spec/members.rs: new",
    "union-runtime/union_spec/owned.rs: from_values",
    "webhook/metrics.rs: count_reload",
];

fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == word)
}

fn is_sign(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// Returns true if one of the parameters is a `bool`.
fn has_flag(parameters: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = parameters.into_iter().collect();
    let mut places = 1..tokens.len();
    places.any(|at| {
        let is_end = at + 1 == tokens.len() || is_sign(tokens.get(at + 1), ',');
        is_sign(tokens.get(at - 1), ':') && is_word(tokens.get(at), "bool") && is_end
    })
}

/// Adds the names of the public functions that take a flag, at any depth of modules and blocks.
fn add_functions(stream: TokenStream, names: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            add_functions(group.stream(), names);
        }
        if !is_word(Some(token), "pub") {
            continue;
        }
        let words = tokens.iter().skip(at + 1);
        let qualifiers = words
            .take_while(|word| ["const", "async"].iter().any(|q| is_word(Some(word), q)))
            .count();
        let at = at + 1 + qualifiers;
        if !is_word(tokens.get(at), "fn") {
            continue;
        }
        let rest = tokens.iter().skip(at + 1);
        let parameters = rest.clone().find_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
            _ => None,
        });
        let name = rest.clone().next().map(ToString::to_string);
        if let (Some(name), Some(parameters)) = (name, parameters)
            && has_flag(parameters.stream())
        {
            names.push(name);
        }
    }
}

fn functions_of(file: &Path, text: &str) -> Vec<String> {
    let tokens = TokenStream::from_str(text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut names = Vec::new();
    add_functions(tokens, &mut names);
    names
}

#[test]
fn public_functions_have_no_flags() {
    let mut found = BTreeSet::new();
    for (name, src) in crates() {
        for (file, text) in sources(&src) {
            for function in functions_of(&file, &text) {
                let file = file.to_string_lossy().replace('\\', "/");
                found.insert(format!("{name}/{file}: {function}"));
            }
        }
    }
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, FLAGS, "take an enum, or strike what is gone");
}

#[test]
fn flags_are_found() {
    let found = functions_of(
        Path::new("example.rs"),
        "impl A { pub const fn one<T>(self, a: T, is_b: bool) {} pub fn two(f: fn(bool)) {} }
         pub(crate) fn three(a: bool) {} pub async fn four(a: bool, b: u8) -> bool { true }",
    );
    assert_eq!(found, ["one", "four"]);
}
