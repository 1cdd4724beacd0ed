//! Prints the statements of rules about the items of a list together.

use crd_unions::{FieldValues, ListRule, Sort, Together};

use crate::output::output::{self, PLAIN, Text};

/// The greatest number of statements of a rule that are printed; JSON has all.
const MOST: usize = 12;

/// Adds the rules, grouped by list.
pub(super) fn add(rules: &[ListRule], text: &mut Text) {
    let mut pointer = None;
    for rule in rules {
        if pointer != Some(&rule.pointer) {
            let path = match &*rule.path {
                "" => "the list",
                path => path,
            };
            text.indented(
                1,
                &format!("{path}: no union; relations between its items:"),
                PLAIN,
            );
        }
        pointer = Some(&rule.pointer);
        for says in rule.says.iter().take(MOST) {
            text.indented(2, &line(rule, says), PLAIN);
        }
        if rule.says.len() > MOST {
            let line = format!("{} more; -o json lists all", rule.says.len() - MOST);
            text.indented(2, &line, PLAIN);
        }
        if !rule.exact {
            let line = format!("the rule may check more: `{}`", rule.text);
            text.indented(3, &line, PLAIN);
        }
    }
}

fn line(rule: &ListRule, says: &Together) -> String {
    let by = || {
        let fields = rule.by.iter().map(|field| format!("`{field}`"));
        match fields.collect::<Vec<_>>().join(", ") {
            fields if fields.is_empty() => String::new(),
            fields => format!(" in {fields}"),
        }
    };
    match says {
        Together::Alike => format!("all items are equal{}", by()),
        Together::Distinct => format!("all items are distinct{}", by()),
        Together::Alone(one) => format!("must be the only item: {}", sort(one)),
        Together::Apart(sorts) => {
            let sorts: Vec<String> = sorts.iter().map(sort).collect();
            format!("cannot occur together: {}", sorts.join(" | "))
        }
        Together::Once(one) => format!("at most once: {}", sort(one)),
        Together::Required(one) => format!("at least once: {}", sort(one)),
        Together::Needs(one, other) => format!("{} requires {}", sort(one), sort(other)),
        _ => says.name().to_owned(),
    }
}

/// Returns the description of a sort: items that a rule treats alike.
fn sort(sort: &Sort) -> String {
    if sort.others {
        return "any other item".to_owned();
    }
    let ways = sort.ways.iter().map(|way| {
        let fields = way.iter().map(|FieldValues { field, values, .. }| {
            let values: Vec<&str> = values.iter().map(|value| output::value(value)).collect();
            let values = values.join(" or ");
            if field.is_empty() {
                values
            } else {
                format!("`{field}` {values}")
            }
        });
        fields.collect::<Vec<_>>().join(", ")
    });
    ways.collect::<Vec<_>>().join("; or ")
}
