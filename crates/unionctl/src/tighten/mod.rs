//! `unionctl tighten`: what a new schema does to the objects that are stored, before it is rolled out.

mod finding;
mod judge;
mod place;
mod report;
mod touch;

use std::path::PathBuf;

use crate::crds::Crds;
use crate::input::Inputs;
use crate::manifest;
use crate::objects::From;
use crate::output::{self, Format, Verdict};
use crate::problem::Problem;
use crate::server;
use crate::table::count;
use judge::Judge;
use report::Report;

/// Ask which stored objects a new schema would refuse, and at which requests.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(crate) struct TightenArgs {
    #[arg(long, value_name = "OLD")]
    #[arg(help = "The CustomResourceDefinition as it is; of several, each object has its own")]
    crd: PathBuf,

    #[arg(long, value_name = "NEW")]
    #[arg(help = "The CustomResourceDefinition as it is to be")]
    crd_new: PathBuf,

    #[arg(long, value_name = "DIR")]
    #[arg(help = "A folder of stored objects, or a file, as `kubectl get -A -o yaml` writes it")]
    objects: PathBuf,

    /// The version of the CRDs; by default the object's own, or else the one that is stored.
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,

    #[command(flatten)]
    server: server::ServerArgs,
}

const LONG_ABOUT: &str = "\
Ask which stored objects a new schema would refuse, and at which requests.

First comes what an API server would refuse the new CRD itself for. Then, for each object and each \
error in it, what becomes of three requests by the new schema:

- create: the object as it is, as a restore from a backup does it.
- unrelated update: an annotation is added, and nothing else changes.
- update of the field: the object as it is, sent to one that is stored without that field (or with \
it, where the error is that the field is missing). So the field is changed and still wrong, and the \
rest is unchanged. A field of the status is changed by an update of the status. Where no field can \
be named (\"<nil>\"), nothing is taken to be unchanged.

A request is \"unchecked\" for an error if a server does not get to it, as other errors keep it from \
evaluating the rules. It is also said whether the old schema refuses a create for the same reason, \
so that it is nothing new.

Objects that no CRD is for are skipped, and counted. One without a namespace is in \"default\", and \
one without a resourceVersion gets one, as manifests have none.

Exit code: 0 if the new CRD is accepted and no unrelated update is refused; 1 otherwise, 2 wrong use.";

pub(crate) fn run(args: &TightenArgs, format: Format) -> Result<Verdict, Problem> {
    let mut inputs = Inputs::default();
    let version = &args.version;
    let mut old_crds = Crds::read(&mut inputs, "--crd", &args.crd, version.clone())?;
    let mut crds = Crds::read(&mut inputs, "--crd-new", &args.crd_new, version.clone())?;
    let from = From {
        flag: "--objects",
        path: &args.objects,
    };
    let settings = args.server.settings();
    let mut report = Report::new(crds.lint());
    report.left_out = from.each(&mut inputs, &mut crds, |mut object, crds| {
        manifest::complete_stored(&mut object.value, crds.is_namespaced(object.crd));
        let has_status = crds.has_status(object.crd, &object.value);
        let was = match old_crds.find(&object.value) {
            Some(crd) => Some(old_crds.schema(crd, &object.value)?),
            None => None,
        };
        let judge = Judge {
            schema: crds.schema(object.crd, &object.value)?,
            was,
            has_status,
            settings: &settings,
        };
        report.add(&object, judge.judge(&object.value));
        Ok(())
    })?;
    match format {
        Format::Json => output::json(&[&report])?,
        Format::Text => report.text().print()?,
    }
    match report.left_out.unread {
        0 => Ok(report.verdict()),
        unread => Err(Problem::new(
            args.objects.display().to_string(),
            format!(
                "{} could not be read; correct what is said above",
                count(unread, "file")
            ),
        )),
    }
}
