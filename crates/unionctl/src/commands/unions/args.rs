//! The arguments of `unionctl unions`, and its help.

use std::path::PathBuf;

use super::listing;
use crate::judge::{schema, union_settings};

/// Normalize and validate the unions of an object: changes, errors and tolerated errors.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct UnionsArgs {
    #[command(flatten)]
    pub(super) schema: schema::SchemaArgs,

    /// The stored object; without it, the request is a create.
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    pub(super) old: Option<PathBuf>,

    /// The object that a client sends.
    #[arg(
        short = 'f',
        long = "filename",
        alias = "new",
        value_name = "FILE",
        required_unless_present_any = ["jsonl", "list", "form"],
        conflicts_with = "jsonl"
    )]
    pub(super) new: Option<PathBuf>,

    /// Read requests from stdin, one per line, and print a reply to each.
    #[arg(long)]
    pub(super) jsonl: bool,

    #[command(flatten)]
    pub(super) listing: listing::ListingArgs,

    #[command(flatten)]
    pub(super) settings: union_settings::UnionSettingsArgs,
}

/// The usage lines of the subcommand.
pub(crate) const USAGES: [&str; 8] = [
    "(--schema <FILE> [--name <NAME>] |\n            --crd <FILE> [--version <VERSION>]) [--old <FILE>] -f <FILE>",
    "--jsonl < REQUESTS",
    "(--schema <FILE> | --crd <FILE>)\n            (--list [--strict] | --as <FORM>)",
    "--from-cluster (-f <FILE> | --list)",
    "-f <FILE>",
    "--list --builtin [<KIND>]",
    "--list [--strict] <FILES>...",
    "--list --jsonl < SCHEMAS",
];

const LONG_ABOUT: &str = "\
Normalize and validate the unions of an object: changes, errors and tolerated errors.

Without a declaration, the unions of the rules apply. An error that an API server reports at such a union is an error too.

With --jsonl, each line of stdin is a request:
  {\"schema\": ..., \"old\": ... or null, \"new\": ..., \"settings\": {\"ratchet\": ..., \"restore_unaware\": ..., \"unions\": true}}
A flag applies to lines without the setting. The reply is a line
  {\"object\": ..., \"changes\": [...], \"errors\": [...], \"ratcheted\": [...]}
or {\"error\": ...} for an invalid request. The exit code is then 0, even if requests are rejected.
With \"foreign\": true, a schema that does not declare unions is validated by the unions of its rules, as without --jsonl.

--list lists the unions that the rules of a schema declare by CEL, oneOf or counts of properties, for all CRDs of the \
file. It also lists missing and wrong rules. Unions in the annotation or in `x-kubernetes-unions` take precedence over \
the rules. With --jsonl, each line is {\"schema\": ..., \"at\": \"a JSON pointer below the schema\"}, and the reply has the \
unions of the object at the pointer.

Without --schema and --crd, an object of a built-in kind, such as a Pod, is validated by a table of the unions of built-in \
types. --list --builtin lists the table. The schema of an object of another kind, and the stored object that it replaces, are read from a cluster, by \
kubectl (unionctl needs --from-cluster). --list then lists all CRDs of the cluster, or the CRD of --name. If a part of the cluster \
could not be read, and nothing is rejected, the exit code is 3.";

const EXAMPLES: &str = "\
Examples:
  unionctl unions --crd crd.yaml --old stored.yaml -f switched.yaml
  unionctl unions --crd pipeline_crd.yaml --list
  kubectl union unions --list";
