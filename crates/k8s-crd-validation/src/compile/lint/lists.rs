//! The checks of list and map types, and of the keys of list elements.

use serde_json::{Value, json};

use super::demands::Demands;
use super::errors::Errors;
use crate::schema::go;
use crate::schema::place::Place;
use crate::schema::props::{Items, Props};
use k8s_json_internals::print::Json;
use union_runtime::{Found, ViolationKind};

pub(super) fn check(props: &Props<'_>, at: &Place<'_>, demands: Demands, errors: &mut Errors) {
    if let Some(map_type) = props.map_type {
        if !["atomic", "granular"].contains(&map_type) {
            let at = at.field("x-kubernetes-map-type");
            errors.push(at.unsupported(map_type, &["atomic", "granular"]));
        }
        check_kind(props, at, "object", "x-kubernetes-map-type", errors);
    }
    if let Some(list_type) = props.list_type {
        if !["atomic", "set", "map"].contains(&list_type) {
            let at = at.field("x-kubernetes-list-type");
            errors.push(at.unsupported(list_type, &["atomic", "set", "map"]));
        }
        check_kind(props, at, "array", "x-kubernetes-list-type", errors);
    }
    if !props.list_map_keys.is_empty() && props.list_type != Some("map") {
        let at = at.field("x-kubernetes-list-type");
        let detail = "must be map if x-kubernetes-list-map-keys is non-empty";
        errors.push(at.wrong(props.list_type.unwrap_or_default(), detail));
    }
    let items = match props.items {
        Some(Items::One(items)) => Some(items),
        _ => None,
    };
    match props.list_type {
        Some("map") => check_map(props, items, at, demands, errors),
        Some("set") => {
            if let Some(items) = items.and_then(|items| Props::read(items).ok()) {
                check_set_items(&items, &at.field("items"), demands, errors);
            }
        }
        _ => {}
    }
}

fn check_kind(props: &Props<'_>, at: &Place<'_>, wanted: &str, keyword: &str, errors: &mut Errors) {
    if props.kind != wanted {
        let detail = format!("must be {wanted} if {keyword} is specified");
        errors.push(at.field("type").wrong(props.kind, &detail));
    }
}

fn check_set_items(items: &Props<'_>, at: &Place<'_>, demands: Demands, errors: &mut Errors) {
    if demands.map_keys && items.nullable {
        let detail = "cannot be nullable when x-kubernetes-list-type is set";
        errors.push(at.field("nullable").forbidden(detail));
    }
    let detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
    match items.kind {
        _ if !demands.atomic_sets => {}
        "object" if items.map_type != Some("atomic") => {
            // Seen: the actual map type is not printed.
            let found = Found::Printed("null".to_owned());
            let at = at.field("x-kubernetes-map-type");
            errors.push(at.found(ViolationKind::Invalid, found, detail));
        }
        "array" if !matches!(items.list_type, None | Some("atomic")) => {
            let at = at.field("x-kubernetes-list-type");
            errors.push(at.wrong(items.list_type.unwrap_or_default(), detail));
        }
        _ => {}
    }
}

fn check_map(
    props: &Props<'_>,
    items: Option<&Value>,
    at: &Place<'_>,
    demands: Demands,
    errors: &mut Errors,
) {
    let at_keys = at.field("x-kubernetes-list-map-keys");
    if props.list_map_keys.is_empty() {
        let detail = "must not be empty if x-kubernetes-list-type is map";
        errors.push(at_keys.required(detail));
    }
    let at = at.field("items");
    let Some(items) = items else {
        if let Some(Items::Several(items)) = props.items {
            let mut printed = String::new();
            go::print_tuple(items, &mut printed);
            let detail = "must only have a single schema if x-kubernetes-list-type is map";
            let found = Found::Printed(printed);
            errors.push(at.found(ViolationKind::Invalid, found, detail));
        } else {
            let detail = "must have a schema if x-kubernetes-list-type is map";
            errors.push(at.required(detail));
        }
        return;
    };
    let Ok(items) = Props::read(items) else {
        return;
    };
    if demands.map_keys && items.nullable {
        let detail = "cannot be nullable when x-kubernetes-list-type is map";
        errors.push(at.field("nullable").forbidden(detail));
    }
    if items.kind != "object" {
        let detail = "must be object if parent array's x-kubernetes-list-type is map";
        let found = Found::Text(items.kind.to_owned());
        let at = at.field("type");
        errors.push(at.found(ViolationKind::Invalid, found, detail));
        return;
    }
    check_keys(props, &items, &at, &at_keys, demands, errors);
}

fn check_keys(
    props: &Props<'_>,
    items: &Props<'_>,
    at: &Place<'_>,
    at_keys: &Place<'_>,
    demands: Demands,
    errors: &mut Errors,
) {
    let keys = &props.list_map_keys;
    let all_keys = || Found::Printed(Json(&json!(keys)).to_string());
    let mut unknown = false;
    let mut twice = false;
    for (i, key) in keys.iter().enumerate() {
        twice |= keys.iter().take(i).any(|other| other == key);
        let property = items.properties.and_then(|properties| properties.get(*key));
        let Some(property) = property.and_then(|property| Props::read(property).ok()) else {
            unknown = true;
            continue;
        };
        let at = at.key("properties", key);
        if ["object", "array"].contains(&property.kind) {
            // Seen: the type of the elements is printed, not the type of the property.
            let detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
            let found = Found::Text(items.kind.to_owned());
            let at = at.field("type");
            errors.push(at.found(ViolationKind::Invalid, found, detail));
        }
        if demands.map_keys && property.nullable {
            let detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            errors.push(at.field("nullable").forbidden(detail));
        }
        if demands.map_keys && property.default.is_none() && !items.required.contains(key) {
            let detail = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
            errors.push(at.field("default").required(detail));
        }
    }
    for (is_wrong, detail) in [
        (unknown, "entries must all be names of item properties"),
        (twice, "must not contain duplicate entries"),
    ] {
        if is_wrong {
            errors.push(at_keys.found(ViolationKind::Invalid, all_keys(), detail));
        }
    }
}
