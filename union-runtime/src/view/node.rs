//! The view on every value that contains unions, so that each rule is written once.

use super::cursor::Cursor;
use crate::union_spec::UnionSpec;
use crate::view::state::State;

/// A value that contains unions: a struct with `#[derive(Union)]`, or a JSON object whose schema
/// has unions.
///
/// The rules (normalization, validation, ratcheting) use only this view and [`NodeMut`].
pub trait Node {
    /// Returns the number of unions of the value.
    fn union_count(&self) -> usize;

    /// Returns the spec of union number `union`, in source order; `None` if there are fewer unions.
    fn spec(&self, union: usize) -> Option<UnionSpec<'_>>;

    /// Returns the static spec of union number `union`, if the type of the value declares the
    /// union. Otherwise the spec depends on the value, and the method returns `None`. For this
    /// crate alone.
    #[doc(hidden)]
    fn static_spec(&self, _: usize) -> Option<&'static UnionSpec<'static>> {
        None
    }

    /// Returns the state of union number `union`; `None` if there are fewer unions.
    fn state(&self, union: usize) -> Option<State<'_>>;
}

/// A value that contains unions and can be changed, and the old value that it is correlated with.
///
/// The methods do nothing for numbers of unions or members that do not exist.
pub trait NodeMut {
    /// Returns the value.
    fn node(&self) -> &dyn Node;

    /// Returns the old value, if there is one.
    fn old(&self) -> Option<&dyn Node>;

    /// Unsets member number `member` of union number `union`. Returns true if the member was set.
    fn clear(&mut self, union: usize, member: usize) -> bool;

    /// Sets the discriminator of union number `union` to the value of member number `member`. Only
    /// the 2019 model needs it.
    fn select(&mut self, union: usize, member: usize);

    /// Sets member number `member` of union number `union` to its value in the old object. Returns
    /// true on success.
    fn restore(&mut self, union: usize, member: usize) -> bool;

    /// Removes the unknown fields whose name is `value`, ASCII case ignored, and returns their
    /// names.
    fn clear_unknown(&mut self, value: &str) -> Vec<String>;

    /// Updates the value after the rules have changed one of its unions.
    fn on_change(&mut self) {}
}

/// A visitor of the nodes of an object. It gets every node together with the old node that it is
/// correlated with (KEP-4008).
pub trait Visitor {
    /// Visits a node. `old` is the correlated node of the old object, if there is one, and `at` is
    /// the place of the node.
    fn visit(&mut self, node: &dyn Node, old: Option<&dyn Node>, at: &Cursor<'_, '_>);
}

/// A [`Visitor`] that may change the nodes.
pub trait VisitorMut {
    /// Visits a node, which contains its old node. `at` is the place of the node.
    fn visit(&mut self, node: &mut dyn NodeMut, at: &Cursor<'_, '_>);
}

/// A walk that shows each node of an object to a visitor, starting at a place.
pub type Walk<'w, 'v> = &'w mut dyn FnMut(&Cursor<'_, 'v>, &mut dyn Visitor);

/// A walk for a visitor that may change the nodes.
pub type WalkMut<'w, 'v> = &'w mut dyn FnMut(&Cursor<'_, 'v>, &mut dyn VisitorMut);
