//! Creates admission policies that normalize and validate the unions of custom resources and of
//! built-in kinds on an unmodified API server, without a webhook.
//!
//! [`mutating_policies`] creates `MutatingAdmissionPolicy` objects. Their CEL compares the old
//! object with the new one, and removes the members of the previous discriminator value with a JSON
//! patch, also in nested objects, maps and lists. [`validating_policies`] creates
//! `ValidatingAdmissionPolicy` objects with the rules of unions, for CRDs that you cannot edit.
//! Both return one policy and one binding for every served version. [`builtin_mutating_policies`]
//! and [`builtin_validating_policies`] do the same for kinds such as Deployment.
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

// Folders, lowest first: error, limitation, location, rules, manifest, source, builtin
mod builtin;
mod error;
mod limitation;
mod location;
mod manifest;
mod rules;
mod source;

use k8s_builtin_unions::{BuiltinKind, BuiltinUnion};
use serde_json::Value;
#[cfg(doc)]
use union_json::Unions;

pub use error::PolicyError;
pub use k8s_cel::{Feature, FeatureKind, KubeVersion};
pub use limitation::Limitation;

use location::union_location::{UnionLocation, union_locations};
use manifest::{PolicyEffect, Resource};

/// The settings of policies. By default, policies are for the latest supported version of
/// Kubernetes, and only for unions that the CRD declares or its rules imply.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    version: KubeVersion,
    by_convention: bool,
    denies_builtin: bool,
}

impl Settings {
    /// Sets the version of Kubernetes that evaluates the policies.
    #[must_use]
    pub const fn version(self, version: KubeVersion) -> Self {
        Self { version, ..self }
    }

