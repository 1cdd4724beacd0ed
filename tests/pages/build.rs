//! Generates a test for each Rust block in the Markdown pages of the repository. A `text` block
//! after a Rust block is the expected output.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The pages that are generated from a program, which has its own test.
const GENERATED_PAGES: [&str; 1] = ["union-runtime/docs/tour.md"];

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
        if !GENERATED_PAGES.contains(&name.as_str()) {
            write_tests(&name, &fs::read_to_string(&page)?, &mut tests);
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
    let out_dir = env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .unwrap_or_default();
    fs::write(out_dir.join("pages.rs"), tests)
}

/// Collects the Markdown pages below a folder, without hidden folders and `target`.
fn find_pages(folder: &Path, pages: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if entry.file_type()?.is_dir() {
            if name != "target" && !name.starts_with('.') {
                // A new page in the folder must run this script again.
                println!("cargo::rerun-if-changed={}", path.display());
                find_pages(&path, pages)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(())
}

/// Writes a test for each Rust block of a page. The page and the line are in the name of the test.
fn write_tests(page: &str, source: &str, tests: &mut String) {
    let name: String = page
        .to_lowercase()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let mut lines = source.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if line != "```rust" {
            continue;
        }
        let read_block = |lines: &mut dyn Iterator<Item = (usize, &str)>| -> String {
            let code = lines
                .map(|(_, line)| line)
                .take_while(|line| *line != "```");
            code.fold(String::new(), |code, line| code + line + "\n")
        };
        let code = read_block(&mut lines);
        let mut lines_after = lines.clone().skip_while(|(_, line)| line.is_empty());
        let expected_output = match lines_after.next() {
            Some((_, "```text")) => format!("Some({:?})", read_block(&mut lines_after)),
            _ => "None".to_owned(),
        };
        let line = index + 1;
        // Hidden lines are left out of the test. The test fails with a clear message, instead of a
        // compiler error.
        let is_hidden = |line: &&str| *line == "#" || line.starts_with("# ");
        let hidden_line = code.lines().find(is_hidden);
        let code: String = code
            .lines()
            .filter(|line| !is_hidden(line))
            .collect::<Vec<_>>()
            .join("\n");
        let _ = write!(
            tests,
            "#[test]\nfn {name}_line_{line}() {{\n\
             fn block() -> Result<(), Box<dyn std::error::Error>> {{\n{code}\nOk(())\n}}\n\
             crate::run_block({page:?}, {line}, {hidden_line:?}, {expected_output}, block);\n}}\n\n"
        );
    }
}
