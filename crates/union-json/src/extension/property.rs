//! The schema of a discriminator, and the members of its union. Both shapes of the extension use
//! this module.

use serde_json::{Map, Value};

use crate::document::shown::{listed, shown, shown_type};
use union_runtime::spec::{MOST_VALUES, OwnedMember};

/// The maximum number of values of a discriminator. The number is limited because the values are
/// compared with each other.
pub(crate) const MOST_LISTED: usize = 1_024;

/// All schemas that describe one property of an object.
pub(crate) struct Property<'v>(pub(crate) Vec<&'v Map<String, Value>>);

impl<'v> Property<'v> {
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
                shown(values)
            )));
        };
        if values.len() > MOST_LISTED {
            return Some(Err(format!(
                "`enum` has more than {MOST_LISTED} values, the maximum for a discriminator"
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
                        shown(value)
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

    pub(crate) fn refuse_other_types(&self) -> Result<(), String> {
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
                shown_type(kind)
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
                shown(default),
                listed(values)
            )
        })
    }
}

/// Returns a member whose discriminator value is at this position among the values. Returns an
/// error if the position is 64 or more.
pub(crate) fn member_of(
    name: &str,
    value: &str,
    position: usize,
    optional: bool,
) -> Result<OwnedMember, String> {
    OwnedMember::new(name, value, position, optional).ok_or_else(|| {
        format!(
            "a union can have at most {MOST_VALUES} members, and their values must be among the \
             first {MOST_VALUES}; move the values that have a member to the front"
        )
    })
}

pub(crate) fn selects_nothing(member: &str) -> String {
    format!(
        "member {member:?} cannot have the discriminator value \"\", which selects nothing; use another value"
    )
}

/// Returns a message about the property of a discriminator, with the name of the property.
pub(crate) fn of_property(name: &str, problem: &str) -> String {
    format!("discriminator {name:?}: {problem}")
}
