//! Reads the schema of a discriminator and creates members, for both shapes of the extension.

use serde_json::{Map, Value};

use crate::document::message_format::{format_list, format_type, format_value};
use union_runtime::spec::{MAX_VALUES, OwnedMember};

/// The maximum number of values of a discriminator. A limit is needed because each value is
/// compared with all other values.
pub(crate) const MAX_LISTED_VALUES: usize = 1_024;

/// All schemas that describe one property of an object.
pub(crate) struct PropertySchemas<'v>(pub(crate) Vec<&'v Map<String, Value>>);

impl<'v> PropertySchemas<'v> {
    /// Returns the value of a keyword from the first schema that contains it. Null counts as
    /// missing.
    pub(crate) fn get(&self, keyword: &str) -> Option<&'v Value> {
        let mut values = self.0.iter().filter_map(|schema| schema.get(keyword));
        values.find(|value| !value.is_null())
    }

    /// Returns the strings in `enum`, without null. Returns `None` if no schema has `enum`.
    pub(crate) fn values(&self) -> Option<Result<Vec<&'v str>, String>> {
        let values = self.get("enum")?;
        let Value::Array(values) = values else {
            return Some(Err(format!(
                "`enum` must be a list of strings, not {}",
                format_value(values)
            )));
        };
        if values.len() > MAX_LISTED_VALUES {
            return Some(Err(format!(
                "`enum` has more than {MAX_LISTED_VALUES} values, the maximum for a discriminator"
            )));
        }
        let mut strings = Vec::new();
        for value in values.iter().filter(|value| !value.is_null()) {
            match value.as_str() {
                // A duplicate is ignored.
                Some(string) if strings.contains(&string) => {}
                Some(string) => strings.push(string),
                None => {
                    return Some(Err(format!(
                        "`enum` contains {}; the values of a discriminator must be strings",
                        format_value(value)
                    )));
                }
            }
        }
        if strings.is_empty() {
            return Some(Err(
                "`enum` contains no strings; list the values of the discriminator, or remove `enum`".to_owned(),
            ));
        }
        Some(Ok(strings))
    }

    /// Returns an error if `type` does not allow strings, or allows other values than strings and
    /// null.
    pub(crate) fn require_string_type(&self) -> Result<(), String> {
        match self.get("type") {
            None => Ok(()),
            Some(Value::String(ty)) if ty == "string" => Ok(()),
            Some(Value::Array(types)) if types.iter().all(|ty| ty == "string" || ty == "null") => {
                Ok(())
            }
            Some(ty) => Err(format!(
                "`type` of a discriminator must be \"string\", not {}",
                format_type(ty)
            )),
        }
    }

    /// Returns the position of the default in `values`. The default is the value of an absent
    /// discriminator.
    pub(crate) fn default(&self, values: &[&str]) -> Result<Option<usize>, String> {
        let Some(default) = self.get("default").filter(|default| !default.is_null()) else {
            return Ok(None);
        };
        let position = default
            .as_str()
            .and_then(|string| values.iter().position(|value| *value == string));
        position.map(Some).ok_or_else(|| {
            format!(
                "`default` is {}, which is not a value of the discriminator; use one of: {}",
                format_value(default),
                format_list(values)
            )
        })
    }
}

/// Creates a member. `position` is the position of its discriminator value among the values.
/// Returns an error if the position is 64 or more.
pub(crate) fn new_member(
    name: &str,
    value: &str,
    position: usize,
    optional: bool,
) -> Result<OwnedMember, String> {
    OwnedMember::new(name, value, position, optional).ok_or_else(|| {
        format!(
            "a union can have at most {MAX_VALUES} members, and their values must be among the \
             first {MAX_VALUES}; move the values that have a member to the front"
        )
    })
}

/// Returns the message for a member whose discriminator value is `""`.
pub(crate) fn empty_value_message(member: &str) -> String {
    format!(
        "member {member:?} cannot have the discriminator value \"\", which selects nothing; use another value"
    )
}

/// Adds the name of the discriminator to a message about its property.
pub(crate) fn property_message(name: &str, problem: &str) -> String {
    format!("discriminator {name:?}: {problem}")
}
