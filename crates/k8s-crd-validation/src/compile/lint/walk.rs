//! Walks over the JSON of a schema, before the schema is compiled.

use serde_json::Value;

use super::errors::LintErrors;
use crate::schema::crd_path::CrdPath;
use crate::schema::depth::{check_value_depths, schema_too_deep_error};
use crate::schema::raw::keywords::{Items, Keywords};
use union_runtime::path::FieldPath;

/// A visit of one schema.
#[derive(Clone, Copy)]
pub(super) struct SchemaVisit<'v> {
    pub(super) schema: &'v Value,
    pub(super) path: &'v CrdPath<'v>,
    pub(super) time: VisitTime,
}

/// The time of a visit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum VisitTime {
    /// Before the schemas inside the schema.
    BeforeChildren,
    /// After the schemas inside the schema. `is_convertible` is true if a server can convert the
    /// schema, with the schemas inside it, to a structural schema.
    AfterChildren { is_convertible: bool },
}

/// A function that checks one schema and adds its errors to a list.
pub(super) type SchemaVisitor<'a> = dyn FnMut(&Keywords<'_>, SchemaVisit<'_>, &mut LintErrors) + 'a;

/// Visits a schema and all schemas inside it. A schema that cannot be decoded, or is too deep, is
/// an error, and the schemas inside it are not visited.
pub(super) fn walk(
    schema: &Value,
    path: &CrdPath<'_>,
    remaining_levels: usize,
    errors: &mut LintErrors,
    visit: &mut SchemaVisitor<'_>,
) {
    let Some(remaining_levels) = remaining_levels.checked_sub(1) else {
        errors.push_not_decodable(schema_too_deep_error(path));
        return;
    };
    let props = match Keywords::decode(schema) {
        Ok(props) => props,
        Err(error) => {
            errors.push_not_decodable(path.type_error(&error));
            return;
        }
    };
    if let Err(error) = check_value_depths(&props, path) {
        errors.push_not_decodable(error);
        return;
    }
    let error_count_before = errors.len();
    let time = VisitTime::BeforeChildren;
    visit(&props, SchemaVisit { schema, path, time }, errors);
    for_each_child(&props, path, &mut |schema, path| {
        walk(schema, path, remaining_levels, errors, &mut *visit);
    });
    let is_convertible = errors.are_recoverable_after(error_count_before);
    let time = VisitTime::AfterChildren { is_convertible };
    visit(&props, SchemaVisit { schema, path, time }, errors);
}

/// Calls `visit` with a schema and all schemas inside it, including the schemas in keywords that a
/// server does not support. The depth of the schema must be bounded.
pub(crate) fn for_each_schema(schema: &Value, visit: &mut dyn FnMut(&Keywords<'_>)) {
    let Ok(props) = Keywords::decode(schema) else {
        return;
    };
    visit(&props);
    for_each_child(
        &props,
        &CrdPath::root(&FieldPath::root()),
        &mut |schema, _| {
            for_each_schema(schema, &mut *visit);
        },
    );
    let patterns = props.pattern_properties.into_iter();
    let schemas = patterns.flat_map(serde_json::Map::values);
    for schema in schemas.chain(props.additional_items) {
        for_each_schema(schema, &mut *visit);
    }
}

/// Calls `visit` with each schema directly inside a schema, except in `patternProperties` and
/// `additionalItems`, which a server does not check.
pub(super) fn for_each_child(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    visit: &mut dyn FnMut(&Value, &CrdPath<'_>),
) {
    for (name, schema) in props.properties.into_iter().flatten() {
        visit(schema, &path.key("properties", name));
    }
    match props.items {
        Some(Items::Schema(items)) => visit(items, &path.field("items")),
        Some(Items::Array(items)) => {
            for (i, schema) in items.iter().enumerate() {
                visit(schema, &path.index("items", i));
            }
        }
        None => {}
    }
    if let Some(schema) = props
        .additional_properties
        .filter(|schema| !schema.is_boolean())
    {
        visit(schema, &path.field("additionalProperties"));
    }
    for_each_branch(props, path, visit);
    for (name, schema) in props.definitions.into_iter().flatten() {
        visit(schema, &path.key("definitions", name));
    }
    let dependencies = props.dependencies.into_iter().flatten();
    // A dependency is a schema or a list of names.
    for (name, schema) in dependencies.filter(|(_, value)| value.is_object()) {
        visit(schema, &path.key("dependencies", name));
    }
}

/// Calls `visit` with each branch of the combinators of a schema.
pub(super) fn for_each_branch(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    visit: &mut dyn FnMut(&Value, &CrdPath<'_>),
) {
    for (keyword, schemas) in [
        ("allOf", props.all_of),
        ("anyOf", props.any_of),
        ("oneOf", props.one_of),
    ] {
        for (i, schema) in schemas.iter().enumerate() {
            visit(schema, &path.index(keyword, i));
        }
    }
    if let Some(not) = props.not {
        visit(not, &path.field("not"));
    }
}
