//! Finds the objects of a schema that have unions.

use std::collections::BTreeMap;

use crd_unions::{ObjectAnalysis, UnionModel};
use serde_json::{Map, Value};
use union_json::document::{SchemaPath, SchemaStep};
use union_json::{SchemaSource, Unions};
use union_runtime::schema_keys::UNIONS;

use crate::bounds::{SCHEMAS, UNION_OBJECTS};
use crate::json::properties;
use crate::version::compared_union::{
    ComparedUnion, unions_of_discriminator, without_nested_schemas,
};

/// An object of a schema that has unions.
#[derive(Clone, Debug)]
pub(crate) struct UnionObject {
    pub(crate) path: SchemaPath,
    pub(crate) unions: Vec<ComparedUnion>,
    /// The compiled unions, for validating the object.
    pub(crate) validator: Unions,
}

/// Returns the objects with unions in schema order, and notes. Declared unions take precedence over
/// unions that are inferred from rules.
pub(crate) fn union_objects(schema: &Value) -> (Vec<UnionObject>, Vec<String>) {
    let union_analyses = crd_unions::analyze_schema(schema);
    let union_analyses: BTreeMap<&str, &ObjectAnalysis> = union_analyses
        .iter()
        .map(|analyzed| (&*analyzed.pointer, &analyzed.analysis))
        .collect();
    let (mut union_objects, mut notes) = (Vec::new(), Vec::new());
    let mut pending = vec![(SchemaPath::root(), schema)];
    let mut visited_count = 0;
    while let Some((path, schema)) = pending.pop() {
        visited_count += 1;
        if visited_count > SCHEMAS || union_objects.len() >= UNION_OBJECTS {
            notes.push(format!(
                "the limit of {UNION_OBJECTS} places and {SCHEMAS} schemas is reached; schemas after {} are not compared",
                path.to_field_notation()
            ));
            break;
        }
        let analysis = union_analyses.get(&*path.to_string()).copied();
        union_objects.extend(union_object(&path, schema, analysis, &mut notes));
        let subschemas = schema
            .as_object()
            .into_iter()
            .flat_map(SchemaStep::subschemas);
        let subschemas: Vec<(SchemaPath, &Value)> = subschemas
            .map(|(step, schema)| (path.clone().step(step), schema))
            .collect();
        pending.extend(subschemas.into_iter().rev());
    }
    (union_objects, notes)
}

/// Returns the name of the object at a path, for messages.
pub(crate) fn object_name(path: &SchemaPath) -> String {
    if path.is_root() {
        return "the object".to_owned();
    }
    path.to_field_notation()
}

/// Returns the object with its unions; `None` for an object without unions. Adds notes on invalid
/// declarations.
fn union_object(
    path: &SchemaPath,
    schema: &Value,
    analysis: Option<&ObjectAnalysis>,
    notes: &mut Vec<String>,
) -> Option<UnionObject> {
    // The extension of a discriminator is an object, and declares a union of the parent.
    let is_declared = schema.get(UNIONS).is_some_and(|unions| !unions.is_object())
        || properties(schema).any(|(_, property)| unions_of_discriminator(property).is_some());
    if !is_declared && analysis.is_none() {
        return None;
    }
    let shallow = without_nested_schemas(schema);
    let source = SchemaSource::Schema(&shallow);
    let compiler = Unions::compiler().lenient();
    let mut unions = compiler.clone().compile(source).ok()?;
    let place = object_name(path);
    notes.extend(unions.errors().iter().map(|error| {
        let message = error.message();
        format!("{place}: the declaration of unions is invalid, and is ignored: {message}")
    }));
    // An invalid declaration does not hide the unions of the rules.
    let has_valid_declaration = unions.iter().next().is_some();
    if let (false, Some(analysis)) = (has_valid_declaration, analysis) {
        let inferred = analysis.unions.iter().filter(|union| union.is_trusted());
        let compiler = inferred.fold(compiler, |compiler, union| {
            compiler.declared_union_at("", &union.to_declared_union())
        });
        let undeclared = without_declarations(&shallow);
        unions = compiler.compile(SchemaSource::Schema(&undeclared)).ok()?;
    }
    let mut compared_unions: Vec<ComparedUnion> = unions
        .iter()
        .map(|spec| ComparedUnion::from_spec(&spec, &shallow))
        .collect();
    for union in &mut compared_unions {
        require_exactly_one(union, analysis);
    }
    (!compared_unions.is_empty()).then(|| UnionObject {
        path: path.clone(),
        unions: compared_unions,
        validator: unions,
    })
}

/// Returns a schema without the declarations of the unions of its object.
fn without_declarations(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(schema) = schema.as_object_mut() {
        schema.remove(UNIONS);
        let properties = schema.get_mut("properties");
        let properties = properties.and_then(Value::as_object_mut);
        let properties = properties.into_iter().flat_map(Map::values_mut);
        for property in properties.filter_map(Value::as_object_mut) {
            property.remove(UNIONS);
        }
    }
    schema
}

/// Changes the model of a union to exactly one member, if the rules require one. An extension
/// cannot declare this model.
fn require_exactly_one(union: &mut ComparedUnion, analysis: Option<&ObjectAnalysis>) {
    let requires_one = |inferred_union: &crd_unions::Union| {
        inferred_union.arity == UnionModel::ExactlyOne
            && inferred_union.members.len() == union.members.len()
            && inferred_union
                .members
                .iter()
                .all(|member| union.member(&member.name).is_some())
    };
    let inferred_unions = analysis.map_or(&[][..], |analysis| &analysis.unions);
    if union.discriminator.is_none() && inferred_unions.iter().any(requires_one) {
        union.model = UnionModel::ExactlyOne;
    }
}
