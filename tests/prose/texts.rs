//! Prints the sentences in string literals of the code, one per line with its position, for the
//! linter of prose in `tests/prose/run`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use proc_macro2::{TokenStream, TokenTree};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in [
        "union-derive/src",
        "union-runtime/src",
        "crates",
        "examples",
    ] {
        find_sources(&root.join(folder), &mut files)?;
    }
    files.sort();
    for file in files {
        let name = file
            .strip_prefix(&root)
            .unwrap_or(&file)
            .display()
            .to_string();
        let tokens: TokenStream = fs::read_to_string(&file)?
            .parse()
            .map_err(|error| io::Error::other(format!("{name}: {error}")))?;
        print_sentences(&name, tokens);
    }
    Ok(())
}

/// Collects the Rust files below a folder, without files of tests.
fn find_sources(folder: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if !path.ends_with("tests") && !path.ends_with("target") {
                find_sources(&path, into)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
    Ok(())
}

/// Prints the string literals that look like sentences. Doc comments are left out, because the
/// linter reads them in the source files.
fn print_sentences(file: &str, tokens: TokenStream) {
    let mut open: Vec<_> = vec![tokens.into_iter()];
    let mut is_documentation = false;
    while let Some(innermost) = open.last_mut() {
        match innermost.next() {
            None => {
                open.pop();
            }
            Some(TokenTree::Group(group)) => open.push(group.stream().into_iter()),
            Some(TokenTree::Ident(ident)) => is_documentation = ident == "doc",
            Some(TokenTree::Punct(_)) => {}
            Some(TokenTree::Literal(literal)) => {
                let line = literal.span().start().line;
                let text = literal.to_string();
                let is_text = text.ends_with(['"', '#']) && text.split(' ').count() > 3;
                if is_text && !is_documentation {
                    println!("`{file}:{line}` {}\n", sentence(&text));
                }
                is_documentation = false;
            }
        }
    }
}

/// Returns the content of a string literal without escapes. Placeholders are quoted as code.
fn sentence(literal: &str) -> String {
    let text = literal
        .trim_start_matches(['r', 'b', '#'])
        .trim_end_matches('#')
        .trim_matches('"');
    let text = text
        .replace("\\n", " ")
        .replace("\\\"", "\"")
        .replace("\\\n", " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('{', "`{").replace('}', "}`")
}
