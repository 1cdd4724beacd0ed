//! `unionctl compat`: finds the effects of a changed union on stored objects and on clients,
//! without objects.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use union_compat::{Comparison, Weight, compare_crds, compare_versions};

use crate::input::Inputs;
use crate::judge::crds::Crds;
use crate::output::output::{self, BAD, CHANGED, Format, GOOD, PLAIN, Text, Verdict};
use crate::output::table::count;
use crate::problem::Problem;

/// Find breaking changes in the unions of a CRD, for stored objects and for clients.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct CompatArgs {
    #[arg(long, value_name = "OLD")]
    #[arg(help = "The old CustomResourceDefinition, or several")]
    crd: PathBuf,

    #[arg(long, value_name = "NEW")]
    #[arg(
        help = "The new CustomResourceDefinition; without one, only the served versions of the old one are compared"
    )]
    crd_new: Option<PathBuf>,

    /// Exit with code 1 for notices, too.
    #[arg(long)]
    strict: bool,
}

const LONG_ABOUT: &str = "\
Find breaking changes in the unions of a CRD, for stored objects and for clients.

Each version that the new CRD serves is compared with the old one of its name, or else with the one \
that was stored; then the served versions of the CRD are compared with each other, unless a webhook converts \
them. Unions are those that a CRD declares, or else those of its rules.

You do not need any object: for each union, small objects are made, and both versions judge them, by the \
rules of unions and as an API server does. Each change is shown with the smallest object that \
reveals it, the verdicts of both versions, what happens to stored objects and to clients, and what to do.

A finding is \"breaking\" if the old version accepts the object, and the new one rejects it or drops a \
part of it; between versions that are served together, if only one accepts it. It is a \"notice\" if only \
the new version accepts it: the effect on old clients depends on them. One more value, for instance, \
cannot be read by clients whose enum does not have an `other` variant. A difference between versions that are \
served together is listed \"as before\", and does not count, if the old CRD has it too; leave out \
--crd-new to see its details.

Exit code: 0 if nothing is breaking, 1 otherwise; 2 if the command could not run.";

const EXAMPLES: &str = "\
Example:
  unionctl compat --crd crd.yaml --crd-new crd_next.yaml";

pub(crate) fn run(args: &CompatArgs, format: Format) -> Result<Verdict, Problem> {
    let mut inputs = Inputs::default();
    let old = Crds::read(&mut inputs, "--crd", &args.crd, None)?;
    let new = match &args.crd_new {
        Some(path) => Some(Crds::read(&mut inputs, "--crd-new", path, None)?),
        None => None,
    };
    let mut report = Report::default();
    match &new {
        Some(new) => {
            for (crd, stored) in new.in_place_of(&old) {
                let found = match stored {
                    Some(stored) => compare_crds(stored, crd),
                    None => compare_versions(crd),
                };
                report.add(found.map_err(|error| Problem::new(&*new.file, error.to_string()))?);
            }
        }
        None => {
            for (crd, _) in old.in_place_of(&old) {
                let found = compare_versions(crd);
                report.add(found.map_err(|error| Problem::new(&*old.file, error.to_string()))?);
            }
        }
    }
    match format {
        Format::Json => output::json(&[report.to_json()])?,
        Format::Text => report.text().print()?,
    }
    let refused = report.breaking > 0 || args.strict && report.notices > 0;
    Ok(if refused {
        Verdict::Refused
    } else {
        Verdict::Fine
    })
}

/// The report on all CRDs.
#[derive(Debug, Default)]
struct Report {
    comparisons: Vec<Comparison>,
    breaking: usize,
    notices: usize,
    known: usize,
}

impl Report {
    fn add(&mut self, found: Vec<Comparison>) {
        for comparison in found {
            let breaking = comparison.breaking().count();
            self.breaking += breaking;
            self.notices += comparison.findings.len() - breaking;
            self.known += comparison.known.len();
            self.comparisons.push(comparison);
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "comparisons": self.comparisons,
            "breaking": self.breaking,
            "notices": self.notices,
            "known": self.known,
        })
    }

    fn text(&self) -> Text {
        let mut text = Text::default();
        for comparison in &self.comparisons {
            let Comparison { old, new, .. } = comparison;
            text.heading(&format!("{old} -> {new}"));
            for finding in &comparison.findings {
                let style = match finding.weight {
                    Weight::Breaking => BAD,
                    _ => CHANGED,
                };
                for (number, line) in finding.lines().iter().enumerate() {
                    if number == 0 {
                        text.indented(1, line, style);
                    } else {
                        text.indented(2, line, PLAIN);
                    }
                }
            }
            for finding in &comparison.known {
                text.indented(1, &format!("as before: {}", finding.heading()), PLAIN);
            }
            for note in &comparison.notes {
                text.indented(1, &format!("note: {note}"), CHANGED);
            }
            if comparison.findings.is_empty() && comparison.known.is_empty() {
                text.indented(1, "no changes in unions", PLAIN);
            }
            let (objects, places) = (comparison.objects, comparison.places);
            let compared = match places {
                0 => "no unions found; use `unionctl tighten` to compare other rules".to_owned(),
                places => format!(
                    "compared: {} at {}",
                    count(objects, "test object"),
                    count(places, "place")
                ),
            };
            text.indented(1, &compared, PLAIN);
        }
        if self.comparisons.is_empty() {
            text.line("found no two versions to compare", PLAIN);
        }
        let style = if self.breaking > 0 { BAD } else { GOOD };
        let mut counts = format!(
            "{} breaking, {}",
            self.breaking,
            count(self.notices, "notice")
        );
        if self.known > 0 {
            let _ = write!(counts, ", {} as before", self.known);
        }
        text.line(&counts, style);
        text
    }
}
