//! Tests of the folders of a crate: a crate has few folders, one line of `lib.rs` declares their
//! order, and imports have one direction between folders and between the files of a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{end_of_tests, is_of_tests, is_path_sign, lines_of_code, module, root, sources};

/// The beginning of the line of `lib.rs` that declares the order.
const LINE: &str = "// Folders, lowest first: ";

/// The maximum number of entries in the `src` of a crate, `lib.rs` included.
const MOST_ENTRIES: usize = 10;

/// A crate with its folders, lowest first.
struct Layout {
    name: String,
    src: PathBuf,
    folders: Vec<String>,
}

/// Returns the layouts of all crates. Each `lib.rs` must have the line with the order.
fn layouts() -> Vec<Layout> {
    let mut crates = vec![root().join("union-derive"), root().join("union-runtime")];
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        crates.push(entry.unwrap().path());
    }
    crates.sort();
    let layouts = crates.iter().map(|path| {
        let src = path.join("src");
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let folders = folders(&src);
        Layout { name, src, folders }
    });
    layouts.collect()
}

/// Returns the folders that the line of `lib.rs` names. If the line ends with a comma, the next
/// line continues it.
fn folders(src: &Path) -> Vec<String> {
    let path = src.join("lib.rs");
    let text = fs::read_to_string(&path).unwrap();
    let (_, order) = text
        .split_once(LINE)
        .unwrap_or_else(|| panic!("{} has no line \"{LINE}...\"", path.display()));
    let mut names = String::new();
    for line in order.lines() {
        names.push_str(line.trim_start_matches("//"));
        if !line.ends_with(',') {
            break;
        }
    }
    names
        .split(',')
        .map(|name| name.trim().to_owned())
        .collect()
}

/// A path in the code, with the module that contains it.
struct Mention {
    module: Vec<String>,
    path: Vec<String>,
}

/// The modules of a crate: their files, their imports by name, and the paths that they mention.
#[derive(Default)]
struct Modules {
    files: BTreeMap<Vec<String>, PathBuf>,
    imports: BTreeMap<Vec<String>, BTreeMap<String, Vec<String>>>,
    mentions: BTreeMap<PathBuf, Vec<Mention>>,
}

impl Modules {
    /// Reads the sources of a crate, without tests.
    fn of(src: &Path) -> Self {
        let mut modules = Self::default();
        for (path, text) in sources(src) {
            let mut module = module(&path);
            if path == Path::new("lib.rs") {
                module.clear();
            }
            if is_of_tests(&module) {
                continue;
            }
            modules.files.insert(module.clone(), path.clone());
            let mut mentions = Vec::new();
            let tokens = text.parse().unwrap();
            modules.read(tokens, &module, &path, &mut mentions);
            modules.mentions.insert(path, mentions);
        }
        modules
    }

