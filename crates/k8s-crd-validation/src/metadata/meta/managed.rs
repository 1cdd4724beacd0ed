//! The managed fields of an object.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::read::Meta;
use super::report::Rules;
use k8s_json_internals::print::JsonText;
use union_runtime::Found;
use union_runtime::path::Step;

const LONGEST_MANAGER: usize = 128;
const LONGEST_SUBRESOURCE: usize = 256;

pub(super) fn check(rules: &mut Rules<'_>, entries: &[Value]) {
    let list = rules.at.field("managedFields");
    for (index, entry) in entries.iter().enumerate() {
        let entry = Meta::of(Some(entry));
        let at = list.step(Step::Index(index));
        let mut rules = Rules {
            at: &at,
            sink: &mut *rules.sink,
        };
        let operation = entry.text("operation");
        if !matches!(operation, "Apply" | "Update") {
            // Go prints the operation as JSON, because it has a type of its own.
            let printed = JsonText(operation).to_string();
            rules.invalid(
                "operation",
                Found::Printed(printed),
                "must be `Apply` or `Update`",
            );
        }
        let kind = entry.text("fieldsType");
        if !matches!(kind, "" | "FieldsV1") {
            rules.invalid(
                "fieldsType",
                Found::Text(kind.to_owned()),
                "must be `FieldsV1`",
            );
        }
        check_manager(&mut rules, entry.text("manager"));
        if entry.text("subresource").len() > LONGEST_SUBRESOURCE {
            rules.too_long("subresource", LONGEST_SUBRESOURCE);
        }
    }
}

fn check_manager(rules: &mut Rules<'_>, manager: &str) {
    if manager.len() > LONGEST_MANAGER {
        rules.too_long("manager", LONGEST_MANAGER);
    }
    for (position, c) in manager.char_indices().filter(|(_, c)| !is_printed(*c)) {
        let detail = format!(
            "invalid character U+{:04X} (at position {position})",
            u32::from(c)
        );
        rules.invalid("manager", Found::Text(manager.to_owned()), &detail);
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
