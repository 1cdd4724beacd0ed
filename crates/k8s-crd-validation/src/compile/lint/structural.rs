//! The conditions of a structural schema: every value has a type, and combinators only validate.

use serde_json::Value;

use super::errors::Errors;
use super::walk::{each_branch, each_child};
use crate::schema::place::Place;
use crate::schema::props::{Items, Props};
use union_runtime::{Found, ViolationKind};

/// The position of a schema in its parent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    Root,
    Field,
    Items,
}

pub(super) fn check_root(props: &Props<'_>, at: &Place<'_>, errors: &mut Errors) {
    if props.additional_properties.is_some() {
        let detail = "must not be used at the root";
        errors.push(at.field("additionalProperties").forbidden(detail));
    }
    check(props, at, Stands::Root, errors);
}

fn check(props: &Props<'_>, at: &Place<'_>, stands: Stands, errors: &mut Errors) {
    check_kind(props, at, stands, errors);
    check_embedded(props, at, errors);
    if props.int_or_string {
        let wrong = |keyword: &'static str| {
            let found = Found::Printed("true".to_owned());
            let detail = "must be false if x-kubernetes-int-or-string is true";
            at.field(keyword)
                .found(ViolationKind::Invalid, found, detail)
        };
        if props.preserve_unknown_fields == Some(true) {
            errors.push(wrong("x-kubernetes-preserve-unknown-fields"));
        }
        if props.embedded_resource {
            errors.push(wrong("x-kubernetes-embedded-resource"));
        }
    }
    if props.kind == "array" && matches!(props.items, None | Some(Items::Several([]))) {
        errors.push(at.field("items").required("must be specified"));
    }
    for (name, schema) in props.properties.into_iter().flatten() {
        check_child(schema, &at.key("properties", name), Stands::Field, errors);
    }
    if let Some(Items::One(items)) = props.items {
        check_child(items, &at.field("items"), Stands::Items, errors);
    }
    if let Some(schema) = props
        .additional_properties
        .filter(|schema| !schema.is_boolean())
    {
        check_child(
            schema,
            &at.field("additionalProperties"),
            Stands::Field,
            errors,
        );
    }
    check_branches(props, at, errors);
}

fn check_child(schema: &Value, at: &Place<'_>, stands: Stands, errors: &mut Errors) {
    if let Ok(props) = Props::read(schema) {
        check(&props, at, stands, errors);
    }
}

fn check_kind(props: &Props<'_>, at: &Place<'_>, stands: Stands, errors: &mut Errors) {
    let at = at.field("type");
    match (props.kind, stands) {
        ("", _) if props.int_or_string => {}
        ("", _) if props.preserve_unknown_fields == Some(true) || props.embedded_resource => {}
        ("", Stands::Root) => errors.push(at.required("must not be empty at the root")),
        ("", Stands::Field) => {
            errors.push(at.required("must not be empty for specified object fields"));
        }
        ("", Stands::Items) => {
            errors.push(at.required("must not be empty for specified array items"));
        }
        ("object", _) => {}
        (kind, Stands::Root) => errors.push(at.wrong(kind, "must be object at the root")),
        _ => {}
    }
}

fn check_embedded(props: &Props<'_>, at: &Place<'_>, errors: &mut Errors) {
    if !props.embedded_resource {
        return;
    }
    if props.kind != "object" {
        let detail = "must be object if x-kubernetes-embedded-resource is true";
        errors.push(at.field("type").wrong(props.kind, detail));
    }
    let has_properties = props
        .properties
        .is_some_and(|properties| !properties.is_empty());
    if !has_properties && props.preserve_unknown_fields != Some(true) {
        let detail = "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
        errors.push(at.field("properties").required(detail));
    }
    if props.additional_properties.is_some() {
        let detail = "must not be used if x-kubernetes-embedded-resource is set";
        errors.push(at.field("additionalProperties").forbidden(detail));
    }
}

