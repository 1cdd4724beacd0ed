//! The table of all functions, and the lookup by name.

use core::fmt;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use super::row::{FunctionRow, Overload};
use super::{
    access, arithmetic, authorizer, conversions, format_string, formats, lists, net, operators,
    optionals, quantity, regexes, semver, sets, signature, strings, times,
};
use crate::types::feature::{Feature, RuleVersions};
use crate::types::types::Type;
use crate::types::version::KubeVersion;

/// A function of the table and its overloads.
pub(crate) struct FunctionDecl {
    pub(crate) row: &'static FunctionRow,
    pub(crate) overloads: Box<[Overload]>,
}

impl FunctionDecl {
    /// Returns the overloads in the order in which the checker of these versions tries them. The
    /// order decides the type of an argument of unknown type.
    pub(crate) fn overloads_in_order(&self, versions: RuleVersions) -> Vec<&Overload> {
        let mut overloads: Vec<&Overload> = self.overloads.iter().collect();
        if !versions.has(Feature::SortedOverloads) {
            let unsorted = self.row.unsorted;
            overloads.sort_by_key(|overload| unsorted.iter().position(|id| *id == overload.id));
        }
        overloads
    }

    /// Returns the first version with an overload of the signature, even if a later version
    /// replaces the overload. `versions` returns the versions of a rule on a server.
    fn since(
        &self,
        id: &str,
        versions: impl Fn(KubeVersion) -> RuleVersions,
    ) -> Option<KubeVersion> {
        let has_signature = |version: KubeVersion| {
            let mut overloads = self.overloads.iter().filter(|overload| overload.id == id);
            overloads.any(|overload| overload.exists_in(versions(version)))
        };
        KubeVersion::all().find(|version| has_signature(*version))
    }

    /// Returns the first version that no longer has an overload of the signature.
    fn removed(&self, id: &str) -> Option<KubeVersion> {
        let has_signature = |version: &KubeVersion| {
            let mut overloads = self.overloads.iter().filter(|overload| overload.id == id);
            overloads.any(|overload| overload.exists_in(RuleVersions::of_stored_rules(*version)))
        };
        let mut later = KubeVersion::all().skip_while(|version| !has_signature(version));
        later.find(|version| !has_signature(version))
    }
}

/// All functions, one group for each file.
pub(super) const GROUPS: &[&[FunctionRow]] = &[
    access::FUNCTIONS,
    arithmetic::FUNCTIONS,
    operators::FUNCTIONS,
    conversions::FUNCTIONS,
    strings::FUNCTIONS,
    lists::FUNCTIONS,
    sets::FUNCTIONS,
    optionals::FUNCTIONS,
    quantity::FUNCTIONS,
    regexes::FUNCTIONS,
    times::FUNCTIONS,
    formats::FUNCTIONS,
    net::FUNCTIONS,
    semver::FUNCTIONS,
    format_string::FUNCTIONS,
    authorizer::FUNCTIONS,
];

/// Returns all functions with their qualified names as keys.
fn table() -> &'static HashMap<&'static str, FunctionDecl> {
    static TABLE: LazyLock<HashMap<&'static str, FunctionDecl>> = LazyLock::new(|| {
        let rows = GROUPS.iter().copied().flatten();
        let functions = rows.map(|function| {
            let overloads = function.overloads.iter().flat_map(|row| {
                let signatures = row.signatures.iter();
                signatures.filter_map(move |signature| signature::parse_overload(signature, row))
            });
            let overloads = overloads.collect();
            let row = function;
            (row.name, FunctionDecl { row, overloads })
        });
        functions.collect()
    });
    &TABLE
}

/// Returns the function with the qualified name, if the version has one of its overloads.
pub(crate) fn find(name: &str, version: RuleVersions) -> Option<&'static FunctionDecl> {
    let function = table().get(name)?;
    let mut overloads = function.overloads.iter();
    let exists = overloads.any(|overload| overload.exists_in(version));
    exists.then_some(function)
}

/// Returns all overloads, sorted by the names of their functions, for documentation and for
/// generated expressions in tests.
#[doc(hidden)]
#[must_use]
pub fn overloads() -> Vec<Signature> {
    let mut signatures: Vec<Signature> = table()
        .values()
        .flat_map(|function| {
            let signature = |overload: &Overload| Signature {
                name: function.row.name,
                id: overload.id,
                is_member: overload.is_member,
                args: overload.args.to_vec(),
                result: overload.result.clone(),
                since: function.since(overload.id, RuleVersions::of_stored_rules),
                removed: function.removed(overload.id),
                since_in_new_rules: function.since(overload.id, RuleVersions::of_new_rules),
                libraries_since: function.since(overload.id, |libraries| RuleVersions {
                    libraries,
                    server: KubeVersion::LATEST,
                }),
            };
            // A feature may replace an overload by an overload of the same signature.
            let overloads = function.overloads.iter();
            let unique: BTreeMap<&str, &Overload> =
                overloads.map(|overload| (overload.id, overload)).collect();
            unique.into_values().map(signature).collect::<Vec<_>>()
        })
        .collect();
    signatures.sort_by_key(|signature| (signature.name, signature.id));
    signatures
}

/// An overload of a function. Type parameters are numbered from 0.
#[doc(hidden)]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Signature {
    /// The name of the function, as expressions use it. The name of an operator has the form `_+_`.
    pub name: &'static str,
    /// The signature in the table.
    pub id: &'static str,
    /// True for a member function, whose first argument is the receiver.
    pub is_member: bool,
    /// The types of the arguments, starting with the receiver of a member function.
    pub args: Vec<Type>,
    /// The type of the result.
    pub result: Type,
    /// The first version whose stored rules have the overload.
    pub since: Option<KubeVersion>,
    /// The first version that no longer has the overload.
    pub removed: Option<KubeVersion>,
    /// The first version whose new rules have the overload.
    pub since_in_new_rules: Option<KubeVersion>,
    /// The first version of libraries that have the overload, if the server has the latest version.
    pub libraries_since: Option<KubeVersion>,
}

impl fmt::Debug for FunctionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row.name)
    }
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, table};

    #[test]
    fn every_function_has_one_row() {
        let rows = GROUPS.iter().map(|group| group.len()).sum::<usize>();
        assert_eq!(table().len(), rows);
    }
}
