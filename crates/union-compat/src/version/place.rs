//! The objects of a schema that have unions.

use std::collections::BTreeMap;

use crd_unions::{Arity, Reading};
use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};
use union_json::{Source, Unions};
use union_runtime::schema_keys::UNIONS;

use crate::bounds::{PLACES, SCHEMAS};
use crate::json::properties;
use crate::version::declared::{Declared, shallow};

/// An object of a schema that has unions.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) path: SchemaPath,
    pub(crate) declared: Vec<Declared>,
    /// The compiled unions, which validate the object by itself.
    pub(crate) unions: Unions,
}

/// Returns the places in schema order, and notes. Declared unions take precedence over unions that
/// are read from rules.
pub(crate) fn places(schema: &Value) -> (Vec<Place>, Vec<String>) {
    let readings = crd_unions::read_schema(schema);
    let readings: BTreeMap<&str, &Reading> = readings
        .iter()
        .map(|place| (&*place.pointer, &place.reading))
        .collect();
    let (mut places, mut notes) = (Vec::new(), Vec::new());
    let mut waiting = vec![(SchemaPath::root(), schema)];
    let mut seen = 0;
    while let Some((path, schema)) = waiting.pop() {
        seen += 1;
        if seen > SCHEMAS || places.len() >= PLACES {
            notes.push(format!(
                "the limit of {PLACES} places and {SCHEMAS} schemas is reached; schemas after {} are not compared",
                path.to_fields()
            ));
            break;
        }
        let reading = readings.get(&*path.to_string()).copied();
        places.extend(place(&path, schema, reading));
        let below = schema.as_object().into_iter().flat_map(SchemaStep::each);
        let below: Vec<(SchemaPath, &Value)> = below
            .map(|(step, schema)| (path.clone().step(step), schema))
            .collect();
        waiting.extend(below.into_iter().rev());
    }
    (places, notes)
}

/// Returns the unions of one object, if it has any.
fn place(path: &SchemaPath, schema: &Value, reading: Option<&Reading>) -> Option<Place> {
    let is_declared = schema.get(UNIONS).is_some()
        || properties(schema).any(|(_, property)| property.get(UNIONS).is_some());
    if !is_declared && reading.is_none() {
        return None;
    }
    let shallow = shallow(schema);
    let mut compiler = Unions::compiler();
    if !is_declared {
        for union in reading?.unions.iter().filter(|union| union.may_judge()) {
            compiler = compiler.declared_at("", &union.declared());
        }
    }
    let unions = compiler.lenient().compile(Source::Schema(&shallow)).ok()?;
    let mut declared: Vec<Declared> = unions
        .iter()
        .map(|spec| Declared::of(&spec, &shallow))
        .collect();
    for union in &mut declared {
        sharpen(union, reading);
    }
    (!declared.is_empty()).then(|| Place {
        path: path.clone(),
        declared,
        unions,
    })
}

/// Requires exactly one member if the rules do so: no extension can declare that.
fn sharpen(union: &mut Declared, reading: Option<&Reading>) {
    let says_so = |read: &crd_unions::Union| {
        read.arity == Arity::ExactlyOne
            && read.members.len() == union.members.len()
            && read
                .members
                .iter()
                .all(|member| union.member(&member.name).is_some())
    };
    let read = reading.map_or(&[][..], |reading| &reading.unions);
    if union.discriminator.is_none() && read.iter().any(says_so) {
        union.arity = Arity::ExactlyOne;
    }
}
