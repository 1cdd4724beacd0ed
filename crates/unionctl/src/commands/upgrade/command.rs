//! The arguments of `unionctl upgrade`, and its implementation.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::{Arc, PoisonError, RwLock};

use k8s_crd_validation::KubeVersion;
use k8s_upgrade::{SchemaPair, Upgrade};
use serde_json::Value;

use super::report::{Place, UpgradeReport};
use super::{sarif, text};
use crate::cluster::args::SelectionArgs;
use crate::cluster::{CLUSTER, Cluster, ClusterArgs, FileInputs, Program};
use crate::error::{CommandError, reject_flags};
use crate::input::{Documents, InputReader, object};
use crate::judge::crds::{CrdId, Crds, report_error};
use crate::judge::job_args::JobArgs;
use crate::judge::manifest;
use crate::judge::object_args::ObjectArgs;
use crate::judge::objects::{InputObject, ObjectFiles};
use crate::judge::pipeline::{self, PushJob};
use crate::judge::server_settings::{self, version_help};
use crate::judge::stored_objects::StoredObjectQuery;
use crate::output::print::{self, CommandStatus, OutputFormat};

/// Find the requests that another version of Kubernetes answers differently.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = server_settings::after_long_help(EXAMPLES))]
pub(crate) struct UpgradeArgs {
    #[arg(long, value_name = "VERSION", value_parser = KubeVersion::from_str)]
    #[arg(required_unless_present = "from_cluster")]
    #[arg(help = from_help())]
    from: Option<KubeVersion>,

    /// The version of Kubernetes after the upgrade. An older version is a rollback.
    #[arg(long, value_name = "VERSION", default_value_t, value_parser = KubeVersion::from_str)]
    to: KubeVersion,

    #[arg(long, value_name = "CRD", required_unless_present = "from_cluster")]
    #[arg(help = "The stored CustomResourceDefinitions")]
    crd: Option<PathBuf>,

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

    #[command(flatten)]
    jobs: JobArgs,

    /// Also list differences that do not affect the result of a request: messages, warnings and
    /// estimated costs.
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    cluster: ClusterArgs,

    #[command(flatten)]
    selection: SelectionArgs,
}

fn from_help() -> String {
    let help = version_help("The version of Kubernetes before the upgrade");
    format!("{help}; by default the version of the cluster")
}

const LONG_ABOUT: &str = "\
Find the requests that another version of Kubernetes answers differently.

Each CRD is created, and updated without a change of its spec. Each object is created (for example restored from a \
backup), updated with another annotation, and updated with all fields changed; its status likewise. The answers of both \
versions are compared, and a difference is listed below the change of Kubernetes that causes the difference. The rules of \
a CRD count as stored when objects are validated. An object of another version than its schema gets the version of the schema, as \
on a server; if a webhook converts the objects of the CRD, the object is not checked.

A difference is breaking if a request was accepted before the upgrade and is rejected after the upgrade. Other \
differences of errors and of stored objects are listed, too. Differences of messages, warnings and estimated costs are \
counted; --all lists them.

Cluster. Without --crd, the CRDs and, without --filename, the stored objects are read from a cluster, by kubectl (unionctl needs \
--from-cluster): objects of all namespaces or of that of --namespace, with the labels of --selector. The version before the upgrade is that of \
the server. Objects are read page by page. All requests are reads.

Exit code: 0 if no difference is breaking, 1 otherwise; 2 if the command could not run; 3 if no difference is breaking, but a \
part of the cluster could not be read.";

const EXAMPLES: &str = "\
Examples:
  kubectl get crd -o yaml > crd.yaml
  unionctl upgrade --from 1.33 --to 1.37 --crd crd.yaml -f databases
  kubectl union upgrade --to 1.37";

