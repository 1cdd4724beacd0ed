//! One view over every value that holds unions, so that each rule is written once.

use super::place::Place;
use crate::union_spec::UnionSpec;
use crate::view::state::State;

/// A value that holds unions: a struct with `#[derive(Union)]`, or a JSON object whose schema has
/// them.
///
/// All rules (normalize, validate, ratchet) work on this view and on [`NodeMut`] alone.
pub trait Node {
    /// Returns the number of unions of the value.
    fn union_count(&self) -> usize;

    /// Returns the spec of union number `union`, in source order; `None` if there are fewer unions.
    fn spec(&self, union: usize) -> Option<UnionSpec<'_>>;

    /// The same, where a type says it and not the value: it is there for good. For this crate
    /// alone.
    #[doc(hidden)]
    fn declared(&self, _: usize) -> Option<&'static UnionSpec<'static>> {
        None
    }

    /// Returns the state of union number `union`; `None` if there are fewer unions.
    fn state(&self, union: usize) -> Option<State<'_>>;
}

/// A value that holds unions, to be changed, and the old one that it is correlated with.
///
/// A number that no union or member has changes nothing.
pub trait NodeMut {
    /// The value as it is.
    fn node(&self) -> &dyn Node;

    /// The old value, if there is one.
    fn old(&self) -> Option<&dyn Node>;

    /// Unsets member number `member` of union number `union`. Returns true if the member was set.
    fn clear(&mut self, union: usize, member: usize) -> bool;

    /// Makes the discriminator of union number `union` select member number `member`: the 2019
    /// model.
    fn select(&mut self, union: usize, member: usize);

    /// Gives member number `member` of union number `union` what it is in the old value, and tells
    /// whether it could.
    fn restore(&mut self, union: usize, member: usize) -> bool;

    /// Takes out the fields that are known to nobody here and whose name is `value`, ASCII case
    /// ignored, and tells their names.
    fn clear_unknown(&mut self, value: &str) -> Vec<String>;

    /// Told once the rules have done with a union of the value, if they did anything.
    fn changed(&mut self) {}
}

/// Is shown every node of an object, and the node of the old one that it is correlated with
/// (KEP-4008).
pub trait Visitor {
    /// Shows a node, the one of the old object that it is correlated with, if there is one, and
    /// where it is.
    fn visit(&mut self, node: &dyn Node, old: Option<&dyn Node>, at: &Place<'_, '_>);
}

/// A [`Visitor`] that may change the nodes.
pub trait VisitorMut {
    /// Shows a node, which knows the old one, and where it is.
    fn visit(&mut self, node: &mut dyn NodeMut, at: &Place<'_, '_>);
}

/// A walk that shows each node of an object to a visitor, from a place on.
pub type Walk<'w, 'v> = &'w mut dyn FnMut(&Place<'_, 'v>, &mut dyn Visitor);

/// A walk for a visitor that may change the nodes.
pub type WalkMut<'w, 'v> = &'w mut dyn FnMut(&Place<'_, 'v>, &mut dyn VisitorMut);
