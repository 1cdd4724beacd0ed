//! Reads the `x-kubernetes-unions` extension, in both of its shapes (KEP-1027, `OpenAPI`, in both texts).

use serde_json::{Map, Value};

use super::error::SchemaError;
use super::object::{OwnedDiscriminator, OwnedUnion};
use crate::lookup::MOST_VALUES;
use crate::members::OwnedMember;
use crate::spec::{Arity, DiscriminatorFacts, MemberSpec, Shape, UnionSpec};

/// The key of the extension.
pub(super) const UNIONS: &str = "x-kubernetes-unions";

/// How many values a discriminator may have, and an object unions and members: they are compared with each other.
const MOST_LISTED: usize = 1_024;

/// The schemas that describe one property.
pub(super) struct Property<'v>(pub(super) Vec<&'v Map<String, Value>>);

impl<'v> Property<'v> {
    /// What is said of it under a keyword.
    pub(super) fn get(&self, keyword: &str) -> Option<&'v Value> {
        self.0.iter().find_map(|schema| schema.get(keyword))
    }

    /// The values of its enum, without null; `None` if it has none.
    fn values(&self) -> Option<Result<Vec<&'v str>, String>> {
        let values = self.get("enum")?;
        let Value::Array(values) = values else {
            return Some(Err("`enum` is no list; write a list of texts".to_owned()));
        };
        if values.len() > MOST_LISTED {
            return Some(Err(format!(
                "`enum` has more than {MOST_LISTED} values; a discriminator has fewer"
            )));
        }
        let values = values.iter().filter(|value| !value.is_null());
        let texts: Option<Vec<&str>> = values.map(Value::as_str).collect();
        Some(texts.ok_or_else(|| {
            "`enum` holds values that are no texts; a discriminator is a text".to_owned()
        }))
    }

    fn refuse_other_types(&self) -> Result<(), String> {
        match self.get("type") {
            None => Ok(()),
            Some(Value::String(kind)) if kind == "string" => Ok(()),
            Some(Value::Array(kinds))
                if kinds.iter().all(|kind| kind == "string" || kind == "null") =>
            {
                Ok(())
            }
            Some(kind) => Err(format!(
                "it is a discriminator and of type {kind}; a discriminator is of type \"string\""
            )),
        }
    }

    /// The position of the value that absence stands for.
    fn default(&self, values: &[&str]) -> Result<Option<usize>, String> {
        let Some(default) = self.get("default").filter(|default| !default.is_null()) else {
            return Ok(None);
        };
        let position = default
            .as_str()
            .and_then(|text| values.iter().position(|value| *value == text));
        position.map(Some).ok_or_else(|| {
            format!(
                "its default is {default}, which is none of its values; use one of: {}",
                listed(values)
            )
        })
    }
}

/// The unions of one object, as they are found.
pub(super) struct Found<'d> {
    /// The fields of the object, sorted; none where they are not known.
    described: &'d [Box<str>],
    unions: Vec<OwnedUnion>,
}

impl<'d> Found<'d> {
    pub(super) const fn new(described: &'d [Box<str>]) -> Self {
        Self {
            described,
            unions: Vec::new(),
        }
    }

    /// Reads `{"fieldMembers": {"ALPHA": {"name": "alpha", "optional": false}, "NONE": null}}`, the extension of `property`,
    /// which is called `name` and stands in `object`.
    pub(super) fn add_2022(
        &mut self,
        name: &str,
        property: &Property<'_>,
        extension: &Value,
        object: &Map<String, Value>,
        place: impl Fn() -> String,
    ) -> Result<(), SchemaError> {
        let union = read_2022(name, property, extension, object)
            .map_err(|problem| SchemaError::new(place(), problem))?;
        self.add(union, place)
    }

