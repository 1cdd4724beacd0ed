//! Finds the unions of built-in kinds that policies normalize or report.

use std::collections::BTreeSet;

use k8s_builtin_unions::{BuiltinKind, BuiltinMember, BuiltinUnion, KindCompiler, KindUnions};
use k8s_cel::KubeVersion;
use union_runtime::MemberSpec;

use crate::error::PolicyError;
use crate::limitation::Limitation;
use crate::location::union_location::{UnionLocation, union_locations};

/// The kinds for which API servers do not evaluate policies: the reviews that authorize requests,
/// and the policies themselves.
const KINDS_WITHOUT_POLICIES: [[&str; 2]; 7] = [
    ["authorization.k8s.io", "LocalSubjectAccessReview"],
    ["authorization.k8s.io", "SelfSubjectAccessReview"],
    ["authorization.k8s.io", "SubjectAccessReview"],
    ["admissionregistration.k8s.io", "MutatingAdmissionPolicy"],
    [
        "admissionregistration.k8s.io",
        "MutatingAdmissionPolicyBinding",
    ],
    ["admissionregistration.k8s.io", "ValidatingAdmissionPolicy"],
    [
        "admissionregistration.k8s.io",
        "ValidatingAdmissionPolicyBinding",
    ],
];

/// Returns the compiler for the unions of a kind. Returns an error unless API servers of the
/// version evaluate policies for the kind.
pub(crate) fn compiler(
    kind: BuiltinKind,
    version: KubeVersion,
) -> Result<KindCompiler, PolicyError> {
    let kind_name = || format!("{} {}", kind.api_version(), kind.name());
    if KINDS_WITHOUT_POLICIES.contains(&[kind.group(), kind.name()]) {
        return Err(PolicyError::NotIntercepted { kind: kind_name() });
    }
    if !kind.exists_in(version.minor().into()) {
        return Err(PolicyError::NotServed {
            version,
            kind: kind_name(),
        });
    }
    Ok(kind.compiler())
}

/// Returns the locations of the unions that a policy covers.
pub(crate) fn locations<'u>(
    kind: BuiltinKind,
    unions: &'u KindUnions,
    is_covered: impl Fn(BuiltinUnion) -> bool,
    limitations: &mut Vec<Limitation>,
) -> Vec<UnionLocation<'u>> {
    let rows: Vec<(String, BuiltinUnion)> = kind
        .unions()
        .into_iter()
        .map(|found| (found.path.to_field_notation(), found.union))
        .collect();
    let mut locations = Vec::new();
    for layer in unions.layers() {
        for mut location in union_locations(layer, limitations) {
            let path = location.path();
            let mut rows = rows.iter().filter(|(row_path, _)| *row_path == path);
            let row = rows.find(|(_, row)| is_row_of(*row, &location));
            let Some((_, row)) = row.filter(|(_, row)| is_covered(*row)) else {
                continue;
            };
            let unset_if_empty = row.members().filter(|member| member.is_unset_if_empty());
            location.unset_if_empty = unset_if_empty.map(BuiltinMember::field).collect();
            locations.push(location);
        }
    }
    locations
}

/// Returns true if a row of the table is the union at a location. A type may have several unions,
/// but their members differ.
fn is_row_of(row: BuiltinUnion, location: &UnionLocation<'_>) -> bool {
    let row_members: BTreeSet<&str> = row.members().map(BuiltinMember::field).collect();
    let members = location.union.spec().members().map(MemberSpec::name);
    row_members == members.collect()
}
