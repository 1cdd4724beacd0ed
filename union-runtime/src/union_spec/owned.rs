//! Unions that were read at run time, for example from a schema.

use super::discriminator::{DiscriminatorFacts, DiscriminatorSpec};
use super::members::{MemberStorage, OwnedMember};
use super::{Enforcement, ExtensionShape, UnionModel, UnionSpec};

/// A union that was read at run time, for example from a schema. [`spec`](Self::spec) returns its
/// [`UnionSpec`].
///
/// ```
/// use union_runtime::spec::{OwnedDiscriminator, OwnedMember, OwnedUnionSpec};
/// use union_runtime::{UnionModel, ExtensionShape};
///
/// let discriminator = OwnedDiscriminator::from_values("type", ["Git", "None"], true);
/// let git = OwnedMember::new("git", "Git", 0, false).expect("0 is below 64");
/// let (model, shape) = (UnionModel::Discriminated, ExtensionShape::V2022);
/// let union = OwnedUnionSpec::new(Some(discriminator), vec![git], model, shape);
/// assert_eq!(union.spec().member_for_value(0).unwrap().name(), "git");
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct OwnedUnionSpec {
    discriminator: Option<OwnedDiscriminator>,
    members: Box<[OwnedMember]>,
    required_mask: u64,
    model: UnionModel,
    shape: ExtensionShape,
}

/// A discriminator that was read at run time.
#[derive(Clone, Debug)]
pub struct OwnedDiscriminator {
    name: Box<str>,
    facts: DiscriminatorFacts,
    required: bool,
    /// The position of the value that an absent discriminator counts as.
    default: Option<usize>,
}

impl OwnedDiscriminator {
    /// Creates a discriminator with these values. `required` is true if an object without the
    /// discriminator is invalid.
    pub fn from_values<T: Into<Box<str>>>(
        name: impl Into<Box<str>>,
        values: impl IntoIterator<Item = T>,
        required: bool,
    ) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        Self {
            name: name.into(),
            facts: DiscriminatorFacts::from_owned_values(values),
            required,
            default: None,
        }
    }

    /// Creates a discriminator that may be any string. Its values are the values of the members
    /// (2019 text, "Go tags").
    pub fn any_string(name: impl Into<Box<str>>) -> Self {
        Self {
            name: name.into(),
            facts: DiscriminatorFacts::for_string(true),
            required: false,
            default: None,
        }
    }

    #[inline]
    fn spec(&self) -> DiscriminatorSpec<'_> {
        DiscriminatorSpec::new(&self.name, &self.facts, self.required)
    }

    /// Makes all other strings valid values too.
    #[must_use]
    pub fn with_open_values(mut self) -> Self {
        self.facts = self.facts.with_open_values();
        self
    }
}

impl OwnedUnionSpec {
    /// Creates a union of these members.
    pub fn new(
        discriminator: Option<OwnedDiscriminator>,
        members: Vec<OwnedMember>,
        model: UnionModel,
        shape: ExtensionShape,
    ) -> Self {
        let required_members = members.iter().filter(|member| !member.optional);
        Self {
            required_mask: required_members.fold(0, |mask, member| mask | 1 << member.value_index),
            discriminator,
            members: members.into(),
            model,
            shape,
        }
    }

    /// Creates an owned copy of a spec.
    pub fn from_spec(spec: &UnionSpec<'_>) -> Self {
        let discriminator = spec
            .discriminator()
            .map(|discriminator| OwnedDiscriminator {
                name: discriminator.name().into(),
                facts: discriminator.facts.clone(),
                required: discriminator.is_required(),
                default: None,
            });
        let members = spec.members().map(OwnedMember::from_spec).collect();
        Self {
            required_mask: spec.required_mask(),
            ..Self::new(discriminator, members, spec.model(), spec.shape())
        }
    }

    /// Returns the spec of the union.
    #[inline]
    #[must_use]
    pub fn spec(&self) -> UnionSpec<'_> {
        let discriminator = self.discriminator.as_ref();
        let discriminator = discriminator.map(OwnedDiscriminator::spec);
        UnionSpec::new(
            discriminator,
            MemberStorage::Owned(&self.members),
            self.required_mask,
            self.model,
            self.shape,
            Enforcement::Cel,
        )
    }

    /// Returns the name of the discriminator with `None`, and the name of each member with the
    /// index of its value.
    pub fn fields(&self) -> impl Iterator<Item = (&str, Option<u8>)> {
        let discriminator = self.discriminator.iter();
        let members = self.members.iter();
        discriminator
            .map(|discriminator| (&*discriminator.name, None))
            .chain(members.map(|member| (&*member.name, Some(member.value_index))))
    }

    /// Returns the position of the value that an absent discriminator counts as, if there is one.
    #[must_use]
    pub fn default(&self) -> Option<usize> {
        self.discriminator.as_ref()?.default
    }

    /// Sets the position of the value that an absent discriminator counts as.
    pub fn with_default(mut self, position: Option<usize>) -> Self {
        if let Some(discriminator) = &mut self.discriminator {
            discriminator.default = position;
        }
        self
    }
}
