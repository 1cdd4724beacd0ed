//! The schema of a discriminator, and the members of its union. Both shapes of the extension use
//! this module.

use serde_json::{Map, Value};

use crate::document::message_format::{format_list, format_type, format_value};
use union_runtime::spec::{MAX_VALUES, OwnedMember};

/// The maximum number of values of a discriminator. The number is limited because the values are
/// compared with each other.
pub(crate) const MAX_LISTED_VALUES: usize = 1_024;

/// All schemas that describe one property of an object.
pub(crate) struct PropertySchemas<'v>(pub(crate) Vec<&'v Map<String, Value>>);

impl<'v> PropertySchemas<'v> {
    /// Returns the value of a keyword, from the first schema in which the keyword is present and
    /// not null.
    pub(crate) fn get(&self, keyword: &str) -> Option<&'v Value> {
        let mut said = self.0.iter().filter_map(|schema| schema.get(keyword));
        said.find(|value| !value.is_null())
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
        let mut texts = Vec::new();
        for value in values.iter().filter(|value| !value.is_null()) {
            match value.as_str() {
                // A duplicate is ignored.
                Some(text) if texts.contains(&text) => {}
                Some(text) => texts.push(text),
                None => {
                    return Some(Err(format!(
                        "`enum` contains {}; the values of a discriminator must be strings",
                        format_value(value)
                    )));
                }
            }
        }
        if texts.is_empty() {
            return Some(Err(
                "`enum` contains no strings; list the values of the discriminator, or remove `enum`".to_owned(),
            ));
        }
        Some(Ok(texts))
    }

    pub(crate) fn require_string_type(&self) -> Result<(), String> {
        match self.get("type") {
            None => Ok(()),
            Some(Value::String(kind)) if kind == "string" => Ok(()),
            Some(Value::Array(kinds))
                if kinds.iter().all(|kind| kind == "string" || kind == "null") =>
            {
                Ok(())
            }
            Some(kind) => Err(format!(
                "`type` of a discriminator must be \"string\", not {}",
                format_type(kind)
            )),
        }
    }

    /// Returns the position of the default value in `values`. The default is the value of an absent
    /// discriminator.
    pub(crate) fn default(&self, values: &[&str]) -> Result<Option<usize>, String> {
        let Some(default) = self.get("default").filter(|default| !default.is_null()) else {
            return Ok(None);
        };
        let position = default
            .as_str()
            .and_then(|text| values.iter().position(|value| *value == text));
        position.map(Some).ok_or_else(|| {
            format!(
                "`default` is {}, which is not a value of the discriminator; use one of: {}",
                format_value(default),
                format_list(values)
            )
        })
    }
}

/// Returns a member whose discriminator value is at this position among the values. Returns an
/// error if the position is 64 or more.
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

pub(crate) fn empty_value_message(member: &str) -> String {
    format!(
        "member {member:?} cannot have the discriminator value \"\", which selects nothing; use another value"
    )
}

/// Returns a message about the property of a discriminator, with the name of the property.
pub(crate) fn property_message(name: &str, problem: &str) -> String {
    format!("discriminator {name:?}: {problem}")
}
