//! Validates CRDs without objects.

use serde_json::{Value, json};

use crate::error::CommandError;
use crate::judge::crds::{CrdDiagnostics, Crds};
use crate::judge::reply::sarif_results::{self, ReplyParts};
use crate::judge::reply::unions_reply::FieldError;
use crate::judge::reply::unknown_field::duplicate_line;
use crate::output::print::{
    self, BAD, CHANGED, CommandStatus, GOOD, OutputFormat, PLAIN, TextBuffer,
};

/// The advice for rules with `oldSelf` below lists without keys, where a server cannot find the old
/// value.
const PLACE_RULES_ADVICE: &str = "rules that read `oldSelf` (`ratchet = \"same_reason\"`) are not supported below lists without keys; \
    run `unionctl place-rules` on the CRD to remove the `oldSelf` part there";

/// Validates the CRDs of one or more inputs, and prints the result. With `old_crds`, each CRD is an
/// update of a stored CRD. The title of a CRD in `only_file` does not have the file.
pub(super) fn validate(
    inputs: &[Crds],
    old_crds: Option<&Crds>,
    only_file: Option<&str>,
    format: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    let mut diagnostics = Vec::new();
    for crds in inputs {
        diagnostics.extend(crds.validate(old_crds)?);
    }
    let mut notes = Vec::new();
    for crd in &mut diagnostics {
        notes.append(&mut crd.notes);
    }
    notes.dedup();
    print::notes(&notes);
    let mut errors = diagnostics.iter().flat_map(|crd| &crd.errors);
    let old_self_message = "uncorrelatable portion of the schema";
    if errors.any(|error| error.line().contains(old_self_message)) {
        print::notes(&[PLACE_RULES_ADVICE.to_owned()]);
    }
    let is_accepted = diagnostics.iter().all(|crd| crd.errors.is_empty());
    match format {
        OutputFormat::Json => print::json(&[json_output(diagnostics)])?,
        OutputFormat::Sarif => print::json(&[sarif_log(inputs, &diagnostics)])?,
        OutputFormat::Text => {
            render(&diagnostics, only_file).print()?;
        }
    }
    Ok(if is_accepted {
        CommandStatus::Success
    } else {
        CommandStatus::Rejected
    })
}

/// Returns the diagnostics as text.
fn render(diagnostics: &[CrdDiagnostics], only_file: Option<&str>) -> TextBuffer {
    let mut text = TextBuffer::default();
    if diagnostics.is_empty() {
        text.add_line("0 CRDs", PLAIN);
    }
    let has_titles = diagnostics.len() > 1 || only_file.is_none();
    for (index, crd) in diagnostics.iter().enumerate() {
        if index > 0 {
            text.add_line("", PLAIN);
        }
        if has_titles {
            let title = if Some(&*crd.file) == only_file {
                crd.title.clone()
            } else {
                format!("{}: {}", crd.file, crd.title)
            };
            text.add_line(&title, PLAIN);
        }
        add_diagnostics(crd, &mut text);
    }
    text
}

/// Returns the diagnostics in SARIF. `diagnostics` are in the order of the CRDs in `inputs`.
fn sarif_log(inputs: &[Crds], diagnostics: &[CrdDiagnostics]) -> Value {
    let crds = inputs.iter().flat_map(Crds::with_sources);
    let results = crds
        .zip(diagnostics)
        .flat_map(|((file, crd, source), diagnostics)| {
            let parts = ReplyParts {
                file,
                title: &diagnostics.title,
                value: crd,
                source,
                errors: &diagnostics.errors,
                tolerated: &[],
                warnings: &diagnostics.warnings,
                warned: &[],
                unknown_fields: &diagnostics.unknown_fields,
                duplicate_keys: &diagnostics.duplicate_keys,
            };
            parts.sarif_results()
        });
    sarif_results::log("crds", results.collect())
}

/// Returns the merged diagnostics of all CRDs. If there are several CRDs, the key `crds` has the
/// diagnostics of each CRD.
fn json_output(diagnostics: Vec<CrdDiagnostics>) -> Value {
    let crds = (diagnostics.len() > 1).then(|| json!(diagnostics));
    let mut output = json!(CrdDiagnostics::merge(diagnostics));
    if let Some(fields) = output.as_object_mut() {
        fields.remove("crd");
        fields.extend(crds.map(|crds| ("crds".to_owned(), crds)));
    }
    output
}

/// Adds the diagnostics of a CRD, and the line `accepted` or `rejected`.
fn add_diagnostics(crd: &CrdDiagnostics, text: &mut TextBuffer) {
    let file = crd.file.as_str();
    text.add_section("errors", BAD, crd.errors.iter().flat_map(FieldError::lines));
    text.add_section("warnings", CHANGED, &crd.warnings);
    let duplicates = crd.duplicate_keys.iter();
    let duplicates = duplicates.map(|duplicate| duplicate_line(duplicate, file));
    text.add_section("duplicate keys", PLAIN, duplicates);
    let unknown_fields = crd.unknown_fields.iter().map(|field| field.line(file));
    text.add_section("unknown fields", PLAIN, unknown_fields);
    if crd.errors.is_empty() && crd.warnings.is_empty() {
        text.add_line("no errors", PLAIN);
    }
    if crd.errors.is_empty() {
        text.add_line("accepted", GOOD);
    } else {
        text.add_line("rejected", BAD);
    }
}
