//! The checks of the type and the metadata of the root and of embedded resources, and of the
//! properties that combinators at the root may have.

use serde_json::Value;

use super::errors::Errors;
use super::walk::{each_branch, each_child};
use crate::schema::go;
use crate::schema::place::Place;
use crate::schema::props::{Items, Props};
use union_runtime::path::FieldPath;
use union_runtime::{Found, ViolationKind};

/// Checks the types of the fields that every resource has, and the restrictions of metadata.
pub(super) fn check_types(props: &Props<'_>, at: &Place<'_>, errors: &mut Errors) {
    check_type_meta(props, at, true, errors);
    check_embedded(props, at, errors);
}

/// Checks that the root is not nullable.
pub(super) fn check_nullable(props: &Props<'_>, at: &Place<'_>, errors: &mut Errors) {
    if props.nullable {
        let detail = "nullable cannot be true at the root";
        errors.push(at.field("nullable").forbidden(detail));
    }
}

/// Checks the fields that every resource has: they do not contain embedded resources, and the
/// fields of the root do not have defaults.
pub(super) fn check_meta(props: &Props<'_>, at: &Place<'_>, is_root: bool, errors: &mut Errors) {
    for name in ["apiVersion", "kind", "metadata"] {
        let schema = props.properties.and_then(|properties| properties.get(name));
        if let (true, Some(Ok(schema))) =
            (is_root || props.embedded_resource, schema.map(Props::read))
        {
            let at = at.key("properties", name);
            refuse_default(&schema, &at, is_root.then_some(name), false, errors);
            refuse_embedded(&schema, &at, errors);
        }
    }
    each_child(props, at, &mut |schema, at| {
        if let Ok(props) = Props::read(schema) {
            check_meta(&props, at, false, errors);
        }
    });
}

/// Checks the root of a CRD with a status subresource, where only a few keywords are allowed.
pub(super) fn check_status(schema: &Value, props: &Props<'_>, at: &Place<'_>, errors: &mut Errors) {
    if !["", "object"].contains(&props.kind) {
        let found = Found::Text(props.kind.to_owned());
        let detail = "only \"object\" is allowed as the type at the root of the schema if the status subresource is enabled";
        errors.push(
            at.field("type")
                .found(ViolationKind::Invalid, found, detail),
        );
        return;
    }
    let only = Props {
        description: "",
        kind: "",
        format: "",
        title: "",
        maximum: None,
        exclusive_maximum: false,
        minimum: None,
        exclusive_minimum: false,
        max_length: None,
        min_length: None,
        pattern: "",
        max_items: None,
        min_items: None,
        unique_items: false,
        multiple_of: None,
        required: Vec::new(),
        items: None,
        properties: None,
        external_docs: None,
        example: None,
        preserve_unknown_fields: None,
        validations: &[],
        ..props.clone()
    };
    if !only.says_nothing() {
        let detail = "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled";
        let mut printed = String::new();
        go::print(Some(schema), &mut printed);
        let found = Found::Printed(printed);
        errors.push(at.found(ViolationKind::Invalid, found, detail));
    }
}

/// Checks that properties in combinators at the root are also described outside of them, and that
/// combinators do not contain metadata.
pub(super) fn check_combinators(props: &Props<'_>, at: &Place<'_>, errors: &mut Errors) {
    each_branch(props, at, &mut |schema, at| {
        check_described(schema, at, Some(props), &FieldPath::root(), errors);
    });
    check_metadata(props, at, errors);
}

/// Checks embedded resources at any depth.
fn check_embedded(props: &Props<'_>, at: &Place<'_>, errors: &mut Errors) {
    each_child(props, at, &mut |schema, at| {
        if let Ok(props) = Props::read(schema) {
            if props.embedded_resource {
                check_type_meta(&props, at, false, errors);
            }
            check_embedded(&props, at, errors);
        }
    });
}

fn check_type_meta(props: &Props<'_>, at: &Place<'_>, is_root: bool, errors: &mut Errors) {
    for (name, kind) in [
        ("apiVersion", "string"),
        ("kind", "string"),
        ("metadata", "object"),
    ] {
        let schema = props.properties.and_then(|properties| properties.get(name));
        let Some(schema) = schema else { continue };
        let Ok(schema) = Props::read(schema) else {
            continue;
        };
        let at = at.key("properties", name);
        if schema.kind != kind {
            let found = Found::Text(schema.kind.to_owned());
            let detail = format!("must be {kind}");
            errors.push(
                at.field("type")
                    .found(ViolationKind::Invalid, found, &detail),
            );
        }
        if is_root && name == "metadata" && restricts(&schema) {
            let detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
            errors.push(at.forbidden(detail));
        }
    }
}

