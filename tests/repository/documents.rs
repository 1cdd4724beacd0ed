//! Tests of the documents: the lists of attributes and features are complete.

const GRAMMAR: &str = include_str!("../../union-derive/src/attr/table.rs");
const REFERENCE: &str = include_str!("../../union-derive/attributes.md");
const FRONT_PAGE: &str = include_str!("../../union-runtime/src/lib.rs");
const MANIFEST: &str = include_str!("../../union-runtime/Cargo.toml");
const LIMITS: &str = include_str!("../../union-runtime/docs/limits.md");

/// Returns the names of attributes, each with the derive attribute that it belongs to. The function
/// reads the tables of the source: `FieldAttrs: "union" on "a field"` opens a table, and
/// `"optional" optional: Span = word` is a row.
fn attributes() -> Vec<(&'static str, &'static str)> {
    let tables = GRAMMAR.split("\nattributes! {").skip(1);
    let attributes = tables.flat_map(|table| {
        let body = table.split("\n}").next().unwrap_or_default();
        let derive_attribute = body.split('"').nth(1).unwrap_or_default();
        let rows = body.lines().filter_map(|line| line.strip_prefix("    \""));
        rows.filter_map(move |row| Some((row.split_once('"')?.0, derive_attribute)))
    });
    attributes.collect()
}

/// Returns the strings in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the first word of a piece of code: `shape` of `shape = "2022"`.
fn first_word(code: &str) -> &str {
    let is_name_character = |c: char| c.is_alphanumeric() || c == '_';
    code.split(|c| !is_name_character(c))
        .next()
        .unwrap_or_default()
}

#[test]
fn the_reference_has_a_heading_for_each_attribute_and_no_other() {
    let attributes: Vec<&str> = attributes().into_iter().map(|(name, _)| name).collect();
    assert!(attributes.len() > 20, "{attributes:?}");
    let headings: Vec<&str> = REFERENCE
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .flat_map(quoted)
        .map(first_word)
        .collect();
    for name in &attributes {
        assert!(
            headings.contains(name),
            "attributes.md has no heading for `{name}`"
        );
    }
    for heading in &headings {
        assert!(
            attributes.contains(heading),
            "attributes.md has a heading for `{heading}`, which is not an attribute"
        );
    }
}

#[test]
fn attributes_are_in_the_table_at_a_glance() {
    let rows = REFERENCE.lines().filter(|line| {
        let row_starts = ["| struct |", "| field |", "| enum |", "| variant |"];
        row_starts.iter().any(|start| line.starts_with(start))
    });
    let codes: Vec<&str> = rows.flat_map(quoted).collect();
    for (name, derive_attribute) in attributes() {
        let is_named = codes.iter().any(|code| {
            let arguments = code.strip_prefix(&format!("#[{derive_attribute}("));
            let arguments = arguments.or_else(|| (!code.starts_with("#[")).then_some(code));
            arguments
                .is_some_and(|arguments| arguments.split(", ").any(|part| first_word(part) == name))
        });
        assert!(
            is_named,
            "the table has no row for `#[{derive_attribute}({name})]`"
        );
    }
}

#[test]
fn features_are_on_the_front_page_and_among_the_costs() {
    let features = MANIFEST.split("[features]\n").nth(1).unwrap_or_default();
    let features = features.split("\n[").next().unwrap_or_default();
    let names = features
        .lines()
        .filter_map(|line| line.split_once(" = ").map(|(name, _)| name))
        .filter(|name| *name != "default" && !name.starts_with("__"));
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["derive", "schemars"]);
    for name in names {
        let is_listed = |ending| FRONT_PAGE.contains(&format!("//! - `{name}`{ending}"));
        assert!(
            is_listed(":") || is_listed(" (default):"),
            "the front page has no line for the feature `{name}`"
        );
        let costs = LIMITS.split("## What a feature costs").nth(1);
        assert!(
            costs.unwrap_or_default().contains(&format!("`{name}`")),
            "limits.md does not say what the feature `{name}` costs"
        );
    }
}

/// Returns the anchor of a heading, as used in links.
fn anchor(heading: &str) -> String {
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
    let name = heading.chars().filter(is_kept).collect::<String>();
    name.to_lowercase().replace(' ', "-")
}

#[test]
fn links_inside_of_the_reference_are_headings() {
    let headings = REFERENCE.lines().filter(|line| line.starts_with('#'));
    let anchors: Vec<String> = headings
        .map(|line| anchor(line.trim_start_matches('#').trim_start()))
        .collect();
    let links = REFERENCE.split("](#").skip(1);
    let links: Vec<&str> = links.filter_map(|link| link.split(')').next()).collect();
    assert!(links.len() > 50, "{links:?}");
    for link in links {
        assert!(
            anchors.iter().any(|anchor| anchor == link),
            "attributes.md has no heading for the link #{link}"
        );
    }
}
