//! The pages of the book, and its table of contents.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::ErrorMessage;

/// The parts of the book, each with its pages. Paths are relative to the repository.
const PARTS: [(&str, &[&str]); 6] = [
    (
        "Unions of Rust types",
        &[
            "union-runtime/docs/tour.md",
            "union-runtime/docs/unions.md",
            "union-derive/README.md",
            "union-derive/attributes.md",
            "union-runtime/docs/kube.md",
            "union-runtime/docs/migration.md",
            "union-runtime/docs/limits.md",
        ],
    ),
    (
        "Command line and CRDs",
        &[
            "crates/unionctl/README.md",
            "crates/k8s-crd-validation/README.md",
            "crates/crd-to-rust/README.md",
            "crates/crd-unions/README.md",
            "crates/crd-compat/README.md",
            "crates/union-compat/README.md",
            "crates/k8s-upgrade/README.md",
            "crates/union-policy/README.md",
        ],
    ),
    (
        "Libraries",
        &[
            "crates/union-json/README.md",
            "crates/k8s-builtin-unions/README.md",
            "crates/union-kube/README.md",
            "crates/k8s-strategic-merge-patch/README.md",
            "crates/k8s-cel/README.md",
            "crates/k8s-cel/functions.md",
            "crates/k8s-cel/versions.md",
            "crates/k8s-yaml/README.md",
            "crates/k8s-go-text/README.md",
            "crates/k8s-json-internals/README.md",
        ],
    ),
    (
        "Examples",
        &[
            "examples/README.md",
            "examples/playground/README.md",
            "examples/webhook/README.md",
            "examples/controller/README.md",
            "examples/build-time/README.md",
            "examples/reviews/README.md",
        ],
    ),
    (
        "Background",
        &[
            "docs/design.md",
            "docs/ratcheting.md",
            "docs/glossary.md",
            "docs/statements.md",
            "docs/next-kubernetes-version.md",
        ],
    ),
    (
        "Project",
        &[
            "ARCHITECTURE.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "CHANGELOG.md",
        ],
    ),
];

/// The first page of the book.
const FIRST_PAGE: &str = "README.md";

/// Returns the paths of all pages, relative to the repository.
pub(super) fn page_paths() -> impl Iterator<Item = &'static str> {
    let pages = PARTS.iter().flat_map(|(_, pages)| *pages);
    [FIRST_PAGE].into_iter().chain(pages.copied())
}

/// Returns the path of a page in the book. A README becomes the index of its folder, because a web
/// server shows the file index.html for a folder.
pub(super) fn path_in_book(path: &str) -> String {
    match path.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.md"),
        None => path.to_owned(),
    }
}

/// Returns the table of contents in the format of mdBook.
pub(super) fn summary(repository: &Path) -> Result<String, ErrorMessage> {
    let first_page = path_in_book(FIRST_PAGE);
    let mut summary = format!("# Summary\n\n[Overview]({first_page})\n");
    for (part, pages) in PARTS {
        // Writing to a String cannot fail.
        let _ = write!(summary, "\n# {part}\n\n");
        for page in pages {
            let path = repository.join(page);
            let text = fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let _ = writeln!(summary, "- [{}]({})", title(&text), path_in_book(page));
        }
    }
    Ok(summary)
}

/// Returns the title of a page: its first heading, or else its first line.
fn title(text: &str) -> String {
    let heading = text.lines().find_map(|line| line.strip_prefix("# "));
    let first_line = text.lines().find(|line| !line.is_empty());
    let title = heading.or(first_line).unwrap_or_default();
    title.replace(['[', ']', '`', '*'], "")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{page_paths, title};

    /// The folders whose pages are for contributors, who read them beside the code.
    const EXCLUDED_FOLDERS: [&str; 2] = ["tests", ".github"];

    #[test]
    fn a_page_has_a_title() {
        assert_eq!(title("<!-- x -->\n# `A` [b]\n"), "A b");
        assert_eq!(title("\n**A table**\n\n| a |\n"), "A table");
    }

    #[test]
    fn the_book_has_all_pages_of_the_repository() {
        let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let mut git = Command::new("git");
        git.current_dir(repository).args(["ls-files", "*.md"]);
        let output = git.output().unwrap();
        let files = String::from_utf8(output.stdout).unwrap();
        let is_for_readers =
            |file: &&str| !file.split('/').any(|part| EXCLUDED_FOLDERS.contains(&part));
        let mut expected: Vec<&str> = files.lines().filter(is_for_readers).collect();
        let mut listed: Vec<&str> = page_paths().collect();
        expected.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, expected);
    }
}
