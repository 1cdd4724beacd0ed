//! The arguments of `unionctl upgrade`, and its implementation.

use std::collections::HashMap;
use std::path::PathBuf;
use std::str::FromStr as _;

use k8s_crd_validation::KubeVersion;
use k8s_upgrade::{SchemaPair, Upgrade};

use super::report::{Place, UpgradeReport};
use super::{sarif, text};
use crate::error::CommandError;
use crate::input::{InputReader, object};
use crate::judge::crds::{CrdId, Crds, report_error};
use crate::judge::manifest;
use crate::judge::object_args::ObjectArgs;
use crate::judge::objects::{InputObject, ObjectFiles};
use crate::judge::server_settings::{self, version_help};
use crate::output::print::{self, CommandStatus, OutputFormat};
use crate::output::table::pluralize;

/// Find the requests that another version of Kubernetes answers differently.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = server_settings::after_long_help(EXAMPLES))]
pub(crate) struct UpgradeArgs {
    #[arg(long, value_name = "VERSION", value_parser = KubeVersion::from_str)]
    #[arg(help = version_help("The version of Kubernetes before the upgrade"))]
    from: KubeVersion,

    /// The version of Kubernetes after the upgrade. An older version is a rollback.
    #[arg(long, value_name = "VERSION", default_value_t, value_parser = KubeVersion::from_str)]
    to: KubeVersion,

    #[arg(long, value_name = "CRD")]
    #[arg(help = "The stored CustomResourceDefinitions")]
    crd: PathBuf,

    #[arg(short = 'f', long = "filename", alias = "objects", value_name = "FILE")]
    #[arg(
        help = "A folder of stored objects, or a file, as `kubectl get -A -o yaml` writes it; may be given several times"
    )]
    objects: Vec<PathBuf>,

    /// The version of the CRDs; by default the version of the object, or else the storage version.
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,

    #[command(flatten)]
    object_args: ObjectArgs,

    /// Also list differences that do not affect the result of a request: messages, warnings and
    /// estimated costs.
    #[arg(long)]
    all: bool,
}

const LONG_ABOUT: &str = "\
Find the requests that another version of Kubernetes answers differently.

Each CRD is created, and updated without a change of its spec. Each object is created (for example restored from a \
backup), updated with another annotation, and updated with all fields changed; its status likewise. The answers of both \
versions are compared, and a difference is listed below the change of Kubernetes that causes the difference. The rules of \
a CRD count as stored when objects are validated.

A difference is breaking if a request was accepted before the upgrade and is rejected after the upgrade. Other \
differences of errors and of stored objects are listed, too. Differences of messages, warnings and estimated costs are \
counted; --all lists them.

Exit code: 0 if no difference is breaking, 1 otherwise; 2 if the command could not run.";

const EXAMPLES: &str = "\
Example:
  kubectl get crd -o yaml > crd.yaml
  unionctl upgrade --from 1.33 --to 1.37 --crd crd.yaml -f databases";

pub(crate) fn run(args: &UpgradeArgs, output: OutputFormat) -> Result<CommandStatus, CommandError> {
    let mut inputs = InputReader::default();
    let version = args.version.clone();
    let mut crds = Crds::read_file_with_sources(&mut inputs, "--crd", &args.crd, version)?;
    let upgrade = Upgrade::new(args.from, args.to);
    let mut report = UpgradeReport::new(args.from, args.to);
    add_crds(&mut report, upgrade, &crds);
    report.has_strict_kinds = args.object_args.strict_kinds;
    if !args.objects.is_empty() {
        let files = ObjectFiles {
            flag: "--filename",
            paths: &args.objects,
            with_sources: true,
            args: &args.object_args,
        };
        let mut schemas = HashMap::new();
        report.skipped_objects = files.for_each(&mut inputs, &mut crds, |mut object, crds| {
            let is_namespaced = crds.is_namespaced(object.crd);
            if let Some(namespace) = files.args.namespace.as_deref().filter(|_| is_namespaced) {
                manifest::set_missing_namespace(&mut object.value, namespace);
            }
            add_object(&mut report, upgrade, object, crds, &mut schemas)
        })?;
    }
    match output {
        OutputFormat::Text => text::render(&report, args.all).print()?,
        OutputFormat::Json => print::json(&[&report])?,
        OutputFormat::Sarif => print::json(&[sarif::sarif_log(&report)])?,
    }
    match report.skipped_objects.unreadable {
        0 => Ok(report.command_status()),
        unreadable_count => Err(CommandError::new(
            "--filename",
            format!(
                "{} could not be read, so there is no verdict; see the errors above",
                pluralize(unreadable_count, "file")
            ),
        )),
    }
}

fn add_crds(report: &mut UpgradeReport, upgrade: Upgrade, crds: &Crds) {
    for (file, crd, source) in crds.with_sources() {
        let mut stored_crd = crd.clone();
        manifest::complete_stored_crd(&mut stored_crd);
        let place = Place {
            file,
            title: object::display_name(crd),
            source,
        };
        report.summary.crds += 1;
        report.add(&place, upgrade.compare_crd(&stored_crd));
    }
}

/// The compiled schemas, by the CRD and the name of the version.
type Schemas = HashMap<(CrdId, String), SchemaPair>;

fn add_object(
    report: &mut UpgradeReport,
    upgrade: Upgrade,
    mut object: InputObject,
    crds: &Crds,
    schemas: &mut Schemas,
) -> Result<(), CommandError> {
    manifest::complete_stored(&mut object.value, crds.is_namespaced(object.crd));
    let version = crds.version_name(object.crd, &object.value);
    let version = version.unwrap_or_default();
    let key = (object.crd, version);
    if !schemas.contains_key(&key) {
        let schema = upgrade.schema(crds.document(object.crd), &key.1);
        let schema = schema.map_err(|errors| report_error(&crds.file, &errors))?;
        schemas.insert(key.clone(), schema);
    }
    let Some(schema) = schemas.get_mut(&key) else {
        return Ok(());
    };
    let findings = schema.compare_object(&object.value);
    report.summary.objects += 1;
    let place = Place {
        file: &object.file,
        title: object.title(),
        source: object.source.as_ref(),
    };
    report.add(&place, findings);
    Ok(())
}
