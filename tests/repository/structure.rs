//! Tests of the structure of the crates: imports between folders only go down in the order that a
//! line of `lib.rs` declares, a `mod.rs` only declares modules, and `union-runtime` stays small.

mod declarations;
mod flags;
mod folders;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenTree};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the crates, each with its name and its `src` folder.
fn crates() -> Vec<(String, PathBuf)> {
    let mut folders = vec![root().join("union-derive"), root().join("union-runtime")];
    for parent in ["crates", "examples"] {
        for entry in fs::read_dir(root().join(parent)).unwrap() {
            folders.push(entry.unwrap().path());
        }
    }
    let folders = folders.into_iter().filter(|path| path.join("src").is_dir());
    let names_and_folders = folders.map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, path.join("src"))
    });
    names_and_folders.collect()
}

/// Returns the sources below a folder, by their relative paths.
fn sources(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut sources = BTreeMap::new();
    let mut pending_folders = vec![folder.to_owned()];
    while let Some(folder_to_read) = pending_folders.pop() {
        for entry in fs::read_dir(&folder_to_read).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending_folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                sources.insert(path.strip_prefix(folder).unwrap().to_owned(), text);
            }
        }
    }
    sources
}

/// Returns the module path of a file: `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn module(path: &Path) -> Vec<String> {
    let path_without_extension = path.with_extension("");
    let mut names: Vec<String> = path_without_extension
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if names.last().is_some_and(|last| last == "mod") {
        names.pop();
    }
    names
}

/// Returns the index of the last token of an item with `#[cfg(test)]`, which is a body or a
/// semicolon. For other attributes, returns `start`.
fn end_of_tests(tokens: &[TokenTree], start: usize) -> usize {
    let is_cfg_test = tokens
        .get(start + 1)
        .is_some_and(|next| next.to_string().replace(' ', "") == "[cfg(test)]");
    if !is_cfg_test {
        return start;
    }
    let is_end = |token: &TokenTree| {
        let is_body =
            matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        is_body || token.to_string() == ";"
    };
    let tokens_of_item = tokens.get(start + 2..).unwrap_or_default();
    start
        + 2
        + tokens_of_item
            .iter()
            .position(is_end)
            .unwrap_or(tokens_of_item.len())
}

/// Returns true for modules of tests, and for the snapshots beside them.
fn is_test_module(module: &[String]) -> bool {
    module
        .iter()
        .any(|part| part == "tests" || part == "snapshots")
}

fn is_path_separator(tokens: &[TokenTree], index: usize) -> bool {
    [index, index + 1].iter().all(
        |colon_index| matches!(tokens.get(*colon_index), Some(TokenTree::Punct(punct)) if punct.as_char() == ':'),
    )
}

/// Counts the lines of code of a crate, without blank lines and comments, so that documentation
/// does not make a crate larger.
fn lines_of_code(src: &Path) -> usize {
    let sources = sources(src);
    let lines = sources
        .values()
        .flat_map(|text| text.lines())
        .map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

#[test]
fn the_runtime_has_at_most_6500_lines_of_code() {
    let line_count = lines_of_code(&root().join("union-runtime/src"));
    assert!(line_count <= 6_500, "{line_count} lines of code");
}