/// Rejects defaults in a field of every resource. At the root, `top` is the name of the field, and
/// all defaults are rejected. In embedded resources, only defaults inside `additionalProperties`
/// are rejected (`in_values`).
fn refuse_default(
    props: &Props<'_>,
    at: &Place<'_>,
    top: Option<&str>,
    in_values: bool,
    errors: &mut Errors,
) {
    let detail = match top {
        _ if in_values => {
            "must not be set inside additionalProperties applying to object metadata".to_owned()
        }
        Some(name) => format!("must not be set in top-level {name}"),
        None => String::new(),
    };
    if props.default.is_some() && !detail.is_empty() {
        errors.push(at.field("default").forbidden(&detail));
    }
    let mut check = |schema: &Value, at: &Place<'_>, in_values| {
        if let Ok(props) = Props::read(schema) {
            refuse_default(&props, at, top, in_values, errors);
        }
    };
    let values = props.additional_properties;
    if let Some(values) = values.filter(|values| values.is_object()) {
        check(values, &at.field("additionalProperties"), true);
    }
    let rest = Props {
        additional_properties: None,
        ..props.clone()
    };
    each_child(&rest, at, &mut |schema, at| check(schema, at, in_values));
}

/// Rejects embedded resources in the fields that every resource has.
fn refuse_embedded(props: &Props<'_>, at: &Place<'_>, errors: &mut Errors) {
    if props.embedded_resource {
        let at = at.field("x-kubernetes-embedded-resource");
        errors.push(at.forbidden("must not be used inside of resource meta"));
    }
    each_child(props, at, &mut |schema, at| {
        if let Ok(props) = Props::read(schema) {
            refuse_embedded(&props, at, errors);
        }
    });
}

/// Returns true if the schema of metadata has anything but a type, a default, and properties for
/// the names.
fn restricts(props: &Props<'_>) -> bool {
    let properties = props.properties.into_iter().flatten();
    let mut others =
        properties.filter(|(name, _)| !["name", "generateName"].contains(&name.as_str()));
    let only = Props {
        kind: "",
        properties: None,
        default: None,
        ..props.clone()
    };
    others.next().is_some() || !only.says_nothing()
}

/// Checks that combinators at any depth do not contain metadata.
fn check_metadata(props: &Props<'_>, at: &Place<'_>, errors: &mut Errors) {
    each_branch(props, at, &mut |schema, at| {
        check_branch(schema, at, errors);
    });
    let structural = Props {
        all_of: &[],
        any_of: &[],
        one_of: &[],
        not: None,
        ..props.clone()
    };
    each_child(&structural, at, &mut |schema, at| {
        if let Ok(props) = Props::read(schema) {
            check_metadata(&props, at, errors);
        }
    });
}

fn check_branch(schema: &Value, at: &Place<'_>, errors: &mut Errors) {
    let Ok(props) = Props::read(schema) else {
        return;
    };
    if props
        .properties
        .is_some_and(|properties| properties.contains_key("metadata"))
    {
        let detail = "must not be specified in a nested context";
        errors.push(at.key("properties", "metadata").forbidden(detail));
    }
    each_child(&props, at, &mut |schema, at| {
        check_branch(schema, at, errors);
    });
}

/// Checks that properties in combinators are also described outside of them. `steps` lead from the
/// root to `described`.
fn check_described(
    schema: &Value,
    at: &Place<'_>,
    described: Option<&Props<'_>>,
    steps: &FieldPath,
    errors: &mut Errors,
) {
    let (Ok(props), Some(described)) = (Props::read(schema), described) else {
        return;
    };
    let missing = |steps: &FieldPath, at: &Place<'_>| {
        let place = steps.under(&at.root_path());
        let detail = format!("because it is defined in {at}");
        Place::root(&place).required(&detail)
    };
    for (name, schema) in props.properties.into_iter().flatten() {
        let at = at.key("properties", name);
        let steps = steps.clone().field("properties").key(name);
        let property = described
            .properties
            .and_then(|properties| properties.get(name));
        match property.map(Props::read) {
            None => errors.push(missing(&steps, &at)),
            Some(property) => check_described(schema, &at, property.ok().as_ref(), &steps, errors),
        }
    }
    if let Some(Items::One(schema)) = props.items {
        let at = at.field("items");
        let steps = steps.clone().field("items");
        match described.items {
            Some(Items::One(items)) => {
                check_described(
                    schema,
                    &at,
                    Props::read(items).ok().as_ref(),
                    &steps,
                    errors,
                );
            }
            Some(Items::Several(_)) => {}
            None => errors.push(missing(&steps, &at)),
        }
    }
    each_branch(&props, at, &mut |schema, at| {
        check_described(schema, at, Some(described), steps, errors);
    });
}
