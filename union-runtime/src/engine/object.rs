//! A JSON object as a value that holds unions.

use serde_json::{Map, Value};

use crate::spec::discriminator::{DiscriminatorFacts, DiscriminatorSpec};
use crate::spec::members::MemberSpec;
use crate::spec::members::{OwnedMember, Stored};
use crate::spec::{Arity, Shape, UnionSpec};
use crate::state::State;
use crate::walk::node::{Node, NodeMut};
use k8s_json_internals::deep;

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

    pub(super) fn state<'a>(&self, object: &'a Map<String, Value>) -> State<'a> {
        let discriminator = self.discriminator.as_ref();
        let default = discriminator.and_then(|discriminator| discriminator.default);
        State::of_object(&self.spec(), object, default)
    }

    #[inline]
    pub(super) fn is_settled(&self, object: &Map<String, Value>) -> bool {
        self.spec().is_settled(self.state(object))
    }
}

/// A JSON object, and the unions that its schema says it has.
#[derive(Clone, Copy)]
pub(super) struct Object<'a> {
    pub(super) unions: &'a [OwnedUnion],
    pub(super) object: &'a Map<String, Value>,
}

impl Node for Object<'_> {
    fn union_count(&self) -> usize {
        self.unions.len()
    }

    fn spec(&self, union: usize) -> Option<UnionSpec<'_>> {
        self.unions.get(union).map(OwnedUnion::spec)
    }

    fn state(&self, union: usize) -> Option<State<'_>> {
        Some(self.unions.get(union)?.state(self.object))
    }
}

/// A JSON object to be changed, and the old one.
pub(super) struct ObjectPair<'a> {
    pub(super) unions: &'a [OwnedUnion],
    /// Whether the schema has no word for a field of that name.
    pub(super) is_unknown: &'a dyn Fn(&str) -> bool,
    pub(super) new: &'a mut Map<String, Value>,
    pub(super) old: Option<Object<'a>>,
}

impl ObjectPair<'_> {
    fn member(&self, union: usize, member: usize) -> Option<MemberSpec<'_>> {
        self.unions.get(union)?.spec().member(member)
    }
}

impl Node for ObjectPair<'_> {
    fn union_count(&self) -> usize {
        self.unions.len()
    }

    fn spec(&self, union: usize) -> Option<UnionSpec<'_>> {
        self.unions.get(union).map(OwnedUnion::spec)
    }

    fn state(&self, union: usize) -> Option<State<'_>> {
        Some(self.unions.get(union)?.state(self.new))
    }
}

impl NodeMut for ObjectPair<'_> {
    fn node(&self) -> &dyn Node {
        self
    }

    fn old(&self) -> Option<&dyn Node> {
        self.old.as_ref().map(|old| -> &dyn Node { old })
    }

    fn clear(&mut self, union: usize, member: usize) {
        let unions = self.unions;
        let spec = unions.get(union).map(OwnedUnion::spec);
        if let Some(member) = spec.and_then(|spec| spec.member(member)) {
            deep::remove(self.new, member.name());
        }
    }

    fn select(&mut self, union: usize, member: usize) {
        let unions = self.unions;
        let Some(spec) = unions.get(union).map(OwnedUnion::spec) else {
            return;
        };
        if let (Some(discriminator), Some(member)) = (spec.discriminator(), spec.member(member)) {
            deep::insert(self.new, discriminator.name(), member.value().into());
        }
    }

    fn restore(&mut self, union: usize, member: usize) -> bool {
        let was = self
            .old
            .zip(self.member(union, member))
            .and_then(|(old, member)| {
                let value = old.object.get(member.name())?;
                Some((member.name().to_owned(), deep::copy(value)))
            });
        let Some((name, value)) = was else {
            return false;
        };
        deep::insert(self.new, &name, value);
        true
    }

    fn clear_unknown(&mut self, value: &str) -> Vec<String> {
        let named = self
            .new
            .keys()
            .filter(|key| key.eq_ignore_ascii_case(value));
        let mut named: Vec<String> = named
            .filter(|key| (self.is_unknown)(key))
            .cloned()
            .collect();
        // A map may keep its keys in another order.
        named.sort();
        for key in &named {
            deep::remove(self.new, key);
        }
        named
    }
}
