//! Normalization: the object says what its client meant.

use core::fmt;

use crate::path::Path;
use crate::view::{Node, Selected};

/// What normalization changed, in source order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "it says what the object lost"]
pub struct Changes {
    changes: Vec<Change>,
}

/// A field that normalization changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    path: String,
    kind: ChangeKind,
}

/// What normalization did to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The member was set and is not any more.
    Cleared,
}

impl Changes {
    /// Whether nothing was changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// How many fields were changed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// The changes, in source order.
    pub fn iter(&self) -> core::slice::Iter<'_, Change> {
        self.changes.iter()
    }

    /// The paths of the members that were cleared.
    pub fn cleared(&self) -> impl Iterator<Item = &str> {
        self.iter()
            .filter(|change| change.kind == ChangeKind::Cleared)
            .map(Change::path)
    }

    /// The same changes, seen from an object that holds this one in `field`, such as `spec.strategy`.
    pub fn under(mut self, field: &str) -> Self {
        for change in &mut self.changes {
            change.path = crate::violation::join(field, &change.path);
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
    /// Where the field is, as `spec.strategy.rollingUpdate`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What was done to it.
    #[must_use]
    pub const fn kind(&self) -> ChangeKind {
        self.kind
    }
}

/// One line a change.
impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, change) in self.changes.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{change}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ChangeKind::Cleared => write!(f, "{}: cleared", self.path),
        }
    }
}

/// Normalizes an update, by the 2022 model (DESIGN 5): a discriminator that changed to a known value clears every
/// member but the selected one. A value that is missing or not known changes nothing: validation refuses it loudly,
/// and nothing is lost.
#[cold]
pub(crate) fn update(new: &mut dyn Node, old: &dyn Node, path: &Path<'_>) -> Changes {
    let mut changes = Changes::default();
    for union in 0..new.specs().len() {
        let selected = new.state(union).selected();
        let Selected::Known(value) = selected else {
            continue;
        };
        if selected == old.state(union).selected() {
            continue;
        }
        for member in 0..new.specs()[union].members().len() {
            let spec = new.specs()[union].members()[member];
            let is_set = new.state(union).set() & spec.bit() != 0;
            if is_set && spec.value_index() != value {
                new.clear(union, member);
                changes.changes.push(Change {
                    path: path.field(spec.name()).to_string(),
                    kind: ChangeKind::Cleared,
                });
            }
        }
    }
    changes
}
