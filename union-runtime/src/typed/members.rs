//! Access to the members of a struct. rustc compiles a list of members faster than a call for each
//! member, so generated code passes lists.

use crate::union_spec::UnionSpec;

/// Members of a union: an array with a flag for each member, which is true if the member is set, or
/// nested pairs that end with an array, such as `(&self.alpha, (&self.beta, [false; 0]))`.
pub trait MemberList {
    /// Returns a mask in which bit i is 1 if the member with value index i is set. `position` is
    /// the position of the first member of the list in the union.
    fn mask_of_set(self, spec: &UnionSpec<'_>, position: usize) -> u64;
}

impl<M: UnionMember, Tail: MemberList> MemberList for (&M, Tail) {
    #[inline]
    fn mask_of_set(self, spec: &UnionSpec<'_>, position: usize) -> u64 {
        let bit = [self.0.is_set()].mask_of_set(spec, position);
        bit | self.1.mask_of_set(spec, position + 1)
    }
}

impl<const N: usize> MemberList for [bool; N] {
    #[inline]
    fn mask_of_set(self, spec: &UnionSpec<'_>, position: usize) -> u64 {
        let positions = (position..).zip(self).filter(|(_, is_set)| *is_set);
        positions.fold(0, |mask, (position, _)| mask | spec.bit_of(position))
    }
}

/// Sets members to their old values.
pub trait RestoreMember {
    /// Sets `member` to this old value. Returns true, because the member is restored.
    fn __union_restore(&self, member: &mut Self) -> bool;
}

impl<M: UnionMember + Clone> RestoreMember for M {
    fn __union_restore(&self, member: &mut M) -> bool {
        member.clone_from(self);
        true
    }
}

/// The fallback of [`RestoreMember`] for types that cannot be cloned or cannot be members. The
/// method of `RestoreMember` takes precedence, because its receiver has one reference less.
pub trait RestoreNothing<M> {
    /// Returns false, because the member is not restored.
    fn __union_restore(&self, _: &mut M) -> bool {
        false
    }
}

impl<M> RestoreNothing<M> for &M {}

/// Implements `reset_member` for the fields that are members. The arguments for each field are the
/// position of the union and the position of the member, the name of the field, and brackets with
/// the call that unsets the member. The brackets are empty if the type is written as `Option<T>`,
/// because rustc compiles an assignment faster than a call.
#[doc(hidden)]
#[macro_export]
macro_rules! __reset {
    ($self:ident $($position:tt $field:ident [$($clear:tt)*])*) => {
        fn reset_member(
            &mut $self,
            old: ::core::option::Option<&Self>,
            union: ::core::primitive::usize,
            member: ::core::primitive::usize,
        ) -> ::core::primitive::bool {
            use $crate::__private::{RestoreMember as _, RestoreNothing as _};
            let ::core::option::Option::Some(old) = old else {
                return match (union, member) {
                    $($position => { $crate::__reset!(@ [$($clear)*] $self.$field); true })*
                    _ => false,
                };
            };
            match (union, member) {
                $($position => (&old.$field).__union_restore(&mut $self.$field),)*
                _ => false,
            }
        }
    };
    (@ [] $member:expr) => { $member = ::core::option::Option::None; };
    (@ [$($clear:tt)+] $member:expr) => { $($clear)+; };
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