    /// Makes [`builtin_validating_policies`] reject violations. By default, violations cause
    /// warnings and audit annotations.
    #[must_use]
    pub const fn deny_builtin(self) -> Self {
        Self {
            denies_builtin: true,
            ..self
        }
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
    let version = settings.version;
    let api_version = mutating_api_version(version)?;
    policies(crd, settings, |resource, locations, limitations| {
        manifest::mutating_policy(version, api_version, resource, locations, limitations)
    })
}

/// Returns the `apiVersion` of `MutatingAdmissionPolicy` objects in a version of Kubernetes.
fn mutating_api_version(version: KubeVersion) -> Result<&'static str, PolicyError> {
    let beta_feature = Feature::MutatingAdmissionPolicyBeta;
    let stable_feature = Feature::MutatingAdmissionPolicy;
    if version.has(stable_feature) {
        return Ok("admissionregistration.k8s.io/v1");
    }
    if version.has(beta_feature) {
        return Ok("admissionregistration.k8s.io/v1beta1");
    }
    Err(PolicyError::UnsupportedVersion {
        version,
        kind: "MutatingAdmissionPolicy",
        problem: format!(
            "with all required features; choose {} (beta, behind a feature gate), {} or later, or use a webhook",
            beta_feature.since(),
            stable_feature.since(),
        ),
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
    let version = settings.version;
    require_validating_policies(version)?;
    policies(crd, settings, |resource, locations, limitations| {
        manifest::validating_policy(version, resource, locations, limitations)
    })
}

/// Returns an error if a version of Kubernetes does not support `ValidatingAdmissionPolicy` in v1.
fn require_validating_policies(version: KubeVersion) -> Result<(), PolicyError> {
    let feature = Feature::ValidatingAdmissionPolicy;
    if version.has(feature) {
        return Ok(());
    }
    Err(PolicyError::UnsupportedVersion {
        version,
        kind: "ValidatingAdmissionPolicy",
        problem: format!(
            "in v1; choose {} or later, or use a webhook",
            feature.since()
        ),
    })
}

/// Returns the `MutatingAdmissionPolicy` that clears the old members of the unions of a built-in
/// kind, and its binding.
///
/// API servers reject a built-in object in which a client switched to another member and left the
/// old member set. They evaluate the policy before this validation, so the update is accepted. The
/// policy changes only the unions that API servers enforce. If it exceeds the cost limit, the
/// server validates the object as it was sent.
///
/// ```
/// use union_policy::{Settings, builtin_mutating_policies};
///
/// let kind = k8s_builtin_unions::find_kind("apps/v1", "Deployment").expect("a built-in kind");
/// let policies = builtin_mutating_policies(kind, &Settings::default())?;
/// assert_eq!(
///     policies.objects[0]["metadata"]["name"],
///     "normalize-unions.v1.deployments.apps",
/// );
/// # Ok::<(), union_policy::PolicyError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the version of Kubernetes does not support such policies or does not serve
/// the kind, or if API servers do not evaluate policies for the kind.
pub fn builtin_mutating_policies(
    kind: BuiltinKind,
    settings: &Settings,
) -> Result<Policies, PolicyError> {
    let version = settings.version;
    let api_version = mutating_api_version(version)?;
    // The policy leaves alone what the server accepts.
    let unions = builtin::compiler(kind, version)?.compile();
    let unions = unions.map_err(PolicyError::InvalidUnions)?;
    let resource = Resource::builtin(kind, PolicyEffect::Warn);
    let mut policies = Policies::default();
    let limitations = &mut policies.limitations;
    // A union of one field has no other member.
    let is_switchable =
        |union: BuiltinUnion| union.discriminator().is_some() || union.members().nth(1).is_some();
    let locations = builtin::locations(kind, &unions, is_switchable, limitations);
    if locations.is_empty() {
        limitations.push(Limitation::new(
            "",
            format!(
                "no union of {} that API servers enforce has another member to clear, so there is no policy",
                kind.name()
            ),
        ));
    }
    let objects =
        manifest::mutating_policy(version, api_version, &resource, locations, limitations);
    policies.objects.extend(objects.into_iter().flatten());
    Ok(policies)
}

/// Returns the `ValidatingAdmissionPolicy` that reports invalid unions of a built-in kind, and its
/// binding.
///
/// API servers validate a built-in object before they evaluate the policy. The policy therefore
/// covers only the unions that API servers do not fully enforce, such as the update strategy of a
/// `DaemonSet`: a stale `rollingUpdate` beside `OnDelete` is accepted, and is validated when a
/// client changes the type. By default, each create and update of an object with a stale member
/// causes a warning. With [`Settings::deny_builtin`], a new violation is rejected, and an old
/// violation is tolerated. If API servers enforce all unions of the kind, there is no policy, and a
/// limitation.
///
/// # Errors
///
/// Returns an error if [`builtin_mutating_policies`] does.
pub fn builtin_validating_policies(
    kind: BuiltinKind,
    settings: &Settings,
) -> Result<Policies, PolicyError> {
    let version = settings.version;
    require_validating_policies(version)?;
    let unions = builtin::compiler(kind, version)?
        .with_unenforced()
        .compile();
    let unions = unions.map_err(PolicyError::InvalidUnions)?;
    let effect = if settings.denies_builtin {
        PolicyEffect::Reject
    } else {
        PolicyEffect::Warn
    };
    let resource = Resource::builtin(kind, effect);
    let mut policies = Policies::default();
    let limitations = &mut policies.limitations;
    let is_unenforced = |union: BuiltinUnion| !union.is_enforced();
    let locations = builtin::locations(kind, &unions, is_unenforced, limitations);
    if locations.is_empty() {
        limitations.push(Limitation::new(
            "",
            format!(
                "API servers reject all invalid unions of {} before they evaluate a ValidatingAdmissionPolicy, so there is no policy; use a MutatingAdmissionPolicy, which clears old members first",
                kind.name()
            ),
        ));
    }
    let objects = manifest::validating_policy(version, &resource, locations, limitations);
    policies.objects.extend(objects.into_iter().flatten());
    Ok(policies)
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
