//! The format of a schema, and the check that the format selects.

use core::fmt;

use k8s_cel::format::{Check, Formats};

use super::kind::Kind;
use super::props::Props;

/// A format, with its name in the schema.
#[derive(Clone)]
pub(crate) struct Format {
    pub(crate) name: Box<str>,
    check: FormatOf,
}

/// The type of the values that a format applies to.
#[derive(Clone)]
enum FormatOf {
    /// A string. Contains the check of the newest release, if that release knows the format.
    Text(Option<Check>),
    Number,
    /// Another type than the type of the schema. Such a format is used only in the check of
    /// defaults.
    Other(Option<Check>),
}

impl Format {
    /// Returns the format of a schema, or `None` if the schema has no format.
    pub(crate) fn of(props: &Props<'_>, formats: &Formats) -> Option<Self> {
        let name = props.format;
        if name.is_empty() {
            return None;
        }
        let check = match Kind::of_name(props.kind) {
            // The type of a value that may be a number or a string is not in `type`.
            _ if props.int_or_string => FormatOf::Text(formats.find(name)),
            Some(Kind::String) => FormatOf::Text(formats.find(name)),
            None if props.kind.is_empty() => FormatOf::Text(formats.find(name)),
            Some(kind) if is_of_numbers(kind, name) => FormatOf::Number,
            _ => FormatOf::Other(formats.find(name)),
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
            (FormatOf::Text(_), Some(formats)) => formats.find(&self.name).is_some(),
            (FormatOf::Text(check), None) => check.is_some(),
            (FormatOf::Number, _) => true,
            (FormatOf::Other(_), _) => false,
        }
    }

    /// Returns true if the format has a check for strings.
    pub(crate) fn is_checked(&self, formats: Option<&Formats>) -> bool {
        match (&self.check, formats) {
            (FormatOf::Text(_), Some(formats)) => formats.find(&self.name).is_some(),
            (FormatOf::Text(check) | FormatOf::Other(check), _) => check.is_some(),
            (FormatOf::Number, _) => false,
        }
    }

    /// Returns true if a string has this format. Formats of numbers and unknown formats accept all
    /// strings.
    pub(crate) fn accepts(&self, text: &str, formats: Option<&Formats>) -> bool {
        match (&self.check, formats) {
            (FormatOf::Text(_), Some(formats)) => formats.check(&self.name, text) != Some(false),
            (FormatOf::Text(check), None) | (FormatOf::Other(check), _) => {
                check.as_ref().is_none_or(|check| check.accepts(text))
            }
            (FormatOf::Number, _) => true,
        }
    }
}

/// Returns true if a name is a format of numbers. Newer servers check that a value is in the range
/// of such a format.
pub(crate) fn is_of_numbers(kind: Kind, name: &str) -> bool {
    match kind {
        Kind::Integer => matches!(name, "int32" | "int64"),
        Kind::Number => matches!(name, "float" | "double"),
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
    use crate::schema::props::Props;

    #[test]
    fn a_format_is_known_for_some_types() {
        let is_known = |kind: &str, format: &str| {
            let schema = json!({ "type": kind, "format": format });
            let props = Props::read(&schema).ok();
            let format = props.and_then(|props| Format::of(&props, &Formats::default()));
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
