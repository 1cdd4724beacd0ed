//! What the member of a union must be.

/// A field that can be a member: it is set or unset.
///
/// Set means present and not null, so `Some(vec![])` is set.
#[diagnostic::on_unimplemented(
    message = "a member of a union must be an `Option`, and `{Self}` is not",
    label = "not an `Option`",
    note = "write `Option<{Self}>`: a member that is not selected has no value (KEP-1027, \"Go Markers\")"
)]
pub trait UnionMember {
    /// Whether the member has a value.
    fn is_set(&self) -> bool;

    /// Takes the member's value away.
    fn clear(&mut self);
}

#[diagnostic::do_not_recommend]
impl<T> UnionMember for Option<T> {
    #[inline]
    fn is_set(&self) -> bool {
        self.is_some()
    }

    fn clear(&mut self) {
        *self = None;
    }
}

#[diagnostic::do_not_recommend]
impl<M: UnionMember + ?Sized> UnionMember for Box<M> {
    #[inline]
    fn is_set(&self) -> bool {
        (**self).is_set()
    }

    fn clear(&mut self) {
        (**self).clear();
    }
}
