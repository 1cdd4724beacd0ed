//! Members that a minor version of Kubernetes added, and the effect of clients that do not know
//! them.

use crate::table::data::MemberRule;
use crate::table::union::{BuiltinMember, BuiltinUnion, unions};

/// A member that a minor version of Kubernetes added to an existing union.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AddedMember {
    /// The minor version that added the member.
    pub minor: u32,
    /// The union.
    pub union: BuiltinUnion,
    /// The member.
    pub member: BuiltinMember,
}

/// The effect of a typed client of an older version that reads an object with a new member and
/// writes it back. The client drops the member, because it does not know the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OldClientEffect {
    /// The server rejects the object, because no member is set.
    Rejected,
    /// The server sets this member instead.
    Replaced(&'static str),
    /// The server accepts the object, in which no member is set.
    Lost,
}

/// Returns the members that the versions of [`versions`](crate::versions) added to unions that
/// existed before, by version.
pub fn added_members() -> impl Iterator<Item = AddedMember> {
    let mut added: Vec<AddedMember> = unions()
        .flat_map(|union| {
            let since = union.since();
            let members = union.members().filter_map(move |member| {
                let minor = member.since().filter(|minor| Some(*minor) > since)?;
                Some(AddedMember {
                    minor,
                    union,
                    member,
                })
            });
            members.collect::<Vec<_>>()
        })
        .collect();
    added.sort_by_key(|added| added.minor);
    added.into_iter()
}

impl AddedMember {
    /// Returns the effect of a client that does not know the member.
    #[must_use]
    pub fn old_client_effect(self) -> OldClientEffect {
        match self.union.default_member() {
            Some(member) => OldClientEffect::Replaced(member),
            None if self.union.enforces(MemberRule::Required) && !self.member.is_optional() => {
                OldClientEffect::Rejected
            }
            None => OldClientEffect::Lost,
        }
    }
}
