//! Reads a union in the shape of 2019:
//! `{"discriminator": "type", "fields-to-discriminateBy": {"alpha": "ALPHA"}}`.

use serde_json::Value;

use crate::document::message_format::{format_list, format_value};
use crate::extension::property_schemas::{
    PropertySchemas, empty_value_message, new_member, property_message,
};
use union_runtime::spec::MAX_VALUES;
use union_runtime::spec::{OwnedDiscriminator, OwnedMember, OwnedUnionSpec};
use union_runtime::{ExtensionShape, UnionModel};

/// An entry in the list of unions: the name of the discriminator, and the members with their
/// discriminator values.
pub(crate) struct Entry2019<'v> {
    discriminator: Option<&'v str>,
    /// The names and the discriminator values of the members.
    members: Vec<(&'v str, &'v str)>,
}

impl<'v> Entry2019<'v> {
    /// Reads an entry. Returns an error if the entry is malformed or contradicts itself.
    pub(crate) fn from_extension(extension: &'v Value) -> Result<Self, String> {
        let known_keys = ["discriminator", "fields-to-discriminateBy"];
        let Some(entry) = extension.as_object() else {
            return Err(format!(
                "a union must be an object with `fields-to-discriminateBy`, not {}",
                format_value(extension)
            ));
        };
        let mut keys = entry.keys();
        if let Some(key) = keys.find(|key| !known_keys.contains(&key.as_str())) {
            return Err(format!(
                "unknown key {key:?} in a union; expected \"discriminator\" and \
                 \"fields-to-discriminateBy\" (`fieldMembers` belongs on the discriminator's \
                 property)"
            ));
        }
        let discriminator = match entry.get("discriminator") {
            None => None,
            Some(Value::String(name)) if !name.is_empty() => Some(name.as_str()),
            Some(value) => {
                return Err(format!(
                    "`discriminator` must be the name of a field, not {}; remove it for a union without a discriminator",
                    format_value(value)
                ));
            }
        };
        let members = read_members(entry.get("fields-to-discriminateBy"))?;
        reject_contradictions(&members, discriminator.is_some())?;
        Ok(Self {
            discriminator,
            members,
        })
    }

    /// Returns the name of the discriminator, if the union has a discriminator.
    pub(crate) const fn discriminator(&self) -> Option<&'v str> {
        self.discriminator
    }

    /// Returns an error if the members differ from the members of `union`, which was read from the
    /// discriminator's property in the shape of 2022.
    pub(crate) fn require_same_members(&self, union: &OwnedUnionSpec) -> Result<(), String> {
        let members_2022 = union.spec().members();
        let mut members_2022: Vec<(&str, &str)> = members_2022
            .map(|member| (member.name(), member.value()))
            .collect();
        let mut members_2019 = self.members.clone();
        members_2022.sort_unstable();
        members_2019.sort_unstable();
        if members_2022 == members_2019 {
            return Ok(());
        }
        let format_members = |members: &[(&str, &str)]| {
            let members = members
                .iter()
                .map(|(name, value)| format!("{name:?}: {value:?}"));
            members.collect::<Vec<_>>().join(", ")
        };
        Err(format!(
            "the members {{{}}} differ from `fieldMembers` on the discriminator's property, \
             {{{}}}; correct or remove one of the two",
            format_members(&members_2019),
            format_members(&members_2022)
        ))
    }

    /// Converts the entry to a union. `property` has the schemas of the discriminator, with its
    /// values and its default.
    pub(crate) fn to_union(
        &self,
        property: Option<PropertySchemas<'_>>,
    ) -> Result<OwnedUnionSpec, String> {
        let mut listed_values = None;
        let (mut owned_discriminator, mut default) = (None, None);
        if let Some(name) = self.discriminator {
            let property = property.unwrap_or(PropertySchemas(Vec::new()));
            let to_message = |problem: String| property_message(name, &problem);
            property.require_string_type().map_err(to_message)?;
            listed_values = property.values().transpose().map_err(to_message)?;
            // Without an `enum`, the discriminator has the values of the members.
            let member_values: Vec<&str> = self.members.iter().map(|(_, value)| *value).collect();
            let values = listed_values.as_ref().unwrap_or(&member_values);
            default = match property.get("default") {
                // The default `""` counts as a missing default: neither selects a member.
                Some(Value::String(string)) if string.is_empty() => None,
                _ => property.default(values).map_err(to_message)?,
            };
            owned_discriminator = Some(match &listed_values {
                Some(values) => {
                    OwnedDiscriminator::from_values(name, values.iter().copied(), false)
                }
                None => OwnedDiscriminator::any_string(name),
            });
        }
        let members: Result<Vec<OwnedMember>, String> = self
            .members
            .iter()
            .enumerate()
            .map(|(i, (name, value))| {
                let position = match &listed_values {
                    Some(values) => value_position(values, name, value)?,
                    None => i,
                };
                new_member(name, value, position, true)
            })
            .collect();
        let union = OwnedUnionSpec::new(
            owned_discriminator,
            members?,
            UnionModel::AtMostOne,
            ExtensionShape::V2019,
        );
        Ok(union.with_default(default))
    }
}

/// Returns the position of the discriminator value of the member `name` among the values in `enum`.
fn value_position(values: &[&str], name: &str, value: &str) -> Result<usize, String> {
    let position = values.iter().position(|listed| *listed == value);
    position.ok_or_else(|| {
        format!(
            "member {name:?} has the discriminator value {value:?}, which is not in `enum`: {}; \
             add it to `enum`, or correct the value",
            format_list(values)
        )
    })
}

/// Returns the members: pairs of a name and a discriminator value, in the order of the extension.
fn read_members(fields: Option<&Value>) -> Result<Vec<(&str, &str)>, String> {
    let fields = match fields {
        Some(Value::Object(fields)) if fields.len() > MAX_VALUES => {
            return Err(format!(
                "a union has {} members; the maximum is {MAX_VALUES}",
                fields.len()
            ));
        }
        Some(Value::Object(fields)) if !fields.is_empty() => fields,
        invalid => {
            let found = match invalid {
                None => "missing".to_owned(),
                Some(Value::Object(_)) => "empty".to_owned(),
                Some(value) => format_value(value),
            };
            return Err(format!(
                "`fields-to-discriminateBy` is {found}; expected the members and their values, \
                 such as {{\"alpha\": \"ALPHA\"}}"
            ));
        }
    };
    let members = fields.iter().map(|(name, value)| match value {
        Value::String(string) => Ok((name.as_str(), string.as_str())),
        value => Err(format!(
            "the discriminator value of member {name:?} must be a string, not {}",
            format_value(value)
        )),
    });
    members.collect()
}

/// Returns an error if two members have the same value, or if a member has an empty name or an
/// empty value.
fn reject_contradictions(members: &[(&str, &str)], has_discriminator: bool) -> Result<(), String> {
    for (i, (name, value)) in members.iter().enumerate() {
        if let Some((other, _)) = members.iter().take(i).find(|(_, other)| other == value) {
            return Err(format!(
                "members {other:?} and {name:?} have the same discriminator value {value:?}; use different values"
            ));
        }
        if value.is_empty() && has_discriminator {
            return Err(empty_value_message(name));
        }
        if name.is_empty() {
            return Err(format!(
                "the member with the value {value:?} has an empty name; use the name of its field"
            ));
        }
    }
    Ok(())
}
