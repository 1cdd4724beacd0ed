//! Validation of the managed fields of an object.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::errors::MetadataErrors;
use crate::metadata::meta::fields::ObjectFields;
use k8s_cel::Feature;
use k8s_json_internals::print::JsonString;
use union_runtime::path::PathStep;
use union_runtime::{BadValue, ViolationKind};

// The limits of `k8s.io/apimachinery/pkg/apis/meta/v1/validation`, in bytes.
const MAX_MANAGER_LENGTH: usize = 128;
const MAX_SUBRESOURCE_LENGTH: usize = 256;

/// Checks the entries of `managedFields`.
pub(super) fn check(errors: &mut MetadataErrors<'_>, entries: &[Value]) {
    let list = errors.path.field("managedFields");
    for (index, entry) in entries.iter().enumerate() {
        let entry = ObjectFields::new(Some(entry));
        let at = list.step(PathStep::Index(index));
        let mut errors = errors.at(&at);
        check_operation(&mut errors, entry.string("operation"));
        let fields_type = entry.string("fieldsType");
        if !matches!(fields_type, "" | "FieldsV1") {
            errors.invalid(
                "fieldsType",
                BadValue::Quoted(fields_type.to_owned()),
                "must be `FieldsV1`",
            );
        }
        check_manager(&mut errors, entry.string("manager"));
        if entry.string("subresource").len() > MAX_SUBRESOURCE_LENGTH {
            errors.too_long("subresource", MAX_SUBRESOURCE_LENGTH);
        }
    }
}

fn check_operation(errors: &mut MetadataErrors<'_>, operation: &str) {
    const FIELD: &str = "operation";
    if matches!(operation, "Apply" | "Update") {
        return;
    }
    // The operation has a named type in Go, and messages print named types as JSON.
    let printed = BadValue::Formatted(JsonString(operation).to_string());
    if !errors.version.has(Feature::DeclarativeMetadata) {
        errors.invalid(FIELD, printed, "must be `Apply` or `Update`");
    } else if operation.is_empty() {
        errors.empty(FIELD);
    } else {
        let detail = r#"supported values: "Apply", "Update""#;
        errors.report(ViolationKind::NotSupported, FIELD, printed, detail);
    }
}

fn check_manager(errors: &mut MetadataErrors<'_>, manager: &str) {
    if manager.len() > MAX_MANAGER_LENGTH {
        errors.too_long("manager", MAX_MANAGER_LENGTH);
    }
    for (position, c) in manager.char_indices().filter(|(_, c)| !is_printable(*c)) {
        let detail = format!(
            "invalid character U+{:04X} (at position {position})",
            u32::from(c)
        );
        errors.invalid("manager", BadValue::Quoted(manager.to_owned()), &detail);
    }
}

/// Returns true for the printable characters of Go (`unicode.IsPrint`): letters, marks, numbers,
/// punctuation, symbols, and the ASCII space.
fn is_printable(c: char) -> bool {
    static PRINTABLE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\A[\p{L}\p{M}\p{N}\p{P}\p{S}]\z").ok());
    if c.is_ascii() {
        return matches!(c, ' '..='~');
    }
    let is_match = |regex: &Regex| regex.is_match(c.encode_utf8(&mut [0; 4]));
    PRINTABLE.as_ref().is_some_and(is_match)
}
