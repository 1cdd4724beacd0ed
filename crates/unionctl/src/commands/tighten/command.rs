//! The arguments of `unionctl tighten`, and its implementation.

use std::path::PathBuf;

use k8s_crd_validation::ServerSettings;

use super::evaluate::ObjectEvaluator;
use super::report::TightenReport;
use crate::error::CommandError;
use crate::input::InputReader;
use crate::judge::crds::{CrdDiagnostics, Crds};
use crate::judge::object_args::ObjectArgs;
use crate::judge::objects::{InputObject, ObjectFiles};
use crate::judge::server_settings::CompilingServer;
use crate::judge::{manifest, server_settings};
use crate::output::print::{self, CommandStatus, TextOrJson};
use crate::output::table::pluralize;

/// Find stored objects that a new schema would reject, and the requests that would fail.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = server_settings::after_long_help(EXAMPLES))]
pub(crate) struct TightenArgs {
    #[arg(long, value_name = "OLD")]
    #[arg(
        help = "The old CustomResourceDefinition; if there are several, the kind of an object decides"
    )]
    crd: PathBuf,

    #[arg(long, value_name = "NEW")]
    #[arg(help = "The new CustomResourceDefinition")]
    crd_new: PathBuf,

    #[arg(
        short = 'f',
        long = "filename",
        alias = "objects",
        value_name = "FILE",
        required = true
    )]
    #[arg(
        help = "A folder of stored objects, or a file, as `kubectl get -A -o yaml` writes it; may be given several times"
    )]
    objects: Vec<PathBuf>,

    /// The version of the CRDs; by default the version of the object, or else the storage version.
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,

    #[command(flatten)]
    object_args: ObjectArgs,

    #[command(flatten)]
    server: server_settings::ServerArgs,
}

const LONG_ABOUT: &str = "\
Find stored objects that a new schema would reject, and the requests that would fail.

The first part lists the errors for which an API server would reject an update from the old CRD to the new one. Then, \
for each object and each error in it, you see the result of three requests with the new schema:

- create: the object is created, for example restored from a backup.
- unrelated update: an annotation is added, and nothing else changes.
- update of the field: only the invalid field changes, and it is still invalid. The request replaces an object without \
the field by your object. (If the error is that the field is missing, it replaces an object with the field.) A field of \
the status is changed by an update of the status. If the error has no field (\"<nil>\"), everything counts as changed.

An error is \"not evaluated\" in a request if other errors keep the server from evaluating the rules. If the old schema \
also rejects a create for the same reason, the line says that the error is not new.

Stored fields that only the old schema has are listed, because the next write of the object drops them. Fields that are not \
stored are listed if the schemas read them with different defaults; the object then reads otherwise as soon as the new \
CRD is installed, without a write.

Objects of other API groups are skipped and counted. Objects of the CRD's group that the CRD does not describe are named \
under \"not checked\"; with --strict-kinds, they are errors. An object without a namespace is in \"default\", or in that of --namespace. An object without \
a resourceVersion gets one, because manifests do not have it.

Exit code: 0 if the new CRD is accepted, no unrelated update is rejected, and no stored field is dropped, 1 otherwise; 2 \
if the command could not run. A changed default does not affect the exit code.";

const EXAMPLES: &str = "\
Example:
  unionctl tighten --crd database_crd.yaml \\
      --crd-new database_crd_tight.yaml -f databases";

pub(crate) fn run(args: &TightenArgs, format: TextOrJson) -> Result<CommandStatus, CommandError> {
    let mut inputs = InputReader::default();
    let version = &args.version;
    let old_crds = Crds::read_file(&mut inputs, "--crd", &args.crd, version.clone())?;
    let new_path = &args.crd_new;
    let new_crds =
        Crds::read_file_with_sources(&mut inputs, "--crd-new", new_path, version.clone())?;
    let settings = args.server.settings();
    let server = CompilingServer::from_settings(&settings);
    let (mut old_crds, mut new_crds) = (old_crds.with_server(server), new_crds.with_server(server));
    let files = ObjectFiles {
        flag: "--filename",
        paths: &args.objects,
        with_sources: false,
        args: &args.object_args,
    };
    let mut report = new_report(&new_crds, &old_crds)?;
    report.skipped_objects =
        files.for_each(&mut inputs, &mut new_crds, |mut object, new_crds| {
            let is_namespaced = new_crds.is_namespaced(object.crd);
            if let Some(namespace) = files.args.namespace.as_deref().filter(|_| is_namespaced) {
                manifest::set_missing_namespace(&mut object.value, namespace);
            }
            add_object(&mut report, object, &mut old_crds, new_crds, &settings)
        })?;
    report.has_strict_kinds = args.object_args.strict_kinds;
    match format {
        TextOrJson::Json => print::json(&[&report])?,
        TextOrJson::Text => report.render().print()?,
    }
    match report.skipped_objects.unreadable {
        0 => Ok(report.command_status()),
        unreadable_count => Err(CommandError::new(
            files.display_paths(),
            format!(
                "{} could not be read, so there is no verdict; see the errors above",
                pluralize(unreadable_count, "file")
            ),
        )),
    }
}

/// Returns the report on one stored object, for new CRDs that replace the old CRDs.
pub(crate) fn report_on_object(
    object: InputObject,
    old_crds: &mut Crds,
    new_crds: &mut Crds,
    settings: &ServerSettings,
) -> Result<TightenReport, CommandError> {
    let mut report = new_report(new_crds, old_crds)?;
    add_object(&mut report, object, old_crds, new_crds, settings)?;
    Ok(report)
}

/// Returns the report on the new CRDs, without objects.
fn new_report(new_crds: &Crds, old_crds: &Crds) -> Result<TightenReport, CommandError> {
    let diagnostics = CrdDiagnostics::merge(new_crds.validate(Some(old_crds))?);
    Ok(TightenReport::new(diagnostics, &new_crds.file))
}

/// Adds a stored object to the report. The object may lack fields that manifests do not have.
fn add_object(
    report: &mut TightenReport,
    mut object: InputObject,
    old_crds: &mut Crds,
    new_crds: &mut Crds,
    settings: &ServerSettings,
) -> Result<(), CommandError> {
    manifest::complete_stored(&mut object.value, new_crds.is_namespaced(object.crd));
    let has_status = new_crds.has_status_subresource(object.crd, &object.value);
    let old_schema = match old_crds.find(&object.value) {
        Some(old_crd) => Some(old_crds.schema(old_crd, &object.value)?),
        None => None,
    };
    let evaluator = ObjectEvaluator {
        schema: new_crds.schema(object.crd, &object.value)?,
        old_schema,
        has_status,
        settings,
    };
    report.add(&object, evaluator.evaluate(&object.value));
    Ok(())
}
