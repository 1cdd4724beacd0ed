//! The format of a schema, and the check that the format selects.

use core::fmt;

use k8s_cel::format::{FormatCheck, Formats};
use k8s_cel::{Feature, KubeVersion};

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
    /// Values of another type than the type of the schema. Only the validation of defaults, and a
    /// server before [`FormatsByType`](Feature::FormatsByType), checks such a format.
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

    /// Returns true if a server of the version knows the format. `formats` are the formats of the
    /// version, or `None` for the newest version. Unknown formats are ignored.
    pub(crate) fn is_known(&self, formats: Option<&Formats>, version: KubeVersion) -> bool {
        let depends_on_type = version.has(Feature::FormatsByType);
        match &self.check {
            FormatTarget::Number => depends_on_type,
            FormatTarget::Other(_) if depends_on_type => false,
            FormatTarget::String(_) | FormatTarget::Other(_) => self.is_checked(formats),
        }
    }

    /// Returns true if the format restricts strings.
    pub(crate) fn is_checked(&self, formats: Option<&Formats>) -> bool {
        match (&self.check, formats) {
            (FormatTarget::Number, _) => false,
            (_, Some(formats)) => formats.find(&self.name).is_some(),
            (FormatTarget::String(check) | FormatTarget::Other(check), None) => check.is_some(),
        }
    }

    /// Returns true if a string has this format. Number formats and unknown formats accept all
    /// strings.
    pub(crate) fn accepts(&self, string: &str, formats: Option<&Formats>) -> bool {
        match (&self.check, formats) {
            (FormatTarget::Number, _) => true,
            (_, Some(formats)) => formats.check(&self.name, string) != Some(false),
            (FormatTarget::String(check) | FormatTarget::Other(check), None) => {
                check.as_ref().is_none_or(|check| check.accepts(string))
            }
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

    use super::{Format, Formats, KubeVersion};
    use crate::schema::raw::keywords::Keywords;

    #[test]
    fn a_format_is_known_for_some_types() {
        let is_known = |schema_type: &str, format: &str| {
            let schema = json!({ "type": schema_type, "format": format });
            let keywords = Keywords::decode(&schema).ok();
            let format =
                keywords.and_then(|keywords| Format::from_keywords(&keywords, &Formats::default()));
            format.is_some_and(|format| format.is_known(None, KubeVersion::LATEST))
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
            ("text", "date"),
        ] {
            assert!(!is_known(schema_type, format), "{schema_type} {format}");
        }
    }
}
