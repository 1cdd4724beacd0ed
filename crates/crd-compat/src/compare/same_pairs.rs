//! The pairs of versions that are not compared, because an earlier pair has the same schemas.

use crate::judge::judged_version::JudgedVersion;
use crate::report::finding::{SameVersions, VersionReport};
use crate::report::wording::Relation;

/// Two versions that are compared.
#[derive(Clone, Copy)]
pub(super) struct Pair<'c> {
    pub(super) versions: [&'c JudgedVersion<'c>; 2],
    /// The versions with the same names in the earlier CRD, if they are served together and the
    /// earlier CRD serves both.
    pub(super) earlier: Option<[&'c JudgedVersion<'c>; 2]>,
}

impl<'c> Pair<'c> {
    /// Returns the pair with the versions in the other order.
    fn reversed(self) -> Self {
        let reversed = |[old, new]: [&'c JudgedVersion<'c>; 2]| [new, old];
        Self {
            versions: reversed(self.versions),
            earlier: self.earlier.map(reversed),
        }
    }

    fn is_same_as(self, other: Self) -> bool {
        let are_same = |[old, new]: [&JudgedVersion<'_>; 2], others: [&JudgedVersion<'_>; 2]| {
            let [other_old, other_new] = others;
            old.is_same_as(other_old) && new.is_same_as(other_new)
        };
        are_same(self.versions, other.versions)
            && match (self.earlier, other.earlier) {
                (Some(earlier), Some(other)) => are_same(earlier, other),
                (None, None) => true,
                _ => false,
            }
    }
}

/// The pairs of versions with one relation that were compared.
#[derive(Default)]
pub(super) struct ComparedPairs<'c>(Vec<Pair<'c>>);

impl<'c> ComparedPairs<'c> {
    /// Returns the report that names an earlier pair with the same schemas. Without an earlier
    /// pair, adds the pair.
    pub(super) fn same_report(
        &mut self,
        pair: Pair<'c>,
        relation: Relation,
    ) -> Option<VersionReport> {
        let names = |pair: Pair<'c>| pair.versions.map(|version| version.name.as_str());
        let find = |pair: Pair<'c>| self.0.iter().find(|compared| pair.is_same_as(**compared));
        // Between versions that are served together, the order does not matter.
        let find_reversed =
            || find(pair.reversed()).filter(|_| relation == Relation::ServedTogether);
        let same_pair = find(pair)
            .map(|same_pair| (same_pair, false))
            .or_else(|| find_reversed().map(|same_pair| (same_pair, true)));
        let Some((same_pair, is_reversed)) = same_pair else {
            self.0.push(pair);
            return None;
        };
        let [old, new] = names(*same_pair).map(str::to_owned);
        Some(VersionReport {
            same_as: Some(SameVersions {
                old,
                new,
                is_reversed,
            }),
            ..VersionReport::new(names(pair), relation)
        })
    }
}
