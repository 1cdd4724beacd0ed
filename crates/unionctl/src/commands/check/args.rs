//! The arguments of `unionctl check`, and its help.

use std::path::PathBuf;

use clap::ValueEnum;
use k8s_crd_validation::{FieldValidation, ServerSettings};

use crate::cluster::{Cluster, ClusterArgs, FileInputs, Program};
use crate::error::{CommandError, reject_flags};
use crate::judge::object_args::ObjectArgs;
use crate::judge::server_settings::{self, Validate};

/// Validate custom resources as an API server does, and show which errors it tolerates in unchanged
/// fields.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = server_settings::after_long_help(EXAMPLES))]
pub(crate) struct CheckArgs {
    #[arg(value_name = "FILES", conflicts_with_all = ["crd", "old_crd", "version", "old", "new", "jsonl", "from_cluster"])]
    #[arg(
        help = "Files whose CRDs are checked, such as the files of a commit; files without a CRD are ignored"
    )]
    pub(super) files: Vec<PathBuf>,

    #[arg(long, value_name = "FILE", required_unless_present_any = ["jsonl", "files", "new", "from_cluster"])]
    #[arg(
        help = "A CustomResourceDefinition, or a folder with several; the kind of an object decides"
    )]
    pub(super) crd: Option<PathBuf>,

    #[arg(long, value_name = "FILE", requires = "crd")]
    #[arg(conflicts_with_all = ["new", "jsonl", "from_cluster"])]
    #[arg(
        help = "The stored CRD, as `kubectl get -o yaml` prints it, which the CRD of --crd replaces"
    )]
    pub(super) old_crd: Option<PathBuf>,

    /// The version of the CRD; by default the version of the object, or else the storage version.
    #[arg(long, value_name = "VERSION", requires = "crd")]
    pub(super) version: Option<String>,

    #[arg(long, value_name = "FILE", requires = "new", conflicts_with = "jsonl")]
    #[arg(
        help = "The stored object, or a folder of objects; without it, each request is a create"
    )]
    pub(super) old: Option<PathBuf>,

    #[arg(short = 'f', long = "filename", alias = "new", value_name = "FILE")]
    #[arg(conflicts_with = "jsonl")]
    #[arg(
        help = "The object that a client sends, or a folder of objects; may be given several times; without it, only the CRD is checked"
    )]
    pub(super) new: Vec<PathBuf>,

    /// The subresource that an update is sent to.
    #[arg(long, value_enum, value_name = "NAME", requires = "old", conflicts_with_all = ["jsonl", "status"])]
    subresource: Option<Subresource>,

    #[arg(long, hide = true, requires = "old", conflicts_with = "jsonl")]
    status: bool,

    /// Read requests from stdin, one per line, and print a reply to each.
    #[arg(long)]
    pub(super) jsonl: bool,

    #[arg(long, value_enum, value_name = "VALIDATION", num_args = 0..=1)]
    #[arg(default_missing_value = "strict")]
    #[arg(
        help = "Unknown fields and duplicate keys: an error (strict or true, the default for files), \
                a warning (warn, the default for lines), or neither (ignore or false)"
    )]
    validate: Option<Validate>,

    #[command(flatten)]
    pub(super) objects: ObjectArgs,

    #[command(flatten)]
    server: server_settings::ServerArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// The subresources that a custom resource may have.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Subresource {
    Status,
}

impl CheckArgs {
    /// Returns true for updates of the status.
    pub(super) const fn updates_status(&self) -> bool {
        self.status || matches!(self.subresource, Some(Subresource::Status))
    }

    /// Returns the cluster that supplies CRDs and stored objects; `None` if all inputs are files.
    pub(super) fn cluster(&self, program: Program) -> Result<Option<Cluster>, CommandError> {
        let has_crds = self.crd.is_some() || !self.files.is_empty();
        self.cluster.cluster(program, FileInputs::new(has_crds))
    }

    /// Returns an error for a flag that has no effect on JSON lines or on CRDs alone.
    pub(super) fn reject_ineffective_flags(&self) -> Result<(), CommandError> {
        let object_flags = self.objects.given_flags();
        if self.jsonl {
            self.cluster.reject_with_lines()?;
            return reject_flags(&object_flags, " with --jsonl; remove it");
        }
        if self.new.is_empty() {
            return reject_flags(&object_flags, " without --filename; remove it");
        }
        Ok(())
    }

    /// Returns the settings for files, which kubectl sends with strict validation.
    pub(super) fn file_settings(
        &self,
        cluster: Option<&Cluster>,
    ) -> Result<ServerSettings, CommandError> {
        let settings = self.server.settings(cluster)?;
        Ok(self.with_validation(settings, FieldValidation::Strict))
    }

    /// Returns the settings for JSON lines, which equal a request without the parameter
    /// `fieldValidation`.
    pub(super) fn line_settings(&self) -> ServerSettings {
        let settings = self.server.settings_without_cluster();
        self.with_validation(settings, FieldValidation::Warn)
    }

    fn with_validation(
        &self,
        settings: ServerSettings,
        default: FieldValidation,
    ) -> ServerSettings {
        let validation = self.validate.map_or(default, FieldValidation::from);
        settings.field_validation(validation)
    }
}

/// The usage lines of the subcommand.
pub(crate) const USAGES: [&str; 6] = [
    "--crd <FILE> [--version <VERSION>]\n            [--old <FILE>] -f <FILE>",
    "--crd <FILE> [--version <VERSION>]\n            [--old <DIR>] -f <DIR>",
    "--crd <FILE> [--old-crd <FILE>]",
    "--from-cluster [-f <FILE>]",
    "<FILES>...",
    "--jsonl < REQUESTS",
];

