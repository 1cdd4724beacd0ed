//! Tests of the folders of a crate: a crate has few folders, one line of `lib.rs` declares their
//! order, and imports have one direction between folders and between the files of a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{
    end_of_tests, is_path_separator, is_test_module, lines_of_code, module, root, sources,
};

/// The beginning of the line of `lib.rs` that declares the order.
const ORDER_LINE_START: &str = "// Folders, lowest first: ";

/// The maximum number of entries in the `src` of a crate, `lib.rs` included.
const MAX_ENTRIES: usize = 10;

/// A crate with its folders, lowest first.
struct CrateLayout {
    name: String,
    src: PathBuf,
    folders: Vec<String>,
}

/// Returns the layouts of all crates. Each `lib.rs` must have the line with the order.
fn crate_layouts() -> Vec<CrateLayout> {
    let mut crates = ["union-derive", "union-runtime", "examples/webhook"]
        .map(|path| root().join(path))
        .to_vec();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        crates.push(entry.unwrap().path());
    }
    crates.sort();
    let layouts = crates.iter().map(|path| {
        let src = path.join("src");
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let folders = declared_folders(&src);
        CrateLayout { name, src, folders }
    });
    layouts.collect()
}

/// Returns the folders that the line of `lib.rs` names. If the line ends with a comma, the next
/// line continues it.
fn declared_folders(src: &Path) -> Vec<String> {
    let path = src.join("lib.rs");
    let text = fs::read_to_string(&path).unwrap();
    let (_, order) = text
        .split_once(ORDER_LINE_START)
        .unwrap_or_else(|| panic!("{} has no line \"{ORDER_LINE_START}...\"", path.display()));
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
    fn from_sources(src: &Path) -> Self {
        let mut modules = Self::default();
        for (path, text) in sources(src) {
            let mut module = module(&path);
            if path == Path::new("lib.rs") {
                module.clear();
            }
            if is_test_module(&module) {
                continue;
            }
            modules.files.insert(module.clone(), path.clone());
            let mut mentions = Vec::new();
            let tokens = text.parse().unwrap();
            modules.collect_mentions(tokens, &module, &path, &mut mentions);
            modules.mentions.insert(path, mentions);
        }
        modules
    }

    /// Collects imports and paths from the tokens of a module.
    fn collect_mentions(
        &mut self,
        tokens: TokenStream,
        module: &[String],
        file: &Path,
        mentions: &mut Vec<Mention>,
    ) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    index = end_of_tests(&tokens, index);
                }
                // The path after `$crate` is for other crates.
                TokenTree::Punct(punct) if punct.as_char() == '$' => index += 1,
                TokenTree::Group(group) => {
                    self.collect_mentions(group.stream(), module, file, mentions);
                }
                TokenTree::Ident(ident) if ident == "mod" => {
                    if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                        (tokens.get(index + 1), tokens.get(index + 2))
                    {
                        let child_module = [module, &[name.to_string()]].concat();
                        self.files.insert(child_module.clone(), file.to_owned());
                        self.collect_mentions(body.stream(), &child_module, file, mentions);
                        index += 2;
                    }
                }
                TokenTree::Ident(ident) if ident == "use" => {
                    let length = tokens[index..].iter().position(is_semicolon).unwrap_or(0);
                    let mut leaves = Vec::new();
                    collect_leaves(&tokens[index + 1..index + length.max(1)], &[], &mut leaves);
                    for (name, path) in leaves {
                        let imports = self.imports.entry(module.to_vec()).or_default();
                        imports.insert(name, path.clone());
                        let module = module.to_vec();
                        mentions.push(Mention { module, path });
                    }
                    index += length;
                }
                TokenTree::Ident(_) => {
                    let path = path_at(&tokens, index);
                    let continues_expression = (index > 1 && is_path_separator(&tokens, index - 2))
                        || (index > 0 && tokens[index - 1].to_string() == ".");
                    index += (path.len() - 1) * 3;
                    if path.len() > 1 && !continues_expression {
                        let module = module.to_vec();
                        mentions.push(Mention { module, path });
                    }
                }
                _ => {}
            }
            index += 1;
        }
    }

    /// Returns the path of a mention from the root of the crate, and `None` for other crates and
    /// for names of the module itself.
    fn absolute(&self, mention: &Mention) -> Option<Vec<String>> {
        let Mention { module, path } = mention;
        let first_name = path.first()?.as_str();
        let super_count = path.iter().take_while(|part| *part == "super").count();
        let (base_module, relative_path) = match first_name {
            "crate" => (&[][..], &path[1..]),
            "self" => (&**module, &path[1..]),
            "super" => (
                &module[..module.len().saturating_sub(super_count)],
                &path[super_count..],
            ),
            _ if self.is_child(module, first_name) => (&**module, &**path),
            _ => return None,
        };
        Some([base_module, relative_path].concat())
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
        let (mut module, remaining_path) = if let Some(path) = self.absolute(mention) {
            (Vec::new(), path)
        } else {
            let (first_name, remaining_path) = mention.path.split_first()?;
            let path = self.imports.get(&mention.module)?.get(first_name)?;
            if path.first() == Some(first_name) {
                return None;
            }
            match self.imported(&mention.module, path, depth)? {
                (module, true) => (module, remaining_path.to_vec()),
                definition => return Some(definition),
            }
        };
        for name in remaining_path {
            if self.is_child(&module, &name) {
                module.push(name);
                continue;
            }
            let Some(path) = self
                .imports
                .get(&module)
                .and_then(|imports| imports.get(&name))
            else {
                return Some((module, false));
            };
            match self.imported(&module, path, depth) {
                Some((definition, true)) => module = definition,
                Some(definition) => return Some(definition),
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
    fn file_imports(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let mut file_imports: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for (file, mentions) in &self.mentions {
            let targets = file_imports.entry(file).or_default();
            for mention in mentions {
                // An import of a whole module is not an edge. Each path through the module is an
                // edge.
                if let Some((module, false)) = self.defined_in(mention, 0) {
                    targets.insert(&self.files[&module]);
                }
            }
            targets.remove(&**file);
        }
        file_imports
    }

    /// Returns the cycles: files that import each other directly or indirectly.
    fn cycles(&self) -> BTreeSet<Vec<String>> {
        let file_imports = self.file_imports();
        let reachable_files = |start_file: &Path| {
            let mut files: BTreeSet<&Path> = BTreeSet::new();
            let mut pending_files: Vec<&Path> = file_imports[start_file].iter().copied().collect();
            while let Some(file) = pending_files.pop() {
                if files.insert(file) {
                    pending_files.extend(&file_imports[file]);
                }
            }
            files
        };
        let reachable_files: BTreeMap<&Path, BTreeSet<&Path>> = file_imports
            .keys()
            .map(|file| (*file, reachable_files(file)))
            .collect();
        let cycle = |file: &&Path| -> Vec<String> {
            let other_files = reachable_files[*file].iter();
            let cycle =
                other_files.filter(|other_file| reachable_files[**other_file].contains(file));
            cycle.map(|file| file.display().to_string()).collect()
        };
        let cycles = file_imports.keys().map(cycle);
        cycles.filter(|cycle| !cycle.is_empty()).collect()
    }
}

fn is_semicolon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';')
}

