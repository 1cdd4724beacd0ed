//! The changes that normalization made to an object.

use core::{fmt, iter::Chain, option, slice};

use crate::path::FieldPath;
use k8s_json_internals::{optional_box::OptionalBox, print::write_lines};

/// The changes that normalization made to an object. Unions, and the members of a union, are in
/// source order. A discriminator that was set comes after the member that it names. The unknown
/// members that were cleared are the last changes of their union.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "the changes list the fields that the object lost"]
pub struct Changes {
    /// The first change. Usually it is the only change, which then needs no allocation.
    first: Option<Change>,
    /// The changes after the first change. The list is absent if there are fewer than two changes.
    rest: OptionalBox<Vec<Change>>,
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
    /// Returns the changes, in the order of the unions.
    pub(super) fn into_changes(mut self) -> impl Iterator<Item = Change> {
        let rest = self.rest.take().unwrap_or_default();
        self.first.into_iter().chain(rest)
    }

    /// Adds changes after the others.
    pub(super) fn extend(&mut self, changes: impl IntoIterator<Item = Change>) {
        let mut changes = changes.into_iter();
        if self.first.is_none() {
            self.first = changes.next();
        }
        changes.for_each(|change| self.rest.get_or_insert_default().push(change));
    }

    /// Returns true if there are no changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Returns the number of changed fields.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns an iterator over the changes, in the order of the unions.
    pub fn iter(&self) -> Chain<option::Iter<'_, Change>, slice::Iter<'_, Change>> {
        self.into_iter()
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
    ///
    /// ```
    /// use serde::{Deserialize, Serialize};
    /// use union_runtime::{EnumType, Settings, Union};
    ///
    /// #[derive(EnumType, Serialize, Deserialize)]
    /// enum SourceType {
    ///     Empty,
    ///     Git,
    ///     Image,
    /// }
    ///
    /// #[derive(Union, Serialize, Deserialize)]
    /// struct Source {
    ///     #[union(discriminator)]
    ///     r#type: SourceType,
    ///     #[union(member)]
    ///     #[serde(skip_serializing_if = "Option::is_none")]
    ///     git: Option<String>,
    ///     #[union(member)]
    ///     #[serde(skip_serializing_if = "Option::is_none")]
    ///     image: Option<String>,
    /// }
    ///
    /// let [git, image] = ["git", "image"].map(|text| Some(text.to_owned()));
    /// let old = Source { r#type: SourceType::Git, git: git.clone(), image: None };
    /// let mut new = Source { r#type: SourceType::Empty, git, image };
    /// let mut changes = new.normalize_unions(Some(&old), &Settings::default());
    /// assert_eq!(changes.to_string(), "git: cleared\nimage: cleared");
    /// changes.retain(|path| *path != "git");
    /// assert_eq!(changes.to_string(), "image: cleared");
    /// ```
    pub fn retain(&mut self, keep: impl Fn(&FieldPath) -> bool) {
        let changes = core::mem::take(self).into_changes();
        self.extend(changes.filter(|change| keep(&change.path)));
    }

    /// Adds a change. Use this function if your code normalizes more than unions, so that callers
    /// see all changes.
    pub fn push(&mut self, path: FieldPath, kind: ChangeKind) {
        self.extend([Change { path, kind }]);
    }

    /// Returns the same changes with `outer` in front of each path. Use this function if the
    /// normalized object is a part of another object, at the path `outer`.
    pub fn under(mut self, outer: impl Into<FieldPath>) -> Self {
        let outer = outer.into();
        let changes = self.first.iter_mut().chain(self.rest.as_mut_slice());
        changes.for_each(|change| change.path = change.path.under(&outer));
        self
    }
}

impl<'a> IntoIterator for &'a Changes {
    type Item = &'a Change;
    type IntoIter = Chain<option::Iter<'a, Change>, slice::Iter<'a, Change>>;

    fn into_iter(self) -> Self::IntoIter {
        self.first.iter().chain(self.rest.as_slice())
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
        write_lines(self, f)
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
