//! Naming hints: enums whose values are named like sibling fields, without a rule.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::report::analysis::{Member, NamingHint};
use crate::solver::component::RuleComponent;
use crate::solver::model::Model;

/// Returns the hints of an object. Fields that rules read are not discriminators of hints.
pub(crate) fn naming_hints(model: &Model<'_>, components: &[RuleComponent]) -> Vec<NamingHint> {
    let properties = model
        .fields
        .root
        .get("properties")
        .and_then(Value::as_object);
    let fields_in_rules = components.iter().flat_map(|component| &component.fields);
    let fields_in_rules: BTreeSet<String> = fields_in_rules
        .map(|field| model.fields.name(*field))
        .collect();
    let mut hints = Vec::new();
    for (name, property) in properties.into_iter().flatten() {
        let values = property.get("enum").and_then(Value::as_array);
        let Some(values) = values.filter(|_| !fields_in_rules.contains(name)) else {
            continue;
        };
        let mut hint = NamingHint {
            discriminator: name.clone(),
            members: Vec::new(),
            other_values: Vec::new(),
        };
        for value in values.iter().filter_map(Value::as_str) {
            let sibling = model
                .optional_sibling(value)
                .filter(|sibling| sibling != name);
            match sibling {
                Some(sibling) => hint.members.push(Member {
                    name: sibling.to_owned(),
                    value: value.to_owned(),
                    optional: true,
                }),
                None => hint.other_values.push(value.to_owned()),
            }
        }
        if !hint.members.is_empty() {
            hints.push(hint);
        }
    }
    hints
}
