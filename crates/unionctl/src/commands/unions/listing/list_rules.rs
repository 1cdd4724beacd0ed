//! Prints the statements of rules about the items of a list together.

use crd_unions::{FieldValues, ItemClass, ItemRelation, ListRule};

use crate::output::print::{self, PLAIN, TextBuffer};

/// The greatest number of statements of a rule that are printed; JSON has all.
const MAX_STATEMENTS: usize = 12;

/// Adds the rules, grouped by list.
pub(super) fn add_list_rules(rules: &[ListRule], text: &mut TextBuffer) {
    let mut pointer = None;
    for rule in rules {
        if pointer != Some(&rule.pointer) {
            let path = match &*rule.path {
                "" => "the list",
                path => path,
            };
            text.add_indented_line(
                1,
                &format!("{path}: no union; relations between its items:"),
                PLAIN,
            );
        }
        pointer = Some(&rule.pointer);
        for says in rule.relations.iter().take(MAX_STATEMENTS) {
            text.add_indented_line(2, &line(rule, says), PLAIN);
        }
        if rule.relations.len() > MAX_STATEMENTS {
            let line = format!(
                "{} more; -o json lists all",
                rule.relations.len() - MAX_STATEMENTS
            );
            text.add_indented_line(2, &line, PLAIN);
        }
        if !rule.exact {
            let line = format!("the rule may check more: `{}`", rule.expression);
            text.add_indented_line(3, &line, PLAIN);
        }
    }
}

fn line(rule: &ListRule, says: &ItemRelation) -> String {
    let by = || {
        let fields = rule.fields.iter().map(|field| format!("`{field}`"));
        match fields.collect::<Vec<_>>().join(", ") {
            fields if fields.is_empty() => String::new(),
            fields => format!(" in {fields}"),
        }
    };
    match says {
        ItemRelation::AllEqual => format!("all items are equal{}", by()),
        ItemRelation::AllDistinct => format!("all items are distinct{}", by()),
        ItemRelation::OnlyItem(one) => format!("must be the only item: {}", sort(one)),
        ItemRelation::MutuallyExclusive(sorts) => {
            let sorts: Vec<String> = sorts.iter().map(sort).collect();
            format!("cannot occur together: {}", sorts.join(" | "))
        }
        ItemRelation::AtMostOne(one) => format!("at most once: {}", sort(one)),
        ItemRelation::AtLeastOne(one) => format!("at least once: {}", sort(one)),
        ItemRelation::Requires(one, other) => format!("{} requires {}", sort(one), sort(other)),
        _ => says.name().to_owned(),
    }
}

/// Returns the description of a sort: items that a rule treats alike.
fn sort(sort: &ItemClass) -> String {
    if sort.others {
        return "any other item".to_owned();
    }
    let ways = sort.patterns.iter().map(|way| {
        let fields = way.iter().map(|FieldValues { field, values, .. }| {
            let values: Vec<&str> = values
                .iter()
                .map(|value| print::display_value(value))
                .collect();
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
