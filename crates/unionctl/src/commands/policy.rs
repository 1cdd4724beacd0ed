//! `unionctl policy`: writes admission policies that normalize or validate unions without a
//! webhook.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use serde_json::Value;
use union_json::document::Crd;
use union_policy::{FeatureKind, KubeVersion, Policies, PolicyError, Settings};

use crate::error::CommandError;
use crate::input::{DocumentFormat, InputReader, crd, object};
use crate::judge::{builtin, server_settings};
use crate::output::print::{self, CommandStatus, TextOrJson};

/// Write admission policies that normalize or validate unions without a webhook.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = after_long_help())]
pub(crate) struct PolicyArgs {
    #[arg(long, value_name = "FILE", required_unless_present = "builtin")]
    #[arg(help = "CustomResourceDefinitions; other objects in the file are ignored")]
    crd: Option<PathBuf>,

    /// A built-in kind, such as Deployment, instead of a CRD; may be repeated.
    #[arg(long, value_name = "KIND", conflicts_with_all = ["crd", "by_convention"])]
    builtin: Vec<String>,

    /// Reject invalid unions of built-in kinds (default: a warning and an audit annotation).
    #[arg(long, requires_all = ["builtin", "validating"], conflicts_with = "crd")]
    deny: bool,

    #[command(flatten)]
    policy_type: PolicyTypeArgs,

    /// Also use likely unions: enum values named like sibling fields, without a rule.
    #[arg(long)]
    by_convention: bool,

    #[arg(long, aliases = ["kubernetes", "kubernetes-version"], value_name = "VERSION", default_value_t, value_parser = KubeVersion::from_str)]
    #[arg(help = server_settings::version_help("The version of Kubernetes that evaluates the policies"))]
    kube_version: KubeVersion,
}

#[derive(Clone, Copy, Debug, clap::Args)]
#[group(required = true, multiple = true)]
struct PolicyTypeArgs {
    /// Write a `MutatingAdmissionPolicy`, which removes the members of the old discriminator value.
    #[arg(long)]
    mutating: bool,

    /// Write a `ValidatingAdmissionPolicy`, which rejects invalid unions of a CRD that you cannot
    /// edit, or reports invalid unions of a built-in kind.
    #[arg(long)]
    validating: bool,
}

const LONG_ABOUT: &str = "\
Write admission policies that normalize or validate unions without a webhook.

The output has a policy and its binding for each served version with unions, as YAML, or as JSON with `-o json`. The policies \
use the unions that the CRD declares, or else the unions of its rules. stderr lists the limitations of the policies, with their \
paths.

A MutatingAdmissionPolicy normalizes unions as `unionctl unions` does, also in lists and maps: its CEL compares the old \
object with the new object, and removes the members of the old discriminator value by JSON patch. It needs Kubernetes 1.36, or \
1.34 with the feature gate MutatingAdmissionPolicy.

A ValidatingAdmissionPolicy rejects invalid unions, and tolerates errors that the stored object has for the same reason. It \
needs 1.30. For unions in lists and maps, both kinds of policies need 1.35.

With --builtin, the policies are for the unions of a built-in kind; `unions --list --builtin` lists the kinds. An API server \
rejects a Deployment in which a client changed the type of the strategy and left `rollingUpdate` set. It evaluates a \
MutatingAdmissionPolicy before this validation, so the policy clears the old member and the update is accepted. It evaluates a \
ValidatingAdmissionPolicy after this validation, so that policy covers only the unions that API servers do not enforce, such as \
the update strategy of a DaemonSet. There, a stale member makes a later update fail.";

fn after_long_help() -> String {
    let table = server_settings::version_table(&[FeatureKind::Library, FeatureKind::Api]);
    format!("{table}\n\nThe expressions of a policy count as new rules.\n\n{EXAMPLES}")
}

const EXAMPLES: &str = "\
Examples:
  unionctl policy --mutating --crd crd.yaml | kubectl apply -f -
  unionctl policy --validating --crd crd.yaml --kube-version 1.34
  unionctl policy --mutating --builtin Deployment --builtin StatefulSet
  unionctl policy --validating --builtin DaemonSet";

