//! Checks of CRDs without objects.

use crate::judge::answer::Finding;
use crate::judge::crds::{Crds, Said};
use crate::output::output::{self, BAD, CHANGED, Format, GOOD, PLAIN, Text, Verdict};
use crate::problem::Problem;

/// The advice for rules in places where a server has no old object.
const PLACE_RULES: &str = "rules that read `oldSelf` (`ratchet = \"same_reason\"`) are not supported below lists without keys; \
    run `unionctl place-rules` on the CRD to remove the `oldSelf` part there";

/// Checks the CRDs themselves.
pub(super) fn judge(crds: &Crds, old: Option<&Crds>, format: Format) -> Result<Verdict, Problem> {
    let Said {
        errors,
        warnings,
        notes,
    } = crds.judge(old)?;
    let verdict = if errors.is_empty() {
        Verdict::Fine
    } else {
        Verdict::Refused
    };
    output::notes(&notes);
    if errors.iter().any(|error| {
        error
            .line()
            .contains("uncorrelatable portion of the schema")
    }) {
        output::notes(&[PLACE_RULES.to_owned()]);
    }
    match format {
        Format::Json => {
            let said = serde_json::json!({ "errors": errors, "warnings": warnings });
            output::json(&[said])?;
        }
        Format::Text => {
            let mut text = Text::default();
            text.section("errors", BAD, errors.iter().map(Finding::line));
            text.section("warnings", CHANGED, &warnings);
            if errors.is_empty() && warnings.is_empty() {
                text.line("no errors", PLAIN);
            }
            match verdict {
                Verdict::Fine => text.line("accepted", GOOD),
                Verdict::Refused => text.line("rejected", BAD),
            }
            text.print()?;
        }
    }
    Ok(verdict)
}
