//! The results of validating a CRD or a request in SARIF.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;
use union_runtime::path::FieldPath;

use crate::input::{LocatedDuplicate, ObjectSource, Position, crd};
use crate::judge::reply::unions_reply::FieldError;
use crate::judge::reply::unknown_field::UnknownFieldReply;
use crate::output::sarif::{self, SarifLevel, SarifResult};

/// The rule of warnings that are not about unknown fields.
const WARNING: &str = "Warning";
const UNKNOWN_FIELD: &str = "UnknownField";
const DUPLICATE_KEY: &str = "DuplicateKey";
/// The rule of objects that no CRD describes, although a CRD was probably meant to describe them.
pub(crate) const NOT_CHECKED: &str = "NotChecked";

/// The descriptions of the rules, which are the types of errors and the constants above.
const DESCRIPTIONS: [(&str, &str); 14] = [
    ("FieldValueInvalid", "a value is invalid"),
    (
        "FieldValueNotSupported",
        "a value is not one of the allowed values",
    ),
    ("FieldValueRequired", "a required value is missing"),
    ("FieldValueTypeInvalid", "a value has the wrong type"),
    (
        "FieldValueDuplicate",
        "a value occurs more than once in a list",
    ),
    ("FieldValueForbidden", "a value is forbidden"),
    ("FieldValueTooLong", "a value is too long"),
    ("FieldValueTooMany", "a list or a map has too many elements"),
    ("InternalError", "the server cannot validate a value"),
    ("BadRequest", "the server cannot decode the request"),
    (WARNING, "the server accepts the request with a warning"),
    (UNKNOWN_FIELD, "the schema does not describe a field"),
    (DUPLICATE_KEY, "a key occurs more than once in a map"),
    (NOT_CHECKED, "no CRD describes the kind of the object"),
];

/// The beginning of the message of strict validation, after the type of the object.
const STRICT_DECODING: &str = "strict decoding error: ";

/// The results of validating a CRD or a request.
pub(crate) struct ReplyParts<'r> {
    pub(crate) file: &'r str,
    /// The kind and the name of the CRD or of the object.
    pub(crate) title: &'r str,
    /// The value that was validated, in which the paths of warnings are resolved.
    pub(crate) value: &'r Value,
    pub(crate) source: Option<&'r ObjectSource>,
    pub(crate) errors: &'r [FieldError],
    /// The errors that the server tolerates.
    pub(crate) tolerated: &'r [FieldError],
    pub(crate) warnings: &'r [String],
    /// The errors of CEL rules that are also among the warnings.
    pub(crate) warned: &'r [FieldError],
    pub(crate) unknown_fields: &'r [UnknownFieldReply],
    pub(crate) duplicate_keys: &'r [LocatedDuplicate],
}

/// Returns a log of results, with the rules of these results.
pub(crate) fn log(category: &str, results: Vec<SarifResult>) -> Value {
    let rule_ids: BTreeSet<String> = results
        .iter()
        .map(|result| result.rule_id.clone())
        .collect();
    let rules = rule_ids.iter().map(|id| {
        let mut descriptions = DESCRIPTIONS.iter();
        let description = descriptions.find(|(rule, _)| rule == id);
        let description = description.map_or(id.as_str(), |(_, description)| *description);
        (id.as_str(), description.to_owned())
    });
    let rules: Vec<(&str, String)> = rules.collect();
    sarif::log(category, &rules, results)
}

impl ReplyParts<'_> {
    /// Returns a result for each error, tolerated error and warning. The message of strict
    /// validation has all unknown fields and duplicate keys, so each of these fields and keys is
    /// a result in place of the message.
    pub(crate) fn sarif_results(&self) -> Vec<SarifResult> {
        let has_strict_results = !self.unknown_fields.is_empty() || !self.duplicate_keys.is_empty();
        let is_strict =
            |error: &FieldError| has_strict_results && error.rule().contains(STRICT_DECODING);
        let strict_level = if self.errors.iter().any(is_strict) {
            SarifLevel::Error
        } else {
            SarifLevel::Warning
        };
        let mut results = Vec::new();
        for error in self.errors.iter().filter(|error| !is_strict(error)) {
            // The rules are not checked because of other errors, which are results too.
            let level = if error.is_rules_not_checked() {
                SarifLevel::Note
            } else {
                SarifLevel::Error
            };
            let message = error.lines().join("\n");
            results.push(self.result_at(error.r#type, level, &message, &error.path));
        }
        for error in self.tolerated {
            let message = format!("tolerated: {}", error.lines().join("\n"));
            results.push(self.result_at(error.r#type, SarifLevel::Note, &message, &error.path));
        }
        for field in self.unknown_fields {
            let message = format!("{}{}", field.message(), field.question());
            let position = field.position();
            let path = field.path.as_str();
            results.push(self.result(UNKNOWN_FIELD, strict_level, &message, path, position));
        }
        for duplicate in self.duplicate_keys {
            let message = format!("duplicate key {:?}; remove one", duplicate.name);
            let (name, position) = (&duplicate.name, Some(duplicate.position));
            results.push(self.result(DUPLICATE_KEY, strict_level, &message, name, position));
        }
        let warnings = self.warnings.iter();
        results.extend(warnings.filter_map(|warning| self.warning_result(warning)));
        results
    }

    /// Returns the result of a warning; `None` if the warning is about an unknown field or a
    /// duplicate key, which have results of their own.
    fn warning_result(&self, warning: &str) -> Option<SarifResult> {
        let mut unknown_fields = self.unknown_fields.iter();
        if unknown_fields.any(|field| field.message() == warning) || self.is_duplicate(warning) {
            return None;
        }
        let mut warned = self.warned.iter();
        let path = match warned.find(|error| error.line() == warning) {
            Some(error) => Some(error.path.clone()),
            None => warning
                .split_once(": ")
                .and_then(|(field, _)| FieldPath::resolve(field, self.value)),
        };
        let path = path.unwrap_or_else(FieldPath::root);
        Some(self.result_at(WARNING, SarifLevel::Warning, warning, &path))
    }

    /// Returns true if a warning is about a duplicate key.
    fn is_duplicate(&self, warning: &str) -> bool {
        let is_message = |text: &str| {
            text.starts_with("duplicate field ") || text.ends_with(" already set in map")
        };
        !self.duplicate_keys.is_empty() && is_message(warning)
    }

    fn result_at(
        &self,
        rule_id: &str,
        level: SarifLevel,
        message: &str,
        path: &FieldPath,
    ) -> SarifResult {
        let path = if path.find(self.value).is_some() {
            Cow::Borrowed(path)
        } else {
            // A server reports an error in a schema that all versions of a CRD share at a path
            // without a version.
            let path_in_version =
                crd::path_in_first_version(path).filter(|_| crd::is_crd(self.value));
            path_in_version.map_or(Cow::Borrowed(path), Cow::Owned)
        };
        let position = self.source.and_then(|source| source.position(&path));
        self.result(rule_id, level, message, path.as_str(), position)
    }

    fn result(
        &self,
        rule_id: &str,
        level: SarifLevel,
        message: &str,
        path: &str,
        position: Option<Position>,
    ) -> SarifResult {
        let title = self.title;
        SarifResult {
            rule_id: rule_id.to_owned(),
            level,
            fingerprint: [rule_id, title, path, message].join("|"),
            message: format!("{title}: {message}"),
            file: self.file.to_owned(),
            position,
            qualified_name: format!("{title} {path}").trim_end().to_owned(),
        }
    }
}