    /// Reads `[{"discriminator": "type", "fields-to-discriminateBy": {"alpha": "ALPHA"}}]`, the extension of an object
    /// whose properties are told by `property`.
    pub(super) fn add_2019<'v>(
        &mut self,
        list: &[Value],
        property: impl Fn(&str) -> Result<Option<Property<'v>>, SchemaError>,
        place: impl Fn() -> String,
    ) -> Result<(), SchemaError> {
        for (i, extension) in list.iter().enumerate() {
            let place = || format!("{}/{UNIONS}/{i}", place());
            let entry =
                Entry2019::read(extension).map_err(|problem| SchemaError::new(place(), problem))?;
            if let Some(same) = self.of_discriminator(entry.discriminator) {
                // Both shapes are there, and the other one rules.
                entry
                    .agrees_with(same)
                    .map_err(|problem| SchemaError::new(place(), problem))?;
                continue;
            }
            let discriminator = match entry.discriminator {
                Some(name) => Some((name, property(name)?)),
                None => None,
            };
            let union = entry
                .union(discriminator)
                .map_err(|problem| SchemaError::new(place(), problem))?;
            self.add(union, place)?;
        }
        Ok(())
    }

    fn of_discriminator(&self, name: Option<&str>) -> Option<&OwnedUnion> {
        self.unions.iter().find(|union| {
            let discriminator = union.discriminator.as_ref();
            discriminator.is_some_and(|discriminator| Some(&*discriminator.name) == name)
        })
    }

    /// Adds a union whose fields are there and in no other one.
    pub(super) fn add(
        &mut self,
        union: OwnedUnion,
        place: impl Fn() -> String,
    ) -> Result<(), SchemaError> {
        let wrong = |problem: String| Err(SchemaError::new(place(), problem));
        if self.unions.len() >= MOST_VALUES {
            return wrong(format!(
                "an object has more than {MOST_VALUES} unions; put some into objects of their own"
            ));
        }
        for (i, name) in fields(&union).enumerate() {
            if !self.described.is_empty()
                && self
                    .described
                    .binary_search_by(|field| (**field).cmp(name))
                    .is_err()
            {
                return wrong(format!(
                    "the union has a field {name:?}, which is none of the object's properties; \
                     add the property, or correct the name"
                ));
            }
            if fields(&union).skip(i + 1).any(|other| other == name)
                || self
                    .unions
                    .iter()
                    .flat_map(fields)
                    .any(|other| other == name)
            {
                return wrong(format!(
                    "field {name:?} stands in the object's unions twice; a field belongs to one union, and to it once"
                ));
            }
        }
        self.unions.push(union);
        Ok(())
    }

    /// Adds a union of a type that belongs to somebody else; what is absent stands for is in the schema of its
    /// discriminator's property, if there is one.
    pub(super) fn add_declared(
        &mut self,
        spec: &UnionSpec<'_>,
        property: Option<&Property<'_>>,
        place: impl Fn() -> String,
    ) -> Result<(), SchemaError> {
        let values: Vec<&str> = match spec.discriminator() {
            Some(discriminator) if !discriminator.is_open() => {
                discriminator.values().iter().collect()
            }
            _ => spec.members().map(MemberSpec::value).collect(),
        };
        let default = property.map_or(Ok(None), |property| property.default(&values));
        let default = default.map_err(|problem| SchemaError::new(place(), problem))?;
        self.add(OwnedUnion::of(spec, default), place)
    }

    pub(super) fn finish(self) -> Box<[OwnedUnion]> {
        self.unions.into()
    }
}

fn fields(union: &OwnedUnion) -> impl Iterator<Item = &str> {
    let discriminator = union.discriminator.iter();
    let members = union.members.iter().map(|member| &*member.name);
    discriminator
        .map(|discriminator| &*discriminator.name)
        .chain(members)
}

fn read_2022(
    name: &str,
    property: &Property<'_>,
    extension: &Value,
    object: &Map<String, Value>,
) -> Result<OwnedUnion, String> {
    property.refuse_other_types()?;
    let members = field_members(extension)?;
    let values: Vec<&str> = match property.values() {
        Some(values) => values?,
        // Enum types may have been pruned; all values have their entry in the extension too.
        None => members.keys().map(String::as_str).collect(),
    };
    if let Some(value) = members
        .keys()
        .find(|value| !values.contains(&value.as_str()))
    {
        return Err(format!(
            "`fieldMembers` has {value:?}, which is none of the values of `enum`: {}; the two must agree",
            listed(&values)
        ));
    }
    let mut read = Vec::new();
    let mut required_mask = 0;
    for (position, value) in values.iter().enumerate() {
        let Some(member) = members.get(*value) else {
            return Err(format!(
                "`enum` has {value:?}, which has no entry in `fieldMembers`; \
                 add it, with null if it has no field: the two must agree"
            ));
        };
        if let Some((name, optional)) = field_member(value, member)? {
            let at = value_of_member(position)?;
            if !optional {
                required_mask |= 1 << at;
            }
            read.push(OwnedMember {
                name: name.into(),
                text: (*value).into(),
                value: at,
                optional,
            });
        }
    }
    let default = property.default(&values)?;
    let is_required = object
        .get("required")
        .and_then(Value::as_array)
        .is_some_and(|required| required.iter().any(|field| field == name));
    let texts = values.iter().map(|value| (*value).into()).collect();
    Ok(OwnedUnion {
        discriminator: Some(OwnedDiscriminator {
            name: name.into(),
            facts: DiscriminatorFacts::read(texts, !is_required),
            required: is_required,
            default,
        }),
        members: read.into(),
        required_mask,
        arity: Arity::Selected,
        shape: Shape::V2022,
    })
}

