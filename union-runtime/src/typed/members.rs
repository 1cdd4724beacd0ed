//! Access to the members of a struct, by macros to which generated code passes the names of the
//! fields.

/// A member of a struct, and the same member of the old struct, if there is an old struct.
pub struct MemberPair<'m, M>(pub &'m mut M, pub Option<&'m M>);

impl<M: UnionMember + Clone> MemberPair<'_, M> {
    /// Sets the member to its old value, or unsets the member if there is no old struct. Returns
    /// true.
    #[must_use]
    pub fn reset(self) -> bool {
        let Self(member, old_member) = self;
        match old_member {
            Some(old_member) => member.clone_from(old_member),
            None => member.clear(),
        }
        true
    }
}

/// The `reset` of members whose type is not `Clone`.
pub trait ResetWithoutClone {
    /// Unsets the member and returns true if there is no old struct. Otherwise returns false,
    /// because the old value cannot be cloned.
    fn reset(self) -> bool;
}

impl<M: UnionMember> ResetWithoutClone for MemberPair<'_, M> {
    fn reset(self) -> bool {
        let Self(member, old_member) = self;
        if old_member.is_none() {
            member.clear();
        }
        old_member.is_none()
    }
}

/// The `reset` of fields that cannot be members. The bound `UnionMember` elsewhere in the generated
/// code causes the compile error for such a field.
pub trait ResetNonMember {
    /// Returns false.
    fn reset(&self) -> bool {
        false
    }
}

impl<M> ResetNonMember for MemberPair<'_, M> {}

/// Expands to an array with a flag for each field: true if the member is set.
#[doc(hidden)]
#[macro_export]
macro_rules! __are_set {
    ($object:tt $($field:ident)*) => {
        [$($crate::UnionMember::is_set(&$object.$field)),*]
    };
}

/// Implements `reset_member` for fields that are members. Each field is passed with the positions
/// of its union and its member. The inherent method of [`MemberPair`] takes precedence over the
/// methods of the traits `ResetWithoutClone` and `ResetNonMember`.
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
            use $crate::__private::{MemberPair, ResetNonMember as _, ResetWithoutClone as _};
            match (union, member) {
                // A match compiles faster than `Option::map` with a closure.
                $($position => MemberPair(&mut self.$field, match old {
                    ::core::option::Option::Some(old) => ::core::option::Option::Some(&old.$field),
                    ::core::option::Option::None => ::core::option::Option::None,
                }).reset(),)*
                _ => false,
            }
        }
    };
}

/// A field that can be a member of a union.
///
/// A member is set if it is present and not null. `Some(vec![])` is therefore set.
#[diagnostic::on_unimplemented(
    message = "a member of a union must be an `Option`, not `{Self}`",
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
