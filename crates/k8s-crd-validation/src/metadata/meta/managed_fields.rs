//! The managed fields of an object.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::errors::MetadataErrors;
use super::fields::ObjectFields;
use k8s_json_internals::print::JsonString;
use union_runtime::BadValue;
use union_runtime::path::PathStep;

const LONGEST_MANAGER: usize = 128;
const LONGEST_SUBRESOURCE: usize = 256;

pub(super) fn check(rules: &mut MetadataErrors<'_>, entries: &[Value]) {
    let list = rules.path.field("managedFields");
    for (index, entry) in entries.iter().enumerate() {
        let entry = ObjectFields::new(Some(entry));
        let at = list.step(PathStep::Index(index));
        let mut rules = MetadataErrors {
            path: &at,
            errors: &mut *rules.errors,
        };
        let operation = entry.string("operation");
        if !matches!(operation, "Apply" | "Update") {
            // Go prints the operation as JSON, because it has a type of its own.
            let printed = JsonString(operation).to_string();
            rules.invalid(
                "operation",
                BadValue::Formatted(printed),
                "must be `Apply` or `Update`",
            );
        }
        let kind = entry.string("fieldsType");
        if !matches!(kind, "" | "FieldsV1") {
            rules.invalid(
                "fieldsType",
                BadValue::Quoted(kind.to_owned()),
                "must be `FieldsV1`",
            );
        }
        check_manager(&mut rules, entry.string("manager"));
        if entry.string("subresource").len() > LONGEST_SUBRESOURCE {
            rules.too_long("subresource", LONGEST_SUBRESOURCE);
        }
    }
}

fn check_manager(rules: &mut MetadataErrors<'_>, manager: &str) {
    if manager.len() > LONGEST_MANAGER {
        rules.too_long("manager", LONGEST_MANAGER);
    }
    for (position, c) in manager.char_indices().filter(|(_, c)| !is_printed(*c)) {
        let detail = format!(
            "invalid character U+{:04X} (at position {position})",
            u32::from(c)
        );
        rules.invalid("manager", BadValue::Quoted(manager.to_owned()), &detail);
    }
}

/// Returns true for letters, marks, numbers, punctuation, symbols, and the ASCII space.
fn is_printed(c: char) -> bool {
    static PRINTED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\A[\p{L}\p{M}\p{N}\p{P}\p{S}]\z").ok());
    if c.is_ascii() {
        return matches!(c, ' '..='~');
    }
    let is_match = |regex: &Regex| regex.is_match(c.encode_utf8(&mut [0; 4]));
    PRINTED.as_ref().is_some_and(is_match)
}