fn field_members(extension: &Value) -> Result<&Map<String, Value>, String> {
    let keys = extension.as_object().into_iter().flat_map(Map::keys);
    if let Some(key) = keys.into_iter().find(|key| *key != "fieldMembers") {
        return Err(format!(
            "`{UNIONS}` has a key {key:?}; the only one that is known is \"fieldMembers\""
        ));
    }
    match extension.get("fieldMembers") {
        Some(Value::Object(members)) if members.is_empty() => {
            Err("`fieldMembers` is empty; give every discriminator value its entry".to_owned())
        }
        Some(Value::Object(members)) if members.len() > MOST_LISTED => Err(format!(
            "`fieldMembers` has more than {MOST_LISTED} entries; a discriminator has fewer values"
        )),
        Some(Value::Object(members)) => Ok(members),
        Some(_) => Err(
            "`fieldMembers` is no object; write an entry for each discriminator value, \
             as {\"ALPHA\": {\"name\": \"alpha\", \"optional\": false}, \"NONE\": null}"
                .to_owned(),
        ),
        None => Err(
            "there is no `fieldMembers`; write an entry for each discriminator value in it"
                .to_owned(),
        ),
    }
}

/// The name of a member, and whether it is optional; `None` for an empty member.
fn field_member<'v>(value: &str, member: &'v Value) -> Result<Option<(&'v str, bool)>, String> {
    let member = match member {
        Value::Null => return Ok(None),
        Value::Object(member) => member,
        _ => {
            return Err(format!(
                "the entry of {value:?} is neither an object nor null; \
                 write {{\"name\": \"field\", \"optional\": false}}, or null if it has no field"
            ));
        }
    };
    if let Some(key) = member
        .keys()
        .find(|key| *key != "name" && *key != "optional")
    {
        return Err(format!(
            "the entry of {value:?} has a key {key:?}; those that are known are \"name\" and \"optional\""
        ));
    }
    let Some(name) = member
        .get("name")
        .and_then(Value::as_str)
        .filter(|name| !name.is_empty())
    else {
        return Err(format!(
            "the entry of {value:?} has no `name`, or one that is no text; name the field, \
             or write null if there is none"
        ));
    };
    match member.get("optional") {
        None => Ok(Some((name, false))),
        Some(Value::Bool(optional)) => Ok(Some((name, *optional))),
        Some(_) => Err(format!(
            "`optional` of {value:?} is neither true nor false; write one of them"
        )),
    }
}

/// The bit of a member, by the position of its value.
fn value_of_member(position: usize) -> Result<u8, String> {
    let at = u8::try_from(position)
        .ok()
        .filter(|_| position < MOST_VALUES);
    at.ok_or_else(|| {
        format!(
            "a union holds {MOST_VALUES} members, and their values stand among the first {MOST_VALUES}; \
             move the values that have a member to the front"
        )
    })
}

/// `{"discriminator": "type", "fields-to-discriminateBy": {"alpha": "ALPHA"}}`
struct Entry2019<'v> {
    discriminator: Option<&'v str>,
    fields: Vec<(&'v str, &'v str)>,
}

