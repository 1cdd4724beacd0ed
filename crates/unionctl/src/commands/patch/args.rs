//! The arguments of `unionctl patch` and of its subcommands, and their help.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use k8s_strategic_merge_patch::{Compiler, PatchSchema};

use crate::judge::schema::SchemaArgs;

/// Make and apply strategic merge patches, with `$retainKeys`.
#[derive(Debug, clap::Args)]
#[command(
    long_about = LONG_ABOUT,
    after_long_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true
)]
pub(crate) struct PatchArgs {
    #[command(subcommand)]
    pub(super) op: Option<PatchCommand>,

    /// Read requests from stdin, one per line, and print a reply to each.
    #[arg(long)]
    pub(super) jsonl: bool,

    #[command(flatten, next_help_heading = "Options with --jsonl")]
    pub(super) schema: PatchSchemaArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum PatchCommand {
    #[command(flatten)]
    Documents(DocumentsCommand),
    Switch(SwitchArgs),
}

/// The commands whose result depends on documents alone.
#[derive(Debug, Subcommand)]
pub(super) enum DocumentsCommand {
    Diff(DiffArgs),
    Apply(ApplyArgs),
    ThreeWay(ThreeWayArgs),
    Compose(ComposeArgs),
}

/// Make the patch that turns one object into another.
#[derive(Debug, clap::Args)]
pub(super) struct DiffArgs {
    #[command(flatten)]
    pub(super) schema: PatchSchemaArgs,

    /// The object before the change; by default an empty object.
    #[arg(long, value_name = "FILE")]
    pub(super) original: Option<PathBuf>,

    /// The object that the patch must produce.
    #[arg(
        short = 'f',
        long = "filename",
        alias = "modified",
        value_name = "FILE"
    )]
    pub(super) modified: PathBuf,

    #[command(flatten)]
    pub(super) unchanged: UnchangedArgs,
}

/// Apply a patch to an object, as an API server does.
#[derive(Debug, clap::Args)]
pub(super) struct ApplyArgs {
    #[command(flatten)]
    pub(super) schema: PatchSchemaArgs,

    /// The object.
    #[arg(
        short = 'f',
        long = "filename",
        alias = "original",
        value_name = "FILE"
    )]
    pub(super) original: PathBuf,

    /// The patch.
    #[arg(long = "patch-file", alias = "patch", value_name = "FILE")]
    pub(super) patch: PathBuf,
}

/// Compute the patch that `kubectl apply` would send.
#[derive(Debug, clap::Args)]
pub(super) struct ThreeWayArgs {
    #[command(flatten)]
    pub(super) schema: PatchSchemaArgs,

    /// The object that its author applied last; by default an empty object.
    #[arg(long, value_name = "FILE", conflicts_with = "last_applied")]
    pub(super) original: Option<PathBuf>,

    /// Read the object that was applied last from the annotation of the live object, and update the
    /// annotation.
    #[arg(long)]
    pub(super) last_applied: bool,

    /// The object that its author applies now.
    #[arg(
        short = 'f',
        long = "filename",
        alias = "modified",
        value_name = "FILE"
    )]
    pub(super) modified: PathBuf,

    /// The live object; by default that of the cluster.
    #[arg(long, value_name = "FILE", required_unless_present = "from_cluster")]
    pub(super) current: Option<PathBuf>,

    /// Fail if another client has changed a field of the patch in the live object.
    #[arg(long)]
    pub(super) refuse_conflicts: bool,

    /// Overwrite the changes of other clients, as kubectl does. This is the default.
    #[arg(long, hide = true, conflicts_with = "refuse_conflicts")]
    pub(super) overwrite: bool,

    #[command(flatten)]
    pub(super) unchanged: UnchangedArgs,
}

/// Combine several patches into one; later patches win.
#[derive(Debug, clap::Args)]
pub(super) struct ComposeArgs {
    #[command(flatten)]
    pub(super) schema: PatchSchemaArgs,

    /// A patch; may be given several times.
    #[arg(
        long = "patch-file",
        alias = "patch",
        value_name = "FILE",
        required = true
    )]
    pub(super) patch: Vec<PathBuf>,
}

/// Make the patch that switches a union of an object to another member.
#[derive(Debug, clap::Args)]
pub(super) struct SwitchArgs {
    #[command(flatten)]
    pub(super) schema: PatchSchemaArgs,

    /// The live object.
    #[arg(short = 'f', long = "filename", value_name = "FILE")]
    pub(super) object: PathBuf,

    #[arg(long, value_name = "PATH")]
    #[arg(
        help = "The path of the object with the union, as spec.volumes[0] or spec.volumes[name=cache]"
    )]
    pub(super) union: String,

    /// The member to switch to: the name of its field, or its discriminator value.
    #[arg(long, value_name = "MEMBER")]
    pub(super) to: String,

    /// The value of the member, as JSON or YAML; by default the value of the live object.
    #[arg(long, value_name = "JSON", conflicts_with = "value_file")]
    pub(super) value: Option<String>,

    /// A file with the value of the member.
    #[arg(long, value_name = "FILE")]
    pub(super) value_file: Option<PathBuf>,

    /// The type of the patch; by default strategic, and merge for custom resources.
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub(super) patch_type: Option<PatchType>,
}

/// The types of patches of kubectl that `switch` makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PatchType {
    /// A strategic merge patch.
    Strategic,
    /// A JSON merge patch.
    Merge,
}

#[derive(Debug, clap::Args)]
pub(super) struct UnchangedArgs {
    /// Fail if the patch would change this field, such as metadata.name or
    /// spec.containers[name=app].image; can be repeated.
    #[arg(long, value_name = "FIELD")]
    pub(super) unchanged: Vec<String>,
}

