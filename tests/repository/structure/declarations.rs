//! Tests of `mod.rs` files: a `mod.rs` declares modules and re-exports their items. The code is in
//! files with the name of their job.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use super::{crates, sources};

/// The `mod.rs` files that have code, by crate and file. New files must not be added.
const WITH_CODE: [&str; 4] = [
    "union-runtime/comparator/mod.rs",
    "union-runtime/schema/enforcement/mod.rs",
    "union-runtime/schema/mod.rs",
    "union-runtime/union_spec/mod.rs",
];

/// Returns true if the file only contains `mod`, `use`, `macro_rules`, attributes and comments. A
/// module with a body is code.
fn only_declares(file: &Path, text: &str) -> bool {
    let tokens: TokenStream = text
        .parse()
        .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut words = Vec::new();
    for token in tokens {
        let word = match &token {
            TokenTree::Ident(word) => word.to_string(),
            TokenTree::Punct(sign) => sign.as_char().to_string(),
            TokenTree::Group(_) => "(".to_owned(),
            TokenTree::Literal(_) => return false,
        };
        words.push(word);
    }
    let mut rest: &[String] = &words;
    while let Some((first, behind)) = rest.split_first() {
        rest = match (first.as_str(), behind) {
            // A group here is an attribute, or the scope of `pub(...)`.
            ("#" | "!" | "pub" | "(", behind) => behind,
            ("mod", [_name, semicolon, behind @ ..]) if semicolon == ";" => behind,
            ("macro_rules", [sign, _name, body, behind @ ..]) if sign == "!" && body == "(" => {
                behind
            }
            ("use", behind) => {
                let end = behind.iter().position(|word| word == ";");
                &behind[end.map_or(behind.len(), |end| end + 1)..]
            }
            _ => return false,
        };
    }
    true
}

#[test]
fn a_mod_file_only_declares() {
    let mut found = Vec::new();
    let mut count = 0;
    for (name, src) in crates() {
        for (file, text) in sources(&src) {
            if !file.ends_with("mod.rs") {
                continue;
            }
            count += 1;
            if !only_declares(&file, &text) {
                let file = file.to_string_lossy().replace('\\', "/");
                found.push(format!("{name}/{file}"));
            }
        }
    }
    assert!(count > 60, "only {count} files were seen");
    found.sort();
    assert_eq!(found, WITH_CODE, "move the code, or strike what is gone");
}

#[test]
fn code_is_found() {
    let only_declares = |text| only_declares(Path::new("mod.rs"), text);
    assert!(only_declares(
        "//! Docs.\n#![warn(a)]\n#[cfg(test)] mod a; pub(in crate::b) mod c;
         pub use self::a::{B, c as d}; macro_rules! e { () => { fn f() {} } } pub(crate) use e;"
    ));
    for code in [
        "fn a() {}",
        "mod a; pub(crate) const A: u8 = 1;",
        "mod a { fn b() {} }",
        "impl A {}",
        "a! {}",
    ] {
        assert!(!only_declares(code), "{code}");
    }
}
