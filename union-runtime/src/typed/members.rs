//! The members of a struct, all of them at once: generated code hands over a tuple of references, so that rustc checks one
//! call and not one for each.
//!
//! A tuple holds up to eight; more than that are tuples in a tuple.

use core::ops::{Deref, DerefMut};

use super::member::UnionMember;
use crate::spec::UnionSpec;

/// Members to be looked at.
pub trait LookAt {
    /// The bits of those that are set; the first of them is the member of the union at this position, which is moved behind
    /// the last.
    fn set(self, union: &UnionSpec<'_>, position: &mut usize) -> u64;
}

impl<M: UnionMember> LookAt for &M {
    #[inline]
    fn set(self, union: &UnionSpec<'_>, position: &mut usize) -> u64 {
        self.is_set().set(union, position)
    }
}

/// A member that was looked at.
impl LookAt for bool {
    #[inline]
    fn set(self, union: &UnionSpec<'_>, position: &mut usize) -> u64 {
        let bit = union.bit_of(*position);
        *position += 1;
        if self { bit } else { 0 }
    }
}

/// Members to be unset.
pub trait Clear {
    /// How many there are.
    const COUNT: usize;

    /// Unsets one, and tells whether there is one at the position.
    fn clear(&mut self, position: usize) -> bool;
}

impl<M: UnionMember> Clear for &mut M {
    const COUNT: usize = 1;

    fn clear(&mut self, position: usize) -> bool {
        if position == 0 {
            UnionMember::clear(*self);
        }
        position == 0
    }
}

/// Members that can be what others are, of the same types.
pub trait TakeOver<Old> {
    /// How many there are.
    const COUNT: usize;

    /// Gives one what it is among others, or unsets it where there are none, and tells whether there is one at the
    /// position.
    fn take_over(self, old: Option<Old>, position: usize) -> bool;
}

impl<M: UnionMember + Clone> TakeOver<&M> for &mut M {
    const COUNT: usize = 1;

    fn take_over(self, old: Option<&M>, position: usize) -> bool {
        match old {
            _ if position != 0 => return false,
            Some(old) => self.clone_from(old),
            None => self.clear(),
        }
        true
    }
}

macro_rules! tuples {
    ($($($new:ident $old:ident)+;)+) => {$(
        impl<$($new: LookAt),+> LookAt for ($($new,)+) {
            #[inline]
            #[expect(non_snake_case, reason = "each is called as its type")]
            fn set(self, union: &UnionSpec<'_>, position: &mut usize) -> u64 {
                let ($($new,)+) = self;
                0 $(| $new.set(union, position))+
            }
        }

        impl<$($new: Clear),+> Clear for ($($new,)+) {
            const COUNT: usize = 0 $(+ $new::COUNT)+;

            #[expect(non_snake_case, reason = "each is called as its type")]
            fn clear(&mut self, position: usize) -> bool {
                let ($($new,)+) = self;
                let mut left = position;
                $(
                    if left < $new::COUNT {
                        return $new.clear(left);
                    }
                    left -= $new::COUNT;
                )+
                let _ = left;
                false
            }
        }

        impl<$($new: TakeOver<$old>, $old),+> TakeOver<($($old,)+)> for ($($new,)+) {
            const COUNT: usize = 0 $(+ $new::COUNT)+;

            #[expect(non_snake_case, reason = "each is called as its type")]
            fn take_over(self, old: Option<($($old,)+)>, position: usize) -> bool {
                let ($($new,)+) = self;
                let ($($old,)+) = match old {
                    Some(($($old,)+)) => ($(Some($old),)+),
                    None => ($(None::<$old>,)+),
                };
                let mut left = position;
                $(
                    if left < $new::COUNT {
                        return $new.take_over($old, left);
                    }
                    left -= $new::COUNT;
                )+
                let _ = left;
                false
            }
        }
    )+};
}

tuples! {
    A OldA;
    A OldA B OldB;
    A OldA B OldB C OldC;
    A OldA B OldB C OldC D OldD;
    A OldA B OldB C OldC D OldD E OldE;
    A OldA B OldB C OldC D OldD E OldE F OldF;
    A OldA B OldB C OldC D OldD E OldE F OldF G OldG;
    A OldA B OldB C OldC D OldD E OldE F OldF G OldG H OldH;
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

/// What can be done with fields of which one is no member: nothing. That is an error elsewhere, and said once.
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
        union == 0 && self.new.new.0.take_over(self.old, position)
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
