//! The arguments of `unionctl tighten`, and its implementation.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use k8s_crd_validation::ServerSettings;

use super::evaluate::{ObjectEvaluator, OldSchema};
use super::report::{ObjectReply, TightenReport};
use crate::cluster::args::SelectionArgs;
use crate::cluster::{Cluster, ClusterArgs, FileInputs, Program};
use crate::error::CommandError;
use crate::input::InputReader;
use crate::judge::crds::{CrdDiagnostics, Crds};
use crate::judge::job_args::JobArgs;
use crate::judge::object_args::ObjectArgs;
use crate::judge::objects::{InputObject, ObjectFiles};
use crate::judge::pipeline::{self, PushJob};
use crate::judge::server_settings::CompilingServer;
use crate::judge::stored_objects::StoredObjectQuery;
use crate::judge::{manifest, server_settings};
use crate::output::print::{self, CommandStatus, TextOrJson};

/// Find stored objects that a new schema would reject, and the requests that would fail.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = server_settings::after_long_help(EXAMPLES))]
pub(crate) struct TightenArgs {
    #[arg(long, value_name = "OLD", required_unless_present = "from_cluster")]
    #[arg(
        help = "The old CustomResourceDefinition; if there are several, the kind of an object decides; without --crd-new, the new one"
    )]
    crd: Option<PathBuf>,

    #[arg(long, value_name = "NEW", required_unless_present = "from_cluster")]
    #[arg(
        help = "The new CustomResourceDefinition; without --crd, the old one is read from the cluster"
    )]
    crd_new: Option<PathBuf>,

    #[arg(
        short = 'f',
        long = "filename",
        alias = "objects",
        value_name = "FILE",
        required_unless_present = "from_cluster"
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
    jobs: JobArgs,

    #[command(flatten)]
    server: server_settings::ServerArgs,

    #[command(flatten)]
    cluster: ClusterArgs,

    #[command(flatten)]
    selection: SelectionArgs,
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
also rejects a create for the same reason, the line says that the error is not new. With `-o json`, each error has the code \
with which `unionctl compat` reports the change; `compat` needs no stored objects, because it makes objects.

Stored fields that only the old schema has are listed, because the next write of the object drops them. Fields that are not \
stored are listed if the schemas read them with different defaults; the object then reads otherwise as soon as the new \
CRD is installed, without a write.

Objects of other API groups are skipped and counted. Objects of the CRD's group that the CRD does not describe are named \
under \"not checked\"; with --strict-kinds, they are errors. An object without a namespace is in \"default\", or in the namespace of --namespace. An object without \
a resourceVersion gets one, because manifests do not have it. An object of another version than its schema gets the version of the \
schema, as on a server; if a webhook converts the objects of the CRD, the object is named under \"not checked\".

Cluster. Without --filename, the stored objects are read from a cluster, by kubectl: those of the CRDs, in all namespaces or \
in the namespace of --namespace, with the labels of --selector (unionctl needs --from-cluster). If only one of --crd and --crd-new is given, it is the new \
CRD, and the cluster has the old one. The version of Kubernetes is read from the server. Objects are read page by page. All requests are reads.

Exit code: 0 if the new CRD is accepted, no unrelated update is rejected, and no stored field is dropped, 1 otherwise; 2 \
if the command could not run; 3 if nothing is wrong, but a part of the cluster could not be read. A changed default does not \
affect the exit code.";

const EXAMPLES: &str = "\
Examples:
  unionctl tighten --crd database_crd.yaml \\
      --crd-new database_crd_tight.yaml -f databases
  kubectl union tighten --crd database_crd_tight.yaml";

/// The CRDs of the command.
struct TightenInputs {
    inputs: InputReader,
    cluster: Option<Cluster>,
    settings: ServerSettings,
    old_crds: Crds,
    new_crds: Crds,
}

impl TightenInputs {
    fn read(args: &TightenArgs, program: Program) -> Result<Self, CommandError> {
        let mut inputs = InputReader::default();
        let has_files = args.crd.is_some() && args.crd_new.is_some() && !args.objects.is_empty();
        let mut cluster = args.cluster.cluster(program, FileInputs::new(has_files))?;
        if cluster.is_none() {
            args.selection.reject_without_cluster()?;
        }
        let settings = args.server.settings(cluster.as_ref())?;
        let server = CompilingServer::from_settings(&settings);
        let version = &args.version;
        let (old_path, new_flag, new_path) = match (&args.crd, &args.crd_new) {
            (old_path, Some(new_path)) => (old_path.as_ref(), "--crd-new", new_path),
            (Some(new_path), None) => (None, "--crd", new_path),
            (None, None) => {
                let message = "missing --crd-new, the new CustomResourceDefinition";
                return Err(CommandError::new("the command line", message));
            }
        };
        let old_crds = old_path
            .map(|path| Crds::read_file(&mut inputs, "--crd", path, version.clone()))
            .transpose()?;
        let new_crds =
            Crds::read_file_with_sources(&mut inputs, new_flag, new_path, version.clone())?;
        let new_crds = new_crds.with_server(server);
        let old_crds = match (old_crds, &mut cluster) {
            (Some(old_crds), _) => {
                print::notes(&new_crds.notes_on_new_crds(&old_crds));
                old_crds.with_server(server)
            }
            (None, Some(cluster)) => new_crds.read_stored_crds(cluster)?,
            // clap requires the flag without a cluster.
            (None, None) => return Err(CommandError::new("the command line", "missing --crd")),
        };
        Ok(Self {
            inputs,
            cluster,
            settings,
            old_crds,
            new_crds,
        })
    }

