//! `unionctl compat`: finds the effects of a changed union or enum on stored objects and on
//! clients,
//! without reading any objects.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use union_compat::{CompatReport, Severity, compare_crds, compare_versions};

use crate::error::CommandError;
use crate::input::InputReader;
use crate::judge::crds::Crds;
use crate::output::print::{
    self, BAD, CHANGED, CommandStatus, GOOD, PLAIN, TextBuffer, TextOrJson,
};
use crate::output::table::pluralize;

/// Find breaking changes in the unions and enums of a CRD, for stored objects and for clients.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct CompatArgs {
    #[arg(long, value_name = "OLD")]
    #[arg(help = "A file with one or more old CustomResourceDefinitions")]
    crd: PathBuf,

    #[arg(long, value_name = "NEW")]
    #[arg(
        help = "A file with the new CustomResourceDefinitions; without it, only the served versions of each old one are compared"
    )]
    crd_new: Option<PathBuf>,

    /// Exit with code 1 for notices, too.
    #[arg(long)]
    strict: bool,
}

const LONG_ABOUT: &str = "\
Find breaking changes in the unions and enums of a CRD, for stored objects and for clients.

Each version that the new CRD serves is compared with the old version of the same name, or else with the old storage \
version. Then the served versions of the CRD are compared with each other, unless a webhook converts them. The compared \
unions are the unions that the CRD declares, or else the unions of its rules. The compared enums are those of all other \
fields, list items and map values. Other changes of a schema are not compared: `unionctl tighten` finds their effects.

No stored objects are needed: for each union and enum, small objects are generated, and both versions validate them, by the rules \
of unions and as an API server does. Each change is shown with the smallest object that has different results, the \
results of both versions, the effects on stored objects and on clients, and a remedy.

A finding is \"breaking\" if the old version accepts the object, and the new version rejects it or drops a part of it. \
Between versions that are served together, a finding is \"breaking\" if only one version accepts the object. A finding is \
a \"notice\" if only the new version accepts the object, because the effect then depends on the clients: for instance, \
clients whose enum does not have an `other` variant cannot read an object with a new value. A difference between versions \
that are served together is listed \"as before\", and does not count, if the old CRD has it too; run the command without \
--crd-new to see the details.

Exit code: 0 if nothing is breaking, 1 otherwise; 2 if the command could not run.";

const EXAMPLES: &str = "\
Example:
  unionctl compat --crd crd.yaml --crd-new crd_next.yaml";

pub(crate) fn run(args: &CompatArgs, format: TextOrJson) -> Result<CommandStatus, CommandError> {
    let mut inputs = InputReader::default();
    let old_crds = Crds::read_file(&mut inputs, "--crd", &args.crd, None)?;
    let new_crds = match &args.crd_new {
        Some(path) => Some(Crds::read_file(&mut inputs, "--crd-new", path, None)?),
        None => None,
    };
    let mut summary = CompatSummary::default();
    match &new_crds {
        Some(new_crds) => {
            for (crd, stored_crd) in new_crds.with_stored_crds(&old_crds) {
                let comparisons = match stored_crd {
                    Some(stored_crd) => compare_crds(stored_crd, crd),
                    None => compare_versions(crd),
                };
                summary.add_reports(
                    comparisons
                        .map_err(|error| CommandError::new(&*new_crds.file, error.to_string()))?,
                );
            }
        }
        None => {
            for (crd, _) in old_crds.with_stored_crds(&old_crds) {
                let comparisons = compare_versions(crd);
                summary.add_reports(
                    comparisons
                        .map_err(|error| CommandError::new(&*old_crds.file, error.to_string()))?,
                );
            }
        }
    }
    match format {
        TextOrJson::Json => print::json(&[summary.to_json()])?,
        TextOrJson::Text => summary.render().print()?,
    }
    let is_rejected = summary.breaking_count > 0 || args.strict && summary.notice_count > 0;
    Ok(if is_rejected {
        CommandStatus::Rejected
    } else {
        CommandStatus::Success
    })
}

/// The reports on all compared versions, with the numbers of findings.
#[derive(Debug, Default)]
struct CompatSummary {
    comparisons: Vec<CompatReport>,
    breaking_count: usize,
    notice_count: usize,
    known_count: usize,
}

impl CompatSummary {
    fn add_reports(&mut self, comparisons: Vec<CompatReport>) {
        for comparison in comparisons {
            let breaking_count = comparison.breaking().count();
            self.breaking_count += breaking_count;
            self.notice_count += comparison.findings.len() - breaking_count;
            self.known_count += comparison.known_findings.len();
            self.comparisons.push(comparison);
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "comparisons": self.comparisons,
            "breaking": self.breaking_count,
            "notices": self.notice_count,
            "known": self.known_count,
        })
    }

    fn render(&self) -> TextBuffer {
        let mut text = TextBuffer::default();
        for comparison in &self.comparisons {
            let CompatReport { old, new, .. } = comparison;
            text.add_heading(&format!("{old} -> {new}"));
            for finding in &comparison.findings {
                let style = match finding.severity {
                    Severity::Breaking => BAD,
                    _ => CHANGED,
                };
                for (index, line) in finding.lines().iter().enumerate() {
                    if index == 0 {
                        text.add_indented_line(1, line, style);
                    } else {
                        text.add_indented_line(2, line, PLAIN);
                    }
                }
            }
            for finding in &comparison.known_findings {
                text.add_indented_line(1, &format!("as before: {}", finding.heading()), PLAIN);
            }
            for note in &comparison.notes {
                text.add_indented_line(1, &format!("note: {note}"), CHANGED);
            }
            let has_places = comparison.union_objects > 0 || comparison.enums > 0;
            if has_places && comparison.findings.is_empty() && comparison.known_findings.is_empty()
            {
                text.add_indented_line(1, "no union or enum changed", PLAIN);
            }
            let compared = if has_places {
                format!(
                    "compared: {} of {} and {}",
                    pluralize(comparison.objects, "test object"),
                    pluralize(comparison.union_objects, "union"),
                    pluralize(comparison.enums, "enum")
                )
            } else {
                "no unions and no enums found".to_owned()
            };
            let summary = format!("{compared}; for other changes, see `unionctl tighten`");
            text.add_indented_line(1, &summary, PLAIN);
        }
        if self.comparisons.is_empty() {
            text.add_line("found no two versions to compare", PLAIN);
        }
        let style = if self.breaking_count > 0 { BAD } else { GOOD };
        let mut totals = format!(
            "{} breaking, {}",
            self.breaking_count,
            pluralize(self.notice_count, "notice")
        );
        if self.known_count > 0 {
            let _ = write!(totals, ", {} as before", self.known_count);
        }
        text.add_line(&totals, style);
        text
    }
}
