//! Tests of public functions: parameters are enums and not flags, because `true` in a call does not
//! show its meaning.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr as _;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{crates, sources};

/// The functions that still take a flag, by crate, file and name. New functions must not be added.
const FUNCTIONS_WITH_FLAGS: [&str; 17] = [
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
];

fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == word)
}

fn is_punctuation(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

/// Returns true if one of the parameters is a `bool`.
fn has_flag(parameters: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = parameters.into_iter().collect();
    let mut indexes = 1..tokens.len();
    indexes.any(|index| {
        let is_end = index + 1 == tokens.len() || is_punctuation(tokens.get(index + 1), ',');
        is_punctuation(tokens.get(index - 1), ':') && is_word(tokens.get(index), "bool") && is_end
    })
}

/// Adds the names of the public functions that take a flag, at any depth of modules and blocks.
fn add_functions(stream: TokenStream, names: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            add_functions(group.stream(), names);
        }
        if !is_word(Some(token), "pub") {
            continue;
        }
        let next_tokens = tokens.iter().skip(index + 1);
        let qualifiers = next_tokens
            .take_while(|word| {
                ["const", "async"]
                    .iter()
                    .any(|qualifier| is_word(Some(word), qualifier))
            })
            .count();
        let fn_index = index + 1 + qualifiers;
        if !is_word(tokens.get(fn_index), "fn") {
            continue;
        }
        let signature = tokens.iter().skip(fn_index + 1);
        let parameters = signature.clone().find_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
            _ => None,
        });
        let name = signature.clone().next().map(ToString::to_string);
        if let (Some(name), Some(parameters)) = (name, parameters)
            && has_flag(parameters.stream())
        {
            names.push(name);
        }
    }
}

/// Returns the names of the public functions of a file that take a flag.
fn functions_with_flags(file: &Path, text: &str) -> Vec<String> {
    let tokens =
        TokenStream::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut names = Vec::new();
    add_functions(tokens, &mut names);
    names
}

#[test]
fn public_functions_have_no_flags() {
    let mut functions = BTreeSet::new();
    for (name, src) in crates() {
        for (file, text) in sources(&src) {
            for function in functions_with_flags(&file, &text) {
                let file = file.to_string_lossy().replace('\\', "/");
                functions.insert(format!("{name}/{file}: {function}"));
            }
        }
    }
    let functions: Vec<&str> = functions.iter().map(String::as_str).collect();
    assert_eq!(
        functions, FUNCTIONS_WITH_FLAGS,
        "take an enum, or strike what is gone"
    );
}

#[test]
fn functions_with_flags_are_found() {
    let functions = functions_with_flags(
        Path::new("example.rs"),
        "impl A { pub const fn one<T>(self, a: T, is_b: bool) {} pub fn two(f: fn(bool)) {} }
         pub(crate) fn three(a: bool) {} pub async fn four(a: bool, b: u8) -> bool { true }",
    );
    assert_eq!(functions, ["one", "four"]);
}
