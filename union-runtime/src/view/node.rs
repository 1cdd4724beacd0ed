//! The view of a value that contains unions, so that each rule is written once.

use super::cursor::Cursor;
use crate::union_spec::UnionSpec;
use crate::view::state::State;

/// A value that contains unions: a struct with `#[derive(Union)]`, or a JSON object whose schema
/// has unions.
///
/// Normalization, validation and ratcheting use only this view and [`NodeMut`]. Implement both to
/// apply the rules to a representation of your own.
///
/// Unions and members are identified by their positions in source order.
pub trait Node {
    /// Returns the number of unions of the value.
    fn union_count(&self) -> usize;

    /// Returns the spec of a union, or `None` if the position is out of range.
    fn spec(&self, union: usize) -> Option<UnionSpec<'_>>;

    /// Returns the static spec of a union, or `None` if the spec depends on the value and not only
    /// on its type. Only types of this crate implement this method.
    #[doc(hidden)]
    fn static_spec(&self, _: usize) -> Option<&'static UnionSpec<'static>> {
        None
    }

    /// Returns the state of a union, or `None` if the position is out of range.
    fn state(&self, union: usize) -> Option<State<'_>>;
}

/// A mutable value that contains unions, and the old value that it is correlated with.
///
/// The methods do nothing if the position of a union or a member is out of range.
pub trait NodeMut {
    /// Returns the value.
    fn node(&self) -> &dyn Node;

    /// Returns the old value, if there is one.
    fn old(&self) -> Option<&dyn Node>;

    /// Unsets a member of a union. Returns true if the member was set.
    fn clear(&mut self, union: usize, member: usize) -> bool;

    /// Sets the discriminator of a union to the value of a member. Only the 2019 model needs this
    /// method.
    fn select(&mut self, union: usize, member: usize);

    /// Sets a member of a union to its value in the old object. Returns true on success.
    fn restore(&mut self, union: usize, member: usize) -> bool;

    /// Removes the unknown fields whose name equals `value`, ignoring ASCII case. Returns their
    /// names.
    fn clear_unknown(&mut self, value: &str) -> Vec<String>;

    /// Updates the value after the rules have changed one of its unions. The default does nothing.
    fn on_change(&mut self) {}
}

/// A visitor of the nodes of an object. A walk passes each node, together with the old node that it
/// is correlated with (KEP-4008).
pub trait Visitor {
    /// Visits a node. `old` is the correlated node of the old object, if there is one. `cursor` is
    /// the position of the node.
    fn visit(&mut self, node: &dyn Node, old: Option<&dyn Node>, cursor: &Cursor<'_, '_>);
}

/// A [`Visitor`] that may change the nodes.
pub trait VisitorMut {
    /// Visits a node, which contains its old node. `cursor` is the position of the node.
    fn visit(&mut self, node: &mut dyn NodeMut, cursor: &Cursor<'_, '_>);
}

/// A function that passes each node of an object to a visitor. The cursor is the position of the
/// object.
pub type Walk<'w, 'v> = &'w mut dyn FnMut(&Cursor<'_, 'v>, &mut dyn Visitor);

/// A [`Walk`] for a visitor that may change the nodes.
pub type WalkMut<'w, 'v> = &'w mut dyn FnMut(&Cursor<'_, 'v>, &mut dyn VisitorMut);
