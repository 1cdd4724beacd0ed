//! Prints the rules of lists, which relate the items of a list.

use crd_unions::{FieldValues, ItemClass, ItemRelation, ListRule};

use crate::output::print::{self, PLAIN, TextBuffer};

/// The maximum number of printed relations per rule. The JSON output has no limit.
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
        for relation in rule.relations.iter().take(MAX_STATEMENTS) {
            text.add_indented_line(2, &line(rule, relation), PLAIN);
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

fn line(rule: &ListRule, relation: &ItemRelation) -> String {
    let in_fields = || {
        let fields = rule.fields.iter().map(|field| format!("`{field}`"));
        match fields.collect::<Vec<_>>().join(", ") {
            fields if fields.is_empty() => String::new(),
            fields => format!(" in {fields}"),
        }
    };
    match relation {
        ItemRelation::AllEqual => format!("all items are equal{}", in_fields()),
        ItemRelation::AllDistinct => format!("all items are distinct{}", in_fields()),
        ItemRelation::OnlyItem(class) => format!("must be the only item: {}", item_class(class)),
        ItemRelation::MutuallyExclusive(item_classes) => {
            let item_classes: Vec<String> = item_classes.iter().map(item_class).collect();
            format!("cannot occur together: {}", item_classes.join(" | "))
        }
        ItemRelation::AtMostOne(class) => format!("at most once: {}", item_class(class)),
        ItemRelation::AtLeastOne(class) => format!("at least once: {}", item_class(class)),
        ItemRelation::Requires(class, required) => {
            format!("{} requires {}", item_class(class), item_class(required))
        }
        _ => relation.name().to_owned(),
    }
}

/// Returns the description of an item class, which is a set of items that a rule does not
/// distinguish.
fn item_class(item_class: &ItemClass) -> String {
    if item_class.others {
        return "any other item".to_owned();
    }
    let patterns = item_class.patterns.iter().map(|pattern| {
        let fields = pattern.iter().map(|FieldValues { field, values, .. }| {
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
    patterns.collect::<Vec<_>>().join("; or ")
}
