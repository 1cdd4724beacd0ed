//! The name of an arity.

use union_runtime::UnionModel;

/// Returns the name of an arity in listings and case files.
pub(super) const fn arity_name(arity: UnionModel) -> &'static str {
    match arity {
        UnionModel::ExactlyOne => "exactly one",
        UnionModel::AtMostOne => "at most one",
        _ => "selected",
    }
}