/// Returns the path that begins at a token: `a::b::c`.
fn path_at(tokens: &[TokenTree], start: usize) -> Vec<String> {
    let mut path = vec![tokens[start].to_string()];
    let mut separator = start + 1;
    while is_path_separator(tokens, separator) {
        let Some(TokenTree::Ident(name)) = tokens.get(separator + 2) else {
            break;
        };
        path.push(name.to_string());
        separator += 3;
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
        let tokens_after_path = &tree[path.len() * 3 - 2..];
        let mut path = [prefix, &*path].concat();
        if let [_, _, TokenTree::Group(braces)] = tokens_after_path {
            assert_eq!(braces.delimiter(), Delimiter::Brace);
            let tokens_in_braces: Vec<TokenTree> = braces.stream().into_iter().collect();
            collect_leaves(&tokens_in_braces, &path, leaves);
            continue;
        }
        if !prefix.is_empty() && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = match tokens_after_path {
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
fn find_wrong_imports(
    CrateLayout { src, folders, .. }: &CrateLayout,
    modules: &Modules,
) -> (usize, Vec<String>) {
    let folder_index = |folder: &str| folders.iter().position(|candidate| candidate == folder);
    let mut wrong_imports = Vec::new();
    let mut import_count = 0;
    for (file, mentions) in &modules.mentions {
        let Some(own_index) = module(file).first().and_then(|folder| folder_index(folder)) else {
            // `lib.rs` may import from all folders.
            continue;
        };
        let mentions_with_names = mentions.iter().filter_map(|mention| {
            let path = modules.absolute(mention)?;
            Some((mention, path.first()?.clone()))
        });
        for (mention, folder) in mentions_with_names {
            import_count += 1;
            let file = src.join(file);
            let file = file.display();
            if folder_index(&folder).is_none() {
                wrong_imports.push(format!(
                    "{file} takes `{folder}` from the front page; name its folder"
                ));
                continue;
            }
            let (module, _) = modules.defined_in(mention, 0).unwrap_or_default();
            let definition_index = module.first().and_then(|folder| folder_index(folder));
            if folder_index(&folder).max(definition_index) > Some(own_index) {
                let path = mention.path.join("::");
                wrong_imports.push(format!("{file} imports up, from `{path}`"));
            }
        }
    }
    wrong_imports.dedup();
    (import_count, wrong_imports)
}

/// Counts the entries of `src`, and returns the names that the line of `lib.rs` must have.
fn entries(src: &Path) -> (usize, BTreeSet<String>) {
    let entries: Vec<String> = fs::read_dir(src)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let folder_names = entries
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
    (entries.len(), folder_names.collect())
}

#[test]
fn crates_have_few_folders_and_imports_run_one_way() {
    let mut problems = Vec::new();
    let mut total_import_count = 0;
    println!(
        "{:26} {:>13} {:>14} {:>8} {:>8} {:>12}",
        "crate", "lines of code", "entries in src", "imports", "circles", "arrows back"
    );
    for layout in crate_layouts() {
        let CrateLayout { name, src, folders } = &layout;
        let modules = Modules::from_sources(src);
        let (import_count, wrong_imports) = find_wrong_imports(&layout, &modules);
        let cycles = modules.cycles();
        let (entries, folder_names) = entries(src);
        println!(
            "{name:26} {:>13} {entries:>14} {import_count:>8} {:>8} {:>12}",
            lines_of_code(src),
            cycles.len(),
            wrong_imports.len()
        );
        // A defect in the reader must not make the test pass with no imports found.
        assert!(
            import_count > 5,
            "{name}: only {import_count} imports were seen"
        );
        total_import_count += import_count;
        if entries > MAX_ENTRIES {
            problems.push(format!("{name}: {entries} entries in src"));
        }
        if folder_names != folders.iter().cloned().collect() {
            problems.push(format!("{name}: the line of lib.rs has other folders"));
        }
        problems.extend(wrong_imports);
        for cycle in cycles {
            problems.push(format!("{name}: {} import each other", cycle.join(", ")));
        }
    }
    assert!(
        total_import_count > 2_500,
        "only {total_import_count} imports were seen"
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
