//! The members of a struct, all of them at once: generated code hands over a tuple of references, so that rustc checks one
//! call and not one for each.
//!
//! A tuple holds up to eight; what is beyond stands beside it, in [`And`].

use crate::spec::UnionSpec;
use core::ops::{Deref, DerefMut};

/// Members, and those behind them.
pub struct And<First, Others>(pub First, pub Others);

/// Members to be looked at.
pub trait LookAt {
    /// The bits of those that are set; the first of them is the member of the union at this position, which is moved behind
    /// the last.
    fn set(self, union: &UnionSpec<'_>, position: &mut usize) -> u64;
}

/// Members that were looked at, as not each of them may be one.
impl<const N: usize> LookAt for [bool; N] {
    #[inline]
    fn set(self, union: &UnionSpec<'_>, position: &mut usize) -> u64 {
        let mut bits = 0;
        for is_set in self {
            bits |= bit(is_set, union, position);
        }
        bits
    }
}

impl<First: LookAt, Others: LookAt> LookAt for And<First, Others> {
    #[inline]
    fn set(self, union: &UnionSpec<'_>, position: &mut usize) -> u64 {
        self.0.set(union, position) | self.1.set(union, position)
    }
}

#[inline]
fn bit(is_set: bool, union: &UnionSpec<'_>, position: &mut usize) -> u64 {
    let bit = if is_set { union.bit_of(*position) } else { 0 };
    *position += 1;
    bit
}

/// Members to be unset.
pub trait Clear {
    /// How many there are.
    const COUNT: usize;

    /// Unsets one, and tells whether there is one at the position.
    fn clear(&mut self, position: usize) -> bool;
}

impl<First: Clear, Others: Clear> Clear for And<First, Others> {
    const COUNT: usize = First::COUNT + Others::COUNT;

    fn clear(&mut self, position: usize) -> bool {
        match position.checked_sub(First::COUNT) {
            None => self.0.clear(position),
            Some(position) => self.1.clear(position),
        }
    }
}

/// Members that can be what others are, of the same types.
pub trait TakeOver<Old>: Clear {
    /// Gives one what it is among others, and tells whether there is one at the position.
    fn take_over(self, old: Old, position: usize) -> bool;
}

impl<First, Others, OldFirst, OldOthers> TakeOver<And<OldFirst, OldOthers>> for And<First, Others>
where
    First: TakeOver<OldFirst>,
    Others: TakeOver<OldOthers>,
{
    fn take_over(self, old: And<OldFirst, OldOthers>, position: usize) -> bool {
        match position.checked_sub(First::COUNT) {
            None => self.0.take_over(old.0, position),
            Some(position) => self.1.take_over(old.1, position),
        }
    }
}

// Their bounds are those of the members themselves: what is asked of one more trait, rustc proves four times.
macro_rules! tuples {
    ($($($member:ident $position:tt)+;)+) => {$(
        impl<$($member: UnionMember),+> LookAt for ($(&$member,)+) {
            #[inline]
            fn set(self, union: &UnionSpec<'_>, position: &mut usize) -> u64 {
                0 $(| bit(self.$position.is_set(), union, position))+
            }
        }

        impl<$($member: UnionMember),+> Clear for ($(&mut $member,)+) {
            const COUNT: usize = [$($position),+].len();

            fn clear(&mut self, position: usize) -> bool {
                match position {
                    $($position => self.$position.clear(),)+
                    _ => return false,
                }
                true
            }
        }

        impl<$($member: UnionMember + Clone),+> TakeOver<($(&$member,)+)> for ($(&mut $member,)+) {
            fn take_over(self, old: ($(&$member,)+), position: usize) -> bool {
                match position {
                    $($position => self.$position.clone_from(old.$position),)+
                    _ => return false,
                }
                true
            }
        }
    )+};
}

tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}

/// The members of a union beside those of the old struct: `reset(NEW, OLD).member(UNION, POSITION)`. The method is that of the type itself where
/// all of them can be cloned; else it is that of what it derefs to, and so on.
pub struct Reset<New, Old> {
    new: NotCloned<New>,
    old: Option<Old>,
}

/// What can be done with members that cannot be cloned.
pub struct NotCloned<New> {
    new: NoMembers<New>,
    has_old: bool,
}

/// What can be done with fields of which one is not a member: nothing. That is an error elsewhere, and said once.
pub struct NoMembers<New>(New);

/// Members, to be made what they are in the old struct, or to be unset where there is none.
pub const fn reset<New, Old>(new: New, old: Option<Old>) -> Reset<New, Old> {
    Reset {
        new: NotCloned {
            new: NoMembers(new),
            has_old: old.is_some(),
        },
        old,
    }
}

impl<New: TakeOver<Old>, Old> Reset<New, Old> {
    /// Makes a member what it was, or unsets it. The union is number 0 of those that there are.
    pub fn member(self, union: usize, position: usize) -> bool {
        let mut new = self.new.new.0;
        union == 0
            && match self.old {
                Some(old) => new.take_over(old, position),
                None => new.clear(position),
            }
    }
}

impl<New: Clear> NotCloned<New> {
    /// Unsets a member where there is no old one.
    pub fn member(&mut self, union: usize, position: usize) -> bool {
        union == 0 && !self.has_old && self.new.0.clear(position)
    }
}

impl<New> NoMembers<New> {
    /// Nothing.
    #[expect(clippy::unused_self, reason = "it is called as the others are")]
    pub const fn member(&mut self, _: usize, _: usize) -> bool {
        false
    }
}

impl<New, Old> Deref for Reset<New, Old> {
    type Target = NotCloned<New>;

    fn deref(&self) -> &NotCloned<New> {
        &self.new
    }
}

impl<New, Old> DerefMut for Reset<New, Old> {
    fn deref_mut(&mut self) -> &mut NotCloned<New> {
        &mut self.new
    }
}

impl<New> Deref for NotCloned<New> {
    type Target = NoMembers<New>;

    fn deref(&self) -> &NoMembers<New> {
        &self.new
    }
}

impl<New> DerefMut for NotCloned<New> {
    fn deref_mut(&mut self) -> &mut NoMembers<New> {
        &mut self.new
    }
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