/// The policies of a command, and the notes on them.
#[derive(Default)]
struct Output {
    objects: Vec<Value>,
    notes: Vec<String>,
}

pub(crate) fn run(args: &PolicyArgs, format: TextOrJson) -> Result<CommandStatus, CommandError> {
    let mut settings = Settings::default()
        .version(args.kube_version)
        .by_convention(args.by_convention);
    if args.deny {
        settings = settings.deny_builtin();
    }
    let mut output = match &args.crd {
        Some(crd) => crd_policies(args.policy_type, crd, &settings)?,
        None => builtin_policies(args, &settings)?,
    };
    output.notes.dedup();
    print::notes(&output.notes);
    let document_format = match format {
        TextOrJson::Text => DocumentFormat::Yaml,
        TextOrJson::Json => DocumentFormat::Json,
    };
    print::documents(&output.objects, document_format)?;
    Ok(CommandStatus::Success)
}

impl Output {
    /// Adds policies, and their limitations with the name of their subject in front.
    fn add(&mut self, subject: &str, policies: Policies) {
        self.objects.extend(policies.objects);
        let limitations = policies.limitations.iter();
        self.notes
            .extend(limitations.map(|limitation| format!("{subject}: {limitation}")));
    }
}

/// Creates the policies of the CRDs of a file.
fn crd_policies(
    policy_type: PolicyTypeArgs,
    path: &Path,
    settings: &Settings,
) -> Result<Output, CommandError> {
    let documents = InputReader::default().read_documents("--crd", path)?;
    let file = &documents.file;
    let crds: Vec<_> = documents.objects().filter_map(Crd::from_object).collect();
    if crds.is_empty() {
        let message = "no CustomResourceDefinition found; pass a file with one to --crd";
        return Err(CommandError::new(file.as_str(), message));
    }
    crd::require_distinct_in(&documents)?;
    let mut output = Output::default();
    for crd in crds {
        crd::require_v1(file, crd.json())?;
        let title = object::display_name(crd.json());
        if crd.versions().next().is_none() {
            let message = format!("{title} has no versions; list them in spec.versions");
            return Err(CommandError::new(file.as_str(), message));
        }
        let name = crd.name().unwrap_or(&title);
        let subject = format!("{file}: {name}");
        let object_count = output.objects.len();
        let mut add = |policies: Result<Policies, PolicyError>| {
            let policies = policies
                .map_err(|error| CommandError::new(file.as_str(), format!("{name}: {error}")))?;
            output.add(&subject, policies);
            Ok(())
        };
        if policy_type.mutating {
            add(union_policy::mutating_policies(crd.json(), settings))?;
        }
        if policy_type.validating {
            add(union_policy::validating_policies(crd.json(), settings))?;
        }
        if output.objects.len() == object_count {
            let note = format!("{subject}: no unions found, so no policy is written");
            output.notes.push(note);
        }
    }
    Ok(output)
}

/// Creates the policies of the built-in kinds, for each API version that Kubernetes serves.
fn builtin_policies(args: &PolicyArgs, settings: &Settings) -> Result<Output, CommandError> {
    let minor = u32::from(args.kube_version.minor());
    let mut output = Output::default();
    let mut written = HashSet::new();
    for name in &args.builtin {
        let mut kinds = builtin::kinds_with_name(name)?;
        // If no API version is served, the first one causes an error.
        if kinds.iter().any(|kind| kind.exists_in(minor)) {
            kinds.retain(|kind| kind.exists_in(minor));
        }
        kinds.retain(|kind| written.insert(kind.type_name()));
        for kind in kinds {
            let subject = format!("{} {}", kind.api_version(), kind.name());
            let mut add = |policies: Result<Policies, PolicyError>| {
                let policies =
                    policies.map_err(|error| CommandError::new("--builtin", error.to_string()))?;
                output.add(&subject, policies);
                Ok(())
            };
            if args.policy_type.mutating {
                add(union_policy::builtin_mutating_policies(kind, settings))?;
            }
            if args.policy_type.validating {
                add(union_policy::builtin_validating_policies(kind, settings))?;
            }
        }
    }
    Ok(output)
}
