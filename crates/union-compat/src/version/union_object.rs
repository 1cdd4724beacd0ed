//! The objects of a schema that have unions.

use std::collections::BTreeMap;

use crd_unions::{ObjectAnalysis, UnionModel};
use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};
use union_json::{SchemaSource, Unions};
use union_runtime::schema_keys::UNIONS;

use crate::bounds::{SCHEMAS, UNION_OBJECTS};
use crate::json::properties;
use crate::version::compared_union::{ComparedUnion, without_nested_schemas};

/// An object of a schema that has unions.
#[derive(Clone, Debug)]
pub(crate) struct UnionObject {
    pub(crate) path: SchemaPath,
    pub(crate) unions: Vec<ComparedUnion>,
    /// The compiled unions, which validate the object by itself.
    pub(crate) validator: Unions,
}

/// Returns the places in schema order, and notes. Declared unions take precedence over unions that
/// are read from rules.
pub(crate) fn union_objects(schema: &Value) -> (Vec<UnionObject>, Vec<String>) {
    let readings = crd_unions::analyze_schema(schema);
    let readings: BTreeMap<&str, &ObjectAnalysis> = readings
        .iter()
        .map(|place| (&*place.pointer, &place.analysis))
        .collect();
    let (mut places, mut notes) = (Vec::new(), Vec::new());
    let mut waiting = vec![(SchemaPath::root(), schema)];
    let mut seen = 0;
    while let Some((path, schema)) = waiting.pop() {
        seen += 1;
        if seen > SCHEMAS || places.len() >= UNION_OBJECTS {
            notes.push(format!(
                "the limit of {UNION_OBJECTS} places and {SCHEMAS} schemas is reached; schemas after {} are not compared",
                path.to_field_notation()
            ));
            break;
        }
        let reading = readings.get(&*path.to_string()).copied();
        places.extend(place(&path, schema, reading));
        let below = schema
            .as_object()
            .into_iter()
            .flat_map(SchemaStep::subschemas);
        let below: Vec<(SchemaPath, &Value)> = below
            .map(|(step, schema)| (path.clone().step(step), schema))
            .collect();
        waiting.extend(below.into_iter().rev());
    }
    (places, notes)
}

/// Returns the unions of one object, if it has any.
fn place(
    path: &SchemaPath,
    schema: &Value,
    reading: Option<&ObjectAnalysis>,
) -> Option<UnionObject> {
    let is_declared = schema.get(UNIONS).is_some()
        || properties(schema).any(|(_, property)| property.get(UNIONS).is_some());
    if !is_declared && reading.is_none() {
        return None;
    }
    let shallow = without_nested_schemas(schema);
    let mut compiler = Unions::compiler();
    if !is_declared {
        for union in reading?.unions.iter().filter(|union| union.is_trusted()) {
            compiler = compiler.declared_union_at("", &union.to_declared_union());
        }
    }
    let unions = compiler
        .lenient()
        .compile(SchemaSource::Schema(&shallow))
        .ok()?;
    let mut declared: Vec<ComparedUnion> = unions
        .iter()
        .map(|spec| ComparedUnion::from_spec(&spec, &shallow))
        .collect();
    for union in &mut declared {
        require_exactly_one(union, reading);
    }
    (!declared.is_empty()).then(|| UnionObject {
        path: path.clone(),
        unions: declared,
        validator: unions,
    })
}

/// Requires exactly one member if the rules do so: no extension can declare that.
fn require_exactly_one(union: &mut ComparedUnion, reading: Option<&ObjectAnalysis>) {
    let says_so = |read: &crd_unions::Union| {
        read.arity == UnionModel::ExactlyOne
            && read.members.len() == union.members.len()
            && read
                .members
                .iter()
                .all(|member| union.member(&member.name).is_some())
    };
    let read = reading.map_or(&[][..], |reading| &reading.unions);
    if union.discriminator.is_none() && read.iter().any(says_so) {
        union.arity = UnionModel::ExactlyOne;
    }
}
