//! Validates CRDs without objects.

use crate::error::CommandError;
use crate::judge::crds::{CrdDiagnostics, Crds};
use crate::judge::reply::unions_reply::FieldError;
use crate::output::print::{
    self, BAD, CHANGED, CommandStatus, GOOD, PLAIN, TextBuffer, TextOrJson,
};

/// The advice for rules with `oldSelf` below lists without keys, where a server finds no old
/// object.
const PLACE_RULES: &str = "rules that read `oldSelf` (`ratchet = \"same_reason\"`) are not supported below lists without keys; \
    run `unionctl place-rules` on the CRD to remove the `oldSelf` part there";

/// Validates the CRDs, and prints the result. With `old`, each CRD is an update of the stored CRD.
pub(super) fn validate(
    crds: &Crds,
    old: Option<&Crds>,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
    let CrdDiagnostics {
        errors,
        warnings,
        unknown_fields,
        unknown_lines,
        duplicate_lines,
        notes,
    } = crds.validate(old)?;
    let status = if errors.is_empty() {
        CommandStatus::Success
    } else {
        CommandStatus::Rejected
    };
    print::notes(&notes);
    if errors.iter().any(|error| {
        error
            .line()
            .contains("uncorrelatable portion of the schema")
    }) {
        print::notes(&[PLACE_RULES.to_owned()]);
    }
    match format {
        TextOrJson::Json => {
            let mut output = serde_json::json!({ "errors": errors, "warnings": warnings });
            if !unknown_fields.is_empty() {
                output["unknown_fields"] = serde_json::json!(unknown_fields);
            }
            print::json(&[output])?;
        }
        TextOrJson::Text => {
            let mut text = TextBuffer::default();
            text.add_section("errors", BAD, errors.iter().map(FieldError::line));
            text.add_section("warnings", CHANGED, &warnings);
            text.add_section("duplicate keys", PLAIN, &duplicate_lines);
            text.add_section("unknown fields", PLAIN, &unknown_lines);
            if errors.is_empty() && warnings.is_empty() {
                text.add_line("no errors", PLAIN);
            }
            match status {
                CommandStatus::Success => text.add_line("accepted", GOOD),
                CommandStatus::Rejected => text.add_line("rejected", BAD),
            }
            text.print()?;
        }
    }
    Ok(status)
}
