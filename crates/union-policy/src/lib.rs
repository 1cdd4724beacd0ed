//! Creates admission policies that normalize and validate the unions of custom resources on an
//! unmodified API server, without a webhook.
//!
//! [`mutating_policies`] creates `MutatingAdmissionPolicy` objects. Their CEL compares the old
//! object with the new one, and removes the members of the previous discriminator value with a JSON
//! patch, also in nested objects, maps and lists. [`validating_policies`] creates
//! `ValidatingAdmissionPolicy` objects with the rules of unions, for CRDs that you cannot edit.
//! Both return one policy and one binding for every served version.
//!
//! ```
//! use serde_json::json;
//! use union_policy::{Settings, mutating_policies};
//!
//! let crd = json!({
//!     "metadata": {
//!         "name": "databases.example.com",
//!         "annotations": {"union-runtime.dev/unions": json!({"v1": {
//!             "/properties/spec/properties/type": {"fieldMembers": {
//!                 "S3": {"name": "s3"}, "Volume": {"name": "volume"},
//!             }},
//!         }}).to_string()},
//!     },
//!     "spec": {
//!         "group": "example.com",
//!         "names": {"plural": "databases", "kind": "Database"},
//!         "versions": [{
//!             "name": "v1", "served": true, "storage": true,
//!             "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {
//!                 "type": "object",
//!                 "required": ["type"],
//!                 "properties": {
//!                     "type": {"type": "string", "enum": ["S3", "Volume"]},
//!                     "s3": {"type": "object"},
//!                     "volume": {"type": "object"},
//!                 },
//!             }}}},
//!         }],
//!     },
//! });
//! let policies = mutating_policies(&crd, &Settings::default())?;
//! let [policy, binding] = &policies.objects[..] else { panic!() };
//! assert_eq!(policy["metadata"]["name"], "normalize-unions.v1.databases.example.com");
//! assert_eq!(binding["spec"]["policyName"], policy["metadata"]["name"]);
//! assert!(policies.limitations.is_empty());
//! # Ok::<(), union_policy::PolicyError>(())
//! ```
//!
//! # What a policy does
//!
//! A policy normalizes or validates in CEL as [`Unions::admit`] does with
//! [`Settings::default`](union_runtime::Settings). The CRD declares its unions in the annotation or
//! the extension; otherwise, they are inferred from its rules ([`crd_unions`]). New and old
//! elements of lists of type map are paired by their keys; elements of other lists do not have
//! old elements. Violations that the old object has for the same reason are tolerated. The schema
//! checks unknown discriminator values, and missing values of required discriminators: an API
//! server validates an object by its schema before it evaluates a validating policy. The server
//! tolerates an unknown value that is unchanged; the policy rejects it if a member was added.
//!
//! # Limitations
//!
//! [`Policies::limitations`] lists the limitations with their paths. An API server stops a policy
//! whose expressions exceed the cost budget, and with `failurePolicy: Fail`, it then rejects the
//! request. A union in a list or map is therefore a limitation, unless `maxItems` and
//! `maxProperties` keep the number of elements within the budget. If elements of a list are
//! reordered, the policy searches the whole old list for each of them, which costs more.
//!
//! # Source
//!
//! KEP-1027 defines the rules, in both models. KEP-3488 defines validating policies (stable since
//! Kubernetes 1.30), and KEP-3962 defines mutating policies (beta since 1.34, stable since 1.36).

#![forbid(unsafe_code)]
// The input may be any CRD, so the crate must not panic. Each exception gives the reason why it
// cannot panic.
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

// Folders, lowest first: error, limitation, location, rules, manifest, source
mod error;
mod limitation;
mod location;
mod manifest;
mod rules;
mod source;

use serde_json::Value;
#[cfg(doc)]
use union_json::Unions;

pub use error::PolicyError;
pub use k8s_cel::{Feature, FeatureKind, KubeVersion};
pub use limitation::Limitation;

use location::union_location::{UnionLocation, union_locations};
use manifest::Resource;