    /// Collects imports and paths from the tokens of a module.
    fn read(
        &mut self,
        tokens: TokenStream,
        module: &[String],
        file: &Path,
        mentions: &mut Vec<Mention>,
    ) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    at = end_of_tests(&tokens, at);
                }
                // The path after `$crate` is for other crates.
                TokenTree::Punct(punct) if punct.as_char() == '$' => at += 1,
                TokenTree::Group(group) => self.read(group.stream(), module, file, mentions),
                TokenTree::Ident(ident) if ident == "mod" => {
                    if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                        (tokens.get(at + 1), tokens.get(at + 2))
                    {
                        let inner = [module, &[name.to_string()]].concat();
                        self.files.insert(inner.clone(), file.to_owned());
                        self.read(body.stream(), &inner, file, mentions);
                        at += 2;
                    }
                }
                TokenTree::Ident(ident) if ident == "use" => {
                    let length = tokens[at..].iter().position(is_semicolon).unwrap_or(0);
                    let mut leaves = Vec::new();
                    collect_leaves(&tokens[at + 1..at + length.max(1)], &[], &mut leaves);
                    for (name, path) in leaves {
                        let imports = self.imports.entry(module.to_vec()).or_default();
                        imports.insert(name, path.clone());
                        let module = module.to_vec();
                        mentions.push(Mention { module, path });
                    }
                    at += length;
                }
                TokenTree::Ident(_) => {
                    let path = path_at(&tokens, at);
                    let is_behind = (at > 1 && is_path_sign(&tokens, at - 2))
                        || (at > 0 && tokens[at - 1].to_string() == ".");
                    at += (path.len() - 1) * 3;
                    if path.len() > 1 && !is_behind {
                        let module = module.to_vec();
                        mentions.push(Mention { module, path });
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Returns the path of a mention from the root of the crate, and `None` for other crates and
    /// for names of the module itself.
    fn absolute(&self, mention: &Mention) -> Option<Vec<String>> {
        let Mention { module, path } = mention;
        let first = path.first()?.as_str();
        let ups = path.iter().take_while(|part| *part == "super").count();
        let (start, rest) = match first {
            "crate" => (&[][..], &path[1..]),
            "self" => (&**module, &path[1..]),
            "super" => (&module[..module.len().saturating_sub(ups)], &path[ups..]),
            _ if self.is_child(module, first) => (&**module, &**path),
            _ => return None,
        };
        Some([start, rest].concat())
    }

    fn is_child(&self, module: &[String], name: &str) -> bool {
        let child = [module, &[name.to_owned()]].concat();
        self.files.contains_key(&child)
    }

    /// Returns the module that defines the mentioned item, with imports resolved. The flag is true
    /// if the mentioned item is the module itself.
    fn defined_in(&self, mention: &Mention, depth: usize) -> Option<(Vec<String>, bool)> {
        if depth > 16 {
            return None;
        }
        let (mut module, rest) = if let Some(path) = self.absolute(mention) {
            (Vec::new(), path)
        } else {
            let (first, rest) = mention.path.split_first()?;
            let path = self.imports.get(&mention.module)?.get(first)?;
            if path.first() == Some(first) {
                return None;
            }
            match self.imported(&mention.module, path, depth)? {
                (module, true) => (module, rest.to_vec()),
                found => return Some(found),
            }
        };
        for name in rest {
            if self.is_child(&module, &name) {
                module.push(name);
                continue;
            }
            let Some(path) = self.imports.get(&module).and_then(|all| all.get(&name)) else {
                return Some((module, false));
            };
            match self.imported(&module, path, depth) {
                Some((found, true)) => module = found,
                Some(found) => return Some(found),
                None => return Some((module, false)),
            }
        }
        Some((module, true))
    }

    /// Returns the module that defines an imported item, like `defined_in`.
    fn imported(
        &self,
        module: &[String],
        path: &[String],
        depth: usize,
    ) -> Option<(Vec<String>, bool)> {
        let import = Mention {
            module: module.to_vec(),
            path: path.to_vec(),
        };
        self.defined_in(&import, depth + 1)
    }

    /// Returns the files that each file imports from.
    fn arrows(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let mut arrows: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for (file, mentions) in &self.mentions {
            let targets = arrows.entry(file).or_default();
            for mention in mentions {
                // An import of a whole module is not an edge. Each path through the module is an
                // edge.
                if let Some((module, false)) = self.defined_in(mention, 0) {
                    targets.insert(&self.files[&module]);
                }
            }
            targets.remove(&**file);
        }
        arrows
    }

    /// Returns the cycles: the files that import each other directly or indirectly.
    fn circles(&self) -> BTreeSet<Vec<String>> {
        let arrows = self.arrows();
        let reached = |from: &Path| {
            let mut found: BTreeSet<&Path> = BTreeSet::new();
            let mut waiting: Vec<&Path> = arrows[from].iter().copied().collect();
            while let Some(next) = waiting.pop() {
                if found.insert(next) {
                    waiting.extend(&arrows[next]);
                }
            }
            found
        };
        let reached: BTreeMap<&Path, BTreeSet<&Path>> =
            arrows.keys().map(|file| (*file, reached(file))).collect();
        let circle = |file: &&Path| -> Vec<String> {
            let others = reached[*file].iter();
            let circle = others.filter(|other| reached[**other].contains(file));
            circle.map(|file| file.display().to_string()).collect()
        };
        let circles = arrows.keys().map(circle);
        circles.filter(|circle| !circle.is_empty()).collect()
    }
}

fn is_semicolon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';')
}

/// Returns the path that begins at a token: `a::b::c`.
fn path_at(tokens: &[TokenTree], at: usize) -> Vec<String> {
    let mut path = vec![tokens[at].to_string()];
    let mut next = at + 1;
    while is_path_sign(tokens, next) {
        let Some(TokenTree::Ident(name)) = tokens.get(next + 2) else {
            break;
        };
        path.push(name.to_string());
        next += 3;
    }
    path
}

