//! Walks through a schema as it is written.

use serde_json::Value;

use super::errors::Errors;
use crate::schema::depth::{check_data, too_deep};
use crate::schema::place::Place;
use crate::schema::props::{Items, Props};
use union_runtime::path::FieldPath;

pub(super) type Visit<'a> = dyn FnMut(&Props<'_>, &Place<'_>, &mut Errors) + 'a;

/// Visits every schema. A schema that cannot be decoded, or is too deep, stops the walk with an
/// error.
pub(super) fn walk(
    schema: &Value,
    at: &Place<'_>,
    levels: usize,
    errors: &mut Errors,
    visit: &mut Visit<'_>,
) {
    let Some(levels) = levels.checked_sub(1) else {
        errors.push_stopping(too_deep(at));
        return;
    };
    let props = match Props::read(schema) {
        Ok(props) => props,
        Err(wrong) => {
            errors.push_stopping(at.wrong_type(&wrong));
            return;
        }
    };
    if let Err(wrong) = check_data(&props, at) {
        errors.push_stopping(wrong);
        return;
    }
    visit(&props, at, errors);
    each_child(&props, at, &mut |schema, at| {
        walk(schema, at, levels, errors, &mut *visit);
    });
}

/// Calls `show` with a schema, which has a bounded depth, and all schemas inside it, including the
/// schemas in keywords that a server does not support.
pub(crate) fn every_schema(schema: &Value, show: &mut dyn FnMut(&Props<'_>)) {
    let Ok(props) = Props::read(schema) else {
        return;
    };
    show(&props);
    each_child(
        &props,
        &Place::root(&FieldPath::root()),
        &mut |schema, _| {
            every_schema(schema, &mut *show);
        },
    );
    let maps = [
        props.pattern_properties,
        props.dependencies,
        props.definitions,
    ];
    let inside = maps.into_iter().flatten().flat_map(serde_json::Map::values);
    for schema in inside.chain(props.additional_items) {
        if schema.is_object() {
            every_schema(schema, &mut *show);
        }
    }
}

/// Calls `show` with each schema directly inside a schema.
pub(super) fn each_child(
    props: &Props<'_>,
    at: &Place<'_>,
    show: &mut dyn FnMut(&Value, &Place<'_>),
) {
    for (name, schema) in props.properties.into_iter().flatten() {
        show(schema, &at.key("properties", name));
    }
    match props.items {
        Some(Items::One(items)) => show(items, &at.field("items")),
        Some(Items::Several(items)) => {
            for (i, schema) in items.iter().enumerate() {
                show(schema, &at.index("items", i));
            }
        }
        None => {}
    }
    if let Some(schema) = props
        .additional_properties
        .filter(|schema| !schema.is_boolean())
    {
        show(schema, &at.field("additionalProperties"));
    }
    each_branch(props, at, show);
}

/// Calls `show` with each branch of the combinators of a schema.
pub(super) fn each_branch(
    props: &Props<'_>,
    at: &Place<'_>,
    show: &mut dyn FnMut(&Value, &Place<'_>),
) {
    for (keyword, schemas) in [
        ("allOf", props.all_of),
        ("anyOf", props.any_of),
        ("oneOf", props.one_of),
    ] {
        for (i, schema) in schemas.iter().enumerate() {
            show(schema, &at.index(keyword, i));
        }
    }
    if let Some(not) = props.not {
        show(not, &at.field("not"));
    }
}
