//! The reader of the extension in the shape of 2022: `{"fieldMembers": {"ALPHA": {"name": "alpha",
//! "optional": false}, "NONE": null}}`.

use serde_json::{Map, Value};

use crate::document::shown::{listed, shown};
use crate::extension::property::{MOST_LISTED, Property, member_of, selects_nothing};
use union_runtime::schema_keys::UNIONS;
use union_runtime::spec::{OwnedDiscriminator, OwnedUnionSpec};
use union_runtime::{Arity, Shape};

/// Reads the extension on the property of a discriminator. `name` is the name of the property, and
/// `is_required` is true if the property is required.
pub(crate) fn read_2022(
    name: &str,
    property: &Property<'_>,
    extension: &Value,
    is_required: bool,
) -> Result<OwnedUnionSpec, String> {
    property.refuse_other_types()?;
    let members = field_members(extension)?;
    let values: Vec<&str> = match property.values() {
        Some(values) => values?,
        // The `enum` may have been removed by pruning, but the extension has an entry for every
        // value.
        None => members.keys().map(String::as_str).collect(),
    };
    if let Some(value) = members
        .keys()
        .find(|value| !values.contains(&value.as_str()))
    {
        return Err(format!(
            "`fieldMembers` contains {value:?}, which is not in `enum`: {}; add it to `enum`, or \
             remove the entry",
            listed(&values)
        ));
    }
    let mut read = Vec::new();
    for (position, value) in values.iter().enumerate() {
        let Some(member) = members.get(*value) else {
            return Err(format!(
                "`fieldMembers` has no entry for {value:?} of `enum`; add it, with null if the \
                 value has no field"
            ));
        };
        if let Some((name, optional)) = field_member(value, member)? {
            if value.is_empty() {
                return Err(selects_nothing(name));
            }
            read.push(member_of(name, value, position, optional)?);
        }
    }
    let default = property.default(&values)?;
    let discriminator = OwnedDiscriminator::listed(name, values, is_required);
    let union = OwnedUnionSpec::new(Some(discriminator), read, Arity::Selected, Shape::V2022);
    Ok(union.with_default(default))
}

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
        Some(Value::Object(members)) if members.len() > MOST_LISTED => Err(format!(
            "`fieldMembers` has more than {MOST_LISTED} entries, the maximum for a discriminator"
        )),
        Some(Value::Object(members)) => Ok(members),
        Some(other) => Err(format!(
            "`fieldMembers` is {}; {WRITE_MEMBERS}",
            shown(other)
        )),
        None => Err(format!("`fieldMembers` is missing; {WRITE_MEMBERS}")),
    }
}

const WRITE_MEMBERS: &str = "expected an object with an entry for each discriminator value, such \
                             as {\"ALPHA\": {\"name\": \"alpha\", \"optional\": false}, \"NONE\": \
                             null}";

/// Returns the name of the member of a discriminator value, and true if the member is optional.
/// Returns `None` if the value does not select a member.
fn field_member<'v>(value: &str, member: &'v Value) -> Result<Option<(&'v str, bool)>, String> {
    let member = match member {
        Value::Null => return Ok(None),
        Value::Object(member) => member,
        other => {
            return Err(format!(
                "the entry of {value:?} is {}; expected {{\"name\": \"field\", \"optional\": \
                 false}}, or null if the value has no field",
                shown(other)
            ));
        }
    };
    if let Some(key) = member
        .keys()
        .find(|key| *key != "name" && *key != "optional")
    {
        return Err(format!(
            "unknown key {key:?} in the entry of {value:?}; expected \"name\" and \"optional\""
        ));
    }
    let name = match member.get("name") {
        Some(Value::String(name)) if !name.is_empty() => name,
        name => {
            let found = name.map_or("missing".to_owned(), shown);
            return Err(format!(
                "`name` of {value:?} is {found}; expected the name of a field, or null instead of the entry if the value has no field"
            ));
        }
    };
    match member.get("optional") {
        None => Ok(Some((name, false))),
        Some(Value::Bool(optional)) => Ok(Some((name, *optional))),
        Some(other) => Err(format!(
            "`optional` of {value:?} must be true or false, not {}",
            shown(other)
        )),
    }
}