/// The schema of the documents, and the treatment of unknown fields.
#[derive(Debug, clap::Args)]
pub(super) struct PatchSchemaArgs {
    #[command(flatten)]
    pub(super) source: SchemaArgs,

    /// Treatment of fields that the schema does not describe; by default strict.
    #[arg(long, value_enum)]
    policy: Option<Policy>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Policy {
    #[default]
    #[value(help = "Reject objects and lists in them, as with OpenAPI v3 and Go types")]
    Strict,
    #[value(
        help = "Below an empty schema, objects are merged and lists replaced, as with OpenAPI v2"
    )]
    Schemaless,
}

impl PatchSchemaArgs {
    /// Returns the flags, and true for each that is given.
    pub(super) fn given_flags(&self) -> Vec<(&'static str, bool)> {
        let policy = ("--policy", self.policy.is_some());
        let source = self.source.given_flags().into_iter();
        source.chain([policy]).collect()
    }

    pub(super) fn compiler(&self) -> Compiler {
        let policy = match self.policy.unwrap_or_default() {
            Policy::Strict => k8s_strategic_merge_patch::UnknownFieldPolicy::Strict,
            Policy::Schemaless => k8s_strategic_merge_patch::UnknownFieldPolicy::Schemaless,
        };
        PatchSchema::compiler().with_policy(policy)
    }
}

/// The usage lines of the subcommand.
pub(crate) const USAGES: [&str; 6] = [
    "diff --schema <FILE> [--original <FILE>] -f <FILE>",
    "apply --schema <FILE>\n            -f <FILE> --patch-file <FILE>",
    "three-way --schema <FILE>\n            [--original <FILE> | --last-applied]\n            -f <FILE> --current <FILE>",
    "compose --schema <FILE>\n            --patch-file <FILE> --patch-file <FILE>...",
    "switch -f <FILE> --union <PATH> --to <MEMBER>\n            [--value <JSON> | --value-file <FILE>]",
    "--jsonl < REQUESTS",
];

const LONG_ABOUT: &str = "\
Make and apply strategic merge patches, with `$retainKeys`, as `kubectl apply` and API servers do.

`x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key` in the schema define how lists and \
objects are merged. Pass the schema by --schema (with --name for a schema in an OpenAPI document) or by \
--crd. API servers reject strategic merge patches of custom resources, so use --crd only for clients that \
apply the patch themselves.

three-way works like `kubectl apply`: with --last-applied, the last applied object is read from the annotation \
kubectl.kubernetes.io/last-applied-configuration of the live object, and the patch updates the annotation. Changes of \
other clients are overwritten, unless --refuse-conflicts is given.

switch makes the patch that sets a member of a union, and clears the other members. The patch is applied to the object, \
and printed only if the union is then valid. The unions of built-in kinds are in a table, so no schema is needed; for a \
custom resource, pass --crd, whose unions are declared or inferred from its rules. The patch of a custom resource is a JSON \
merge patch (`kubectl patch --type=merge`), which replaces lists as a whole. Notes name the lists that a patch replaces.

Without --schema and --crd, the schema of the object is read from a cluster, by kubectl (unionctl needs --from-cluster). \
three-way then also reads the live object there. Nothing is written to the cluster.

If the schema declares unions, or the object is of a built-in kind, a warning on stderr names the members that are set together after the patch, each with its \
origin.

The output is the patch, or the object, as YAML or, with `-o json`, as JSON. If there is no result, the exit code is 1: \
the reasons are on stderr, and with `-o json` as {\"error\": ...} on stdout. Warnings on stderr name list elements that \
share their merge key.

With --jsonl, each line of stdin is one of these requests:
  {\"op\": \"diff\", \"schema\": ..., \"original\": ..., \"modified\": ...}
  {\"op\": \"apply\", \"schema\": ..., \"original\": ..., \"patch\": ...}
  {\"op\": \"three_way\", \"schema\": ..., \"original\": ..., \"modified\": ..., \"current\": ..., \"overwrite\": false}
  {\"op\": \"compose\", \"schema\": ..., \"patches\": [...]}
  {\"op\": \"sort\", \"schema\": ..., \"original\": ...}
Null means an empty document. The reply is a line
  {\"patch\": ...} or {\"result\": ...} or {\"error\": {\"kind\", \"message\", \"path\"}}
or {\"error\": ...} with a message for an invalid request. A patch of elements that share their merge key has \
\"warnings\": [{\"kind\", \"message\", \"path\", \"elements\"}]. The exit code is then 0, even if a request has no result. \
diff and three_way may have \"unchanged\": [\"kind\", \"metadata.name\"]: fields that the patch must not change. sort \
puts merged lists into one order, so that documents or patches can be compared. A line with \"use\" replaces --schema \
and --crd for all later lines without a schema:
  {\"use\": {\"schema\": ...}} or {\"use\": {\"crd\": ..., \"version\": ...}}";

const EXAMPLES: &str = "\
Examples:
  unionctl patch diff --schema patch/openapi.yaml \\
      --name io.k8s.api.apps.v1.Deployment \\
      --original patch/applied.yaml -f patch/modified.yaml
  unionctl patch three-way --schema patch/openapi.yaml \\
      --name io.k8s.api.apps.v1.Deployment \\
      --last-applied -f patch/modified.yaml --current patch/live.yaml
  unionctl patch apply --schema patch/openapi.yaml \\
      --name io.k8s.api.apps.v1.Deployment \\
      -f patch/live.yaml --patch-file patch/patch.yaml
  unionctl patch switch -f patch/live.yaml --union spec.strategy --to Recreate";
