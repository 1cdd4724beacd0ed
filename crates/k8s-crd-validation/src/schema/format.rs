//! The format of a schema, and the check that the format selects.

use core::fmt;

use k8s_cel::format::{FormatCheck, Formats};

use super::keywords::Keywords;
use super::schema_type::SchemaType;

/// A format, with its name in the schema.
#[derive(Clone)]
pub(crate) struct Format {
    pub(crate) name: Box<str>,
    check: FormatTarget,
}

/// The type of the values that a format applies to.
#[derive(Clone)]
enum FormatTarget {
    /// A string. Contains the check of the newest release, if that release knows the format.
    String(Option<FormatCheck>),
    Number,
    /// Another type than the type of the schema. Such a format is used only in the check of
    /// defaults.
    Other(Option<FormatCheck>),
}

impl Format {
    /// Returns the format of a schema, or `None` if the schema has no format.
    pub(crate) fn from_keywords(props: &Keywords<'_>, formats: &Formats) -> Option<Self> {
        let name = props.format;
        if name.is_empty() {
            return None;
        }
        let check = match SchemaType::from_name(props.schema_type) {
            // The type of a value that may be a number or a string is not in `type`.
            _ if props.int_or_string => FormatTarget::String(formats.find(name)),
            Some(SchemaType::String) => FormatTarget::String(formats.find(name)),
            None if props.schema_type.is_empty() => FormatTarget::String(formats.find(name)),
            Some(kind) if is_number_format(kind, name) => FormatTarget::Number,
            _ => FormatTarget::Other(formats.find(name)),
        };
        Some(Self {
            name: name.into(),
            check,
        })
    }

    /// Returns true if `formats`, or the newest release without `formats`, knows the format. An
    /// unknown format is ignored.
    pub(crate) fn is_known(&self, formats: Option<&Formats>) -> bool {
        match (&self.check, formats) {
            (FormatTarget::String(_), Some(formats)) => formats.find(&self.name).is_some(),
            (FormatTarget::String(check), None) => check.is_some(),
            (FormatTarget::Number, _) => true,
            (FormatTarget::Other(_), _) => false,
        }
    }

    /// Returns true if the format has a check for strings.
    pub(crate) fn is_checked(&self, formats: Option<&Formats>) -> bool {
        match (&self.check, formats) {
            (FormatTarget::String(_), Some(formats)) => formats.find(&self.name).is_some(),
            (FormatTarget::String(check) | FormatTarget::Other(check), _) => check.is_some(),
            (FormatTarget::Number, _) => false,
        }
    }

    /// Returns true if a string has this format. Formats of numbers and unknown formats accept all
    /// strings.
    pub(crate) fn accepts(&self, text: &str, formats: Option<&Formats>) -> bool {
        match (&self.check, formats) {
            (FormatTarget::String(_), Some(formats)) => {
                formats.check(&self.name, text) != Some(false)
            }
            (FormatTarget::String(check), None) | (FormatTarget::Other(check), _) => {
                check.as_ref().is_none_or(|check| check.accepts(text))
            }
            (FormatTarget::Number, _) => true,
        }
    }
}

/// Returns true if a name is a format of numbers. Newer servers check that a value is in the range
/// of such a format.
pub(crate) fn is_number_format(kind: SchemaType, name: &str) -> bool {
    match kind {
        SchemaType::Integer => matches!(name, "int32" | "int64"),
        SchemaType::Number => matches!(name, "float" | "double"),
        _ => false,
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.name, f)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Format, Formats};
    use crate::schema::keywords::Keywords;

    #[test]
    fn a_format_is_known_for_some_types() {
        let is_known = |kind: &str, format: &str| {
            let schema = json!({ "type": kind, "format": format });
            let props = Keywords::decode(&schema).ok();
            let format = props.and_then(|props| Format::from_keywords(&props, &Formats::default()));
            format.is_some_and(|format| format.is_known(None))
        };
        for (kind, format) in [
            ("string", "date-time"),
            ("", "d-a-t-e"),
            ("integer", "int32"),
            ("number", "double"),
        ] {
            assert!(is_known(kind, format), "{kind} {format}");
        }
        for (kind, format) in [
            ("string", "dateTime"),
            ("string", "IPv4"),
            ("string", "int32"),
            ("string", ""),
            ("integer", "float"),
            ("integer", "int-32"),
            ("number", "int32"),
            ("object", "date"),
            ("array", "date"),
        ] {
            assert!(!is_known(kind, format), "{kind} {format}");
        }
    }
}
