//! The structure of the crates: imports run one way between folders, and `union-runtime` stays
//! small. The order of folders stands in a line of `lib.rs`; crates without that line still have
//! their rooms in ARCHITECTURE.md.

#[path = "structure/folders.rs"]
mod folders;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

const ARCHITECTURE: &str = include_str!("../ARCHITECTURE.md");

/// The crates whose rooms are drawn, and where they are.
const CRATES: [(&str, &str); 8] = [
    ("union-derive", "union-derive/src"),
    ("union-runtime", "union-runtime/src"),
    ("k8s-cel", "crates/k8s-cel/src"),
    ("k8s-crd-validation", "crates/k8s-crd-validation/src"),
    ("crd-unions", "crates/crd-unions/src"),
    ("crd-to-rust", "crates/crd-to-rust/src"),
    ("union-compat", "crates/union-compat/src"),
    ("union-policy", "crates/union-policy/src"),
];

/// Files that stand in no room: they put the rooms together.
const NO_ROOM: [&str; 2] = ["lib.rs", "private.rs"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The rooms of a crate, in the order of ARCHITECTURE.md: rows such as ``| 2 | `consteval` | ...``.
fn rooms(of: &str) -> Vec<&'static str> {
    let heading = format!("### The rooms of {of}\n");
    let (_, section) = ARCHITECTURE
        .split_once(&heading)
        .unwrap_or_else(|| panic!("ARCHITECTURE.md has no section \"{}\"", heading.trim()));
    let section = section.split("\n#").next().unwrap_or_default();
    let rows = section
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .filter(|row| row.starts_with(|first: char| first.is_ascii_digit()));
    rows.filter_map(|row| row.split('`').nth(1)).collect()
}

/// All sources below a folder, by their paths from there.
fn sources(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), text);
            }
        }
    }
    found
}

/// Where a file is in the tree of modules: `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn module(path: &Path) -> Vec<String> {
    let text = path.with_extension("");
    let mut names: Vec<String> = text
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if names.last().is_some_and(|last| last == "mod") {
        names.pop();
    }
    names
}

/// The first names behind the root of the crate that the tokens of a module mention, tests left aside.
fn mentioned(tokens: TokenStream, module: &[String], found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            // What `$crate` leads to is for other crates.
            TokenTree::Punct(punct) if punct.as_char() == '$' => at += 1,
            TokenTree::Ident(ident) if ident == "mod" => {
                if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                    (tokens.get(at + 1), tokens.get(at + 2))
                {
                    let inner = [module, &[name.to_string()]].concat();
                    mentioned(body.stream(), &inner, found);
                    at += 2;
                }
            }
            TokenTree::Group(group) => mentioned(group.stream(), module, found),
            TokenTree::Punct(punct) if punct.as_char() == '#' => at = end_of_tests(&tokens, at),
            TokenTree::Ident(ident) if ident == "crate" => {
                at = names_behind(&tokens, at + 1, found);
                continue;
            }
            TokenTree::Ident(ident) if ident == "super" => {
                let mut ups = 1;
                at += 1;
                while is_path_sign(&tokens, at)
                    && tokens
                        .get(at + 2)
                        .is_some_and(|next| next.to_string() == "super")
                {
                    ups += 1;
                    at += 3;
                }
                if ups == module.len() {
                    at = names_behind(&tokens, at, found);
                } else if let Some(room) = module.first() {
                    found.push(room.clone());
                }
                continue;
            }
            _ => {}
        }
        at += 1;
    }
}

/// The end of the item behind `#[cfg(test)]`, which is a body or a semicolon; `at` itself for other
/// attributes.
fn end_of_tests(tokens: &[TokenTree], at: usize) -> usize {
    let is_for_tests = tokens
        .get(at + 1)
        .is_some_and(|next| next.to_string().replace(' ', "") == "[cfg(test)]");
    if !is_for_tests {
        return at;
    }
    let is_end = |token: &TokenTree| {
        let is_body =
            matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        is_body || token.to_string() == ";"
    };
    let rest = tokens.get(at + 2..).unwrap_or_default();
    at + 2 + rest.iter().position(is_end).unwrap_or(rest.len())
}

/// Returns true for modules of tests, and for the snapshots beside them.
fn is_of_tests(module: &[String]) -> bool {
    module
        .iter()
        .any(|part| part == "tests" || part == "snapshots")
}

fn is_path_sign(tokens: &[TokenTree], at: usize) -> bool {
    [at, at + 1].iter().all(
        |at| matches!(tokens.get(*at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':'),
    )
}

/// The name, or the names in braces, behind `::`. Where to go on.
fn names_behind(tokens: &[TokenTree], at: usize, found: &mut Vec<String>) -> usize {
    if !is_path_sign(tokens, at) {
        return at;
    }
    match tokens.get(at + 2) {
        Some(TokenTree::Ident(name)) => found.push(name.to_string()),
        Some(TokenTree::Group(group)) => {
            let mut is_first = true;
            for token in group.stream() {
                match token {
                    TokenTree::Ident(name) if is_first => {
                        found.push(name.to_string());
                        is_first = false;
                    }
                    TokenTree::Punct(punct) if punct.as_char() == ',' => is_first = true,
                    _ => {}
                }
            }
        }
        _ => {}
    }
    at + 3
}

#[test]
fn imports_run_one_way_between_rooms() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, folder) in CRATES {
        if folders::folders(&root().join(folder)).is_some() {
            continue;
        }
        let rooms = rooms(name);
        assert!(rooms.len() > 4, "{name}: {rooms:?}");
        let number = |room: &str| rooms.iter().position(|other| *other == room);
        for (path, text) in sources(&root().join(folder)) {
            let module = module(&path);
            if is_of_tests(&module) || NO_ROOM.iter().any(|file| path == Path::new(file)) {
                continue;
            }
            let Some(own) = module.first().and_then(|room| number(room)) else {
                wrong.push(format!(
                    "{folder}/{}: it stands in no room of ARCHITECTURE.md",
                    path.display()
                ));
                continue;
            };
            let tokens: TokenStream = text.parse().unwrap();
            let mut names = Vec::new();
            mentioned(tokens, &module, &mut names);
            count += names.len();
            for name in names {
                match number(&name) {
                    Some(room) if room <= own => {}
                    Some(_) => wrong.push(format!(
                        "{folder}/{} imports up, from `{name}`",
                        path.display()
                    )),
                    // What lib.rs names again, or a macro.
                    None => wrong.push(format!(
                        "{folder}/{} takes `{name}` from the front page; name its room",
                        path.display()
                    )),
                }
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{count} imports run one way");
    assert!(count > 150, "only {count} imports were seen");
}

#[test]
fn the_runtime_is_small() {
    // Without blank lines and comments: to say more about code does not make it larger.
    let sources = sources(&root().join("union-runtime/src"));
    let lines = sources
        .values()
        .flat_map(|text| text.lines())
        .map(str::trim);
    let all = lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count();
    println!("union-runtime: {all} lines of code");
    assert!(all <= 7_088, "{all} lines of code");
}
