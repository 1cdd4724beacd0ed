//! `unionctl policy`: writes admission policies that normalize or validate unions without a
//! webhook.

use std::path::PathBuf;
use std::str::FromStr as _;

use union_json::document::Crd;
use union_policy::{FeatureKind, KubeVersion, Settings};

use crate::error::CommandError;
use crate::input::{DocumentFormat, InputReader};
use crate::judge::server_settings;
use crate::output::print::{self, CommandStatus, TextOrJson};

/// Write admission policies that normalize or validate unions without a webhook.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = after_long_help())]
pub(crate) struct PolicyArgs {
    #[arg(long, value_name = "FILE")]
    #[arg(help = "CustomResourceDefinitions; other objects in the file are ignored")]
    crd: PathBuf,

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
    /// edit.
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
needs 1.30. For unions in lists and maps, both kinds of policies need 1.35.";

fn after_long_help() -> String {
    let table = server_settings::version_table(&[FeatureKind::Library, FeatureKind::Api]);
    format!("{table}\n\nThe expressions of a policy count as new rules.\n\n{EXAMPLES}")
}

const EXAMPLES: &str = "\
Examples:
  unionctl policy --mutating --crd crd.yaml | kubectl apply -f -
  unionctl policy --validating --crd crd.yaml --kube-version 1.34";

pub(crate) fn run(args: &PolicyArgs, format: TextOrJson) -> Result<CommandStatus, CommandError> {
    let documents = InputReader::default().read_documents("--crd", &args.crd)?;
    let file = &documents.file;
    let crds: Vec<_> = documents.objects().filter_map(Crd::from_object).collect();
    if crds.is_empty() {
        let message = "no CustomResourceDefinition found; pass a file with one to --crd";
        return Err(CommandError::new(file.as_str(), message));
    }
    let settings = Settings::default()
        .version(args.kube_version)
        .by_convention(args.by_convention);
    let (mut objects, mut notes) = (Vec::new(), Vec::new());
    for crd in crds {
        let name = crd.name().unwrap_or_default();
        let mut policy_count = 0;
        let generators = [
            (
                args.policy_type.mutating,
                union_policy::mutating_policies as fn(_, _) -> _,
            ),
            (
                args.policy_type.validating,
                union_policy::validating_policies,
            ),
        ];
        for (_, generate) in generators.iter().filter(|(is_requested, _)| *is_requested) {
            let policies = generate(crd.json(), &settings);
            let policies = policies
                .map_err(|error| CommandError::new(file.as_str(), format!("{name}: {error}")))?;
            policy_count += policies.objects.len();
            objects.extend(policies.objects);
            let limitations = policies.limitations.iter();
            notes.extend(limitations.map(|limitation| format!("{file}: {name}: {limitation}")));
        }
        if policy_count == 0 {
            notes.push(format!(
                "{file}: {name}: no unions found, so no policy is written"
            ));
        }
    }
    notes.dedup();
    print::notes(&notes);
    let document_format = match format {
        TextOrJson::Text => DocumentFormat::Yaml,
        TextOrJson::Json => DocumentFormat::Json,
    };
    print::documents(&objects, document_format)?;
    Ok(CommandStatus::Success)
}
