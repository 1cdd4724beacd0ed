//! A union as enforcement sees it: read from its extension, or from the derive's table.

use serde_json::{Map, Value};

use crate::spec::discriminator::DiscriminatorSpec;
use crate::spec::members::MemberSpec;
use crate::spec::{Arity, Enforce, UnionSpec};

/// A union whose fields are properties of one schema.
pub(super) struct Described {
    pub(super) discriminator: Option<Discriminator>,
    /// In the order of their values, where those are listed; else in source order.
    pub(super) members: Vec<Member>,
    pub(super) arity: Arity,
    pub(super) enforce: Enforce,
}

pub(super) struct Discriminator {
    pub(super) name: String,
    /// The value that an absent discriminator stands for: the schema's default, or else `""`
    /// (`docs/design.md`, "State").
    pub(super) absent: Option<String>,
    /// The values that have no member.
    pub(super) empty: Vec<String>,
    /// Any text is a value.
    pub(super) is_open: bool,
}

pub(super) struct Member {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) optional: bool,
}

impl Described {
    /// The union of a discriminator's property, from its extension in the 2022 shape. `None` where that is not well formed.
    pub(super) fn of_extension(name: &str, property: &Value, extension: &Value) -> Option<Self> {
        let members = extension.get("fieldMembers")?.as_object()?;
        let values = property["enum"].as_array().map_or(&[][..], Vec::as_slice);
        let values = values.iter().filter_map(Value::as_str);
        let (mut found, mut empty) = (Vec::new(), Vec::new());
        for value in values {
            match member_of(members, value) {
                Some(member) => found.push(member),
                None => empty.push(value.to_owned()),
            }
        }
        let has_empty = members.contains_key("");
        Some(Self {
            discriminator: Some(Discriminator {
                name: name.to_owned(),
                absent: absent_value(property, has_empty),
                empty,
                is_open: false,
            }),
            members: found,
            arity: Arity::Selected,
            enforce: Enforce::Cel,
        })
    }

    /// The union of a table, beside the property of its discriminator.
    pub(super) fn of_spec(spec: &UnionSpec<'_>, property: Option<&Value>) -> Self {
        let discriminator = spec.discriminator();
        let mut members: Vec<MemberSpec<'_>> = spec.members().collect();
        if spec.arity() == Arity::Selected {
            members.sort_by_key(|member| member.value_index());
        }
        Self {
            discriminator: discriminator.map(|found| described(found, spec, property)),
            members: members
                .into_iter()
                .map(|member| Member {
                    name: member.name().to_owned(),
                    value: member.value().to_owned(),
                    optional: member.is_optional(),
                })
                .collect(),
            arity: spec.arity(),
            enforce: spec.enforce(),
        }
    }

    /// Whether the discriminator may be `""`, which says nothing. Where it follows the members and its enum does not have
    /// `""`, that may be stored all the same, and rules that forgive judge what is stored.
    pub(super) fn takes_empty(&self) -> bool {
        let may_be_stored = self.enforce == Enforce::CelSameReason && self.arity != Arity::Selected;
        let discriminator = self.discriminator.as_ref();
        let is_value = |discriminator: &Discriminator| {
            discriminator.is_open || discriminator.empty.iter().any(String::is_empty)
        };
        may_be_stored || discriminator.is_some_and(is_value)
    }

    /// The name of the property that says how the union is enforced, where its extension does not.
    pub(super) fn carrier(&self) -> Option<&str> {
        match &self.discriminator {
            Some(discriminator) => Some(&discriminator.name),
            None => self.members.first().map(|member| &*member.name),
        }
    }

    /// The names of the members, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|member| &*member.name)
    }
}

fn member_of(members: &Map<String, Value>, value: &str) -> Option<Member> {
    let member = members.get(value)?.as_object()?;
    Some(Member {
        name: member.get("name")?.as_str()?.to_owned(),
        value: value.to_owned(),
        optional: member.get("optional") == Some(&Value::Bool(true)),
    })
}

fn described(
    discriminator: &DiscriminatorSpec<'_>,
    spec: &UnionSpec<'_>,
    property: Option<&Value>,
) -> Discriminator {
    let values = discriminator.values();
    let empty = values.iter().enumerate();
    let empty = empty.filter(|(i, _)| spec.member_of(*i).is_none());
    Discriminator {
        name: discriminator.name().to_owned(),
        absent: absent_value(property.unwrap_or(&Value::Null), values.contains("")),
        empty: empty.map(|(_, value)| value.to_owned()).collect(),
        is_open: discriminator.is_open(),
    }
}

fn absent_value(property: &Value, has_empty: bool) -> Option<String> {
    let default = property.get("default").and_then(Value::as_str);
    default.or(has_empty.then_some("")).map(str::to_owned)
}
