//! Strict decoding errors: unknown fields and duplicate keys in the body of a request.

use core::fmt::Write as _;
use std::collections::HashSet;

use k8s_json_internals::quote::GoQuoted;
use serde_json::Value;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, ReportParts, Violation, ViolationKind};

use crate::schema::unknown::unknown_fields::{MAX_STRUCT_ERRORS, UnknownFields, printed_as_fields};
use crate::settings::FieldValidation;

/// A key that an object in the body of a request has more than once. A server uses the last value.
///
/// A JSON value has each key once, so only the parser of the body sees duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DuplicateKey {
    /// A key in a body of JSON: the path of the key.
    Json(FieldPath),
    /// A key in a body of YAML. In a list of duplicate keys, the keys inside the value of a
    /// duplicate key precede that key, as in go-yaml.
    Yaml {
        /// The line of the value of the duplicate, from 1.
        line: usize,
        /// The key as Go prints it (`%#v`): a string in quotes, `1`, `true`.
        key: String,
    },
}

/// The type of the object in a request, as errors print it.
pub(crate) struct BodyType<'v> {
    /// The kind that the body names.
    pub(crate) kind: &'v str,
    /// The version that the body names, without the group.
    pub(crate) version: &'v str,
    /// The kind of the resource.
    pub(crate) resource_kind: &'v str,
}

impl FieldValidation {
    /// Returns the warnings of a server about the duplicate keys in the body of a request, or the
    /// error for which the server rejects the request. `object` is the object in the body, which
    /// may be of any kind. [`Request`](crate::Request) and [`Review`](crate::crd::Review) report
    /// the same for custom resources and CRDs.
    ///
    /// # Errors
    ///
    /// With [`Strict`](Self::Strict), returns an error of kind
    /// [`BadRequest`](ViolationKind::BadRequest) if there are duplicate keys.
    ///
    /// ```
    /// use k8s_crd_validation::{DuplicateKey, FieldValidation};
    /// use serde_json::json;
    /// use union_runtime::path::FieldPath;
    ///
    /// let pod = json!({"apiVersion": "v1", "kind": "Pod", "spec": {"nodeName": "a"}});
    /// let keys = [DuplicateKey::Json(FieldPath::from(["spec", "nodeName"]))];
    /// let warnings = FieldValidation::Warn.report_duplicate_keys(&pod, &keys);
    /// assert_eq!(warnings, Ok(vec!["duplicate field \"spec.nodeName\"".to_owned()]));
    /// let error = FieldValidation::Strict.report_duplicate_keys(&pod, &keys).unwrap_err();
    /// assert_eq!(
    ///     error.detail(),
    ///     "Pod in version \"v1\" cannot be handled as a Pod: \
    ///      strict decoding error: duplicate field \"spec.nodeName\"",
    /// );
    /// ```
    pub fn report_duplicate_keys(
        self,
        object: &Value,
        keys: &[DuplicateKey],
    ) -> Result<Vec<String>, Violation> {
        let mut parts = ReportParts::default();
        let body = || BodyType::of(object);
        report(&UnknownFields::default(), keys, self, body, &mut parts).map_err(|error| *error)?;
        Ok(parts.warnings)
    }
}

/// Reports the unknown fields and the duplicate keys of a request, as `validation` selects: as
/// warnings in `report`, or as the returned error. [`FieldValidation::Ignore`] reports nothing.
pub(crate) fn report<'b>(
    unknown: &UnknownFields<'_>,
    duplicates: &[DuplicateKey],
    validation: FieldValidation,
    body: impl FnOnce() -> BodyType<'b>,
    report: &mut ReportParts,
) -> Result<(), Box<Violation>> {
    if unknown.fields.is_empty() && duplicates.is_empty() {
        return Ok(());
    }
    match validation {
        FieldValidation::Ignore => {}
        FieldValidation::Warn => {
            let mut warnings = yaml_errors(duplicates);
            warnings.extend(json_errors(duplicates));
            warnings.extend(unknown_errors(unknown));
            let mut seen_warnings = HashSet::new();
            warnings.retain(|warning| seen_warnings.insert(warning.clone()));
            warnings.append(&mut report.warnings);
            report.warnings = warnings;
        }
        FieldValidation::Strict => {
            return Err(Box::new(strict_error(unknown, duplicates, &body())));
        }
    }
    Ok(())
}

/// Returns the error that contains all messages.
fn strict_error(
    unknown: &UnknownFields<'_>,
    duplicates: &[DuplicateKey],
    body: &BodyType<'_>,
) -> Violation {
    let mut errors = Vec::new();
    let yaml_errors = yaml_errors(duplicates);
    if !yaml_errors.is_empty() {
        errors.push(format!(
            "yaml: unmarshal errors:\n  {}",
            yaml_errors.join("\n  ")
        ));
    }
    errors.extend(json_errors(duplicates));
    errors.extend(unknown_errors(unknown));
    body.decode_error(&format!("strict decoding error: {}", errors.join(", ")))
}

impl<'v> BodyType<'v> {
    /// Returns the type that an object names, as the type of the resource too.
    pub(crate) fn of(object: &'v Value) -> Self {
        let string = |field: &str| object.get(field).and_then(Value::as_str);
        let kind = string("kind").unwrap_or_default();
        let api_version = string("apiVersion").unwrap_or_default();
        Self {
            kind,
            version: api_version.rsplit('/').next().unwrap_or_default(),
            resource_kind: kind,
        }
    }

    /// Returns the error for a body that cannot be decoded, with the type of the body in front of
    /// the message of the decoder.
    pub(crate) fn decode_error(&self, message: &str) -> Violation {
        let mut detail = String::new();
        if !self.kind.is_empty() {
            // Writing to a String cannot fail.
            let _ = write!(
                detail,
                "{} in version {} cannot be handled as a {}: ",
                self.kind,
                GoQuoted(self.version),
                self.resource_kind,
            );
        }
        detail.push_str(message);
        let path = FieldPath::root();
        Violation::from_parts(ViolationKind::BadRequest, path, BadValue::Omitted, detail)
    }
}

/// Returns the messages about duplicate keys in a body of YAML.
fn yaml_errors(duplicates: &[DuplicateKey]) -> Vec<String> {
    let error = |key: &DuplicateKey| match key {
        DuplicateKey::Yaml { line, key } => {
            Some(format!("line {line}: key {key} already set in map"))
        }
        DuplicateKey::Json(_) => None,
    };
    duplicates.iter().filter_map(error).collect()
}

/// Returns the messages about duplicate keys in a body of JSON, each message once.
fn json_errors(duplicates: &[DuplicateKey]) -> Vec<String> {
    let mut seen_errors = HashSet::new();
    let error = |key: &DuplicateKey| match key {
        DuplicateKey::Json(path) => {
            let path = printed_as_fields(path, 0);
            Some(format!("duplicate field {}", GoQuoted(&path)))
        }
        DuplicateKey::Yaml { .. } => None,
    };
    let errors = duplicates.iter().filter_map(error);
    let errors = errors.filter(|error| seen_errors.insert(error.clone()));
    errors.take(MAX_STRUCT_ERRORS).collect()
}

/// Returns the messages about unknown fields, and a message with the number of omitted fields.
fn unknown_errors<'u>(unknown: &'u UnknownFields<'_>) -> impl Iterator<Item = String> + 'u {
    let omitted = (unknown.omitted > 0).then(|| format!("{} more unknown fields", unknown.omitted));
    unknown
        .fields
        .iter()
        .map(ToString::to_string)
        .chain(omitted)
}
