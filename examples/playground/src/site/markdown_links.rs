//! Rewrites the links of a page of the repository, so that they work in the book.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::book;
use crate::ErrorMessage;

/// The file names of images, which are copied into the book.
const IMAGE_ENDINGS: [&str; 3] = [".png", ".svg", ".jpg"];

/// The repository and the pages of the book.
pub(super) struct LinkTargets<'a> {
    /// The folder of the repository.
    pub(super) repository: &'a Path,
    /// The public address of the repository.
    pub(super) repository_url: &'a str,
    pub(super) pages: BTreeSet<&'a str>,
}

/// A page whose links are rewritten.
pub(super) struct RewrittenPage {
    pub(super) text: String,
    /// The images of the page, with paths relative to the repository.
    pub(super) images: BTreeSet<String>,
}

/// The meaning of a link target.
enum Target {
    /// The target, as the book needs it.
    Link(String),
    /// An image in the repository.
    Image(String),
    /// An item of rustdoc, which the book does not have.
    RustItem,
}

impl LinkTargets<'_> {
    /// Rewrites the links of the page at `path`. Links to files that the book does not have lead to
    /// the public repository. Links to items of rustdoc become text.
    pub(super) fn rewrite(&self, path: &str, text: &str) -> Result<RewrittenPage, ErrorMessage> {
        let mut page = RewrittenPage {
            text: String::new(),
            images: BTreeSet::new(),
        };
        let mut is_in_code = false;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            if line.trim_start().starts_with("```") {
                is_in_code = !is_in_code;
            }
            if is_in_code {
                page.text.push_str(line);
            } else {
                self.rewrite_line(path, line, &mut page)
                    .map_err(|error| format!("{path}:{}: {error}", index + 1))?;
            }
        }
        Ok(page)
    }

    fn rewrite_line(
        &self,
        path: &str,
        line: &str,
        page: &mut RewrittenPage,
    ) -> Result<(), ErrorMessage> {
        let mut rest = line;
        while let Some(start) = rest.find(['`', '[']) {
            page.text.push_str(&rest[..start]);
            rest = &rest[start..];
            let code_length = code_span_length(rest);
            if code_length > 0 {
                page.text.push_str(&rest[..code_length]);
                rest = &rest[code_length..];
            } else if let Some((label, target, length)) = inline_link(rest) {
                match self.target(path, target)? {
                    // Writing to a String cannot fail.
                    Target::Link(address) => {
                        let _ = write!(page.text, "[{label}]({address})");
                    }
                    Target::Image(image) => {
                        let _ = write!(page.text, "[{label}]({target})");
                        page.images.insert(image);
                    }
                    Target::RustItem => page.text.push_str(label),
                }
                rest = &rest[length..];
            } else if let Some(length) = rust_item_length(rest) {
                page.text.push_str(&rest[1..length - 1]);
                rest = &rest[length..];
            } else {
                page.text.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
        page.text.push_str(rest);
        Ok(())
    }

    fn target(&self, page: &str, target: &str) -> Result<Target, ErrorMessage> {
        if target.starts_with('#') || target.contains("://") || target.starts_with("mailto:") {
            return Ok(Target::Link(target.to_owned()));
        }
        if target.contains("::") || target.contains('@') {
            return Ok(Target::RustItem);
        }
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let anchor = if anchor.is_empty() {
            String::new()
        } else {
            format!("#{anchor}")
        };
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = normalize(&format!("{folder}/{file}"))
            .ok_or_else(|| format!("the link {target} leaves the repository"))?;
        let readme = format!("{path}/README.md");
        if self.pages.contains(&*path) {
            return Ok(Target::Link(book::path_in_book(file) + &anchor));
        }
        if self.pages.contains(&*readme) {
            let readme = format!("{}/README.md", file.trim_end_matches('/'));
            return Ok(Target::Link(book::path_in_book(&readme) + &anchor));
        }
        let full_path = self.repository.join(&path);
        if IMAGE_ENDINGS.iter().any(|ending| path.ends_with(ending)) && full_path.is_file() {
            return Ok(Target::Image(path));
        }
        let kind = match (full_path.is_file(), full_path.is_dir()) {
            (true, _) => "blob",
            (_, true) => "tree",
            _ => return Err(format!("the target of the link {target} does not exist")),
        };
        let repository_url = self.repository_url.trim_end_matches('/');
        Ok(Target::Link(format!(
            "{repository_url}/{kind}/main/{path}{anchor}"
        )))
    }
}

/// Returns the length of the code span at the start of a text; 0 if there is none.
fn code_span_length(text: &str) -> usize {
    let fence_length = text.len() - text.trim_start_matches('`').len();
    let (fence, content) = text.split_at(fence_length);
    match content.find(fence) {
        Some(end) if fence_length > 0 => end + 2 * fence_length,
        // A backtick that does not begin a code span.
        None if fence_length > 0 => fence_length,
        _ => 0,
    }
}

/// Returns the label, the target and the length of the inline link at the start of a text.
fn inline_link(text: &str) -> Option<(&str, &str, usize)> {
    let label_end = matching_bracket(text)?;
    let target_start = label_end + 2;
    let after_label = text.get(label_end + 1..)?.strip_prefix('(')?;
    let target_end = target_start + after_label.find(')')?;
    Some((
        &text[1..label_end],
        &text[target_start..target_end],
        target_end + 1,
    ))
}

/// Returns the position of the bracket that closes the bracket at the start of a text. Brackets in
/// code spans are not counted.
fn matching_bracket(text: &str) -> Option<usize> {
    let (mut depth, mut position) = (0_usize, 0);
    while position < text.len() {
        let rest = &text[position..];
        match rest.chars().next()? {
            '`' => {
                position += code_span_length(rest);
                continue;
            }
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(position);
        }
        position += rest.chars().next()?.len_utf8();
    }
    None
}

/// Returns the length of a link to an item of rustdoc at the start of a text: a code span in
/// brackets without a target.
fn rust_item_length(text: &str) -> Option<usize> {
    let end = matching_bracket(text)?;
    let label = &text[1..end];
    let is_code = label.starts_with('`') && code_span_length(label) == label.len();
    let has_target = text[end + 1..].starts_with(['(', '[', ':']);
    (is_code && !has_target).then_some(end + 1)
}

/// Resolves `.` and `..` in a path; `None` if the path leaves the repository.
pub(super) fn normalize(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::LinkTargets;

    #[test]
    fn links_lead_to_pages_or_to_the_repository() {
        let targets = LinkTargets {
            repository: &Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
            repository_url: "https://example.com/r/",
            pages: BTreeSet::from(["README.md", "docs/design.md", "crates/unionctl/README.md"]),
        };
        for (source, expected) in [
            ("[a](../README.md#x) b", "[a](../index.md#x) b"),
            ("[a](design.md)", "[a](design.md)"),
            ("[a](#b)", "[a](#b)"),
            ("[a](https://b.c/d)", "[a](https://b.c/d)"),
            (
                "[a](../crates/unionctl)",
                "[a](../crates/unionctl/index.md)",
            ),
            (
                "[a](../justfile)",
                "[a](https://example.com/r/blob/main/justfile)",
            ),
            (
                "[`a[]`](../tests#b)",
                "[`a[]`](https://example.com/r/tree/main/tests#b)",
            ),
            ("[`A`](crate::A) and [`B`]", "`A` and `B`"),
            ("`[a](b)` [`C`][c] ü", "`[a](b)` [`C`][c] ü"),
            ("```\n[a](b)\n```\n", "```\n[a](b)\n```\n"),
            ("a[0] [b", "a[0] [b"),
        ] {
            let page = targets.rewrite("docs/design.md", source).unwrap();
            assert_eq!(page.text, expected, "{source}");
        }
        let page = targets
            .rewrite("README.md", "![a](examples/playground/page.png)")
            .unwrap();
        assert_eq!(
            page.images,
            BTreeSet::from(["examples/playground/page.png".to_owned()])
        );
        for broken in ["[a](nowhere.md)", "[a](../../b.md)"] {
            let error = targets.rewrite("docs/design.md", broken).err().unwrap();
            assert!(error.starts_with("docs/design.md:1: the "), "{error}");
        }
    }
}
