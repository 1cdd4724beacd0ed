//! Checks the links of a static site.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::markdown_links::normalize;
use crate::ErrorMessage;

/// The links of a page and the anchors to which links may lead.
#[derive(Default)]
struct LinksAndAnchors {
    links: Vec<String>,
    anchors: BTreeSet<String>,
}

/// Returns the links of a site that lead to no file or no anchor, each with its page, and the
/// number of internal links.
///
/// # Errors
///
/// Returns an error if a file of the site cannot be read.
pub fn broken_links(site: &Path) -> Result<(Vec<String>, usize), ErrorMessage> {
    let mut files = BTreeSet::new();
    find_files(site, "", &mut files)?;
    let mut pages = BTreeMap::new();
    let is_page = |file: &&String| {
        let extension = Path::new(file).extension();
        extension.is_some_and(|extension| extension == "html")
    };
    for file in files.iter().filter(is_page) {
        let html = fs::read_to_string(site.join(file));
        let html = html.map_err(|error| format!("cannot read {file}: {error}"))?;
        pages.insert(file.as_str(), links_and_anchors(&html));
    }
    let mut broken = Vec::new();
    let mut link_count = 0;
    for (page, LinksAndAnchors { links, .. }) in &pages {
        for link in links.iter().filter(|link| !is_external(link)) {
            link_count += 1;
            if !leads_somewhere(page, link, &files, &pages) {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    Ok((broken, link_count))
}

/// Adds the files below a folder, with paths relative to the site.
fn find_files(folder: &Path, path: &str, files: &mut BTreeSet<String>) -> Result<(), ErrorMessage> {
    let error_message = |error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(error_message)? {
        let entry = entry.map_err(error_message)?;
        let name = entry.file_name();
        let path_of_entry = format!("{path}{}", name.to_string_lossy());
        if entry.path().is_dir() {
            find_files(&entry.path(), &format!("{path_of_entry}/"), files)?;
        } else {
            files.insert(path_of_entry);
        }
    }
    Ok(())
}

fn is_external(link: &str) -> bool {
    let schemes = ["http://", "https://", "mailto:", "data:", "javascript:"];
    schemes.iter().any(|scheme| link.starts_with(scheme))
}

/// Returns true if the file and the anchor of a link exist.
fn leads_somewhere(
    page: &str,
    link: &str,
    files: &BTreeSet<String>,
    pages: &BTreeMap<&str, LinksAndAnchors>,
) -> bool {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let file = if path.is_empty() {
        Some(page.to_owned())
    } else {
        normalize(&format!("{folder}/{path}"))
    };
    let Some(mut file) = file else {
        return false;
    };
    if path.ends_with('/') || file.is_empty() {
        let separator = if file.is_empty() { "" } else { "/" };
        file = format!("{file}{separator}index.html");
    }
    let has_anchor = |page: &LinksAndAnchors| page.anchors.contains(anchor);
    files.contains(&file) && (anchor.is_empty() || pages.get(&*file).is_none_or(has_anchor))
}

/// Collects the attributes of the tags of a page, without the contents of scripts and styles.
fn links_and_anchors(html: &str) -> LinksAndAnchors {
    let mut found = LinksAndAnchors::default();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let (name, after_name) = rest.split_at(
            rest.find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(rest.len()),
        );
        rest = add_attributes(after_name, &mut found);
        if ["script", "style"].contains(&name) {
            let end = format!("</{name}");
            rest = rest.split_once(&*end).map_or("", |(_, after)| after);
        }
    }
    found
}

/// Reads the attributes of a tag, and returns the text after the tag.
fn add_attributes<'h>(mut rest: &'h str, found: &mut LinksAndAnchors) -> &'h str {
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        let name_length = rest.find(|c: char| c.is_whitespace() || "=>/".contains(c));
        let (name, after_name) = rest.split_at(name_length.unwrap_or(rest.len()));
        let Some(after_sign) = after_name.strip_prefix('=') else {
            match after_name.strip_prefix('>') {
                Some(after_tag) => return after_tag,
                None if after_name.is_empty() => return "",
                None => {
                    rest = after_name;
                    continue;
                }
            }
        };
        let first = after_sign.chars().next();
        let (value, after_value) = if let Some(quote @ ('"' | '\'')) = first {
            let quoted = &after_sign[1..];
            quoted.split_once(quote).unwrap_or((quoted, ""))
        } else {
            let end = after_sign.find(|c: char| c.is_whitespace() || c == '>');
            after_sign.split_at(end.unwrap_or(after_sign.len()))
        };
        let value = value.replace("&amp;", "&");
        match name {
            "href" | "src" => found.links.push(value),
            "id" | "name" => {
                found.anchors.insert(value);
            }
            _ => {}
        }
        rest = after_value;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::{leads_somewhere, links_and_anchors};

    #[test]
    fn links_are_in_tags_only() {
        let html = r#"<a href="a.html#b" class=c>x</a><!-- <a href="no"> --><script src='s.js'>"<a href='no'>"</script>
            <h2 id="d&amp;e">y</h2><img src=f.png alt><style>a{}</style><br/><a id=g>"#;
        let found = links_and_anchors(html);
        assert_eq!(found.links, ["a.html#b", "s.js", "f.png"]);
        assert_eq!(
            found.anchors,
            BTreeSet::from(["d&e".to_owned(), "g".to_owned()])
        );
    }

    #[test]
    fn files_and_anchors_must_exist() {
        let files = ["index.html", "a/b.html", "a/index.html", "c.png"];
        let files: BTreeSet<String> = files.iter().map(ToString::to_string).collect();
        let pages = BTreeMap::from([
            ("index.html", links_and_anchors("<p id=here>")),
            ("a/b.html", links_and_anchors("<p id=there>")),
            ("a/index.html", links_and_anchors("")),
        ]);
        for (page, link, expected) in [
            ("index.html", "a/b.html", true),
            ("index.html", "a/b.html#there", true),
            ("index.html", "a/b.html#here", false),
            ("index.html", "#here", true),
            ("index.html", "#there", false),
            ("index.html", "a/", true),
            ("index.html", "b.html", false),
            ("a/b.html", "../index.html#here", true),
            ("a/b.html", "../", true),
            ("a/b.html", "../../index.html", false),
            ("a/b.html", "../c.png", true),
        ] {
            let leads = leads_somewhere(page, link, &files, &pages);
            assert_eq!(leads, expected, "{page}: {link}");
        }
    }
}
