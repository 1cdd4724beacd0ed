//! Writes the site.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use super::markdown_links::LinkTargets;
use super::{book, html_links, mdbook};
use crate::{ErrorMessage, Page};

/// The settings of mdBook. The pages have no code that the playground of Rust can run.
const BOOK_SETTINGS: &str = r#"[book]
title = "Unions of Kubernetes API types"
language = "en"

[build]
create-missing = false

[output.html]
input-404 = ""
no-section-label = true
preferred-dark-theme = "navy"
additional-css = ["site.css"]
git-repository-url = "REPOSITORY_URL"

[output.html.playground]
runnable = false

[output.html.print]
enable = false
"#;

/// A link to the playground above each page.
const BOOK_HEADER: &str = r#"<p class="playground-link"><a href="{{ path_to_root }}playground/index.html">Playground: check a CRD and an object in the browser</a></p>
"#;

/// Styles the link. mdBook moves the page up by the height of the menu bar, to make room for a
/// placeholder.
const BOOK_STYLE: &str = ".playground-link { text-align: center; margin: 0; padding: calc(var(--menu-bar-height) + .5rem) 1rem .5rem; }
.playground-link a { color: var(--links); }
#mdbook-menu-bar-hover-placeholder { display: none; }
";

/// The folder of the playground in the site.
const PLAYGROUND: &str = "playground";

/// The place of the site, and the addresses in it.
#[derive(Clone, Debug)]
pub struct SiteSettings {
    /// The folder to which the site is written: an empty folder, or a site, which is replaced.
    pub folder: PathBuf,
    /// The public address of the repository, for links to files that the site does not have.
    pub repository_url: String,
}

/// Writes the playground and the documents of the repository as one static site, and returns the
/// number of internal links.
///
/// # Errors
///
/// Returns an error if mdBook fails, if a file cannot be read or written, or if a link leads to no
/// file or no anchor.
pub fn write_site(page: &Page, settings: &SiteSettings) -> Result<usize, ErrorMessage> {
    require_site_or_empty(&settings.folder)?;
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let book_folder = std::env::temp_dir().join(format!("union-playground-book-{}", process::id()));
    let result = write_book(&book_folder, &repository, &settings.repository_url);
    let html_folder = std::path::absolute(&settings.folder).map_err(|error| error.to_string())?;
    let result = result.and_then(|()| mdbook::build(&book_folder, &html_folder));
    // The folder may be missing if it cannot be created.
    let _ = fs::remove_dir_all(&book_folder);
    result?;
    let playground = html_folder.join(PLAYGROUND).join("index.html");
    write_file(&playground, page.html_in_site("../index.html").as_bytes())?;
    // GitHub Pages must not process the files.
    write_file(&html_folder.join(".nojekyll"), b"")?;
    let (broken_links, link_count) = html_links::broken_links(&html_folder)?;
    if broken_links.is_empty() {
        return Ok(link_count);
    }
    Err(format!(
        "links of the site that lead nowhere:\n{}",
        broken_links.join("\n")
    ))
}

/// Returns an error if a folder has other content than a site, because mdBook removes the content.
fn require_site_or_empty(folder: &Path) -> Result<(), ErrorMessage> {
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if is_empty || folder.join(PLAYGROUND).join("index.html").is_file() {
        return Ok(());
    }
    Err(format!(
        "{} is not empty, and is not a site that can be replaced; use another folder",
        folder.display()
    ))
}

/// Writes the pages, the images, the table of contents and the settings of the book.
fn write_book(folder: &Path, repository: &Path, repository_url: &str) -> Result<(), ErrorMessage> {
    let source_folder = folder.join("src");
    let targets = LinkTargets {
        repository,
        repository_url,
        pages: book::page_paths().collect(),
    };
    for path in book::page_paths() {
        let text = fs::read_to_string(repository.join(path));
        let text = text.map_err(|error| format!("cannot read {path}: {error}"))?;
        let page = targets.rewrite(path, &text)?;
        let page_file = source_folder.join(book::path_in_book(path));
        write_file(&page_file, page.text.as_bytes())?;
        for image in page.images {
            let content = fs::read(repository.join(&image));
            let content = content.map_err(|error| format!("cannot read {image}: {error}"))?;
            write_file(&source_folder.join(image), &content)?;
        }
    }
    let summary = book::summary(repository)?;
    let settings = BOOK_SETTINGS.replace("REPOSITORY_URL", repository_url);
    for (path, content) in [
        ("src/SUMMARY.md", summary.as_str()),
        ("theme/header.hbs", BOOK_HEADER),
        ("site.css", BOOK_STYLE),
        ("book.toml", &settings),
    ] {
        write_file(&folder.join(path), content.as_bytes())?;
    }
    Ok(())
}

fn write_file(path: &Path, content: &[u8]) -> Result<(), ErrorMessage> {
    let folder = path.parent().unwrap_or(path);
    let result = fs::create_dir_all(folder).and_then(|()| fs::write(path, content));
    result.map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{require_site_or_empty, write_file};

    #[test]
    fn only_a_site_is_replaced() {
        let name = format!("union-playground-test-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        assert_eq!(require_site_or_empty(&folder), Ok(()));
        let error = require_site_or_empty(Path::new(env!("CARGO_MANIFEST_DIR")));
        assert!(error.is_err_and(|error| error.contains("is not empty")));
        write_file(&folder.join("playground/index.html"), b"").unwrap();
        assert_eq!(require_site_or_empty(&folder), Ok(()));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
