//! Random objects of a kind, with random states of its unions.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use union_random::Random;

use crate::cluster::{Cluster, Fallible};
use crate::place::Step;
use crate::random_unions::{KindWithUnions, UnionPlace};
use crate::random_values::Values;
use crate::repair::{self, Kept};
use crate::types::Types;

/// A kind, with its smallest valid object.
pub(crate) struct RandomKind<'k> {
    pub(crate) unions: &'k KindWithUnions,
    base: Value,
}

/// The largest number of places whose unions are changed in an object.
const MAX_PLACES: usize = 5;

/// The largest number of elements of a list.
const MAX_ELEMENTS: usize = 3;

impl<'k> RandomKind<'k> {
    pub(crate) async fn new(
        cluster: &Cluster,
        types: &Types,
        unions: &'k KindWithUnions,
    ) -> Fallible<Self> {
        let kind = &unions.kind;
        let root = crate::place::Place {
            kind: kind.clone(),
            definition: kind.definition.clone(),
            name: kind.definition.clone(),
            steps: Vec::new(),
        };
        let mut base = root.object(types);
        if kind.name == "CustomResourceDefinition" {
            // The server validates conversions only if the rest is valid.
            base["metadata"]["name"] = "as.a.example.com".into();
            base["spec"] = json!({
                "group": "a.example.com",
                "names": {"kind": "A", "listKind": "AList", "plural": "as", "singular": "a"},
                "scope": "Cluster",
                "versions": [{
                    "name": "v1",
                    "served": true,
                    "storage": true,
                    "schema": {"openAPIV3Schema": {"type": "object"}},
                }],
            });
        }
        repair::repair(cluster, kind, &mut base, "", Kept::Outside).await?;
        Ok(Self { unions, base })
    }

    /// Returns a random object.
    pub(crate) fn object(&self, types: &Types, values: &Values, random: &mut Random) -> Value {
        let mut object = self.base.clone();
        let places = self.unions.places.iter();
        let definitions: BTreeSet<&str> = places.map(|place| &*place.place.definition).collect();
        let definitions: Vec<&str> = definitions.into_iter().collect();
        if definitions.is_empty() {
            return object;
        }
        for _ in 0..=random.below(MAX_PLACES) {
            // Types are chosen before places, because some types have many places.
            let definition = *random.pick(&definitions);
            let places = self.unions.places.iter();
            let places = places.filter(|place| place.place.definition == definition);
            let place = *random.pick(&places.collect::<Vec<_>>());
            let fragment = place.place.object(types);
            add_missing(&mut object, &fragment);
            let union_object = descend(&mut object, &fragment, &place.place.steps, random);
            if !union_object.is_object() {
                *union_object = json!({});
            }
            set_states(union_object, place, values, random);
        }
        object
    }
}

/// Adds the fields of a fragment that an object does not have. Lists are not changed.
fn add_missing(object: &mut Value, fragment: &Value) {
    let (Value::Object(fields), Value::Object(fragment)) = (object, fragment) else {
        return;
    };
    for (name, value) in fragment {
        match fields.get_mut(name) {
            Some(field) => add_missing(field, value),
            None => {
                fields.insert(name.clone(), value.clone());
            }
        }
    }
}

/// Returns the value at a place, in random elements of lists and maps. Adds elements that are
/// missing, as the fragment has them.
fn descend<'o>(
    object: &'o mut Value,
    fragment: &Value,
    steps: &[Step],
    random: &mut Random,
) -> &'o mut Value {
    let (mut value, mut fragment) = (object, fragment);
    for step in steps {
        (value, fragment) = match step {
            Step::Field(name) => {
                if !value.is_object() {
                    *value = json!({});
                }
                let (child, fragment) = (&mut value[name], &fragment[name]);
                if child.is_null() {
                    *child = fragment.clone();
                }
                (child, fragment)
            }
            Step::Element => {
                if !value.is_array() {
                    *value = json!([]);
                }
                let length = value.as_array().map_or(0, Vec::len);
                let index = random.below((length + 1).min(MAX_ELEMENTS));
                if let (Value::Array(elements), true) = (&mut *value, index == length) {
                    let mut element = fragment[0].clone();
                    if element["name"].is_string() {
                        element["name"] = format!("e{index}").into();
                    }
                    elements.push(element);
                }
                (&mut value[index], &fragment[0])
            }
            Step::MapValue => {
                if !value.is_object() {
                    *value = json!({});
                }
                let child = &mut value[*random.pick(&["a", "b"])];
                if child.is_null() {
                    *child = fragment["a"].clone();
                }
                (child, &fragment["a"])
            }
        };
    }
    value
}

/// Sets random states of the unions of an object.
fn set_states(object: &mut Value, place: &UnionPlace, values: &Values, random: &mut Random) {
    for union in &place.unions {
        let count = random.weighted(&[(10, 0), (65, 1), (15, 2), (10, 3)]);
        for member in &union.members {
            if let Some(fields) = object.as_object_mut() {
                fields.remove(&member.field);
            }
        }
        let mut selected = None;
        for _ in 0..count.min(union.members.len()) {
            let member = random.pick(&union.members);
            let value = values.get(&place.place.definition, &member.field);
            object[&member.field] = if random.chance(8) {
                empty(&value)
            } else {
                value
            };
            selected = Some(member);
        }
        let Some(discriminator) = &union.discriminator else {
            continue;
        };
        let kinds = [
            (55, "member"),
            (25, "random"),
            (10, "unknown"),
            (10, "missing"),
        ];
        match (random.weighted(&kinds), selected) {
            ("member", Some(member)) => union.select(object, member),
            ("member" | "random", _) if !union.values.is_empty() => {
                object[discriminator] = random.pick(&union.values).as_str().into();
            }
            ("unknown", _) => object[discriminator] = "Unknown".into(),
            _ => {
                if let Some(fields) = object.as_object_mut() {
                    fields.remove(discriminator);
                }
            }
        }
    }
}

/// Returns an empty value of the type of a value.
fn empty(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(_) => false.into(),
        Value::Number(_) => 0.into(),
        Value::String(_) => "".into(),
        Value::Array(_) => json!([]),
        Value::Object(_) => json!({}),
    }
}
