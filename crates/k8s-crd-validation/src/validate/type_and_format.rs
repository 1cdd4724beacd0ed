//! Types and formats.

use serde_json::Value;

use super::errors::body_violation;
use super::errors::origin::ErrorOrigin;
use super::errors::sink::ErrorSink;
use super::flow::Flow;
use super::validation::Validation;
use crate::schema::{Node, SchemaType};
use k8s_cel::{Feature, KubeVersion};
use k8s_json_internals::number::JsonNumber;
use union_runtime::path::Path;
use union_runtime::{BadValue, ViolationKind};

impl Validation<'_> {
    pub(super) fn check_type<S: ErrorSink>(
        &self,
        node: &Node,
        value: &Value,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        // Fast path for nearly all values.
        if node.schema_type.is_some_and(|kind| kind.is_type_of(value)) && !node.int_or_string {
            return Flow::Continue(());
        }
        match self.type_mismatch(node, value) {
            None => Flow::Continue(()),
            Some((expected, actual)) => sink.report(self.origin_of_type(node, expected), || {
                let rule = format!("must be of type {expected}: {actual:?}");
                let bad_value = BadValue::Quoted(actual.to_owned());
                body_violation(ViolationKind::TypeInvalid, path, bad_value, &rule)
            }),
        }
    }

    /// Returns the keyword that demands a type.
    fn origin_of_type(&self, node: &Node, expected: &str) -> ErrorOrigin {
        let format = self.format(node);
        ErrorOrigin::of_keyword(if self.accepts_int_or_string(node) {
            "x-kubernetes-int-or-string"
        } else if format.is_some_and(|format| *format.name == *expected) {
            "format"
        } else {
            "type"
        })
    }

    /// Returns true if the rules about types apply to a schema.
    pub(super) fn has_type_rules(&self, node: &Node) -> bool {
        node.schema_type.is_some()
            || node.unknown_type.is_some()
            || self.accepts_int_or_string(node)
            || self.format(node).is_some()
    }

    /// Returns true if both integers and strings are accepted. This is never the case for a
    /// default: a server then ignores `x-kubernetes-int-or-string`, as tests against a server show.
    pub(super) const fn accepts_int_or_string(&self, node: &Node) -> bool {
        node.int_or_string && !self.validates_default
    }

    /// Returns the expected and the actual type if they differ.
    pub(super) fn type_mismatch<'n>(
        &self,
        node: &'n Node,
        value: &Value,
    ) -> Option<(&'n str, &'static str)> {
        if !self.has_type_rules(node) {
            return None;
        }
        let accepts_both = self.accepts_int_or_string(node);
        let accepts_integers = accepts_both || node.schema_type == Some(SchemaType::Integer);
        let accepts_numbers = node.schema_type == Some(SchemaType::Number) && !accepts_both;
        let has_type = match value {
            Value::Number(number) => match JsonNumber::from_number(number) {
                JsonNumber::Int(_) => accepts_integers || accepts_numbers,
                JsonNumber::Float(float) => {
                    accepts_numbers
                        || accepts_integers && is_json_integer(float, self.settings.version)
                }
            },
            Value::String(_) if accepts_both => true,
            _ => !accepts_both && node.schema_type.is_some_and(|kind| kind.is_type_of(value)),
        };
        if has_type {
            return None;
        }
        let expected = if accepts_both {
            "integer,string"
        } else {
            match node.schema_type {
                Some(kind) => kind.as_str(),
                None => node.unknown_type.as_deref().unwrap_or_default(),
            }
        };
        let (actual, value_format) = match value {
            Value::Null if expected.is_empty() || expected == "null" || node.nullable => {
                return None;
            }
            Value::Null => return Some((expected, "null")),
            Value::Bool(_) => ("boolean", ""),
            Value::Number(number) => match JsonNumber::from_number(number) {
                JsonNumber::Int(_) => ("integer", "int64"),
                JsonNumber::Float(_) => ("number", "float64"),
            },
            Value::String(_) => ("string", ""),
            Value::Array(_) => ("array", ""),
            Value::Object(_) => ("object", ""),
        };
        if let Some(format) = self.format(node) {
            let is_string_or_list = matches!(value, Value::String(_) | Value::Array(_));
            if !is_string_or_list && *format.name != *value_format {
                return Some((&format.name, value_format));
            }
            // The check of the format replaces the check of the type: strings are checked by the
            // format, and lists pass.
            if is_string_or_list && !accepts_integers && !accepts_numbers {
                return None;
            }
        }
        Some((expected, actual))
    }
}

/// Returns true if a float counts as an integer on a server of a version, because it is whole or
/// nearly whole. JSON does not have a separate type for integers.
pub(super) fn is_json_integer(float: f64, version: KubeVersion) -> bool {
    // 2^53 - 1. Both constants are the constants of `IsFloat64AJSONInteger` in `go-openapi/swag`.
    const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;
    const TOLERANCE: f64 = 1e-9;
    if !float.is_finite() || float.abs() > MAX_SAFE_INTEGER {
        return false;
    }
    if version.has(Feature::MultipleOfTolerance) {
        let nearest = float.round();
        let distance = (float - nearest).abs();
        return distance == 0.0 || distance < TOLERANCE * nearest.abs();
    }
    let truncated = float.trunc();
    if (float - truncated).abs() == 0.0 {
        return true;
    }
    // Before 1.37, only floats slightly above a positive integer count as nearly whole.
    truncated > 0.0 && (float - truncated) / (float + truncated) < TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::is_json_integer;

    /// The next smaller float is nearer to the integer than the tolerance.
    #[test]
    fn a_float_at_the_tolerance_is_not_an_integer() {
        for (version, float) in [
            ("1.37", 250_000_000.25_f64),
            ("1.36", 251_182_541.502_365_08),
        ] {
            let version = version.parse().unwrap();
            assert!(!is_json_integer(float, version), "{version}");
            assert!(is_json_integer(float.next_down(), version), "{version}");
        }
    }
}
