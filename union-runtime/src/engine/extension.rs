//! Reads the `x-kubernetes-unions` extension, in both of its shapes (KEP-1027, `OpenAPI`, in both texts).

use serde_json::{Map, Value};

use super::owned_union::OwnedUnion;
use super::shape_2022::read_2022;
use super::shown::{listed, shown, shown_type};
use crate::spec::Shape;
use crate::spec::members::MemberSpec;
use crate::spec::values::MOST_VALUES;

/// How many values a discriminator may have, and an object unions and members: they are compared with each other.
pub(super) const MOST_LISTED: usize = 1_024;

/// The schemas that describe one property.
pub(super) struct Property<'v>(pub(super) Vec<&'v Map<String, Value>>);

impl<'v> Property<'v> {
    /// What is said of it under a keyword.
    pub(super) fn get(&self, keyword: &str) -> Option<&'v Value> {
        let mut said = self.0.iter().filter_map(|schema| schema.get(keyword));
        said.find(|value| !value.is_null())
    }

    /// The values of its enum, without null; `None` if it has none.
    pub(super) fn values(&self) -> Option<Result<Vec<&'v str>, String>> {
        let values = self.get("enum")?;
        let Value::Array(values) = values else {
            return Some(Err(format!(
                "`enum` is {}; write a list of texts",
                shown(values)
            )));
        };
        if values.len() > MOST_LISTED {
            return Some(Err(format!(
                "`enum` has more than {MOST_LISTED} values; a discriminator has fewer"
            )));
        }
        let mut texts = Vec::new();
        for value in values.iter().filter(|value| !value.is_null()) {
            match value.as_str() {
                // A duplicate is the same value.
                Some(text) if texts.contains(&text) => {}
                Some(text) => texts.push(text),
                None => {
                    return Some(Err(format!(
                        "`enum` holds {}; a discriminator is a text, so write texts",
                        shown(value)
                    )));
                }
            }
        }
        if texts.is_empty() {
            return Some(Err(
                "`enum` has no text; list the values of the discriminator, or remove it".to_owned(),
            ));
        }
        Some(Ok(texts))
    }

    pub(super) fn refuse_other_types(&self) -> Result<(), String> {
        match self.get("type") {
            None => Ok(()),
            Some(Value::String(kind)) if kind == "string" => Ok(()),
            Some(Value::Array(kinds))
                if kinds.iter().all(|kind| kind == "string" || kind == "null") =>
            {
                Ok(())
            }
            Some(kind) => Err(format!(
                "its `type` is {}; a discriminator is a text, so write \"string\"",
                shown_type(kind)
            )),
        }
    }

    /// The position of the value that absence stands for.
    pub(super) fn default(&self, values: &[&str]) -> Result<Option<usize>, String> {
        let Some(default) = self.get("default").filter(|default| !default.is_null()) else {
            return Ok(None);
        };
        let position = default
            .as_str()
            .and_then(|text| values.iter().position(|value| *value == text));
        position.map(Some).ok_or_else(|| {
            format!(
                "its `default` is {}, which is not one of its values; use one of: {}",
                shown(default),
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
    /// which is called `name`.
    pub(super) fn add_2022(
        &mut self,
        name: &str,
        property: &Property<'_>,
        extension: &Value,
        is_required: bool,
    ) -> Result<(), String> {
        self.add(read_2022(name, property, extension, is_required)?)
    }

    /// The union of a discriminator, if its property has the extension: where both shapes are there, that one rules.
    pub(super) fn in_2022(&self, name: Option<&str>) -> Option<&OwnedUnion> {
        let mut unions = self.unions.iter();
        unions.find(|union| {
            let discriminator = union.discriminator.as_ref();
            union.shape == Shape::V2022
                && discriminator.is_some_and(|discriminator| Some(&*discriminator.name) == name)
        })
    }

    /// Adds a union whose fields are there and in no other one.
    pub(super) fn add(&mut self, union: OwnedUnion) -> Result<(), String> {
        if self.unions.len() >= MOST_VALUES {
            return Err(format!(
                "an object has more than {MOST_VALUES} unions; put some into objects of their own"
            ));
        }
        for (i, name) in fields(&union).enumerate() {
            let is_there = |name: &str| {
                let found = self.described.binary_search_by(|field| (**field).cmp(name));
                found.is_ok()
            };
            if !self.described.is_empty() && !is_there(name) {
                return Err(format!(
                    "the union has a field {name:?}, which is not a property of the object; \
                     add the property, or correct the name"
                ));
            }
            let mut others = self.unions.iter().flat_map(fields);
            if fields(&union).skip(i + 1).any(|other| other == name)
                || others.any(|other| other == name)
            {
                return Err(format!(
                    "field {name:?} is twice in the object's unions; leave it in one place, for a field belongs to one \
                     union, and to it once"
                ));
            }
        }
        self.unions.push(union);
        Ok(())
    }

    /// Adds a union of a type that belongs to somebody else; what absence stands for is in the schema of its
    /// discriminator's property, if there is one.
    pub(super) fn add_declared(
        &mut self,
        mut union: OwnedUnion,
        property: Option<&Property<'_>>,
    ) -> Result<(), String> {
        let spec = union.spec();
        let discriminator = spec.discriminator().into_iter();
        let mut values: Vec<&str> = discriminator
            .flat_map(|discriminator| discriminator.values().iter())
            .collect();
        if values.is_empty() {
            values = spec.members().map(MemberSpec::value).collect();
        }
        let default = property.map_or(Ok(None), |property| property.default(&values));
        if let Some(discriminator) = &mut union.discriminator {
            let wrong = |problem: String| of_property(&discriminator.name, &problem);
            discriminator.default = default.map_err(wrong)?;
        }
        self.add(union)
    }

    pub(super) fn finish(self) -> Box<[OwnedUnion]> {
        self.unions.into()
    }
}

fn fields(union: &OwnedUnion) -> impl Iterator<Item = &str> {
    union.fields().map(|(name, _)| name)
}

/// The bit of a member, by the position of its value.
pub(super) fn value_of_member(position: usize) -> Result<u8, String> {
    let at = u8::try_from(position)
        .ok()
        .filter(|_| position < MOST_VALUES);
    at.ok_or_else(|| {
        format!(
            "a union holds {MOST_VALUES} members, and their values must be among the first {MOST_VALUES}; \
             move the values that have a member to the front"
        )
    })
}

pub(super) fn selects_nothing(member: &str) -> String {
    format!(
        "member {member:?} has the discriminator value \"\", which says that nothing is selected; use another"
    )
}

/// What is wrong with a property, said where the property is not.
pub(super) fn of_property(name: &str, problem: &str) -> String {
    format!("discriminator {name:?}: {problem}")
}

/// How many values and members an extension has.
pub(super) fn size(extension: &Value) -> usize {
    let entries = |value: &Value| value.as_object().map_or(1, Map::len);
    match extension {
        Value::Array(unions) => {
            let fields = unions
                .iter()
                .filter_map(|union| union.get("fields-to-discriminateBy"));
            unions.len() + fields.map(entries).sum::<usize>()
        }
        extension => extension.get("fieldMembers").map_or(1, entries),
    }
}
