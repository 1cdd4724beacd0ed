//! The format of a schema, and the check that the format selects.

use core::fmt;

use k8s_cel::format::{FormatCheck, Formats};

use super::raw::keywords::Keywords;
use super::structural::SchemaType;

/// The format of a schema.
#[derive(Clone)]
pub(crate) struct Format {
    pub(crate) name: Box<str>,
    check: FormatTarget,
}

/// The type of the values that a format applies to.
#[derive(Clone)]
enum FormatTarget {
    /// Strings, with the check of the newest Kubernetes version, or `None` if the version does not
    /// know the format.
    String(Option<FormatCheck>),
    /// Numbers.
    Number,
    /// Values of another type than the type of the schema. Only the validation of defaults checks
    /// such a format.
    Other(Option<FormatCheck>),
}

impl Format {
    /// Returns the format of a schema, or `None` if the schema has no format.
    pub(crate) fn from_keywords(keywords: &Keywords<'_>, formats: &Formats) -> Option<Self> {
        let name = keywords.format;
        if name.is_empty() {
            return None;
        }
        let check = match SchemaType::from_name(keywords.schema_type) {
            // A schema with `x-kubernetes-int-or-string` has no `type`.
            _ if keywords.int_or_string => FormatTarget::String(formats.find(name)),
            Some(SchemaType::String) => FormatTarget::String(formats.find(name)),
            None if keywords.schema_type.is_empty() => FormatTarget::String(formats.find(name)),
            Some(schema_type) if is_number_format(schema_type, name) => FormatTarget::Number,
            _ => FormatTarget::Other(formats.find(name)),
        };
        Some(Self {
            name: name.into(),
            check,
        })
    }

    /// Returns true if the format is known. `formats` are the formats of a Kubernetes version, or
    /// `None` for the newest version. Unknown formats are ignored.
    pub(crate) fn is_known(&self, formats: Option<&Formats>) -> bool {
        match (&self.check, formats) {
            (FormatTarget::String(_), Some(formats)) => formats.find(&self.name).is_some(),
            (FormatTarget::String(check), None) => check.is_some(),
            (FormatTarget::Number, _) => true,
            (FormatTarget::Other(_), _) => false,
        }
    }

    /// Returns true if the format restricts strings.
    pub(crate) fn is_checked(&self, formats: Option<&Formats>) -> bool {
        match (&self.check, formats) {
            (FormatTarget::String(_), Some(formats)) => formats.find(&self.name).is_some(),
            (FormatTarget::String(check) | FormatTarget::Other(check), _) => check.is_some(),
            (FormatTarget::Number, _) => false,
        }
    }

    /// Returns true if a string has this format. Number formats and unknown formats accept all
    /// strings.
    pub(crate) fn accepts(&self, string: &str, formats: Option<&Formats>) -> bool {
        match (&self.check, formats) {
            (FormatTarget::String(_), Some(formats)) => {
                formats.check(&self.name, string) != Some(false)
            }
            (FormatTarget::String(check), None) | (FormatTarget::Other(check), _) => {
                check.as_ref().is_none_or(|check| check.accepts(string))
            }
            (FormatTarget::Number, _) => true,
        }
    }
}

/// Returns true if a name is a number format of the type. Newer API servers check that values are
/// in the range of the format.
pub(crate) fn is_number_format(schema_type: SchemaType, name: &str) -> bool {
    match schema_type {
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
    use crate::schema::raw::keywords::Keywords;

    #[test]
    fn a_format_is_known_for_some_types() {
        let is_known = |schema_type: &str, format: &str| {
            let schema = json!({ "type": schema_type, "format": format });
            let keywords = Keywords::decode(&schema).ok();
            let format =
                keywords.and_then(|keywords| Format::from_keywords(&keywords, &Formats::default()));
            format.is_some_and(|format| format.is_known(None))
        };
        for (schema_type, format) in [
            ("string", "date-time"),
            ("", "d-a-t-e"),
            ("integer", "int32"),
            ("number", "double"),
        ] {
            assert!(is_known(schema_type, format), "{schema_type} {format}");
        }
        for (schema_type, format) in [
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
            assert!(!is_known(schema_type, format), "{schema_type} {format}");
        }
    }
}
