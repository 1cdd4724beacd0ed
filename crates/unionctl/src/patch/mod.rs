//! `unionctl patch`: strategic merge patches, made, applied and put together.

mod files;
mod jsonl;
mod request;

use clap::{Subcommand, ValueEnum};
use k8s_strategic_merge_patch::{Compiler, PatchSchema};

use crate::output::{Format, Verdict};
use crate::problem::Problem;
use crate::schema::SchemaArgs;

/// Make and apply strategic merge patches, with `$retainKeys`.
#[derive(Debug, clap::Args)]
#[command(
    long_about = LONG_ABOUT,
    override_usage = USAGE,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true
)]
pub(crate) struct PatchArgs {
    #[command(subcommand)]
    op: Option<Op>,

    /// Read cases from stdin, and answer each.
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

    /// What becomes of places that the schema does not describe.
    #[arg(long, value_enum, default_value_t)]
    policy: Policy,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Policy {
    #[default]
    #[value(help = "Objects and lists there are refused, as by OpenAPI v3 and Go types")]
    Strict,
    #[value(
        help = "Below a schema that says nothing objects are merged and lists replaced, as by OpenAPI v2"
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

const USAGE: &str = "\
unionctl patch diff --schema <FILE> [--original <FILE>] --modified <FILE>
       unionctl patch apply --schema <FILE> --original <FILE> --patch <FILE>
       unionctl patch three-way --schema <FILE> [--original <FILE>] --modified <FILE> --current <FILE> [--overwrite]
       unionctl patch compose --schema <FILE> --patch <FILE> --patch <FILE>...
       unionctl patch --jsonl < CASES";

const LONG_ABOUT: &str = "\
Make and apply strategic merge patches, with `$retainKeys`, as `kubectl apply` and API servers do.

The schema says by `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key` how lists and \
objects are merged. It is given by --schema, with --name for an OpenAPI document, or by --crd; API \
servers refuse such patches of custom resources, so the latter is for clients that merge by \
themselves.

Prints the patch, or the object, as YAML or, with `-o json`, as JSON. Exit code 1 says that there \
is none: the reasons stand on stderr, and with `-o json` as {\"error\": ...} on stdout.

With --jsonl, each line of stdin is one of
  {\"op\": \"diff\", \"schema\": ..., \"original\": ..., \"modified\": ...}
  {\"op\": \"apply\", \"schema\": ..., \"original\": ..., \"patch\": ...}
  {\"op\": \"three_way\", \"schema\": ..., \"original\": ..., \"modified\": ..., \"current\": ..., \"overwrite\": false}
  {\"op\": \"compose\", \"schema\": ..., \"patches\": [...]}
  {\"op\": \"sort\", \"schema\": ..., \"original\": ...}
where null is an empty document, and is answered at once with a line
  {\"patch\": ...} or {\"result\": ...} or {\"error\": {\"kind\", \"message\", \"path\"}}
or, if it cannot be read, with {\"error\": ...} that is a text. The exit code is 0 then, whatever the \
answers say. diff and three_way may have \"unchanged\": [\"kind\", \"metadata.name\"], fields that \
the patch has to leave alone. sort brings merged lists into one order, for comparing documents \
or patches. Another line says what schema lines without one are for; at the start \
that is the one of --schema or --crd:
  {\"use\": {\"schema\": ...}} or {\"use\": {\"crd\": ..., \"version\": ...}}";

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
