//! Finds the values and members of only one version that no compared object shows.

use serde_json::Value;

use crate::compare::compared_object::ComparedObject;
use crate::version::compared_union::ComparedUnion;
use crate::version::version_side::VersionSide;
use crate::world::object_space::MatchedUnions;

/// A value or a member that only one version has.
struct OneSidedField<'a> {
    field: &'a str,
    /// The value of a discriminator; `None` for a member.
    value: Option<&'a str>,
}

impl OneSidedField<'_> {
    fn is_in(&self, object: &Value) -> bool {
        let found = object.get(self.field).filter(|found| !found.is_null());
        match self.value {
            Some(value) => found.and_then(Value::as_str) == Some(value),
            None => found.is_some(),
        }
    }

    fn name(&self) -> String {
        let field = self.field;
        let value = self.value.map(|value| format!(" {value:?}"));
        format!("`{field}`{}", value.unwrap_or_default())
    }
}

/// Returns a note for each value and member that only one version has, and that none of the objects
/// has that this version stores. `schemas` are the schemas of the object in both versions.
pub(crate) fn undecided_notes(
    unions: &MatchedUnions<'_>,
    schemas: [&Value; 2],
    objects: &[ComparedObject],
) -> Vec<String> {
    let mut notes = Vec::new();
    for (side, version) in [(VersionSide::Old, "old"), (VersionSide::New, "new")] {
        let [own_unions, other_unions] = match side {
            VersionSide::Old => [&unions.old, &unions.new],
            VersionSide::New => [&unions.new, &unions.old],
        };
        let stored_objects: Vec<&Value> = objects
            .iter()
            .filter(|compared| compared.result(side).is_stored_in_full())
            .map(|compared| &compared.object)
            .collect();
        let other_schema = side.other().select(schemas);
        let fields = own_unions.iter().flat_map(|union| {
            let values = one_sided_values(union, other_unions);
            values.chain(one_sided_members(union, other_schema))
        });
        let undecided = fields.filter(|field| !stored_objects.iter().any(|it| field.is_in(it)));
        notes.extend(undecided.map(|field| {
            format!(
                "not compared for {}, because no object with it was found that the {version} version accepts",
                field.name()
            )
        }));
    }
    notes
}

/// Returns the listed values of a discriminator that the other version has without these values.
fn one_sided_values<'a>(
    union: &'a ComparedUnion,
    other_unions: &'a [&'a ComparedUnion],
) -> impl Iterator<Item = OneSidedField<'a>> {
    let discriminator = union.discriminator.iter();
    discriminator.flat_map(move |discriminator| {
        let name = &discriminator.name;
        let other_discriminators = other_unions
            .iter()
            .filter_map(|union| union.discriminator.as_ref());
        let other = other_discriminators
            .into_iter()
            .find(|other| other.name == *name);
        let values = discriminator.values.iter();
        let values = values.filter(move |value| other.is_some_and(|other| !other.allows(value)));
        values.map(move |value| OneSidedField {
            field: name,
            value: Some(value),
        })
    })
}

/// Returns the members that the schema of the other version does not have.
fn one_sided_members<'a>(
    union: &'a ComparedUnion,
    other_schema: &'a Value,
) -> impl Iterator<Item = OneSidedField<'a>> {
    let is_one_sided = move |name: &str| {
        let properties = other_schema.get("properties");
        properties.is_none_or(|properties| properties.get(name).is_none())
    };
    let names = union.members.iter().map(|member| &*member.name);
    let names = names.filter(move |name| is_one_sided(name));
    names.map(|field| OneSidedField { field, value: None })
}