pub(crate) fn run(
    args: &UpgradeArgs,
    program: Program,
    output: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    let file_inputs = FileInputs::new(args.crd.is_some());
    let mut cluster = args.cluster.cluster(program, file_inputs)?;
    if cluster.is_none() {
        args.selection.reject_without_cluster()?;
        if args.objects.is_empty() {
            let flags = args.object_args.given_flags();
            reject_flags(&flags, " without --filename; remove it")?;
        }
    }
    let from = match (args.from, &cluster) {
        (Some(from), _) => from,
        (None, Some(cluster)) => cluster.version()?,
        (None, None) => {
            let message = "missing --from, the version before the upgrade";
            return Err(CommandError::new("the command line", message));
        }
    };
    let mut report = UpgradeReport::new(from, args.to);
    report.has_strict_kinds = args.object_args.strict_kinds;
    let mut comparison = Comparison {
        args,
        upgrade: Upgrade::new(from, args.to),
        report: &mut report,
    };
    match &mut cluster {
        Some(cluster) if args.objects.is_empty() => comparison.add_stored_objects(cluster)?,
        cluster => comparison.add_files(cluster.as_mut())?,
    }
    report.skipped_objects.unread_parts = cluster.as_ref().map_or(0, Cluster::unread_count);
    match output {
        OutputFormat::Text => text::render(&report, args.all).print()?,
        OutputFormat::Json => print::json(&[&report])?,
        OutputFormat::Sarif => print::json(&[sarif::sarif_log(&report)])?,
    }
    match report.skipped_objects.unreadable {
        0 => Ok(report.command_status()),
        count => Err(print::unreadable_files("--filename", count)),
    }
}

/// The comparison of two versions of Kubernetes.
struct Comparison<'c> {
    args: &'c UpgradeArgs,
    upgrade: Upgrade,
    report: &'c mut UpgradeReport,
}

impl Comparison<'_> {
    /// Adds the CRDs, which may be those of a cluster, and the objects of files, if any.
    fn add_files(&mut self, cluster: Option<&mut Cluster>) -> Result<(), CommandError> {
        let args = self.args;
        let mut inputs = InputReader::default();
        let mut crds = match (&args.crd, cluster) {
            (Some(path), _) => self.read_crds(&mut inputs, path)?,
            (None, Some(cluster)) => Crds::from_cluster_documents(&cluster.crds(|_| true)?),
            // clap requires the flag without a cluster.
            (None, None) => return Err(CommandError::new("the command line", "missing --crd")),
        };
        add_crds(self.report, self.upgrade, &crds);
        if args.objects.is_empty() {
            return Ok(());
        }
        let files = ObjectFiles {
            flag: "--filename",
            paths: &args.objects,
            with_sources: true,
            are_converted: true,
            args: &args.object_args,
        };
        let mut schemas = HashMap::new();
        let (upgrade, report) = (self.upgrade, &mut *self.report);
        let thread_count = args.jobs.thread_count();
        let skipped_objects = evaluate_in_order(report, thread_count, |push| {
            files.for_each(&mut inputs, &mut crds, |mut object, bytes, crds| {
                let is_namespaced = crds.is_namespaced(object.crd);
                if let Some(namespace) = files.args.namespace.as_deref().filter(|_| is_namespaced) {
                    manifest::set_missing_namespace(&mut object.value, namespace);
                }
                push(ObjectTask::new(object, upgrade, crds, &mut schemas)?, bytes);
                Ok(())
            })
        })?;
        self.report.skipped_objects = skipped_objects;
        Ok(())
    }

    fn read_crds(&self, inputs: &mut InputReader, path: &Path) -> Result<Crds, CommandError> {
        let version = self.args.version.clone();
        let crds = Crds::read_file_with_sources(inputs, "--crd", path, version)?;
        crds.require_v1()?;
        Ok(crds)
    }

    /// Adds the CRDs of a file or of a cluster, and the objects that the cluster stores.
    fn add_stored_objects(&mut self, cluster: &mut Cluster) -> Result<(), CommandError> {
        if let Some(path) = &self.args.crd {
            let mut crds = self.read_crds(&mut InputReader::default(), path)?;
            let documents = crds.with_sources().map(|(_, crd, _)| crd.clone());
            let documents: Vec<Value> = documents.collect();
            add_crds(self.report, self.upgrade, &crds);
            for document in &documents {
                self.add_objects_of_crd(cluster, document, &mut crds)?;
            }
            return Ok(());
        }
        for crd in cluster.crd_strings()? {
            let documents = Documents::from_values(CLUSTER, vec![crd.parse()]);
            let mut crds = Crds::from_cluster_documents(&documents);
            add_crds(self.report, self.upgrade, &crds);
            for document in &documents.values {
                self.add_objects_of_crd(cluster, document, &mut crds)?;
            }
        }
        Ok(())
    }

    /// Adds the stored objects of a CRD. A CRD whose schema does not compile is reported.
    fn add_objects_of_crd(
        &mut self,
        cluster: &mut Cluster,
        crd: &Value,
        crds: &mut Crds,
    ) -> Result<(), CommandError> {
        let query = StoredObjectQuery {
            args: &self.args.object_args,
            selection: &self.args.selection,
        };
        let mut schemas = HashMap::new();
        let (upgrade, report) = (self.upgrade, &mut *self.report);
        let thread_count = self.args.jobs.thread_count();
        let error = evaluate_in_order(report, thread_count, |push| {
            query.for_each(cluster, crd, crds, |object, bytes, crds| {
                push(ObjectTask::new(object, upgrade, crds, &mut schemas)?, bytes);
                Ok(())
            })
        })?;
        if let Some(error) = error {
            cluster.skip(&object::display_name(crd), error.message());
        }
        Ok(())
    }
}

