//! Random unions, as schemas and as queries to both sides.

use serde_json::json;
use union_json::union_spec;
use union_json::{SchemaError, SchemaSource, Unions};
use union_runtime::spec::UnionSpec;

use crate::object::Object;
use crate::place::Place;
use crate::text;
use union_random::Random;

/// A union in the forms for both sides.
pub(super) struct Group {
    pub(super) subject: &'static str,
    pub(super) place: Place,
    pub(super) discriminator: Option<Discriminator>,
    /// The members, sorted by name.
    pub(super) members: Vec<Member>,
    /// True if a union without a discriminator must have a set member.
    pub(super) requires_member: bool,
    pub(super) unions: Unions,
    /// The unions without the features that the reference does not have: optional members and a
    /// required discriminator.
    pub(super) plain: Unions,
}

pub(super) struct Discriminator {
    pub(super) values: Vec<String>,
    pub(super) is_required: bool,
}

pub(super) struct Member {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) is_optional: bool,
}

/// The name of the discriminator.
pub(super) const TYPE: &str = "type";

const PAIR: UnionSpec<'static> = union_spec! { exactly_one, "A" => "a", "B" => "b" };
const TRIO: UnionSpec<'static> =
    union_spec! { exactly_one, "ALPHA" => "alpha", "b.c" => "b.c", "GRÖSSE" => "größe" };
const FIVE: UnionSpec<'static> =
    union_spec! { exactly_one, "1" => "1", "2" => "2", "3" => "3", "4" => "4", "5" => "5" };

impl Discriminator {
    pub(super) fn has_empty(&self) -> bool {
        self.values.iter().any(String::is_empty)
    }
}

impl Group {
    pub(super) fn random(subject: &'static str, random: &mut Random) -> Result<Self, SchemaError> {
        let place = Place::random(random);
        match subject {
            "validate-discriminated" => Self::discriminated(subject, place, random),
            "validate-zero-or-one" => {
                let members = members(random);
                let fields: Object = members
                    .iter()
                    .map(|member| (member.name.clone(), json!(member.value)))
                    .collect();
                let schema = place.schema(json!({
                    "type": "object",
                    "properties": properties(&members),
                    "x-kubernetes-unions": [{ "fields-to-discriminateBy": fields }],
                }));
                Ok(Self {
                    subject,
                    place,
                    discriminator: None,
                    members,
                    requires_member: false,
                    unions: Unions::compile(SchemaSource::Schema(&schema))?,
                    plain: Unions::compile(SchemaSource::Schema(&schema))?,
                })
            }
            // `x-kubernetes-unions` cannot require exactly one member, so these unions are declared
            // by `union_spec!`.
            _ => {
                let spec = *random.pick(&[PAIR, TRIO, FIVE]);
                let members = spec.members();
                let members = members.map(|member| Member {
                    name: member.name().to_owned(),
                    value: member.value().to_owned(),
                    is_optional: false,
                });
                let members: Vec<Member> = members.collect();
                let schema = place.schema(json!({
                    "type": "object",
                    "properties": properties(&members),
                }));
                let unions = Unions::compiler()
                    .union_at(place.pointer(), spec)
                    .compile(SchemaSource::Schema(&schema))?;
                Ok(Self {
                    subject,
                    place,
                    discriminator: None,
                    members,
                    requires_member: true,
                    plain: unions.clone(),
                    unions,
                })
            }
        }
    }

    fn discriminated(
        subject: &'static str,
        place: Place,
        random: &mut Random,
    ) -> Result<Self, SchemaError> {
        let members = members(random);
        let mut values: Vec<String> = members.iter().map(|member| member.value.clone()).collect();
        if random.chance(60) {
            values.push("Nothing".into());
        }
        if random.chance(25) {
            values.push(String::new());
        }
        random.shuffle(&mut values);
        let discriminator = Discriminator {
            values,
            is_required: random.chance(60),
        };
        let schema = |is_plain: bool| {
            let mut properties = properties(&members);
            let field_of = |value: &String| {
                let mut members = members.iter();
                members.find(|member| member.value == *value).map(|member| {
                    let optional = member.is_optional && !is_plain;
                    json!({ "name": member.name, "optional": optional })
                })
            };
            let fields: Object = discriminator
                .values
                .iter()
                .map(|value| (value.clone(), field_of(value).into()))
                .collect();
            properties.insert(
                TYPE.into(),
                json!({
                    "type": "string",
                    "enum": discriminator.values,
                    "x-kubernetes-unions": { "fieldMembers": fields },
                }),
            );
            let mut schema = json!({ "type": "object", "properties": properties });
            if discriminator.is_required && !is_plain {
                schema["required"] = json!([TYPE]);
            }
            place.schema(schema)
        };
        Ok(Self {
            unions: Unions::compile(SchemaSource::Schema(&schema(false)))?,
            plain: Unions::compile(SchemaSource::Schema(&schema(true)))?,
            subject,
            place,
            discriminator: Some(discriminator),
            members,
            requires_member: false,
        })
    }
}

fn members(random: &mut Random) -> Vec<Member> {
    let mut members: Vec<Member> = (0..2 + random.below(4))
        .map(|i| Member {
            // The number makes the strings distinct.
            name: format!("{}{i}", text::name(random)),
            value: format!("{}{i}", text::any(random)),
            is_optional: random.chance(20),
        })
        .collect();
    members.sort_by(|a, b| a.name.cmp(&b.name));
    members
}

fn properties(members: &[Member]) -> Object {
    let names = members.iter().map(|member| member.name.clone());
    names
        .map(|name| (name, json!({ "type": "integer" })))
        .collect()
}
