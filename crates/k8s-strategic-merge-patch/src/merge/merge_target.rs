//! The kinds of targets of a merge.

/// The kind of target of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MergeTarget {
    /// An object: directives are applied, and not part of the result.
    Object,
    /// Another patch: nulls and directives are kept.
    Patch,
}
