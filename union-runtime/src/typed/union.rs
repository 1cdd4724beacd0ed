//! The trait that the derives implement. Every type with this trait is a node, and a walk can go
//! through it.

use super::unknown::UnknownMembers;
use crate::generated::enum_form::EnumForm;
use crate::union_spec::{MemberSpec, UnionSpec};
use crate::view::{Descent, Nested, Node, NodeMut, Selected, State, Visitor, VisitorMut};

/// A struct with unions, or an enum that is a union ([`UnionEnum`](crate::UnionEnum)), as the
/// derives describe it. The methods for users are those of [`Union`](trait@crate::Union), which
/// every such type has.
///
/// An implementation by hand needs [`unions`](Self::unions), [`union_state`](Self::union_state) and
/// [`reset_member`](Self::reset_member); the hidden items are for the derives alone. For numbers of
/// unions or members that do not exist, the methods return `None` or `false`, or do nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no unions",
    label = "this type does not derive `Union`",
    note = "add `#[derive(union_runtime::Union)]` to the struct that holds the union"
)]
pub trait UnionType: Sized {
    /// True if deserialization keeps unknown members, in a field with `#[union(unknown)]` here or
    /// in a flattened struct with `inline`. It is hidden, like all constants here: the derive
    /// writes them, its checks read them, and they change with every version.
    #[doc(hidden)]
    const KEEPS_UNKNOWN: bool = false;

    /// The form of the type, if it is an enum. For the derives alone.
    #[doc(hidden)]
    const AS_ENUM: Option<&'static EnumForm> = None;

    /// Returns the unions of the type, in source order.
    fn unions() -> &'static [UnionSpec<'static>];

    /// Returns the state of union number `union` of [`unions`](Self::unions); `None` if there are
    /// fewer unions.
    fn union_state(&self, union: usize) -> Option<State<'_>>;

    /// Sets member number `member` of union number `union` to its value in `old`, or unsets it if
    /// `old` is `None`. Returns true on success. Every member can be unset; a member can get its
    /// old value if its type implements `Clone` ([`RestoreUnaware`](crate::RestoreUnaware)).
    ///
    /// An implementation by hand has a line for each member:
    ///
    /// ```
    /// # struct Strategy { rolling_update: Option<String> }
    /// # impl Strategy {
    /// fn reset_member(&mut self, old: Option<&Self>, union: usize, member: usize) -> bool {
    ///     match (union, member) {
    ///         (0, 0) => self.rolling_update = old.and_then(|old| old.rolling_update.clone()),
    ///         _ => return false,
    ///     }
    ///     true
    /// }
    /// # }
    /// ```
    fn reset_member(&mut self, old: Option<&Self>, union: usize, member: usize) -> bool;

    /// Returns the map with `#[union(unknown)]`, if there is one, which contains the members that
    /// this build does not know. For the derive alone.
    #[doc(hidden)]
    fn unknown_members(&mut self) -> Option<&mut dyn UnknownMembers> {
        None
    }

    /// Updates the value after the rules have changed one of its unions: an object that could not
    /// be read before may be readable now. For the derive alone.
    #[doc(hidden)]
    fn reread(&mut self) {}

    /// Sets the discriminator of union number `union` to the value of member number `member`.
    ///
    /// This is needed for unions whose discriminator follows the members (`deduce`). The method
    /// does nothing for other unions.
    fn select_member(&mut self, union: usize, member: usize) {
        let _ = (union, member);
    }

    /// Returns true if the unions of the fields with `inline` and `nested` are settled. For the
    /// derive alone.
    #[doc(hidden)]
    #[inline]
    fn children_are_settled(&self) -> bool {
        true
    }

    /// Shows the nodes in the fields with `inline` and `nested` to the visitor of a walk. For the
    /// derive alone.
    #[doc(hidden)]
    fn walk_children(&self, on: Descent<'_, '_, Self, dyn Visitor + '_>) {
        let _ = on;
    }

    /// Shows the nodes in the fields with `inline` and `nested` to a visitor that may change them.
    /// For the derive alone.
    #[doc(hidden)]
    fn walk_children_mut(&mut self, on: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
        let _ = on;
    }

    /// Shows the values of enum types outside of unions to the visitor of a walk, if there is a
    /// walk. Returns true if the types know all of these values. For the derive alone.
    #[doc(hidden)]
    #[inline]
    fn walk_values(&self, on: &mut Option<Descent<'_, '_, Self, dyn Visitor + '_>>) -> bool {
        let _ = on;
        true
    }

    /// Calls `visit` with each union of the struct, including the unions of flattened structs with
    /// `inline`.
    fn visit_unions(visit: &mut dyn FnMut(&'static UnionSpec<'static>)) {
        Self::unions().iter().for_each(visit);
    }

    /// Returns the lists of the struct that correlate by keys, each as the JSON name of the field
    /// and the JSON names of the keys. For the derive alone.
    #[doc(hidden)]
    #[must_use]
    fn list_maps() -> &'static [(&'static str, &'static [&'static str])] {
        &[]
    }

    /// Returns the patch keywords for the schema: the JSON name of a field, its patch strategy, and
    /// its merge key or `""`. For the derive alone.
    #[doc(hidden)]
    #[must_use]
    fn patch_fields() -> &'static [(&'static str, &'static str, &'static str)] {
        &[]
    }
}

