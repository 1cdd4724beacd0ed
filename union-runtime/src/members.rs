//! The members of a union, wherever they are kept.

use crate::spec::MemberSpec;

/// Where the members of a union are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stored<'a> {
    /// In the author's crate.
    Declared(&'a [MemberSpec<'a>]),
    /// They were read from a schema.
    #[cfg(feature = "engine")]
    Read(&'a [OwnedMember]),
}

/// A member that was read from a schema.
#[cfg(feature = "engine")]
#[derive(Clone, Debug)]
pub(crate) struct OwnedMember {
    pub(crate) name: Box<str>,
    pub(crate) text: Box<str>,
    pub(crate) value: u8,
    pub(crate) optional: bool,
}

#[cfg(feature = "engine")]
impl OwnedMember {
    pub(crate) fn of(member: MemberSpec<'_>) -> Self {
        Self {
            name: member.name().into(),
            text: member.value().into(),
            value: member.value,
            optional: member.optional(),
        }
    }
}

impl<'a> Stored<'a> {
    const fn len(self) -> usize {
        match self {
            Self::Declared(members) => members.len(),
            #[cfg(feature = "engine")]
            Self::Read(members) => members.len(),
        }
    }

    #[inline]
    pub(crate) fn get(self, position: usize) -> Option<MemberSpec<'a>> {
        match self {
            Self::Declared(members) => members.get(position).copied(),
            #[cfg(feature = "engine")]
            Self::Read(members) => {
                let member = members.get(position)?;
                Some(MemberSpec::new(
                    &member.name,
                    &member.text,
                    member.value,
                    member.optional,
                ))
            }
        }
    }

    pub(crate) const fn iter(self) -> Members<'a> {
        Members {
            members: self,
            next: 0,
        }
    }
}

/// The members of a union, in source order.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    members: Stored<'a>,
    next: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = MemberSpec<'a>;

    #[inline]
    fn next(&mut self) -> Option<MemberSpec<'a>> {
        let member = self.members.get(self.next)?;
        self.next += 1;
        Some(member)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.members.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Members<'_> {}
