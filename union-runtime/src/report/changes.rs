//! The changes that normalization made to an object.

use core::fmt;

use crate::path::FieldPath;
use k8s_json_internals::print::write_lines;

/// The changes that normalization made to an object. Unions, and the members of a union, are in
/// source order. A discriminator that was set comes after the member that it names. The unknown
/// members that were cleared are the last changes of their union.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "the changes list the fields that the object lost"]
pub struct Changes {
    changes: Vec<Change>,
}

/// A field that normalization changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    path: FieldPath,
    kind: ChangeKind,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// Normalization unset a member.
    Cleared,
    /// Normalization set the discriminator to the value of a member.
    Set,
    /// Normalization restored a member that a client had dropped because it does not know the
    /// member.
    Restored,
}

impl Changes {
    pub(super) fn extend(&mut self, other: Self) {
        self.changes.extend(other.changes);
    }

    /// Returns true if there are no changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the number of changed fields.
    #[must_use]
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Returns an iterator over the changes, in the order of the unions.
    pub fn iter(&self) -> core::slice::Iter<'_, Change> {
        self.changes.iter()
    }

    /// Returns the paths of the members that were cleared.
    pub fn cleared(&self) -> impl Iterator<Item = &FieldPath> {
        self.paths(ChangeKind::Cleared)
    }

    /// Returns the paths of the discriminators that were set. The client that sent the object owns
    /// these fields (2019 text, "Normalizing on updates"), so add them to its managed fields.
    pub fn discriminators_set(&self) -> impl Iterator<Item = &FieldPath> {
        self.paths(ChangeKind::Set)
    }

    /// Returns the paths of the members that were restored
    /// ([`RestoreUnaware`](crate::RestoreUnaware)).
    pub fn restored(&self) -> impl Iterator<Item = &FieldPath> {
        self.paths(ChangeKind::Restored)
    }

    fn paths(&self, kind: ChangeKind) -> impl Iterator<Item = &FieldPath> {
        let changes = self.iter().filter(move |change| change.kind == kind);
        changes.map(Change::path)
    }

    /// Keeps only the changes at paths for which `keep` returns true.
    pub fn retain(&mut self, keep: impl Fn(&FieldPath) -> bool) {
        self.changes.retain(|change| keep(&change.path));
    }

    pub(crate) fn push(&mut self, path: FieldPath, kind: ChangeKind) {
        if self.changes.is_empty() {
            // `Vec::push` on an empty list runs the general code for growing a list. When this
            // line was added, it reduced a call from 1,105 to 910 instructions (`tests/benches`,
            // `normalize_stale`).
            self.changes = Vec::with_capacity(4);
        }
        self.changes.push(Change { path, kind });
    }

    /// Returns the same changes with `outer` in front of each path. Use this function if the
    /// normalized object is a part of another object, at the path `outer`.
    pub fn under(mut self, outer: impl Into<FieldPath>) -> Self {
        let outer = outer.into();
        for change in &mut self.changes {
            change.path = change.path.under(&outer);
        }
        self
    }
}

impl<'a> IntoIterator for &'a Changes {
    type Item = &'a Change;
    type IntoIter = core::slice::Iter<'a, Change>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Change {
    /// Returns the path of the field.
    pub const fn path(&self) -> &FieldPath {
        &self.path
    }

    /// Returns the kind of the change.
    #[must_use]
    pub const fn kind(&self) -> ChangeKind {
        self.kind
    }
}

/// Prints one change per line.
impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_lines(&self.changes, f)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ChangeKind::Cleared => write!(f, "{}: cleared", self.path),
            ChangeKind::Set => write!(f, "{}: set", self.path),
            ChangeKind::Restored => write!(f, "{}: restored", self.path),
        }
    }
}
