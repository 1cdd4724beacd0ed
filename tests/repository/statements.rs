//! Tests of `docs/statements.md`: each statement has a number, and a test that exists.

use std::fs;
use std::path::Path;

const PAGE: &str = include_str!("../../docs/statements.md");

/// The names of the specifications. The heading of each section begins with one of the names.
const SPECIFICATIONS: [&str; 5] = [
    "KEP-1027 in its 2022 form",
    "KEP-1027 in its 2019 form",
    "KEP-2887",
    "KEP-4008",
    "The retainKeys patch strategy",
];

/// Returns the cells of each row: number, statement, section, where, test.
fn table_rows(markdown: &str) -> Vec<Vec<&str>> {
    let rows = markdown.lines().filter_map(|line| line.strip_prefix("| "));
    let rows = rows.filter(|row| row.starts_with(|character: char| character.is_ascii_digit()));
    rows.map(|row| {
        row.trim_end_matches('|')
            .split('|')
            .map(str::trim)
            .collect()
    })
    .collect()
}

/// Returns the strings in backticks.
fn strings_in_backticks(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Returns true if `test` is a file, or a function `file::name` that has `#[test]` above it.
fn is_existing_test(test: &str) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Some((file, name)) = test.split_once("::") else {
        return root.join(test).is_file();
    };
    let source = fs::read_to_string(root.join(file)).unwrap_or_default();
    source.split("#[test]").skip(1).any(|source_of_test| {
        let function = source_of_test.split("fn ").nth(1).unwrap_or_default();
        function.starts_with(&format!("{name}("))
    })
}

#[test]
fn rows_are_numbered_without_gaps_and_complete() {
    let rows = table_rows(PAGE);
    assert!(rows.len() >= 150, "only {} rows", rows.len());
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(row[0], (index + 1).to_string(), "{row:?}");
        assert_eq!(row.len(), 5, "{row:?}");
        assert!(!row.iter().any(|cell| cell.is_empty()), "{row:?}");
        assert!(strings_in_backticks(row[3]).next().is_some(), "{row:?}");
        assert!(!row.concat().to_lowercase().contains("partly"), "{row:?}");
    }
}

#[test]
fn every_specification_has_a_section() {
    let sections: Vec<&str> = PAGE.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), SPECIFICATIONS.len());
    for (section, specification) in sections.iter().zip(SPECIFICATIONS) {
        assert!(
            section.starts_with(specification),
            "no section \"{specification}\""
        );
        assert!(
            table_rows(section).len() >= 20,
            "{specification} has few rows"
        );
    }
}

#[test]
fn every_named_test_exists() {
    let rows = table_rows(PAGE);
    let names_test =
        |row: &&Vec<&str>| strings_in_backticks(row[4]).any(|test| test.contains("::"));
    assert_eq!(rows.iter().filter(names_test).count(), rows.len());
    let tests = rows.iter().flat_map(|row| strings_in_backticks(row[4]));
    let missing: Vec<&str> = tests.filter(|test| !is_existing_test(test)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
