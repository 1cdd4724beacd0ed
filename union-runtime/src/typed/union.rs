//! The trait that the derives implement. A value of a type with this trait is a node, which a walk
//! can visit.

use super::members::MemberList;
use super::unknown::UnknownMembers;
use crate::generated::enum_form::EnumForm;
use crate::union_spec::{MemberSpec, UnionSpec};
use crate::view::{Descent, Nested, Node, NodeMut, Selected, State, Visitor, VisitorMut};

/// A struct with unions, or an enum that is a union ([`UnionEnum`](crate::UnionEnum)). The derives
/// implement this trait. Users call the methods of [`Union`](trait@crate::Union), which all such
/// types have.
///
/// An implementation by hand needs [`unions`](Self::unions), [`union_state`](Self::union_state) and
/// [`reset_member`](Self::reset_member). Only the derives implement the hidden items. If the
/// position of a union or a member is out of range, the methods return `None` or `false`, or do
/// nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no unions",
    label = "this type does not derive `Union`",
    note = "add `#[derive(union_runtime::Union)]` to the struct that holds the union; in a schema hook beside KubeSchema, write the name of the struct instead of `Self`"
)]
pub trait UnionType: Sized {
    /// True if deserialization keeps unknown members, in a field with `#[union(unknown)]` of this
    /// struct or of a flattened struct with `inline`. All constants of this trait are hidden,
    /// because they change with every version.
    #[doc(hidden)]
    const KEEPS_UNKNOWN: bool = false;

    /// The description of the type, if the type is an enum.
    #[doc(hidden)]
    const AS_ENUM: Option<&'static EnumForm> = None;

    /// Returns the unions of the type, in source order.
    fn unions() -> &'static [UnionSpec<'static>];

    /// Returns the state of the union at a position of [`unions`](Self::unions), or `None` if the
    /// position is out of range.
    fn union_state(&self, union: usize) -> Option<State<'_>>;

    /// Sets a member of a union to its value in `old`, or unsets the member if `old` is `None`.
    /// Returns true on success. Every member can be unset. A member can be set to its old value if
    /// its type implements `Clone` ([`RestoreUnaware`](crate::RestoreUnaware)).
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
    /// this build does not know.
    #[doc(hidden)]
    fn unknown_members(&mut self) -> Option<&mut dyn UnknownMembers> {
        None
    }

    /// Updates the value after the rules have changed one of its unions. Only enums with a variant
    /// with `other` need this method: the changed object may fit a variant now.
    #[doc(hidden)]
    fn reread(&mut self) {}

    /// Sets the discriminator of a union to the value of a member.
    ///
    /// Only unions whose discriminator follows the members (`deduce`) need this method. It does
    /// nothing for other unions.
    fn select_member(&mut self, union: usize, member: usize) {
        let _ = (union, member);
    }

    /// Returns true if the unions of the fields with `inline` and `nested` are settled.
    #[doc(hidden)]
    #[inline]
    fn children_are_settled(&self) -> bool {
        true
    }

    /// Passes the nodes in the fields with `inline` and `nested` to a visitor.
    #[doc(hidden)]
    fn walk_children(&self, descent: Descent<'_, '_, Self, dyn Visitor + '_>) {
        let _ = descent;
    }

    /// Passes the nodes in the fields with `inline` and `nested` to a visitor that may change the
    /// nodes.
    #[doc(hidden)]
    fn walk_children_mut(&mut self, descent: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
        let _ = descent;
    }

    /// Passes the values of enum types outside of unions to a visitor, if there is a walk. Returns
    /// true if the types know all of these values.
    #[doc(hidden)]
    #[inline]
    fn walk_values(&self, descent: &mut Option<Descent<'_, '_, Self, dyn Visitor + '_>>) -> bool {
        let _ = descent;
        true
    }

    /// Calls `visit` with each union of the type, including the unions of flattened structs with
    /// `inline`.
    fn visit_unions(visit: &mut dyn FnMut(&'static UnionSpec<'static>)) {
        Self::unions().iter().for_each(visit);
    }

    /// Calls `visit` with the JSON name and the default of each discriminator whose default serde
    /// may omit, because schemars adds only defaults that serde writes to the schema. The default
    /// is `None` if it is not a known value.
    #[doc(hidden)]
    fn visit_omitted_defaults(_: &mut dyn FnMut(&str, Option<&str>)) {}

    /// Returns the lists of the struct whose elements are correlated by keys: for each list, the
    /// JSON name of the field and the JSON names of the keys.
    #[doc(hidden)]
    #[must_use]
    fn list_maps() -> &'static [(&'static str, &'static [&'static str])] {
        &[]
    }

    /// Returns the patch keywords for the schema: for each field, its JSON name, its patch
    /// strategy, and its merge key or `""`.
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

    fn walk_children(&self, descent: Descent<'_, '_, Self, dyn Visitor + '_>) {
        (**self).walk_children(descent.map(|old| Some(&**old)));
    }

    fn walk_children_mut(&mut self, descent: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
        (**self).walk_children_mut(descent.map(|old| Some(&**old)));
    }

    fn walk_values(&self, descent: &mut Option<Descent<'_, '_, Self, dyn Visitor + '_>>) -> bool {
        let inner = descent.as_mut().map(Descent::reborrow);
        (**self).walk_values(&mut inner.map(|inner| inner.map(|old| Some(&**old))))
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
        let mut unions = T::unions().iter().enumerate();
        unions.all(|(union, spec)| {
            let state = self.union_state(union);
            state.is_some_and(|state| spec.is_settled(state))
        }) && self.children_are_settled()
            && self.walk_values(&mut None)
    }

    fn walk(&self, mut descent: Descent<'_, '_, Self, dyn Visitor + '_>) {
        let empty = EmptyNode::for_missing_old(&descent);
        let old = descent.old.map(|old| -> &dyn Node { old });
        let old = old.or(empty.as_ref().map(|empty| -> &dyn Node { empty }));
        descent.visitor.visit(self, old, descent.cursor);
        self.walk_values(&mut Some(descent.reborrow()));
        self.walk_children(descent);
    }

    fn walk_mut(&mut self, descent: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
        let mut pair = StructPair {
            new: self,
            old: descent.old,
            empty: EmptyNode::for_missing_old(&descent),
        };
        descent.visitor.visit(&mut pair, descent.cursor);
        self.walk_children_mut(descent);
    }
}

