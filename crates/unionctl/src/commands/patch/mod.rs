//! `unionctl patch`: strategic merge patches, made, applied and put together.

mod files;
mod jsonl;
mod last_applied;
mod request;

use clap::{Subcommand, ValueEnum};
use k8s_strategic_merge_patch::{Compiler, PatchSchema};

use crate::judge::schema::SchemaArgs;
use crate::output::output::{Format, Verdict};
use crate::problem::Problem;

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
    op: Option<Op>,

    /// Read cases from stdin, one on each line, and answer each at once.
    #[arg(long)]
    jsonl: bool,

    #[command(flatten)]
    schema: PatchSchemaArgs,
}

#[derive(Debug, Subcommand)]
enum Op {
    Diff(files::DiffArgs),
    Apply(files::ApplyArgs),
    ThreeWay(files::ThreeWayArgs),
    Compose(files::ComposeArgs),
}

/// Where the schema comes from, and how it is read.
#[derive(Debug, clap::Args)]
struct PatchSchemaArgs {
    #[command(flatten)]
    source: SchemaArgs,

    /// How fields are treated that the schema does not describe.
    #[arg(long, value_enum, default_value_t)]
    policy: Policy,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Policy {
    #[default]
    #[value(help = "Objects and lists in them are refused, as with OpenAPI v3 and Go types")]
    Strict,
    #[value(
        help = "Below an empty schema, objects are merged and lists replaced, as with OpenAPI v2"
    )]
    Schemaless,
}

impl PatchSchemaArgs {
    fn compiler(&self) -> Compiler {
        let policy = match self.policy {
            Policy::Strict => k8s_strategic_merge_patch::Policy::Strict,
            Policy::Schemaless => k8s_strategic_merge_patch::Policy::Schemaless,
        };
        PatchSchema::compiler().policy(policy)
    }
}

/// The forms in which it is used.
pub(crate) const FORMS: [&str; 5] = [
    "diff --schema <FILE> [--original <FILE>]\n            --modified <FILE>",
    "apply --schema <FILE>\n            --original <FILE> --patch <FILE>",
    "three-way --schema <FILE>\n            [--original <FILE> | --last-applied]\n            --modified <FILE> --current <FILE>",
    "compose --schema <FILE>\n            --patch <FILE> --patch <FILE>...",
    "--jsonl < CASES",
];

const LONG_ABOUT: &str = "\
Make and apply strategic merge patches, with `$retainKeys`, as `kubectl apply` and API servers do.

`x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key` in the schema tell how lists and \
objects are merged. Give the schema by --schema, with --name if it is in an OpenAPI document, or by \
--crd. API servers refuse such patches of custom resources, so --crd is for clients that merge by \
themselves.

three-way does as `kubectl apply`: with --last-applied, what was applied last comes from the annotation \
kubectl.kubernetes.io/last-applied-configuration of the live object, and the patch writes it anew. What others changed \
in the meantime is overwritten, unless --refuse-conflicts is given.

The output is the patch, or the object, as YAML or, with `-o json`, as JSON. Exit code 1 means that \
there is no result: the reasons are on stderr, and with `-o json` as {\"error\": ...} on stdout.

With --jsonl, each line of stdin is one of these cases:
  {\"op\": \"diff\", \"schema\": ..., \"original\": ..., \"modified\": ...}
  {\"op\": \"apply\", \"schema\": ..., \"original\": ..., \"patch\": ...}
  {\"op\": \"three_way\", \"schema\": ..., \"original\": ..., \"modified\": ..., \"current\": ..., \"overwrite\": false}
  {\"op\": \"compose\", \"schema\": ..., \"patches\": [...]}
  {\"op\": \"sort\", \"schema\": ..., \"original\": ...}
Null is an empty document. The answer is a line
  {\"patch\": ...} or {\"result\": ...} or {\"error\": {\"kind\", \"message\", \"path\"}}
or, if the case cannot be read, {\"error\": ...} with a text. The exit code is then 0, whatever the \
answers say. diff and three_way may have \"unchanged\": [\"kind\", \"metadata.name\"]: fields that \
the patch must not change. sort puts merged lists into one order, so that documents or patches can \
be compared. This line sets the schema of all later lines that do not have one, in place of --schema \
or --crd:
  {\"use\": {\"schema\": ...}} or {\"use\": {\"crd\": ..., \"version\": ...}}";

const EXAMPLES: &str = "\
Examples:
  unionctl patch diff --schema patch/openapi.yaml \\
      --name io.k8s.api.apps.v1.Deployment \\
      --original patch/applied.yaml --modified patch/modified.yaml
  unionctl patch three-way --schema patch/openapi.yaml \\
      --name io.k8s.api.apps.v1.Deployment \\
      --last-applied --modified patch/modified.yaml --current patch/live.yaml
  unionctl patch apply --schema patch/openapi.yaml \\
      --name io.k8s.api.apps.v1.Deployment \\
      --original patch/live.yaml --patch patch/patch.yaml";

pub(crate) fn run(args: &PatchArgs, format: Format) -> Result<Verdict, Problem> {
    match &args.op {
        Some(op) => files::run(op, format),
        None if args.jsonl => jsonl::run(&args.schema),
        None => Err(Problem::new(
            "the command line",
            "it does not say what to do; give diff, apply, three-way, compose or --jsonl",
        )),
    }
}