impl<'v> Entry2019<'v> {
    fn read(extension: &'v Value) -> Result<Self, String> {
        let known = ["discriminator", "fields-to-discriminateBy"];
        let Some(entry) = extension.as_object() else {
            return Err(
                "a union is an object with `fields-to-discriminateBy`; this is none".to_owned(),
            );
        };
        if let Some(key) = entry.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(format!(
                "a union has a key {key:?}; those that are known are \"discriminator\" and \"fields-to-discriminateBy\" \
                 (`fieldMembers` stands on the discriminator's property)"
            ));
        }
        let discriminator = match entry.get("discriminator") {
            None => None,
            Some(Value::String(name)) if !name.is_empty() => Some(name.as_str()),
            Some(_) => {
                return Err(
                    "`discriminator` is no name of a field; name it, or leave it out".to_owned(),
                );
            }
        };
        let fields = match entry.get("fields-to-discriminateBy") {
            Some(Value::Object(fields)) if fields.len() > MOST_VALUES => {
                return Err(format!(
                    "a union holds {MOST_VALUES} members; this has {}",
                    fields.len()
                ));
            }
            Some(Value::Object(fields)) if !fields.is_empty() => fields,
            _ => {
                return Err(
                    "`fields-to-discriminateBy` is missing, empty or no object; write the members and their values, \
                     as {\"alpha\": \"ALPHA\"}"
                        .to_owned(),
                );
            }
        };
        let fields: Option<Vec<(&str, &str)>> = fields
            .iter()
            .map(|(name, value)| Some((name.as_str(), value.as_str()?)))
            .collect();
        let Some(fields) = fields else {
            return Err(
                "`fields-to-discriminateBy` holds a value that is no text; write texts".to_owned(),
            );
        };
        for (i, (name, value)) in fields.iter().enumerate() {
            if let Some((other, _)) = fields[..i].iter().find(|(_, other)| other == value) {
                return Err(format!(
                    "members {other:?} and {name:?} have the same discriminator value {value:?}; give each its own"
                ));
            }
            if value.is_empty() && discriminator.is_some() {
                return Err(format!(
                    "member {name:?} has the discriminator value \"\", which says that nothing is selected; use another"
                ));
            }
        }
        Ok(Self {
            discriminator,
            fields,
        })
    }

    /// Refuses what says other things than the extension on the discriminator's property.
    fn agrees_with(&self, union: &OwnedUnion) -> Result<(), String> {
        let mut pairs: Vec<(&str, &str)> = union
            .members
            .iter()
            .map(|member| (&*member.name, &*member.text))
            .collect();
        let mut fields = self.fields.clone();
        pairs.sort_unstable();
        fields.sort_unstable();
        if pairs == fields {
            return Ok(());
        }
        Err(
            "its members differ from those of `fieldMembers` on the discriminator's property; \
             the two must agree, or one of them go"
                .to_owned(),
        )
    }

    /// The union, with the schema of its discriminator's property.
    fn union(
        &self,
        discriminator: Option<(&str, Option<Property<'_>>)>,
    ) -> Result<OwnedUnion, String> {
        let mut listed_values = None;
        let mut owned = None;
        if let Some((name, property)) = discriminator {
            let property = property.unwrap_or(Property(Vec::new()));
            property.refuse_other_types()?;
            listed_values = property.values().transpose()?;
            // Without an enum, the values are those of the members.
            let members: Vec<&str> = self.fields.iter().map(|(_, value)| *value).collect();
            let values = listed_values.as_ref().unwrap_or(&members);
            owned = Some(OwnedDiscriminator {
                name: name.into(),
                facts: match &listed_values {
                    Some(values) => DiscriminatorFacts::read(
                        values.iter().map(|value| (*value).into()).collect(),
                        true,
                    ),
                    None => DiscriminatorFacts::of_text(true),
                },
                required: false,
                default: match property.get("default") {
                    // Both say that nothing is selected.
                    Some(Value::String(text)) if text.is_empty() => None,
                    _ => property.default(values)?,
                },
            });
        }
        let members: Result<Vec<OwnedMember>, String> = self
            .fields
            .iter()
            .enumerate()
            .map(|(i, (name, value))| {
                let position = match &listed_values {
                    Some(values) => position_among(values, name, value)?,
                    None => i,
                };
                Ok(OwnedMember {
                    name: (*name).into(),
                    text: (*value).into(),
                    value: value_of_member(position)?,
                    optional: true,
                })
            })
            .collect();
        Ok(OwnedUnion {
            discriminator: owned,
            members: members?.into(),
            required_mask: 0,
            arity: Arity::AtMostOne,
            shape: Shape::V2019,
        })
    }
}

fn position_among(values: &[&str], name: &str, value: &str) -> Result<usize, String> {
    let position = values.iter().position(|other| *other == value);
    position.ok_or_else(|| {
        format!(
            "member {name:?} has the discriminator value {value:?}, which is none of the values of `enum`: {}; \
             the two must agree",
            listed(values)
        )
    })
}

fn listed(values: &[&str]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    quoted.join(", ")
}