/// Returns a member of a union, or `None` if a position is out of range.
#[must_use]
pub fn member_spec<T: UnionType>(union: usize, member: usize) -> Option<MemberSpec<'static>> {
    T::unions().get(union)?.member(member)
}

/// Returns the state of a union of a struct, if there is such a union.
#[inline]
#[must_use]
pub fn state<'a, T: UnionType>(
    _: &T,
    union: usize,
    members: impl MemberList,
    selected: Selected<'a>,
) -> Option<State<'a>> {
    let spec = T::unions().get(union)?;
    let mask = members.mask_of_set(spec, 0);
    Some(State::from_mask(spec, selected, mask))
}

/// The new struct and the correlated old struct, as one [`NodeMut`].
struct StructPair<'a, T> {
    new: &'a mut T,
    old: Option<&'a T>,
    /// The old value of a flattened struct without an old struct of its own.
    empty: Option<EmptyNode>,
}

impl<T: UnionType> NodeMut for StructPair<'_, T> {
    fn node(&self) -> &dyn Node {
        self.new
    }

    fn old(&self) -> Option<&dyn Node> {
        let empty = self.empty.as_ref().map(|empty| -> &dyn Node { empty });
        self.old.map(|old| -> &dyn Node { old }).or(empty)
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
        let members = self.new.unknown_members();
        members.map_or_else(Vec::new, |members| members.take_named(value))
    }

    fn on_change(&mut self) {
        self.new.reread();
    }
}

/// The unions of a flattened struct that is absent in the old object. These unions have no set
/// members.
struct EmptyNode(&'static [UnionSpec<'static>]);

impl EmptyNode {
    /// Returns the old node of a flattened value without an old value, or `None` for other values.
    fn for_missing_old<T: UnionType, V: ?Sized>(descent: &Descent<'_, '_, T, V>) -> Option<Self> {
        (descent.is_flattened && descent.old.is_none()).then(|| Self(T::unions()))
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
