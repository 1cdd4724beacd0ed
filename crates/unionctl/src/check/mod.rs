//! `unionctl check`: what an API server will say to custom resources, before it is asked.

mod bare;
mod files;
mod jsonl;
mod report;
mod stored;
mod tally;
mod used;

use std::path::PathBuf;

use crate::answer::Finding;
use crate::crds::Crds;
use crate::input::Inputs;
use crate::output::{self, BAD, Format, GOOD, Text, Verdict};
use crate::problem::Problem;
use crate::server;

/// Ask what an API server will say to custom resources: what is wrong, and what is tolerated because it did not change.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, override_usage = USAGE)]
pub(crate) struct CheckArgs {
    #[arg(long, value_name = "FILE", required_unless_present = "jsonl")]
    #[arg(help = "A CustomResourceDefinition; of several, each object has its own")]
    crd: Option<PathBuf>,

    /// The version of the CRD; by default the object's own, or else the one that is stored.
    #[arg(long, value_name = "VERSION", requires = "crd")]
    version: Option<String>,

    #[arg(long, value_name = "FILE", requires = "new", conflicts_with = "jsonl")]
    #[arg(
        help = "The object as it is stored, or a folder of such; without it, new ones are created"
    )]
    old: Option<PathBuf>,

    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    #[arg(help = "The object that a client sends, or a folder; without it, the CRD is checked")]
    new: Option<PathBuf>,

    /// The status is updated, and nothing else.
    #[arg(long, requires = "old", conflicts_with = "jsonl")]
    status: bool,

    /// Read cases from stdin, and answer each.
    #[arg(long)]
    jsonl: bool,

    #[command(flatten)]
    server: server::ServerArgs,
}

const USAGE: &str = "\
unionctl check --crd <FILE> [--version <VERSION>] [--old <FILE>] --new <FILE> [--status]
       unionctl check --crd <FILE> [--version <VERSION>] [--old <DIR>] --new <DIR> [--status]
       unionctl check --crd <FILE>
       unionctl check --jsonl < CASES";

const LONG_ABOUT: &str = "\
Ask what an API server will say to custom resources: what is wrong, and what is tolerated because \
it did not change.

With --old, the new object is an update of it; without, it is created. The object is judged as \
`kubectl replace` sends it: a manifest does not carry resourceVersion, uid, creationTimestamp, \
generation and managedFields, so these are taken from the stored object. So is the namespace; \
without one it is \"default\". A stored object without a resourceVersion gets one.

--new may be a folder: all .yaml, .yml and .json files in it and below, with all their documents \
and Lists. Objects that the CRD is not for are skipped, and counted. --old may be a folder too: \
objects are paired by kind, namespace and name, and one that is not stored yet is created.

Without --new, the CRD is checked: whether an API server would take it. Objects are judged by a \
CRD that it would refuse as well, as a server goes on with what it has stored.

With --jsonl, each line of stdin is
  {\"op\": \"create\" or \"update\" or \"status\", \"schema\": ..., \"old\": ..., \"new\": ..., \"settings\": ...}
and is answered at once with a line
  {\"object\": ..., \"errors\": [{\"type\", \"field\", \"text\"}], \"ratcheted\": [...], \"warnings\": [...]}
or, if it cannot be read, with {\"error\": ...}. The exit code is 0 then, whatever the answers say. \
What is left out of the settings is as the flags say:
  {\"policy\": \"kep-4008\", \"ratchet\": false, \"kube_version\": \"0.35\", \"unions\": true}
Two more lines are for schemas. To this one the answer is what an API server would refuse the \
schema for:
  {\"op\": \"crd\", \"schema\": ..., \"status_subresource\": true}
The other says what lines without a schema are judged by from then on; the answer is {}, or what an \
API server would refuse it for. At the start that is --crd, if it is given.
  {\"use\": {\"crd\": ..., \"version\": ...}} or {\"use\": {\"schema\": ..., \"status_subresource\": true}}
Where a schema has no CRD, objects are MyCoolCRDs of mygroup.example.com/v1beta1; what they leave \
out of apiVersion, kind and metadata is filled in, and left out of the answer.";

pub(crate) fn run(args: &CheckArgs, format: Format) -> Result<Verdict, Problem> {
    if args.jsonl {
        return jsonl::run(args);
    }
    let mut inputs = Inputs::default();
    // clap has seen to it.
    let Some(crd) = &args.crd else {
        return Err(Problem::new("check", "there is no CRD; give one by --crd"));
    };
    let crds = Crds::read(&mut inputs, "--crd", crd, args.version.clone())?;
    match &args.new {
        Some(new) => files::run(args, &mut inputs, crds, new, format),
        None => lint(&crds, format),
    }
}

/// Checks the CRDs themselves.
fn lint(crds: &Crds, format: Format) -> Result<Verdict, Problem> {
    let errors = crds.lint();
    let verdict = if errors.is_empty() {
        Verdict::Fine
    } else {
        Verdict::Refused
    };
    match format {
        Format::Json => output::json(&[serde_json::json!({ "errors": errors })])?,
        Format::Text => {
            let mut text = Text::default();
            text.section("wrong", BAD, errors.iter().map(Finding::line));
            match verdict {
                Verdict::Fine => text.line("accepted", GOOD),
                Verdict::Refused => text.line("refused", BAD),
            }
            text.print()?;
        }
    }
    Ok(verdict)
}
