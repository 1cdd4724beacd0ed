//! The descriptions and remedies for changed enums.

use serde_json::Value;

use crate::report::finding::ChangeCode;
use crate::report::wording::Wording;

fn value_wording(
    code: ChangeCode,
    value: &Value,
    description: impl Into<String>,
    remedy: String,
) -> Wording {
    let subject = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    Wording {
        code,
        subjects: vec![subject],
        fields: Vec::new(),
        is_about_other_rule: false,
        description: description.into(),
        remedy,
    }
}

pub(crate) fn enum_value_removed(value: &Value) -> Wording {
    value_wording(
        ChangeCode::ValueRemoved,
        value,
        format!("the value {value} was removed"),
        format!(
            "keep {value} in the enum until no object has it; reject new uses with a rule that reads `oldSelf`"
        ),
    )
}

pub(crate) fn enum_value_added(value: &Value) -> Wording {
    value_wording(
        ChangeCode::ValueAdded,
        value,
        format!("the value {value} was added"),
        "update clients to an enum type with an `other` variant before the value is stored; \
         without this variant they cannot deserialize the object"
            .to_owned(),
    )
}

/// Returns the wording for an enum that was added, of which `value` is not an element.
pub(crate) fn enum_closed(value: &Value) -> Wording {
    let remedy = if value.is_null() {
        "omit the field in place of null first, because API servers reject null where the schema has an enum"
    } else {
        "list every value that stored objects have, or remove the enum"
    };
    value_wording(
        ChangeCode::ValuesClosed,
        value,
        "now accepts only listed values",
        remedy.to_owned(),
    )
}

/// Returns the wording for an enum that was removed, of which `value` is not an element.
pub(crate) fn enum_opened(value: &Value) -> Wording {
    value_wording(
        ChangeCode::ValuesOpened,
        value,
        "now accepts values that are not listed",
        "first update clients to an enum type with an `other` variant".to_owned(),
    )
}

/// Returns the wording for a default that the new enum does not accept.
pub(crate) fn invalid_default(name: &str, default: &Value) -> Wording {
    Wording {
        code: ChangeCode::DefaultInvalid,
        subjects: vec![name.to_owned()],
        fields: Vec::new(),
        is_about_other_rule: false,
        description: format!(
            "an object without `{name}` gets the default {default}, which is not a value of the enum"
        ),
        remedy: format!("set the default of `{name}` to a value of the enum"),
    }
}
