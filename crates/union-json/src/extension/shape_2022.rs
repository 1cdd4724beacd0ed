//! Reads a union in the shape of 2022:
//! `{"fieldMembers": {"ALPHA": {"name": "alpha", "optional": false}, "NONE": null}}`.

use serde_json::{Map, Value};

use crate::document::message_format::{format_list, format_value};
use crate::extension::property_schemas::{
    MAX_LISTED_VALUES, PropertySchemas, empty_value_message, new_member,
};
use union_runtime::schema_keys::UNIONS;
use union_runtime::spec::{OwnedDiscriminator, OwnedUnionSpec};
use union_runtime::{ExtensionShape, UnionModel};

/// Reads the extension on the property of a discriminator. `name` is the name of the property, and
/// `is_required` is true if the object requires the property.
pub(crate) fn read_2022(
    name: &str,
    property: &PropertySchemas<'_>,
    extension: &Value,
    is_required: bool,
) -> Result<OwnedUnionSpec, String> {
    property.require_string_type()?;
    let entries = field_members(extension)?;
    let values: Vec<&str> = match property.values() {
        Some(values) => values?,
        // `prune_enums` may have removed `enum`. The extension has an entry for every value anyway.
        None => entries.keys().map(String::as_str).collect(),
    };
    if let Some(value) = entries
        .keys()
        .find(|value| !values.contains(&value.as_str()))
    {
        return Err(format!(
            "`fieldMembers` contains {value:?}, which is not in `enum`: {}; add it to `enum`, or \
             remove the entry",
            format_list(&values)
        ));
    }
    let mut members = Vec::new();
    for (position, value) in values.iter().enumerate() {
        let Some(member) = entries.get(*value) else {
            return Err(format!(
                "`fieldMembers` has no entry for {value:?} of `enum`; add it, with null if the \
                 value has no field"
            ));
        };
        if let Some((name, is_optional)) = field_member(value, member)? {
            if value.is_empty() {
                return Err(empty_value_message(name));
            }
            members.push(new_member(name, value, position, is_optional)?);
        }
    }
    let default = property.default(&values)?;
    let discriminator = OwnedDiscriminator::from_values(name, values, is_required);
    let union = OwnedUnionSpec::new(
        Some(discriminator),
        members,
        UnionModel::Discriminated,
        ExtensionShape::V2022,
    );
    Ok(union.with_default(default))
}

/// Returns the entries of `fieldMembers` by discriminator value.
fn field_members(extension: &Value) -> Result<&Map<String, Value>, String> {
    let keys = extension.as_object().into_iter().flat_map(Map::keys);
    if let Some(key) = keys.into_iter().find(|key| *key != "fieldMembers") {
        return Err(format!(
            "unknown key {key:?} in `{UNIONS}`; expected only \"fieldMembers\""
        ));
    }
    match extension.get("fieldMembers") {
        Some(Value::Object(members)) if members.is_empty() => {
            Err("`fieldMembers` is empty; add an entry for each discriminator value".to_owned())
        }
        Some(Value::Object(members)) if members.len() > MAX_LISTED_VALUES => Err(format!(
            "`fieldMembers` has more than {MAX_LISTED_VALUES} entries, the maximum for a discriminator"
        )),
        Some(Value::Object(members)) => Ok(members),
        Some(value) => Err(format!(
            "`fieldMembers` is {}; {EXPECTED_ENTRIES}",
            format_value(value)
        )),
        None => Err(format!("`fieldMembers` is missing; {EXPECTED_ENTRIES}")),
    }
}

/// The end of the message for an invalid `fieldMembers`.
const EXPECTED_ENTRIES: &str = "expected an object with an entry for each discriminator value, such \
                             as {\"ALPHA\": {\"name\": \"alpha\", \"optional\": false}, \"NONE\": \
                             null}";

/// Returns the member of a discriminator value: its name, and a flag that is true if the member is
/// optional. Returns `None` if the value does not select a member.
fn field_member<'v>(value: &str, entry: &'v Value) -> Result<Option<(&'v str, bool)>, String> {
    let entry = match entry {
        Value::Null => return Ok(None),
        Value::Object(entry) => entry,
        invalid => {
            return Err(format!(
                "the entry of {value:?} is {}; expected {{\"name\": \"field\", \"optional\": \
                 false}}, or null if the value has no field",
                format_value(invalid)
            ));
        }
    };
    if let Some(key) = entry
        .keys()
        .find(|key| *key != "name" && *key != "optional")
    {
        return Err(format!(
            "unknown key {key:?} in the entry of {value:?}; expected \"name\" and \"optional\""
        ));
    }
    let name = match entry.get("name") {
        Some(Value::String(name)) if !name.is_empty() => name,
        name => {
            let found = name.map_or("missing".to_owned(), format_value);
            return Err(format!(
                "`name` of {value:?} is {found}; expected the name of a field, or null instead of the entry if the value has no field"
            ));
        }
    };
    match entry.get("optional") {
        None => Ok(Some((name, false))),
        Some(Value::Bool(optional)) => Ok(Some((name, *optional))),
        Some(invalid) => Err(format!(
            "`optional` of {value:?} must be true or false, not {}",
            format_value(invalid)
        )),
    }
}
