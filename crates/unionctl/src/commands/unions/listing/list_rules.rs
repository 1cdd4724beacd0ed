//! Renders the rules that relate the items of a list.

use crd_unions::{FieldValues, ItemClass, ItemRelation, ListRule};

use crate::output::print::{self, PLAIN, TextBuffer};

/// The maximum number of relations per rule in text output. The JSON output has all relations.
const MAX_RELATIONS: usize = 12;

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
        for relation in rule.relations.iter().take(MAX_RELATIONS) {
            text.add_indented_line(2, &relation_line(rule, relation), PLAIN);
        }
        if rule.relations.len() > MAX_RELATIONS {
            let line = format!(
                "{} more; -o json lists all",
                rule.relations.len() - MAX_RELATIONS
            );
            text.add_indented_line(2, &line, PLAIN);
        }
        if !rule.exact {
            let line = format!("the rule may check more: `{}`", rule.expression);
            text.add_indented_line(3, &line, PLAIN);
        }
    }
}

fn relation_line(rule: &ListRule, relation: &ItemRelation) -> String {
    let fields_suffix = || {
        let fields = rule.fields.iter().map(|field| format!("`{field}`"));
        match fields.collect::<Vec<_>>().join(", ") {
            fields if fields.is_empty() => String::new(),
            fields => format!(" in {fields}"),
        }
    };
    match relation {
        ItemRelation::AllEqual => format!("all items are equal{}", fields_suffix()),
        ItemRelation::AllDistinct => format!("all items are distinct{}", fields_suffix()),
        ItemRelation::OnlyItem(class) => {
            format!("must be the only item: {}", class_description(class))
        }
        ItemRelation::MutuallyExclusive(item_classes) => {
            let item_classes: Vec<String> = item_classes.iter().map(class_description).collect();
            format!("cannot occur together: {}", item_classes.join(" | "))
        }
        ItemRelation::AtMostOne(class) => format!("at most once: {}", class_description(class)),
        ItemRelation::AtLeastOne(class) => format!("at least once: {}", class_description(class)),
        ItemRelation::Requires(class, required_class) => {
            format!(
                "{} requires {}",
                class_description(class),
                class_description(required_class)
            )
        }
        _ => relation.name().to_owned(),
    }
}

/// Returns the description of an item class: a set of items that a rule does not distinguish.
fn class_description(item_class: &ItemClass) -> String {
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
