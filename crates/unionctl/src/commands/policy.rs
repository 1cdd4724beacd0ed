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

    /// Also take unions without a rule: the values of an enum are named like the fields beside it.
    #[arg(long)]
    by_convention: bool,

    #[arg(long, alias = "kubernetes-version", value_name = "VERSION", default_value_t, value_parser = KubeVersion::from_str)]
    #[arg(help = server_settings::version_help("The version of Kubernetes that the policies are for"))]
    kube_version: KubeVersion,
}

#[derive(Clone, Copy, Debug, clap::Args)]
#[group(required = true, multiple = true)]
struct PolicyTypeArgs {
    /// Write a `MutatingAdmissionPolicy`, which removes the members that a changed discriminator
    /// left behind.
    #[arg(long)]
    mutating: bool,

    /// Write a `ValidatingAdmissionPolicy`, which rejects invalid unions of a CRD that you cannot
    /// edit.
    #[arg(long)]
    validating: bool,
}

const LONG_ABOUT: &str = "\
Write admission policies that normalize or validate unions without a webhook.

The output is a policy and its binding for each served version that has unions, as YAML, or as JSON with `-o json`. Unions \
are those that a CRD declares, or else those of its rules. stderr lists what a policy cannot do, with the place.

A MutatingAdmissionPolicy does on a plain API server what `unionctl unions` does: CEL compares the old object with the new \
one and removes, by JSON patch, the members that a changed discriminator left behind, in lists and maps too. It needs Kubernetes 1.36, or 1.34 with \
the feature gate MutatingAdmissionPolicy. A ValidatingAdmissionPolicy needs 1.30. Both need 1.35 for unions in lists and maps. A ValidatingAdmissionPolicy \
tolerates errors that the stored object has for the same reason.";

fn after_long_help() -> String {
    let table = server_settings::version_table(&[FeatureKind::Library, FeatureKind::Api]);
    format!("{table}\n\nA policy has new CEL rules.\n\n{EXAMPLES}")
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
