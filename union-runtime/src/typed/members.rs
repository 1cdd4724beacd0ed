//! The members of a struct, one by one: generated code hands over their names.

/// A member of a struct, and the same member of the old struct.
pub struct Reset<'m, M>(pub &'m mut M, pub Option<&'m M>);

impl<M: UnionMember + Clone> Reset<'_, M> {
    /// Gives the member its old value, or removes the value if there is no old struct.
    #[must_use]
    pub fn reset(self) -> bool {
        match self.1 {
            Some(old) => self.0.clone_from(old),
            None => self.0.clear(),
        }
        true
    }
}

/// The method of members that are not `Clone`.
pub trait OrClear {
    /// Removes the value of the member, and returns true, if there is no old struct.
    fn reset(self) -> bool;
}

impl<M: UnionMember> OrClear for Reset<'_, M> {
    fn reset(self) -> bool {
        let is_new = self.1.is_none();
        if is_new {
            self.0.clear();
        }
        is_new
    }
}

/// The method of fields that are not members, which are an error elsewhere.
pub trait OrNothing {
    /// Returns false.
    fn reset(&self) -> bool {
        false
    }
}

impl<M> OrNothing for Reset<'_, M> {}

/// The states of members, by their fields: `[true, false]` if only the first has a value.
#[doc(hidden)]
#[macro_export]
macro_rules! __are_set {
    ($this:tt $($field:ident)*) => {
        [$($crate::UnionMember::is_set(&$this.$field)),*]
    };
}

/// Implements `reset_member` for the fields that are members, by the positions of the union and of
/// the member. A method of [`Reset`] hides the same method of its traits.
#[doc(hidden)]
#[macro_export]
macro_rules! __reset {
    ($($position:tt $field:ident)*) => {
        fn reset_member(
            &mut self,
            old: ::core::option::Option<&Self>,
            union: ::core::primitive::usize,
            member: ::core::primitive::usize,
        ) -> ::core::primitive::bool {
            use $crate::__private::{OrClear as _, OrNothing as _, Reset};
            match (union, member) {
                // A closure for `Option::map` would take rustc longer than a match.
                $($position => Reset(&mut self.$field, match old {
                    ::core::option::Option::Some(old) => ::core::option::Option::Some(&old.$field),
                    ::core::option::Option::None => ::core::option::Option::None,
                }).reset(),)*
                _ => false,
            }
        }
    };
}

/// A field that can be a member: it is set or unset.
///
/// Set means present and not null, so `Some(vec![])` is set.
#[diagnostic::on_unimplemented(
    message = "a member of a union must be an `Option`, and `{Self}` is not",
    label = "not an `Option`",
    note = "write `Option<{Self}>`: a member that is not selected has no value (KEP-1027, \"Go Markers\")"
)]
pub trait UnionMember {
    /// Returns true if the member has a value.
    fn is_set(&self) -> bool;

    /// Removes the value of the member.
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
