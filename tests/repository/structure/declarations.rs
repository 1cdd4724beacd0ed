//! Tests of `mod.rs` files: a `mod.rs` declares modules and re-exports their items. The code is in
//! files with the name of their job.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use super::{crates, sources};

/// The `mod.rs` files that have code, by crate and file. New files must not be added.
const MOD_FILES_WITH_CODE: [&str; 4] = [
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
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut words = Vec::new();
    for token in tokens {
        let word = match &token {
            TokenTree::Ident(word) => word.to_string(),
            TokenTree::Punct(punctuation) => punctuation.as_char().to_string(),
            TokenTree::Group(_) => "(".to_owned(),
            TokenTree::Literal(_) => return false,
        };
        words.push(word);
    }
    let mut remaining_words: &[String] = &words;
    while let Some((word, next_words)) = remaining_words.split_first() {
        remaining_words = match (word.as_str(), next_words) {
            // A group here is an attribute, or the scope of `pub(...)`.
            ("#" | "!" | "pub" | "(", next_words) => next_words,
            ("mod", [_name, semicolon, next_words @ ..]) if semicolon == ";" => next_words,
            ("macro_rules", [punctuation, _name, body, next_words @ ..])
                if punctuation == "!" && body == "(" =>
            {
                next_words
            }
            ("use", next_words) => {
                let end = next_words.iter().position(|word| word == ";");
                &next_words[end.map_or(next_words.len(), |end| end + 1)..]
            }
            _ => return false,
        };
    }
    true
}

#[test]
fn mod_files_have_no_code() {
    let mut files_with_code = Vec::new();
    let mut file_count = 0;
    for (name, src) in crates() {
        for (file, text) in sources(&src) {
            if !file.ends_with("mod.rs") {
                continue;
            }
            file_count += 1;
            if !only_declares(&file, &text) {
                let file = file.to_string_lossy().replace('\\', "/");
                files_with_code.push(format!("{name}/{file}"));
            }
        }
    }
    assert!(file_count > 60, "only {file_count} files were found");
    files_with_code.sort();
    assert_eq!(
        files_with_code, MOD_FILES_WITH_CODE,
        "move the code, or strike what is gone"
    );
}

#[test]
fn only_declares_is_false_for_code() {
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
