//! Enums whose values are named like siblings, without a rule: hints.

use serde_json::Value;

use crate::component::Component;
use crate::fields::FieldId;
use crate::holes::optional_siblings;
use crate::model::Model;
use crate::rank::is_named_as;
use crate::reading::{Convention, Member};

pub(crate) fn conventions(model: &Model<'_>, components: &[Component]) -> Vec<Convention> {
    let properties = model
        .fields
        .root
        .get("properties")
        .and_then(Value::as_object);
    let is_asked = |name: &str| {
        let is_it = |field: &FieldId| model.fields.name(*field) == name;
        components
            .iter()
            .any(|component| component.fields.iter().any(is_it))
    };
    let mut found = Vec::new();
    for (name, property) in properties.into_iter().flatten() {
        let values = property.get("enum").and_then(Value::as_array);
        let Some(values) = values.filter(|_| !is_asked(name)) else {
            continue;
        };
        let mut convention = Convention {
            discriminator: name.clone(),
            members: Vec::new(),
            other_values: Vec::new(),
        };
        for value in values.iter().filter_map(Value::as_str) {
            let sibling = optional_siblings(model)
                .find(|sibling| sibling != name && is_named_as(sibling, value));
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