#[diagnostic::do_not_recommend]
impl<T: UnionType> UnionType for Box<T> {
    const KEEPS_UNKNOWN: bool = T::KEEPS_UNKNOWN;
    const AS_ENUM: Option<&'static EnumForm> = T::AS_ENUM;

    fn unions() -> &'static [UnionSpec<'static>] {
        T::unions()
    }

    #[inline]
    fn union_state(&self, union: usize) -> Option<State<'_>> {
        (**self).union_state(union)
    }

    fn reset_member(&mut self, old: Option<&Self>, union: usize, member: usize) -> bool {
        (**self).reset_member(old.map(|old| &**old), union, member)
    }

    fn unknown_members(&mut self) -> Option<&mut dyn UnknownMembers> {
        (**self).unknown_members()
    }

    fn reread(&mut self) {
        (**self).reread();
    }

    fn select_member(&mut self, union: usize, member: usize) {
        (**self).select_member(union, member);
    }

    fn children_are_settled(&self) -> bool {
        (**self).children_are_settled()
    }

    fn walk_children(&self, on: Descent<'_, '_, Self, dyn Visitor + '_>) {
        (**self).walk_children(on.map(|old| Some(&**old)));
    }

    fn walk_children_mut(&mut self, on: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
        (**self).walk_children_mut(on.map(|old| Some(&**old)));
    }

    fn walk_values(&self, on: &mut Option<Descent<'_, '_, Self, dyn Visitor + '_>>) -> bool {
        let on = on.as_mut().map(|on| on.reborrow().map(|old| Some(&**old)));
        (**self).walk_values(&mut { on })
    }

    fn visit_unions(visit: &mut dyn FnMut(&'static UnionSpec<'static>)) {
        T::visit_unions(visit);
    }

    fn list_maps() -> &'static [(&'static str, &'static [&'static str])] {
        T::list_maps()
    }

    fn patch_fields() -> &'static [(&'static str, &'static str, &'static str)] {
        T::patch_fields()
    }
}

impl<T: UnionType> Node for T {
    fn union_count(&self) -> usize {
        T::unions().len()
    }

    fn spec(&self, union: usize) -> Option<UnionSpec<'_>> {
        T::unions().get(union).copied()
    }

    fn static_spec(&self, union: usize) -> Option<&'static UnionSpec<'static>> {
        T::unions().get(union)
    }

    fn state(&self, union: usize) -> Option<State<'_>> {
        self.union_state(union)
    }
}