const LONG_ABOUT: &str = "\
Validate custom resources as an API server does, and show which errors it tolerates in unchanged \
fields.

Objects. With --old, the request is an update of the stored object; without it, a create. An update is checked as \
`kubectl replace` sends it: manifests do not have resourceVersion, uid, creationTimestamp, generation and \
managedFields, so these fields are copied from the stored object. The namespace is copied too; without a stored \
object it is \"default\". With --namespace, it is that namespace, and an object of another namespace is an error, as in \
kubectl. A stored object without a resourceVersion gets one.

Folders. --crd, --old-crd and --filename may be folders, and --filename may be given several times: all .yaml, .yml and .json files in them and in \
their subfolders are read, also compressed with gzip (.yaml.gz), with all documents and lists. A list is a List or, for example, a \
DatabaseList, as an API server or `kubectl get` writes it; its objects may lack apiVersion and kind. Objects of other API groups are skipped and counted. \
Objects of the CRD's group that the CRD does not describe, such as another kind, are named under \"not checked\"; with \
--strict-kinds, they are errors. --old may be a folder too: objects are paired by kind, namespace and name, and an object \
that is not stored yet is created.

Unknown fields. Fields that the schema does not describe, and duplicate keys, are errors, because kubectl requests \
strict validation. With --validate=warn, they are warnings; with --validate=ignore, they are not reported. In each case, \
a server drops unknown fields, and keeps the last value of a key. The output has the server's message, the position of \
each field and, if the schema has a similar name, \"did you mean\". A CRD that is checked is treated in the same way. If \
objects are checked, the CRD counts as stored: unknown keywords in it are notes (none with --validate=ignore), and a \
duplicate key is an error.

CRDs. Without --filename, the whole CRD is checked, or each CRD of FILES: names, versions, schemas, columns, conversion. Notes name the fields \
that a server does not store because their value is empty, such as shortNames: []; in JSON, \"stored\" is the CRD as a \
server stores it. With --old-crd, the CRD \
replaces the old CRD, and errors that the old CRD has too may be tolerated. The old CRD counts as established, unless a \
condition in its status states the opposite. Objects are checked even if an API server would reject the CRD, because a \
server keeps using a CRD that it has stored.

Hints. A line below an error is a hint, which is not part of the server's message: the fields to remove or to set so \
that anyOf, oneOf or not holds (a null counts as set), the bounds that make a CEL rule cheap enough, the reason why an \
error that the stored object has too is not tolerated, or a value that needs quotes. In JSON, the error has \"hints\".

Built-in kinds. Without --crd, the unions of objects of built-in kinds, such as Pods, are checked. Nothing else of these objects is \
checked, because API servers validate the rest by code. Without a cluster, all objects must be of built-in kinds.

Cluster. Without --crd, the CRDs are read from a cluster, by kubectl (unionctl needs --from-cluster). An object that is stored \
there is updated, unless --old has the stored objects; other objects are created. An object without a namespace is in the namespace of the \
context. The version is that of the server. With --from-cluster and without --filename, all CRDs of the cluster are checked; \
with --crd, the CRD is an update of the stored CRD. All requests are reads.

JSON lines. With --jsonl, each line of stdin is a request:
  {\"op\": \"create\" or \"update\" or \"status\", \"schema\": ..., \"old\": ..., \"new\": ..., \"settings\": ...}
The reply is a line
  {\"object\": ..., \"errors\": [{\"type\", \"field\", \"text\"}], \"ratcheted\": [...], \"warnings\": [...], \"hints\": [{\"error\", \"text\"}]}
or {\"error\": ...} for an invalid request. The exit code is then 0, even if requests are rejected. These are the \
settings of a line; a flag applies to lines without the setting:
  {\"policy\": \"kep-4008\", \"ratchet\": false, \"kube_version\": \"1.35\", \"unions\": true, \
\"field_validation\": \"strict\"}
Unknown fields and duplicate keys are warnings by default, as in a request without parameters. A reply with unknown \
fields has \"unknown_fields\": [{\"field\", \"near\"}]; \"near\" is the name that was probably meant. If the \"schema\" of \
a line has unknown keywords, the reply has \"schema_unknown_fields\".

A line can also check a CRD, an update of the CRD \"old\", or a schema. The reply has the errors for which an API server \
would reject it, and the warnings:
  {\"op\": \"crd\", \"crd\": ..., \"old\": ...}
  {\"op\": \"crd\", \"schema\": ..., \"status_subresource\": true}
A line with \"use\" replaces --crd for all later lines without a schema. The reply is {}, or the errors for which an API \
server would reject the CRD or schema, and the warnings about unknown keywords:
  {\"use\": {\"crd\": ..., \"version\": ...}} or {\"use\": {\"schema\": ..., \"status_subresource\": true}}
With a schema instead of a CRD, objects with apiVersion and kind may be of any kind. In other objects, missing \
apiVersion, kind and metadata are filled in before the check, as for a MyCoolCRD of mygroup.example.com/v1beta1, and \
removed from the reply.

Exit code: 0 if everything is accepted, 1 if anything is rejected, 2 if the command could not run, 3 if nothing is \
rejected and a part of the cluster could not be read.";

const EXAMPLES: &str = "\
Examples:
  unionctl check --crd database_crd_tight.yaml -f databases
  unionctl check --crd database_crd_tight.yaml \\
      --old databases/legacy.yaml -f scaled.yaml
  unionctl check --crd database_crd_tight.yaml
  kubectl union check -f databases";