/// Checks the combinators, whose branches must only validate. Types are allowed in the two forms
/// that mean "integer or string": as `anyOf`, and as the `anyOf` of the first branch of `allOf`.
fn check_branches(props: &Props<'_>, at: &Place<'_>, errors: &mut Errors) {
    let is_free = is_int_or_string(props.any_of);
    let rest = Props {
        any_of: if is_free { &[] } else { props.any_of },
        ..props.clone()
    };
    let in_all_of = props.all_of.first().and_then(|first| first.get("anyOf"));
    let in_all_of = in_all_of.and_then(Value::as_array);
    // The branches of `allOf` are visited first.
    let mut is_first = in_all_of.is_some_and(|branches| is_int_or_string(branches));
    each_branch(&rest, at, &mut |schema, at| {
        check_branch(schema, at, std::mem::take(&mut is_first), errors);
    });
}

/// Returns true for `[{type: integer}, {type: string}]`, in this order and without other keywords.
fn is_int_or_string(branches: &[Value]) -> bool {
    matches!(branches, [integer, string] if is_only_type(integer, "integer") && is_only_type(string, "string"))
}

/// Returns true if a server decodes a schema as a type without other keywords.
fn is_only_type(schema: &Value, kind: &str) -> bool {
    let Ok(props) = Props::read(schema) else {
        return false;
    };
    // A server distinguishes empty from missing values of these keywords.
    let kept = [
        "properties",
        "required",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-validations",
    ];
    let is_kept = |keyword: &&str| schema.get(keyword).is_some_and(|value| !value.is_null());
    let rest = Props {
        kind: "",
        reference: props.reference.filter(|name| !name.is_empty()),
        values: props.values.filter(|values| !values.is_empty()),
        additional_properties: props
            .additional_properties
            .filter(|schema| schema.as_bool() != Some(false)),
        ..props.clone()
    };
    props.kind == kind && !kept.iter().any(is_kept) && rest.says_nothing()
}

fn check_branch(schema: &Value, at: &Place<'_>, is_any_of_free: bool, errors: &mut Errors) {
    let Ok(props) = Props::read(schema) else {
        return;
    };
    let has_values = props
        .additional_properties
        .is_some_and(|schema| schema.as_bool() != Some(false));
    let preserves = props.preserve_unknown_fields == Some(true);
    let has_keys = !props.list_map_keys.is_empty();
    for (keyword, is_there, wanted) in [
        ("type", !props.kind.is_empty(), "empty"),
        ("title", !props.title.is_empty(), "empty"),
        ("description", !props.description.is_empty(), "empty"),
        ("default", props.default.is_some(), "undefined"),
        ("nullable", props.nullable, "false"),
        ("additionalProperties", has_values, "undefined"),
        ("x-kubernetes-preserve-unknown-fields", preserves, "false"),
        (
            "x-kubernetes-embedded-resource",
            props.embedded_resource,
            "false",
        ),
        ("x-kubernetes-int-or-string", props.int_or_string, "false"),
        ("x-kubernetes-list-map-keys", has_keys, "empty"),
        (
            "x-kubernetes-list-type",
            props.list_type.is_some(),
            "undefined",
        ),
        (
            "x-kubernetes-map-type",
            props.map_type.is_some(),
            "undefined",
        ),
        (
            "x-kubernetes-validations",
            !props.validations.is_empty(),
            "empty",
        ),
    ] {
        if is_there {
            let detail = format!("must be {wanted} to be structural");
            errors.push(at.field(keyword).forbidden(&detail));
        }
    }
    // The schemas inside forbidden keywords are not checked.
    let rest = Props {
        additional_properties: None,
        any_of: if is_any_of_free { &[] } else { props.any_of },
        ..props
    };
    each_child(&rest, at, &mut |schema, at| {
        check_branch(schema, at, false, errors);
    });
}