/// Collects the leaves of the tree of a `use`, each with its name and its path.
fn collect_leaves(
    tokens: &[TokenTree],
    prefix: &[String],
    leaves: &mut Vec<(String, Vec<String>)>,
) {
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    for tree in tokens.split(is_comma) {
        let Some(TokenTree::Ident(_)) = tree.first() else {
            continue;
        };
        let path = path_at(tree, 0);
        let rest = &tree[path.len() * 3 - 2..];
        let mut path = [prefix, &*path].concat();
        if let [_, _, TokenTree::Group(inner)] = rest {
            assert_eq!(inner.delimiter(), Delimiter::Brace);
            let inner: Vec<TokenTree> = inner.stream().into_iter().collect();
            collect_leaves(&inner, &path, leaves);
            continue;
        }
        if !prefix.is_empty() && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = match rest {
            [_as, name] => name.to_string(),
            // The leaf is a glob import, `::*`, which counts as an import of the module.
            [_, _, _] => "*".to_owned(),
            _ => path.last().cloned().unwrap_or_default(),
        };
        if name == "*" {
            path.push(name.clone());
        }
        leaves.push((name, path));
    }
}

/// Counts the imports of a crate, and describes the imports in the wrong direction: from a higher
/// folder, or from the root of the crate.
fn wrong_imports(Layout { src, folders, .. }: &Layout, modules: &Modules) -> (usize, Vec<String>) {
    let folder_index = |folder: &str| folders.iter().position(|other| other == folder);
    let mut back = Vec::new();
    let mut count = 0;
    for (file, mentions) in &modules.mentions {
        let Some(own) = module(file).first().and_then(|folder| folder_index(folder)) else {
            // `lib.rs` may import from all folders.
            continue;
        };
        let mentions_with_names = mentions.iter().filter_map(|mention| {
            let path = modules.absolute(mention)?;
            Some((mention, path.first()?.clone()))
        });
        for (mention, first) in mentions_with_names {
            count += 1;
            let file = src.join(file);
            let file = file.display();
            if folder_index(&first).is_none() {
                back.push(format!(
                    "{file} takes `{first}` from the front page; name its folder"
                ));
                continue;
            }
            let (module, _) = modules.defined_in(mention, 0).unwrap_or_default();
            let defined = module.first().and_then(|folder| folder_index(folder));
            if folder_index(&first).max(defined) > Some(own) {
                let path = mention.path.join("::");
                back.push(format!("{file} imports up, from `{path}`"));
            }
        }
    }
    back.dedup();
    (count, back)
}

/// Counts the entries of `src`, and returns the names that the line of `lib.rs` must have.
fn entries(src: &Path) -> (usize, BTreeSet<String>) {
    let entries: Vec<String> = fs::read_dir(src)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let rooms = entries
        .iter()
        .map(|entry| entry.trim_end_matches(".rs"))
        .filter(|entry| {
            ![
                "lib",
                "main",
                "kubectl_union",
                "private",
                "tests",
                "snapshots",
            ]
            .contains(entry)
        })
        .map(str::to_owned);
    (entries.len(), rooms.collect())
}

#[test]
fn crates_have_few_folders_and_imports_run_one_way() {
    let mut wrong = Vec::new();
    let mut all = 0;
    println!(
        "{:26} {:>13} {:>14} {:>8} {:>8} {:>12}",
        "crate", "lines of code", "entries in src", "imports", "circles", "arrows back"
    );
    for layout in layouts() {
        let Layout { name, src, folders } = &layout;
        let modules = Modules::of(src);
        let (count, back) = wrong_imports(&layout, &modules);
        let circles = modules.circles();
        let (entries, rooms) = entries(src);
        println!(
            "{name:26} {:>13} {entries:>14} {count:>8} {:>8} {:>12}",
            lines_of_code(src),
            circles.len(),
            back.len()
        );
        // A defect in the reader must not make the test pass with no imports found.
        assert!(count > 5, "{name}: only {count} imports were seen");
        all += count;
        if entries > MOST_ENTRIES {
            wrong.push(format!("{name}: {entries} entries in src"));
        }
        if rooms != folders.iter().cloned().collect() {
            wrong.push(format!("{name}: the line of lib.rs has other folders"));
        }
        wrong.extend(back);
        for circle in circles {
            wrong.push(format!("{name}: {} import each other", circle.join(", ")));
        }
    }
    assert!(all > 2_500, "only {all} imports were seen");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
