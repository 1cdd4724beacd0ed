//! Owners of the fields that a switch of a union removes, by `metadata.managedFields`.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::switch::Switch;
use super::union_path::UnionPathStep;

/// A manager of fields, as `metadata.managedFields` names it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldOwner {
    /// The name of the manager.
    pub manager: String,
    /// `Apply` or `Update`. Server-side apply treats the same name with both operations as two
    /// managers.
    pub operation: String,
    /// The fields that the switch removes and this manager owns, by JSON names.
    pub fields: Vec<String>,
}

impl Switch {
    /// Returns the other managers that own fields that the switch removes, in the order of
    /// `metadata.managedFields` of the `live` object. These fields stay when `manager` applies the
    /// new state. If there are no such managers, apply has the same effect as the other forms.
    ///
    /// Fields without an owner stay too: see [`unowned_fields`](Self::unowned_fields).
    #[must_use]
    pub fn field_owners(&self, live: &Value, manager: &str) -> Vec<FieldOwner> {
        let owners = self.all_owners(live).into_iter();
        let other_owners =
            owners.filter(|owner| !(owner.manager == manager && owner.operation == "Apply"));
        other_owners.collect()
    }

    /// Returns the fields that the switch removes, but that `manager` does not own with operation
    /// `Apply`. These fields stay when `manager` applies the new state.
    #[must_use]
    pub fn unowned_fields(&self, live: &Value, manager: &str) -> Vec<String> {
        let owners = self.all_owners(live).into_iter();
        let apply_owners =
            owners.filter(|owner| owner.manager == manager && owner.operation == "Apply");
        let owned_fields: HashSet<String> = apply_owners.flat_map(|owner| owner.fields).collect();
        let unowned_fields = self
            .removed_fields
            .iter()
            .filter(|field| !owned_fields.contains(*field));
        unowned_fields.cloned().collect()
    }

    fn all_owners(&self, live: &Value) -> Vec<FieldOwner> {
        let entries = live.pointer("/metadata/managedFields");
        let entries = entries.and_then(Value::as_array).into_iter().flatten();
        let owners = entries.filter_map(|entry| {
            let string_field = |name| {
                entry
                    .get(name)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned()
            };
            let mut owned = OwnedFields::Listed(entry.get("fieldsV1")?);
            for step in self.union_path.iter().rev() {
                owned = owned.below(step)?;
            }
            let owned_fields = self.removed_fields.iter().filter(|name| owned.has(name));
            let fields: Vec<String> = owned_fields.cloned().collect();
            (!fields.is_empty()).then(|| FieldOwner {
                manager: string_field("manager"),
                operation: string_field("operation"),
                fields,
            })
        });
        owners.collect()
    }
}

/// The fields of a value that a manager owns.
#[derive(Clone, Copy)]
enum OwnedFields<'v> {
    Listed(&'v Value),
    /// All fields, because the manager owns a list around the value, whose elements have no keys.
    All,
}

impl OwnedFields<'_> {
    /// Returns the owned fields below a field or an element. Returns `None` if the manager owns no
    /// field there.
    fn below(self, step: &UnionPathStep) -> Option<Self> {
        let Self::Listed(fields) = self else {
            return Some(self);
        };
        let keys = match step {
            UnionPathStep::Field(name) => {
                return fields.get(format!("f:{name}")).map(Self::Listed);
            }
            UnionPathStep::Element(element) if element.keys.is_empty() => return Some(Self::All),
            UnionPathStep::Element(element) => &element.keys,
        };
        let mut entries = fields.as_object()?.iter();
        let is_element = |name: &str| {
            let parsed_keys = name.strip_prefix("k:").map(serde_json::from_str::<Value>);
            parsed_keys.is_some_and(|parsed| parsed.is_ok_and(|parsed| parsed == json!(keys)))
        };
        let (_, element_fields) = entries.find(|(name, _)| is_element(name))?;
        Some(Self::Listed(element_fields))
    }

    fn has(self, name: &str) -> bool {
        match self {
            Self::Listed(fields) => fields.get(format!("f:{name}")).is_some(),
            Self::All => true,
        }
    }
}