/// Compares the answers of two versions to the requests for CRDs and for objects.
pub(crate) fn report_on_objects(
    [from, to]: [KubeVersion; 2],
    crds: &Crds,
    objects: impl IntoIterator<Item = InputObject>,
) -> Result<UpgradeReport, CommandError> {
    let upgrade = Upgrade::new(from, to);
    let mut report = UpgradeReport::new(from, to);
    add_crds(&mut report, upgrade, crds);
    let mut schemas = HashMap::new();
    for object in objects {
        let task = ObjectTask::new(object, upgrade, crds, &mut schemas)?;
        add_object(&mut report, &task.evaluate());
    }
    Ok(report)
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

/// A compiled schema. Threads compare answers at the same time, and one thread searches for causes.
type SharedSchema = Arc<RwLock<SchemaPair>>;

/// The compiled schemas, by the CRD and the name of the version.
type Schemas = HashMap<(CrdId, String), SharedSchema>;

/// A stored object to compare, with its schema.
struct ObjectTask {
    object: InputObject,
    schema: SharedSchema,
}

/// A compared object.
struct ComparedObject {
    task: ObjectTask,
    has_findings: bool,
}

impl ObjectTask {
    /// Completes a stored object, and compiles its schema.
    fn new(
        mut object: InputObject,
        upgrade: Upgrade,
        crds: &Crds,
        schemas: &mut Schemas,
    ) -> Result<Self, CommandError> {
        manifest::complete_stored(&mut object.value, crds.is_namespaced(object.crd));
        crds.convert(object.crd, &mut object.value);
        let version = crds.version_name(object.crd, &object.value);
        let version = version.unwrap_or_default();
        let schema = match schemas.entry((object.crd, version)) {
            Entry::Occupied(entry) => Arc::clone(entry.get()),
            Entry::Vacant(entry) => {
                let schema = upgrade.schema(crds.document(object.crd), &entry.key().1);
                let schema = schema.map_err(|errors| report_error(&crds.file, &errors))?;
                Arc::clone(entry.insert(Arc::new(RwLock::new(schema))))
            }
        };
        Ok(Self { object, schema })
    }

    fn evaluate(self) -> ComparedObject {
        let schema = self.schema.read().unwrap_or_else(PoisonError::into_inner);
        let has_findings = schema.has_findings(&self.object.value);
        drop(schema);
        ComparedObject {
            task: self,
            has_findings,
        }
    }
}

/// Runs `feed`, which pushes stored objects, and adds the findings to the report in the same order.
fn evaluate_in_order<T>(
    report: &mut UpgradeReport,
    thread_count: NonZeroUsize,
    feed: impl FnOnce(PushJob<'_, ObjectTask>) -> T,
) -> T {
    let add_object = |object| add_object(report, &object);
    pipeline::run(thread_count, ObjectTask::evaluate, add_object, feed)
}

/// Adds an object to the report, and searches for the causes of its findings. The objects must be
/// added in order, because the causes of earlier findings are tried first.
fn add_object(report: &mut UpgradeReport, compared: &ComparedObject) {
    report.summary.objects += 1;
    if !compared.has_findings {
        return;
    }
    let ObjectTask { object, schema } = &compared.task;
    let mut schema = schema.write().unwrap_or_else(PoisonError::into_inner);
    let findings = schema.compare_object(&object.value);
    let place = Place {
        file: &object.file,
        title: object.title(),
        source: object.source.as_ref(),
    };
    report.add(&place, findings);
}
