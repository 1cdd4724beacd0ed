//! An index of CRDs by kind. Without it, each object would be compared with all CRDs.

use std::collections::HashMap;

use union_json::document::Crd;

/// The positions of CRDs in a list, by the kinds of their objects.
#[derive(Debug, Default)]
pub(super) struct CrdIndex {
    by_kind: HashMap<String, Vec<usize>>,
    /// The positions of CRDs without a kind, which match every kind.
    without_kind: Vec<usize>,
}

impl CrdIndex {
    /// Adds the CRD at a position.
    pub(super) fn add(&mut self, position: usize, crd: Crd<'_>) {
        match crd.kind() {
            None | Some("") => self.without_kind.push(position),
            Some(kind) => self
                .by_kind
                .entry(kind.to_owned())
                .or_default()
                .push(position),
        }
    }

    /// Returns the positions of the CRDs that match a kind. Their groups may differ.
    pub(super) fn positions(&self, kind: &str) -> impl Iterator<Item = usize> {
        let positions = self.by_kind.get(kind).into_iter().flatten();
        positions.chain(&self.without_kind).copied()
    }
}
