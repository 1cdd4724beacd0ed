//! The checks of list and map types, and of the keys of list elements.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::errors::LintErrors;
use super::validation_options::ValidationOptions;
use crate::schema::crd_path::CrdPath;
use crate::schema::raw::go_schema;
use crate::schema::raw::keywords::{Items, Keywords};
use k8s_json_internals::print::GoJson;
use union_runtime::{BadValue, Violation, ViolationKind};

/// Checks `x-kubernetes-list-type`, `x-kubernetes-list-map-keys` and `x-kubernetes-map-type`.
pub(super) fn check(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    options: ValidationOptions,
    errors: &mut LintErrors,
) {
    if let Some(map_type) = props.map_type {
        if !["atomic", "granular"].contains(&map_type) {
            let path = path.field("x-kubernetes-map-type");
            errors.push(path.not_supported(map_type, &["atomic", "granular"]));
        }
        check_type(props, path, "object", "x-kubernetes-map-type", errors);
    }
    if let Some(list_type) = props.list_type {
        if !["atomic", "set", "map"].contains(&list_type) {
            let path = path.field("x-kubernetes-list-type");
            errors.push(path.not_supported(list_type, &["atomic", "set", "map"]));
        }
        check_type(props, path, "array", "x-kubernetes-list-type", errors);
    }
    if !props.list_map_keys.is_empty() && props.list_type != Some("map") {
        let path = path.field("x-kubernetes-list-type");
        let detail = "must be map if x-kubernetes-list-map-keys is non-empty";
        errors.push(match props.list_type {
            None => path.required(detail),
            Some(list_type) => invalid_list_type(&path, list_type, detail),
        });
    }
    let items = match props.items {
        Some(Items::Schema(items)) => Some(items),
        _ => None,
    };
    match props.list_type {
        Some("map") => check_map(props, items, path, options, errors),
        Some("set") => {
            if let Some(items) = items.and_then(|items| Keywords::decode(items).ok()) {
                check_set_items(props, &items, &path.field("items"), options, errors);
            }
        }
        _ => {}
    }
}

/// Checks that a schema with `keyword` has the type `expected`.
fn check_type(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    expected: &str,
    keyword: &str,
    errors: &mut LintErrors,
) {
    if props.schema_type != expected {
        let detail = format!("must be {expected} if {keyword} is specified");
        errors.push(
            path.field("type")
                .invalid_or_required(props.schema_type, &detail),
        );
    }
}

fn invalid_list_type(path: &CrdPath<'_>, list_type: &str, detail: &str) -> Violation {
    let bad_value = BadValue::Quoted(list_type.to_owned());
    path.violation(ViolationKind::Invalid, bad_value, detail)
}

/// Checks the schema of the elements of a list of type set.
fn check_set_items(
    props: &Keywords<'_>,
    items: &Keywords<'_>,
    path: &CrdPath<'_>,
    options: ValidationOptions,
    errors: &mut LintErrors,
) {
    if options.map_keys && items.nullable {
        let detail = "cannot be nullable when x-kubernetes-list-type is set";
        errors.push(path.field("nullable").forbidden(detail));
    }
    if !options.atomic_sets || props.schema_type != "array" {
        return;
    }
    let detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
    match (items.schema_type, items.list_type) {
        ("object", list_type) if items.map_type != Some("atomic") => {
            // An API server prints the list type of the elements in place of their map type.
            let found = list_type.map_or_else(
                || BadValue::Formatted("null".to_owned()),
                |list_type| BadValue::Quoted(list_type.to_owned()),
            );
            let path = path.field("x-kubernetes-map-type");
            errors.push(path.violation(ViolationKind::Invalid, found, detail));
        }
        ("array", Some(list_type)) if list_type != "atomic" => {
            let path = path.field("x-kubernetes-list-type");
            errors.push(invalid_list_type(&path, list_type, detail));
        }
        _ => {}
    }
}

/// Checks the keys and the schema of the elements of a list of type map.
fn check_map(
    props: &Keywords<'_>,
    items: Option<&Value>,
    path: &CrdPath<'_>,
    options: ValidationOptions,
    errors: &mut LintErrors,
) {
    let keys_path = path.field("x-kubernetes-list-map-keys");
    if props.list_map_keys.is_empty() {
        let detail = "must not be empty if x-kubernetes-list-type is map";
        errors.push(keys_path.required(detail));
    }
    let path = path.field("items");
    let Some(items) = items else {
        if let Some(Items::Array(items)) = props.items {
            let mut printed = String::new();
            go_schema::print_items_array(items, &mut printed);
            let detail = "must only have a single schema if x-kubernetes-list-type is map";
            let bad_value = BadValue::Formatted(printed);
            errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
        } else {
            let detail = "must have a schema if x-kubernetes-list-type is map";
            errors.push(path.required(detail));
        }
        return;
    };
    let Ok(items) = Keywords::decode(items) else {
        return;
    };
    if options.map_keys && items.nullable {
        let detail = "cannot be nullable when x-kubernetes-list-type is map";
        errors.push(path.field("nullable").forbidden(detail));
    }
    if items.schema_type != "object" {
        let detail = "must be object if parent array's x-kubernetes-list-type is map";
        let bad_value = BadValue::Quoted(items.schema_type.to_owned());
        let path = path.field("type");
        errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
        return;
    }
    check_keys(props, &items, &path, &keys_path, options, errors);
}

/// Checks that the keys are unique, and that each key is a scalar property of the elements.
fn check_keys(
    props: &Keywords<'_>,
    items: &Keywords<'_>,
    path: &CrdPath<'_>,
    keys_path: &CrdPath<'_>,
    options: ValidationOptions,
    errors: &mut LintErrors,
) {
    let keys = &props.list_map_keys;
    let all_keys = || BadValue::Formatted(GoJson(&json!(keys)).to_string());
    let mut has_unknown_key = false;
    let mut has_duplicate_key = false;
    let mut earlier_keys = BTreeSet::new();
    for key in keys {
        has_duplicate_key |= !earlier_keys.insert(*key);
        let property = items.properties.and_then(|properties| properties.get(*key));
        let Some(property) = property.and_then(|property| Keywords::decode(property).ok()) else {
            has_unknown_key = true;
            continue;
        };
        let path = path.key("properties", key);
        if ["object", "array"].contains(&property.schema_type) {
            // An API server prints the type of the elements, not the type of the property.
            let detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
            let bad_value = BadValue::Quoted(items.schema_type.to_owned());
            let path = path.field("type");
            errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
        }
        if options.map_keys && property.nullable {
            let detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            errors.push(path.field("nullable").forbidden(detail));
        }
        if options.map_keys && property.default.is_none() && !items.required.contains(key) {
            let detail = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
            errors.push(path.field("default").required(detail));
        }
    }
    for (is_violated, detail) in [
        (
            has_unknown_key,
            "entries must all be names of item properties",
        ),
        (has_duplicate_key, "must not contain duplicate entries"),
    ] {
        if is_violated {
            errors.push(keys_path.violation(ViolationKind::Invalid, all_keys(), detail));
        }
    }
}
