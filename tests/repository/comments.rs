//! Tests of comments: how doc comments begin, how wide comments are, phrases that readers stumble
//! over, and pages that comments name. They do not replace reading.

use std::fs;
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 5] = [
    "union-derive",
    "union-runtime",
    "crates",
    "examples",
    "tests",
];

/// Doc comments begin with a verb or a noun, and not with half of a question.
const QUESTIONS: [&str; 13] = [
    "As", "How", "Of", "So", "That", "Those", "What", "When", "Where", "Whether", "Which", "Who",
    "Why",
];

/// The greatest number of doc comments in a hundred that begin with one of the [`QUESTIONS`]:
/// descriptions in schemas of tests, and help texts.
const QUESTIONS_IN_100: usize = 2;

const WIDTH: usize = 100;

const PHRASES: [&str; 7] = [
    "for people",
    "is no string",
    "is not there",
    "nothing else",
    "says so",
    "so many",
    "what it is called",
];

/// A line of a comment.
struct Line {
    place: String,
    /// The marker: `//`, `///` or `//!`.
    marker: &'static str,
    text: String,
    width: usize,
    /// True if the line is in a code block.
    is_code: bool,
    /// True if the line before is not a line of the same comment.
    is_first: bool,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Collects the files below a folder with one of these extensions, without build outputs.
fn find(folder: &Path, extension: &str, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with(".git") {
                find(&path, extension, into);
            }
        } else if path.extension().is_some_and(|ending| ending == extension) {
            into.push(path);
        }
    }
}

/// Returns the lines of the comments that have a line of their own.
fn comments(folder: &str) -> Vec<Line> {
    let mut files = Vec::new();
    find(&root().join(folder), "rs", &mut files);
    files.sort();
    let mut lines = Vec::new();
    for file in files {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        let (mut before, mut is_code) = (None, false);
        for (number, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let trimmed = line.trim();
            let marker = ["///", "//!", "//"]
                .into_iter()
                .find(|marker| trimmed.starts_with(marker));
            let Some(marker) = marker else {
                (before, is_code) = (None, false);
                continue;
            };
            // The lines after `//|` are a page.
            let text = trimmed[marker.len()..].trim_start_matches('|').trim();
            let is_fence = text.starts_with("```");
            is_code ^= is_fence;
            lines.push(Line {
                place: format!("{name}:{}", number + 1),
                marker,
                text: text.to_owned(),
                width: line.chars().count(),
                is_code: is_code || is_fence,
                is_first: before != Some(marker),
            });
            before = Some(marker);
        }
    }
    assert!(lines.len() > 100, "{folder}: {} lines", lines.len());
    lines
}

/// Returns the lines outside of code blocks in all folders.
fn prose() -> impl Iterator<Item = Line> {
    let lines = FOLDERS.into_iter().flat_map(comments);
    lines.filter(|line| !line.is_code)
}

#[test]
fn doc_comments_do_not_begin_with_questions() {
    for folder in FOLDERS {
        let lines = comments(folder);
        let starts = lines
            .iter()
            .filter(|line| line.is_first && line.marker != "//");
        let (mut all, mut questions) = (0, Vec::new());
        for line in starts {
            all += 1;
            let word = line.text.split(|c: char| !c.is_alphanumeric()).next();
            if word.is_some_and(|word| QUESTIONS.contains(&word)) {
                questions.push(format!("{}: {}", line.place, line.text));
            }
        }
        assert!(
            questions.len() * 100 <= all * QUESTIONS_IN_100,
            "{folder}: {} of {all}: {questions:#?}",
            questions.len()
        );
    }
}

#[test]
fn comments_are_not_wide() {
    let is_wide = |line: &Line| line.width > WIDTH && !line.text.contains("://");
    let wide: Vec<String> = prose().filter(is_wide).map(|line| line.place).collect();
    assert_eq!(wide, [""; 0]);
}

#[test]
fn phrases_that_readers_stumble_over_are_gone() {
    let mut found = Vec::new();
    for line in prose() {
        let text = line.text.to_lowercase();
        let phrase = PHRASES.iter().find(|phrase| {
            text.match_indices(*phrase).any(|(at, _)| {
                let is_word = |c: char| c.is_alphanumeric();
                !text[..at].ends_with(is_word) && !text[at + phrase.len()..].starts_with(is_word)
            })
        });
        if let Some(phrase) = phrase {
            found.push(format!("{}: {phrase:?}", line.place));
        }
    }
    assert_eq!(found, [""; 0]);
}

#[test]
fn pages_that_comments_name_exist() {
    let mut pages = Vec::new();
    find(&root(), "md", &mut pages);
    let mut missing = Vec::new();
    for line in prose() {
        let is_of_path = |c: char| c.is_alphanumeric() || "_-./".contains(c);
        for word in line.text.split(|c: char| !is_of_path(c)) {
            let page = word.trim_start_matches("../");
            let is_page = Path::new(page)
                .extension()
                .is_some_and(|ending| ending == "md");
            if is_page && !pages.iter().any(|known| known.ends_with(page)) {
                missing.push(format!("{}: {page}", line.place));
            }
        }
    }
    assert_eq!(missing, [""; 0]);
}
