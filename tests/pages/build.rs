//! Generates one test for every Rust block in the Markdown pages of the repository. If a `text`
//! block follows a Rust block, the `text` block is the expected output.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The pages whose code comes from a program with its own test.
const FROM_PROGRAMS: [&str; 1] = ["union-runtime/docs/tour.md"];

fn main() -> io::Result<()> {
    let root = Path::new("../..");
    let mut pages = Vec::new();
    find_pages(root, &mut pages)?;
    pages.sort();
    let mut tests = String::new();
    for page in pages {
        println!("cargo::rerun-if-changed={}", page.display());
        let name = page
            .strip_prefix(root)
            .unwrap_or(&page)
            .display()
            .to_string();
        if !FROM_PROGRAMS.contains(&name.as_str()) {
            write_tests(&name, &fs::read_to_string(&page)?, &mut tests);
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .unwrap_or_default();
    fs::write(out.join("pages.rs"), tests)
}

/// Collects the Markdown pages below a folder, without hidden folders and `target`.
fn find_pages(folder: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if entry.file_type()?.is_dir() {
            if name != "target" && !name.starts_with('.') {
                // A new page in the folder must run this script again.
                println!("cargo::rerun-if-changed={}", path.display());
                find_pages(&path, into)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            into.push(path);
        }
    }
    Ok(())
}

/// Writes a test for each Rust block of a page. The name of a test has the page and the line.
fn write_tests(page: &str, text: &str, into: &mut String) {
    let name: String = page
        .to_lowercase()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if line != "```rust" {
            continue;
        }
        let block = |lines: &mut dyn Iterator<Item = (usize, &str)>| -> String {
            let code = lines
                .map(|(_, line)| line)
                .take_while(|line| *line != "```");
            code.fold(String::new(), |code, line| code + line + "\n")
        };
        let code = block(&mut lines);
        let mut after = lines.clone().skip_while(|(_, line)| line.is_empty());
        let printed = match after.next() {
            Some((_, "```text")) => format!("Some({:?})", block(&mut after)),
            _ => "None".to_owned(),
        };
        let line = index + 1;
        // Hidden lines are left out of the test. The test fails with a clear message, instead of a
        // compiler error.
        let is_hidden = |line: &&str| *line == "#" || line.starts_with("# ");
        let hidden = code.lines().find(is_hidden);
        let code: String = code
            .lines()
            .filter(|line| !is_hidden(line))
            .collect::<Vec<_>>()
            .join("\n");
        let _ = write!(
            into,
            "#[test]\nfn {name}_line_{line}() {{\n\
             fn block() -> Result<(), Box<dyn std::error::Error>> {{\n{code}\nOk(())\n}}\n\
             crate::check({page:?}, {line}, {hidden:?}, {printed}, block);\n}}\n\n"
        );
    }
}