/// The settings of policies. By default, policies are for the latest supported version of
/// Kubernetes, and only for unions that the CRD declares or its rules imply.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    version: KubeVersion,
    by_convention: bool,
}

impl Settings {
    /// Sets the version of Kubernetes that evaluates the policies.
    #[must_use]
    pub const fn version(self, version: KubeVersion) -> Self {
        Self { version, ..self }
    }

    /// Sets the use of naming hints. If true, a CRD without declared unions also has the unions
    /// that only names suggest: the values of an enum are the names of fields beside the enum
    /// ([`crd_unions::NamingHint`]). All members of such a union may be unset.
    #[must_use]
    pub const fn by_convention(self, by_convention: bool) -> Self {
        Self {
            by_convention,
            ..self
        }
    }
}

/// Policies with their bindings, in the order in which to apply them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Policies {
    /// The policies, each followed by its binding.
    pub objects: Vec<Value>,
    /// The limitations of the policies.
    pub limitations: Vec<Limitation>,
}

/// Returns the `MutatingAdmissionPolicy` objects that normalize the unions of a CRD, one for each
/// served version with unions, and their bindings.
///
/// # Errors
///
/// Returns an error if the version of Kubernetes does not support such policies, or if the CRD is
/// incomplete or declares invalid unions.
pub fn mutating_policies(crd: &Value, settings: &Settings) -> Result<Policies, PolicyError> {
    let beta_feature = Feature::MutatingAdmissionPolicyBeta;
    let stable_feature = Feature::MutatingAdmissionPolicy;
    let version = settings.version;
    let api_version = if version.has(stable_feature) {
        "admissionregistration.k8s.io/v1"
    } else if version.has(beta_feature) {
        "admissionregistration.k8s.io/v1beta1"
    } else {
        return Err(PolicyError::UnsupportedVersion {
            version,
            kind: "MutatingAdmissionPolicy",
            problem: format!(
                "with all required features; choose {} (beta, behind a feature gate), {} or later, or use a webhook",
                beta_feature.since(),
                stable_feature.since(),
            ),
        });
    };
    policies(crd, settings, |resource, locations, limitations| {
        manifest::mutating_policy(version, api_version, resource, locations, limitations)
    })
}

/// Returns the `ValidatingAdmissionPolicy` objects that reject invalid unions of a CRD, one for
/// each served version with unions, and their bindings. They tolerate violations that the stored
/// object has for the same reason.
///
/// # Errors
///
/// Returns an error if [`mutating_policies`] does.
pub fn validating_policies(crd: &Value, settings: &Settings) -> Result<Policies, PolicyError> {
    let feature = Feature::ValidatingAdmissionPolicy;
    let version = settings.version;
    if !version.has(feature) {
        return Err(PolicyError::UnsupportedVersion {
            version,
            kind: "ValidatingAdmissionPolicy",
            problem: format!(
                "in v1; choose {} or later, or use a webhook",
                feature.since()
            ),
        });
    }
    policies(crd, settings, |resource, locations, limitations| {
        manifest::validating_policy(version, resource, locations, limitations)
    })
}

/// Calls `create_policy` with the unions of each served version, and collects the policies. The
/// function returns a policy and its binding, or `None` if no union needs a policy.
fn policies<F>(crd: &Value, settings: &Settings, create_policy: F) -> Result<Policies, PolicyError>
where
    F: Fn(&Resource<'_>, Vec<UnionLocation<'_>>, &mut Vec<Limitation>) -> Option<[Value; 2]>,
{
    let mut policies = Policies::default();
    for resource in Resource::served_versions(crd)? {
        let mut limitations = Vec::new();
        let unions = source::unions_of(
            crd,
            resource.version,
            settings.by_convention,
            &mut limitations,
        )?;
        let locations = union_locations(&unions, &mut limitations);
        let objects = create_policy(&resource, locations, &mut limitations);
        policies.objects.extend(objects.into_iter().flatten());
        for limitation in limitations {
            if !policies.limitations.contains(&limitation) {
                policies.limitations.push(limitation);
            }
        }
    }
    Ok(policies)
}
