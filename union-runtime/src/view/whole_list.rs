//! Lists as wholes: what an update leaves alone keeps its violations, also where no element has an old one by itself.

use std::cell::OnceCell;

use serde_json::Value;

use crate::path::Path;
use k8s_json_internals::equality::same;

/// A list of the new object that the old one has too: the nearest thing around elements without an old one that is
/// correlated (KEP-4008). What is wrong in them is not new where the list is what it was.
#[derive(Clone, Debug)]
pub struct WholeList<'a> {
    pub(crate) new: Path<'a>,
    pub(crate) old: Path<'a>,
    /// Found once, for all that is wrong in it.
    is_unchanged: OnceCell<bool>,
}

impl<'a> WholeList<'a> {
    pub(crate) const fn new(new: Path<'a>, old: Path<'a>) -> Self {
        Self {
            new,
            old,
            is_unchanged: OnceCell::new(),
        }
    }

    /// Whether these objects have one list here.
    pub(crate) fn is_unchanged(&self, new: &Value, old: &Value) -> bool {
        let compare = || hold_the_same(&self.new, new, &self.old, old);
        *self.is_unchanged.get_or_init(compare)
    }
}

/// Whether two objects hold one value, each at its path.
pub(crate) fn hold_the_same(at: &Path<'_>, new: &Value, at_old: &Path<'_>, old: &Value) -> bool {
    match (at.find(new), at_old.find(old)) {
        (Some(new), Some(old)) => same(new, old),
        _ => false,
    }
}