    /// Adds the objects of files to the report.
    fn add_files(
        &mut self,
        report: &mut TightenReport,
        files: ObjectFiles<'_>,
        thread_count: NonZeroUsize,
    ) -> Result<(), CommandError> {
        let Self {
            inputs,
            settings,
            old_crds,
            new_crds,
            ..
        } = self;
        let namespace = files.args.namespace.as_deref();
        report.skipped_objects = evaluate_in_order(report, thread_count, |push| {
            files.for_each(inputs, new_crds, |mut object, bytes, new_crds| {
                let is_namespaced = new_crds.is_namespaced(object.crd);
                if let Some(namespace) = namespace.filter(|_| is_namespaced) {
                    manifest::set_missing_namespace(&mut object.value, namespace);
                }
                let task = ObjectTask::new(object, old_crds, new_crds, settings)?;
                push(task, bytes);
                Ok(())
            })
        })?;
        Ok(())
    }

    /// Adds the stored objects of the cluster to the report.
    fn add_stored_objects(
        &mut self,
        report: &mut TightenReport,
        query: StoredObjectQuery<'_>,
        thread_count: NonZeroUsize,
    ) -> Result<(), CommandError> {
        let Some(cluster) = &mut self.cluster else {
            return Ok(());
        };
        let crds = self.new_crds.with_stored_crds(&self.old_crds);
        let crds: Vec<_> = crds
            .map(|(new_crd, stored_crd)| (new_crd.clone(), stored_crd.cloned()))
            .collect();
        for (new_crd, stored_crd) in crds {
            // If the stored CRD could not be read, its objects may still be readable.
            let can_be_stored = stored_crd.is_some() || cluster.unread_count() > 0;
            let Some(crd) = stored_crd.or(Some(new_crd)).filter(|_| can_be_stored) else {
                continue;
            };
            let (old_crds, settings) = (&mut self.old_crds, &self.settings);
            let new_crds = &mut self.new_crds;
            let error = evaluate_in_order(report, thread_count, |push| {
                query.for_each(cluster, &crd, new_crds, |object, bytes, new_crds| {
                    let task = ObjectTask::new(object, old_crds, new_crds, settings)?;
                    push(task, bytes);
                    Ok(())
                })
            })?;
            if let Some(error) = error {
                return Err(error);
            }
        }
        Ok(())
    }
}

pub(crate) fn run(
    args: &TightenArgs,
    program: Program,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
    let mut inputs = TightenInputs::read(args, program)?;
    let files = ObjectFiles {
        flag: "--filename",
        paths: &args.objects,
        with_sources: false,
        are_converted: true,
        args: &args.object_args,
    };
    let mut report = new_report(&inputs.new_crds, &inputs.old_crds)?;
    if args.objects.is_empty() {
        let query = StoredObjectQuery {
            args: &args.object_args,
            selection: &args.selection,
        };
        inputs.add_stored_objects(&mut report, query, args.jobs.thread_count())?;
    } else {
        inputs.add_files(&mut report, files, args.jobs.thread_count())?;
    }
    report.skipped_objects.unread_parts = inputs.cluster.as_ref().map_or(0, Cluster::unread_count);
    report.has_strict_kinds = args.object_args.strict_kinds;
    match format {
        TextOrJson::Json => print::json(&[&report])?,
        TextOrJson::Text => report.render().print()?,
    }
    match report.skipped_objects.unreadable {
        0 => Ok(report.command_status()),
        count => Err(print::unreadable_files(&files.display_paths(), count)),
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
    let task = ObjectTask::new(object, old_crds, new_crds, settings)?;
    report.add(task.evaluate());
    Ok(report)
}

/// Returns the report on the new CRDs, without objects.
fn new_report(new_crds: &Crds, old_crds: &Crds) -> Result<TightenReport, CommandError> {
    let diagnostics = CrdDiagnostics::merge(new_crds.validate(Some(old_crds))?);
    Ok(TightenReport::new(diagnostics, &new_crds.file))
}

/// A stored object to evaluate, with its schemas.
struct ObjectTask<'s> {
    object: InputObject,
    evaluator: ObjectEvaluator<'s>,
}

/// Runs `feed`, which pushes stored objects, and adds the replies to the report in the same order.
fn evaluate_in_order<'s, T>(
    report: &mut TightenReport,
    thread_count: NonZeroUsize,
    feed: impl FnOnce(PushJob<'_, ObjectTask<'s>>) -> T,
) -> T {
    let add_reply = |reply| report.add(reply);
    pipeline::run(thread_count, ObjectTask::evaluate, add_reply, feed)
}

impl<'s> ObjectTask<'s> {
    /// Completes a stored object, which may lack fields that manifests do not have, and compiles
    /// its schemas.
    fn new(
        mut object: InputObject,
        old_crds: &mut Crds,
        new_crds: &mut Crds,
        settings: &'s ServerSettings,
    ) -> Result<Self, CommandError> {
        manifest::complete_stored(&mut object.value, new_crds.is_namespaced(object.crd));
        new_crds.convert(object.crd, &mut object.value);
        let has_status = new_crds.has_status_subresource(object.crd, &object.value);
        let old_crd = old_crds.find(&object.value);
        let old_crd = old_crd.filter(|id| !old_crds.needs_webhook(*id, &object.value));
        let old_schema = match old_crd {
            Some(old_crd) => Some(OldSchema {
                schema: old_crds.schema(old_crd, &object.value)?,
                api_version: old_crds.converted_api_version(old_crd, &object.value),
            }),
            None => None,
        };
        let evaluator = ObjectEvaluator {
            schema: new_crds.schema(object.crd, &object.value)?,
            old_schema,
            has_status,
            settings,
        };
        Ok(Self { object, evaluator })
    }

    fn evaluate(self) -> ObjectReply {
        let outcome = self.evaluator.evaluate(&self.object.value);
        ObjectReply::new(&self.object, outcome)
    }
}
