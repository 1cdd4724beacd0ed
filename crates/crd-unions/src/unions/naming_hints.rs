//! Conventions: enums whose values are named like siblings, without a rule. They are hints.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::report::analysis::{Member, NamingHint};
use crate::solver::component::RuleComponent;
use crate::solver::model::Model;

pub(crate) fn naming_hints(model: &Model<'_>, components: &[RuleComponent]) -> Vec<NamingHint> {
    let properties = model
        .fields
        .root
        .get("properties")
        .and_then(Value::as_object);
    let asked = components.iter().flat_map(|component| &component.fields);
    let asked: BTreeSet<String> = asked.map(|field| model.fields.name(*field)).collect();
    let mut found = Vec::new();
    for (name, property) in properties.into_iter().flatten() {
        let values = property.get("enum").and_then(Value::as_array);
        let Some(values) = values.filter(|_| !asked.contains(name)) else {
            continue;
        };
        let mut convention = NamingHint {
            discriminator: name.clone(),
            members: Vec::new(),
            other_values: Vec::new(),
        };
        for value in values.iter().filter_map(Value::as_str) {
            let sibling = model
                .optional_sibling(value)
                .filter(|sibling| sibling != name);
            match sibling {
                Some(sibling) => convention.members.push(Member {
                    name: sibling.to_owned(),
                    value: value.to_owned(),
                    optional: true,
                }),
                None => convention.other_values.push(value.to_owned()),
            }
        }
        if !convention.members.is_empty() {
            found.push(convention);
        }
    }
    found
}
