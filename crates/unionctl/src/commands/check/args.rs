//! The arguments of `unionctl check`, and its help.

use std::path::PathBuf;

use k8s_crd_validation::{FieldValidation, ServerSettings};

use crate::judge::server_settings::{self, Validate};

/// Validate custom resources as an API server does, and show which errors it tolerates in unchanged
/// fields.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = server_settings::after_long_help(EXAMPLES))]
pub(crate) struct CheckArgs {
    #[arg(long, value_name = "FILE", required_unless_present = "jsonl")]
    #[arg(
        help = "A CustomResourceDefinition; if there are several, the kind of an object decides"
    )]
    pub(super) crd: Option<PathBuf>,

    #[arg(long, value_name = "FILE", requires = "crd")]
    #[arg(conflicts_with_all = ["new", "jsonl"])]
    #[arg(
        help = "The stored CRD, as `kubectl get -o yaml` prints it; the one of --crd replaces it"
    )]
    pub(super) old_crd: Option<PathBuf>,

    /// The version of the CRD; by default that of the object, or else the stored one.
    #[arg(long, value_name = "VERSION", requires = "crd")]
    pub(super) version: Option<String>,

    #[arg(long, value_name = "FILE", requires = "new", conflicts_with = "jsonl")]
    #[arg(help = "The stored object, or a folder of them; without it, the requests are creates")]
    pub(super) old: Option<PathBuf>,

    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    #[arg(
        help = "The object that a client sends, or a folder of them; without it, the CRD is checked"
    )]
    pub(super) new: Option<PathBuf>,

    /// Validate an update of the status subresource.
    #[arg(long, requires = "old", conflicts_with = "jsonl")]
    pub(super) status: bool,

    /// Read cases from stdin, one on each line, and answer each at once.
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
    server: server_settings::ServerArgs,
}

impl CheckArgs {
    /// Returns the settings for files, which kubectl sends with strict validation.
    pub(super) fn file_settings(&self) -> ServerSettings {
        self.settings(FieldValidation::Strict)
    }

    /// Returns the settings for JSON lines, which are those of a request without parameters.
    pub(super) fn line_settings(&self) -> ServerSettings {
        self.settings(FieldValidation::Warn)
    }

    fn settings(&self, default: FieldValidation) -> ServerSettings {
        let validation = self.validate.map_or(default, FieldValidation::from);
        self.server.settings().field_validation(validation)
    }
}

/// The usage lines of the subcommand.
pub(crate) const USAGES: [&str; 4] = [
    "--crd <FILE> [--version <VERSION>]\n            [--old <FILE>] --new <FILE> [--status]",
    "--crd <FILE> [--version <VERSION>]\n            [--old <DIR>] --new <DIR> [--status]",
    "--crd <FILE> [--old-crd <FILE>]",
    "--jsonl < CASES",
];

const LONG_ABOUT: &str = "\
Validate custom resources as an API server does, and show which errors it tolerates in unchanged \
fields.

With --old, the request is an update of that object; without it, a create. The object is judged as \
`kubectl replace` sends it: a manifest does not have resourceVersion, uid, creationTimestamp, \
generation and managedFields, so they are taken from the stored object. So is the namespace; \
without one it is \"default\". A stored object without a resourceVersion gets one.

--new may be a folder: all .yaml, .yml and .json files in it and in its folders are read, with all \
their documents and Lists. Objects without a matching CRD are skipped and counted. --old may be a folder \
too: objects are paired by kind, namespace and name, and one that is not stored yet is created.

Fields that the schema does not describe, and duplicate keys, are an error, as kubectl asks for it: with --validate=warn, \
they are warnings, and with --validate=ignore, they are not reported. A server drops the fields in all cases, and keeps the \
last value of a key. The error has the text of the server; after it, each field has its position and, if a name \
is near, the question \"did you mean\". The same holds for a CRD that is checked. A CRD whose objects are checked is \
stored already: unknown keywords in it are notes (none with --validate=ignore), and a duplicate key is an error.

Without --new, the CRD itself is checked, as a whole: names, versions, schemas, columns, conversion. \
With --old-crd, it replaces that CRD, and errors that the old CRD has too may be tolerated. The old CRD \
counts as established, unless a condition in its status says otherwise. Objects are judged even if \
an API server would reject the CRD, because a server keeps using a CRD that it has stored.

With --jsonl, each line of stdin is a case:
  {\"op\": \"create\" or \"update\" or \"status\", \"schema\": ..., \"old\": ..., \"new\": ..., \"settings\": ...}
The answer is a line
  {\"object\": ..., \"errors\": [{\"type\", \"field\", \"text\"}], \"ratcheted\": [...], \"warnings\": [...]}
or, if the case cannot be read, {\"error\": ...}. The exit code is then 0, whatever the answers say. \
The settings are below; the flags apply where a line leaves one out:
  {\"policy\": \"kep-4008\", \"ratchet\": false, \"kube_version\": \"1.35\", \"unions\": true, \
\"field_validation\": \"strict\"}
Unknown fields and duplicate keys are warnings by default, as for a request without parameters. An answer with unknown \
fields has \"unknown_fields\": [{\"field\", \"near\"}], \"near\" being the name that was probably meant. If the \"schema\" of \
a line has unknown keywords, the answer has \"schema_unknown_fields\".
Two more kinds of lines are about CRDs and schemas. These check a CRD, or one that takes the place of \
\"old\", or a schema; the answer has the errors for which an API server would reject it, and its warnings:
  {\"op\": \"crd\", \"crd\": ..., \"old\": ...}
  {\"op\": \"crd\", \"schema\": ..., \"status_subresource\": true}
This one sets the schema of all later lines that do not have one, in place of --crd; the answer is \
{}, or the errors for which an API server would reject it, and the warnings about its unknown keywords:
  {\"use\": {\"crd\": ..., \"version\": ...}} or {\"use\": {\"schema\": ..., \"status_subresource\": true}}
With a schema instead of a CRD, objects with apiVersion and kind may be of any kind. For other objects, missing \
apiVersion, kind and metadata are filled in, as for a MyCoolCRD of mygroup.example.com/v1beta1; they are judged with \
these, which are not in the answer.";

const EXAMPLES: &str = "\
Examples:
  unionctl check --crd database_crd_tight.yaml --new databases
  unionctl check --crd database_crd_tight.yaml \\
      --old databases/legacy.yaml --new scaled.yaml
  unionctl check --crd database_crd_tight.yaml";
