//! The table of added members in README.md.

use k8s_builtin_unions::{BuiltinUnion, OldClientEffect, added_members, kinds, unions};

/// Returns the rows of the table, in which the versions of a type share a row.
fn table_rows() -> Vec<String> {
    let mut rows: Vec<(u32, String, String, OldClientEffect)> = Vec::new();
    for added in added_members() {
        let type_name = added
            .union
            .type_name()
            .rsplit('.')
            .next()
            .unwrap_or_default();
        let field = format!("`{}`", added.member.field());
        let effect = added.old_client_effect();
        let same_row = rows
            .iter_mut()
            .find(|row| row.0 == added.minor && row.1 == type_name && row.3 == effect);
        match same_row {
            Some(row) if row.2.contains(&field) => {}
            Some(row) => row.2 = format!("{}, {field}", row.2),
            None => rows.push((added.minor, type_name.to_owned(), field, effect)),
        }
    }
    let rows = rows.iter().map(|(minor, type_name, members, effect)| {
        let effect = match effect {
            OldClientEffect::Rejected => "rejected: no member is set".to_owned(),
            OldClientEffect::Replaced(member) => format!("replaced by `{member}`, silently"),
            OldClientEffect::Lost => "lost, silently".to_owned(),
            _ => unreachable!("a new effect"),
        };
        format!(
            "| 1.{} to 1.{minor} | `{type_name}` | {members} | {effect} |",
            minor - 1
        )
    });
    rows.collect()
}

#[test]
fn the_added_members_are_those_of_the_table() {
    let readme = include_str!("../README.md");
    let rows = table_rows().join("\n");
    assert!(
        readme.contains(&rows),
        "README.md must contain these rows:\n{rows}"
    );
}

#[test]
fn the_types_with_unenforced_rules_are_those_of_the_table() {
    let unenforced = unions().filter(|union| !union.is_enforced());
    let names = unenforced.filter_map(|union| union.type_name().rsplit('.').next());
    let names: std::collections::BTreeSet<String> = names.map(|name| format!("`{name}`")).collect();
    let names: Vec<String> = names.into_iter().collect();
    let row = format!(
        "| a rule is not enforced: API servers accept violations | {} |",
        names.join(", ")
    );
    let readme = include_str!("../README.md");
    assert!(readme.contains(&row), "README.md must contain: {row}");
}

#[test]
fn the_counts_of_readme_are_right() {
    let types: std::collections::BTreeSet<&str> = unions().map(BuiltinUnion::type_name).collect();
    let counts = format!(
        "{} unions of {} types in {} kinds",
        unions().count(),
        types.len(),
        kinds().count(),
    );
    let readme = include_str!("../README.md");
    assert!(readme.contains(&counts), "README.md must contain: {counts}");
}