#[diagnostic::do_not_recommend]
impl<T: UnionType> Nested for T {
    #[inline]
    fn is_settled(&self) -> bool {
        let unions = T::unions();
        (0..unions.len()).all(|union| match (unions.get(union), self.union_state(union)) {
            (Some(spec), Some(state)) => spec.is_settled(state),
            _ => false,
        }) && self.children_are_settled()
            && self.walk_values(&mut None)
    }

    fn walk(&self, mut on: Descent<'_, '_, Self, dyn Visitor + '_>) {
        let absent = EmptyNode::for_missing_old(&on);
        let old = on.old.map(|old| -> &dyn Node { old });
        let old = old.or(absent.as_ref().map(|absent| -> &dyn Node { absent }));
        on.visitor.visit(self, old, on.cursor);
        self.walk_values(&mut Some(on.reborrow()));
        self.walk_children(on);
    }

    fn walk_mut(&mut self, on: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
        let mut both = StructPair {
            new: self,
            old: on.old,
            absent: EmptyNode::for_missing_old(&on),
        };
        on.visitor.visit(&mut both, on.cursor);
        self.walk_children_mut(on);
    }
}

/// Returns a member of a union; `None` for numbers of unions or members that do not exist.
#[must_use]
pub fn member_spec<T: UnionType>(union: usize, member: usize) -> Option<MemberSpec<'static>> {
    T::unions().get(union)?.member(member)
}

/// Returns the state of union number `union` of a struct, if there is one. `members` contains true
/// for each of its members that is set.
#[inline]
#[must_use]
pub fn state<'a, T: UnionType, const N: usize>(
    _: &T,
    union: usize,
    members: [bool; N],
    selected: Selected<'a>,
) -> Option<State<'a>> {
    Some(State::new(T::unions().get(union)?, selected, members))
}

/// The new struct and the correlated old struct, as one [`NodeMut`].
struct StructPair<'a, T> {
    new: &'a mut T,
    old: Option<&'a T>,
    absent: Option<EmptyNode>,
}

impl<T: UnionType> NodeMut for StructPair<'_, T> {
    fn node(&self) -> &dyn Node {
        self.new
    }

    fn old(&self) -> Option<&dyn Node> {
        match (&self.old, &self.absent) {
            (Some(old), _) => Some(*old),
            (None, Some(absent)) => Some(absent),
            (None, None) => None,
        }
    }

    fn clear(&mut self, union: usize, member: usize) -> bool {
        self.new.reset_member(None, union, member)
    }

    fn select(&mut self, union: usize, member: usize) {
        self.new.select_member(union, member);
    }

    fn restore(&mut self, union: usize, member: usize) -> bool {
        self.old.is_some() && self.new.reset_member(self.old, union, member)
    }

    fn clear_unknown(&mut self, value: &str) -> Vec<String> {
        let unknown = self.new.unknown_members();
        unknown.map_or_else(Vec::new, |unknown| unknown.take_named(value))
    }

    fn on_change(&mut self) {
        self.new.reread();
    }
}

/// The old unions of a flattened struct that is absent in the old object: no member is set.
struct EmptyNode(&'static [UnionSpec<'static>]);

impl EmptyNode {
    fn for_missing_old<T: UnionType, V: ?Sized>(on: &Descent<'_, '_, T, V>) -> Option<Self> {
        (on.is_flattened && on.old.is_none()).then(|| Self(T::unions()))
    }
}

impl Node for EmptyNode {
    fn union_count(&self) -> usize {
        self.0.len()
    }

    fn spec(&self, union: usize) -> Option<UnionSpec<'_>> {
        self.0.get(union).copied()
    }

    fn state(&self, union: usize) -> Option<State<'_>> {
        let spec = self.0.get(union)?;
        Some(State::new(spec, Selected::Missing, []))
    }
}
