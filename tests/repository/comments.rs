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
const QUESTION_WORDS: [&str; 13] = [
    "As", "How", "Of", "So", "That", "Those", "What", "When", "Where", "Whether", "Which", "Who",
    "Why",
];

/// The greatest number of doc comments in a hundred that begin with one of the [`QUESTION_WORDS`]:
/// descriptions in schemas of tests, and help texts.
const MAX_QUESTION_PERCENT: usize = 2;

const MAX_WIDTH: usize = 100;

const UNCLEAR_PHRASES: [&str; 7] = [
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
    location: String,
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

/// Collects the files below a folder with this extension, without build outputs.
fn find_files(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with(".git") {
                find_files(&path, extension, files);
            }
        } else if path
            .extension()
            .is_some_and(|file_extension| file_extension == extension)
        {
            files.push(path);
        }
    }
}

/// Returns the lines of the comments that have a line of their own.
fn comments(folder: &str) -> Vec<Line> {
    let mut files = Vec::new();
    find_files(&root().join(folder), "rs", &mut files);
    files.sort();
    let mut lines = Vec::new();
    for file in files {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        let (mut previous_marker, mut is_code) = (None, false);
        for (index, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let trimmed = line.trim();
            let marker = ["///", "//!", "//"]
                .into_iter()
                .find(|marker| trimmed.starts_with(marker));
            let Some(marker) = marker else {
                (previous_marker, is_code) = (None, false);
                continue;
            };
            // The lines after `//|` are a page.
            let text = trimmed[marker.len()..].trim_start_matches('|').trim();
            let is_fence = text.starts_with("```");
            is_code ^= is_fence;
            lines.push(Line {
                location: format!("{name}:{}", index + 1),
                marker,
                text: text.to_owned(),
                width: line.chars().count(),
                is_code: is_code || is_fence,
                is_first: previous_marker != Some(marker),
            });
            previous_marker = Some(marker);
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
        let first_lines = lines
            .iter()
            .filter(|line| line.is_first && line.marker != "//");
        let (mut comment_count, mut questions) = (0, Vec::new());
        for line in first_lines {
            comment_count += 1;
            let word = line.text.split(|c: char| !c.is_alphanumeric()).next();
            if word.is_some_and(|word| QUESTION_WORDS.contains(&word)) {
                questions.push(format!("{}: {}", line.location, line.text));
            }
        }
        assert!(
            questions.len() * 100 <= comment_count * MAX_QUESTION_PERCENT,
            "{folder}: {} of {comment_count}: {questions:#?}",
            questions.len()
        );
    }
}

#[test]
fn comments_have_at_most_100_columns() {
    let is_wide = |line: &Line| line.width > MAX_WIDTH && !line.text.contains("://");
    let wide_lines: Vec<String> = prose().filter(is_wide).map(|line| line.location).collect();
    assert_eq!(wide_lines, [""; 0]);
}

#[test]
fn comments_have_no_unclear_phrases() {
    let mut lines_with_phrase = Vec::new();
    for line in prose() {
        let text = line.text.to_lowercase();
        let phrase = UNCLEAR_PHRASES.iter().find(|phrase| {
            text.match_indices(*phrase).any(|(start, _)| {
                let is_word_character = |c: char| c.is_alphanumeric();
                !text[..start].ends_with(is_word_character)
                    && !text[start + phrase.len()..].starts_with(is_word_character)
            })
        });
        if let Some(phrase) = phrase {
            lines_with_phrase.push(format!("{}: {phrase:?}", line.location));
        }
    }
    assert_eq!(lines_with_phrase, [""; 0]);
}

#[test]
fn pages_that_comments_name_exist() {
    let mut pages = Vec::new();
    find_files(&root(), "md", &mut pages);
    let mut missing = Vec::new();
    for line in prose() {
        let is_path_character = |c: char| c.is_alphanumeric() || "_-./".contains(c);
        for word in line.text.split(|c: char| !is_path_character(c)) {
            let page = word.trim_start_matches("../");
            let is_page = Path::new(page)
                .extension()
                .is_some_and(|file_extension| file_extension == "md");
            if is_page
                && !pages
                    .iter()
                    .any(|existing_page| existing_page.ends_with(page))
            {
                missing.push(format!("{}: {page}", line.location));
            }
        }
    }
    assert_eq!(missing, [""; 0]);
}
