//! A union that was read from a schema, and how the rules see it.

use crate::spec::discriminator::{DiscriminatorFacts, DiscriminatorSpec};
use crate::spec::members::{OwnedMember, Stored};
use crate::spec::{Arity, Shape, UnionSpec};
use crate::state::Role;

/// A union that was read from a schema.
#[derive(Clone, Debug)]
pub(super) struct OwnedUnion {
    pub(super) discriminator: Option<OwnedDiscriminator>,
    pub(super) members: Box<[OwnedMember]>,
    pub(super) required_mask: u64,
    pub(super) arity: Arity,
    pub(super) shape: Shape,
}

/// A discriminator that was read from a schema.
#[derive(Clone, Debug)]
pub(super) struct OwnedDiscriminator {
    pub(super) name: Box<str>,
    pub(super) facts: DiscriminatorFacts,
    pub(super) required: bool,
    /// The position of the value that absence stands for.
    pub(super) default: Option<usize>,
}

impl OwnedUnion {
    /// The union of a type that belongs to somebody else.
    pub(super) fn of(spec: &UnionSpec<'_>, default: Option<usize>) -> Self {
        Self {
            discriminator: spec
                .discriminator()
                .map(|discriminator| OwnedDiscriminator {
                    name: discriminator.name().into(),
                    facts: discriminator.facts().clone(),
                    required: discriminator.is_required(),
                    default,
                }),
            members: spec.members().map(OwnedMember::of).collect(),
            required_mask: spec.required_mask(),
            arity: spec.arity(),
            shape: spec.shape(),
        }
    }

    #[inline]
    pub(super) fn spec(&self) -> UnionSpec<'_> {
        let discriminator = self.discriminator.as_ref().map(|discriminator| {
            DiscriminatorSpec::new(
                &discriminator.name,
                &discriminator.facts,
                discriminator.required,
            )
        });
        UnionSpec::new(
            discriminator,
            Stored::Read(&self.members),
            self.required_mask,
            self.arity,
            self.shape,
        )
    }

    /// The names of the discriminator and the members, and what they are.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, Role)> {
        let discriminator = self.discriminator.iter();
        let members = self.members.iter();
        discriminator
            .map(|discriminator| (&*discriminator.name, Role::Discriminator))
            .chain(members.map(|member| (&*member.name, Role::Member(member.value))))
    }

    /// The position of the value that absence of the discriminator stands for.
    pub(super) fn default(&self) -> Option<usize> {
        self.discriminator.as_ref()?.default
    }
}
