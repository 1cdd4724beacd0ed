//! The checks of the type and the metadata of the root and of embedded resources, and of the
//! properties that combinators at the root may have.

use serde_json::Value;

use super::errors::LintErrors;
use super::walk::{for_each_branch, for_each_child};
use crate::schema::crd_path::CrdPath;
use crate::schema::raw::go_schema;
use crate::schema::raw::keywords::{Items, Keywords};
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, ViolationKind};

/// Checks the types of the fields that every resource has, and the restrictions of metadata.
pub(super) fn check_types(props: &Keywords<'_>, at: &CrdPath<'_>, errors: &mut LintErrors) {
    check_type_meta(props, at, true, errors);
    check_embedded(props, at, errors);
}

/// Checks that the root is not nullable.
pub(super) fn check_nullable(props: &Keywords<'_>, at: &CrdPath<'_>, errors: &mut LintErrors) {
    if props.nullable {
        let detail = "nullable cannot be true at the root";
        errors.push(at.field("nullable").forbidden(detail));
    }
}

/// Checks the fields that every resource has: they do not contain embedded resources, and the
/// fields of the root do not have defaults.
pub(super) fn check_meta(
    props: &Keywords<'_>,
    at: &CrdPath<'_>,
    is_root: bool,
    errors: &mut LintErrors,
) {
    for name in ["apiVersion", "kind", "metadata"] {
        let schema = props.properties.and_then(|properties| properties.get(name));
        if let (true, Some(Ok(schema))) = (
            is_root || props.embedded_resource,
            schema.map(Keywords::decode),
        ) {
            let at = at.key("properties", name);
            refuse_default(&schema, &at, is_root.then_some(name), false, errors);
            refuse_embedded(&schema, &at, errors);
        }
    }
    for_each_child(props, at, &mut |schema, at| {
        if let Ok(props) = Keywords::decode(schema) {
            check_meta(&props, at, false, errors);
        }
    });
}

/// Checks the root of a CRD with a status subresource, where only a few keywords are allowed.
pub(super) fn check_status(
    schema: &Value,
    props: &Keywords<'_>,
    at: &CrdPath<'_>,
    errors: &mut LintErrors,
) {
    if !["", "object"].contains(&props.schema_type) {
        let found = BadValue::Quoted(props.schema_type.to_owned());
        let detail = "only \"object\" is allowed as the type at the root of the schema if the status subresource is enabled";
        errors.push(
            at.field("type")
                .violation(ViolationKind::Invalid, found, detail),
        );
        return;
    }
    let only = Keywords {
        description: "",
        schema_type: "",
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
    if !only.is_empty() {
        let detail = "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled";
        let mut printed = String::new();
        go_schema::print_schema(Some(schema), &mut printed);
        let found = BadValue::Formatted(printed);
        errors.push(at.violation(ViolationKind::Invalid, found, detail));
    }
}

/// Checks that properties in combinators at the root are also described outside of combinators, and
/// that combinators do not contain metadata.
pub(super) fn check_combinators(props: &Keywords<'_>, at: &CrdPath<'_>, errors: &mut LintErrors) {
    for_each_branch(props, at, &mut |schema, at| {
        check_described(schema, at, Some(props), &FieldPath::root(), errors);
    });
    check_metadata(props, at, errors);
}

/// Checks embedded resources at any depth.
fn check_embedded(props: &Keywords<'_>, at: &CrdPath<'_>, errors: &mut LintErrors) {
    for_each_child(props, at, &mut |schema, at| {
        if let Ok(props) = Keywords::decode(schema) {
            if props.embedded_resource {
                check_type_meta(&props, at, false, errors);
            }
            check_embedded(&props, at, errors);
        }
    });
}

fn check_type_meta(props: &Keywords<'_>, at: &CrdPath<'_>, is_root: bool, errors: &mut LintErrors) {
    for (name, kind) in [
        ("apiVersion", "string"),
        ("kind", "string"),
        ("metadata", "object"),
    ] {
        let schema = props.properties.and_then(|properties| properties.get(name));
        let Some(schema) = schema else { continue };
        let Ok(schema) = Keywords::decode(schema) else {
            continue;
        };
        let at = at.key("properties", name);
        if schema.schema_type != kind {
            let found = BadValue::Quoted(schema.schema_type.to_owned());
            let detail = format!("must be {kind}");
            errors.push(
                at.field("type")
                    .violation(ViolationKind::Invalid, found, &detail),
            );
        }
        if is_root && name == "metadata" && has_restrictions(&schema) {
            let detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
            errors.push(at.forbidden(detail));
        }
    }
}

/// Rejects defaults in a field of every resource. At the root, `top` is the name of the field, and
/// all defaults are rejected. In embedded resources, only defaults inside `additionalProperties`
/// are rejected (`in_values`).
fn refuse_default(
    props: &Keywords<'_>,
    at: &CrdPath<'_>,
    top: Option<&str>,
    in_values: bool,
    errors: &mut LintErrors,
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
    let mut check = |schema: &Value, at: &CrdPath<'_>, in_values| {
        if let Ok(props) = Keywords::decode(schema) {
            refuse_default(&props, at, top, in_values, errors);
        }
    };
    let values = props.additional_properties;
    if let Some(values) = values.filter(|values| values.is_object()) {
        check(values, &at.field("additionalProperties"), true);
    }
    let rest = Keywords {
        additional_properties: None,
        ..props.clone()
    };
    for_each_child(&rest, at, &mut |schema, at| check(schema, at, in_values));
}

/// Rejects embedded resources in the fields that every resource has.
fn refuse_embedded(props: &Keywords<'_>, at: &CrdPath<'_>, errors: &mut LintErrors) {
    if props.embedded_resource {
        let at = at.field("x-kubernetes-embedded-resource");
        errors.push(at.forbidden("must not be used inside of resource meta"));
    }
    for_each_child(props, at, &mut |schema, at| {
        if let Ok(props) = Keywords::decode(schema) {
            refuse_embedded(&props, at, errors);
        }
    });
}

/// Returns true if the schema of metadata has anything but a type, a default, and properties for
/// the names.
fn has_restrictions(props: &Keywords<'_>) -> bool {
    let properties = props.properties.into_iter().flatten();
    let mut others =
        properties.filter(|(name, _)| !["name", "generateName"].contains(&name.as_str()));
    let only = Keywords {
        schema_type: "",
        properties: None,
        default: None,
        ..props.clone()
    };
    others.next().is_some() || !only.is_empty()
}

/// Checks that combinators at any depth do not contain metadata.
fn check_metadata(props: &Keywords<'_>, at: &CrdPath<'_>, errors: &mut LintErrors) {
    for_each_branch(props, at, &mut |schema, at| {
        check_branch(schema, at, errors);
    });
    let structural = Keywords {
        all_of: &[],
        any_of: &[],
        one_of: &[],
        not: None,
        ..props.clone()
    };
    for_each_child(&structural, at, &mut |schema, at| {
        if let Ok(props) = Keywords::decode(schema) {
            check_metadata(&props, at, errors);
        }
    });
}

fn check_branch(schema: &Value, at: &CrdPath<'_>, errors: &mut LintErrors) {
    let Ok(props) = Keywords::decode(schema) else {
        return;
    };
    if props
        .properties
        .is_some_and(|properties| properties.contains_key("metadata"))
    {
        let detail = "must not be specified in a nested context";
        errors.push(at.key("properties", "metadata").forbidden(detail));
    }
    for_each_child(&props, at, &mut |schema, at| {
        check_branch(schema, at, errors);
    });
}

/// Checks that properties in combinators are also described outside of combinators. `steps` is the
/// path from the root to `described`.
fn check_described(
    schema: &Value,
    at: &CrdPath<'_>,
    described: Option<&Keywords<'_>>,
    steps: &FieldPath,
    errors: &mut LintErrors,
) {
    let (Ok(props), Some(described)) = (Keywords::decode(schema), described) else {
        return;
    };
    let missing = |steps: &FieldPath, at: &CrdPath<'_>| {
        let path = steps.under(&at.root_path());
        let detail = format!("because it is defined in {at}");
        CrdPath::root(&path).required(&detail)
    };
    for (name, schema) in props.properties.into_iter().flatten() {
        let at = at.key("properties", name);
        let steps = steps.clone().field("properties").key(name);
        let property = described
            .properties
            .and_then(|properties| properties.get(name));
        match property.map(Keywords::decode) {
            None => errors.push(missing(&steps, &at)),
            Some(property) => check_described(schema, &at, property.ok().as_ref(), &steps, errors),
        }
    }
    if let Some(Items::Schema(schema)) = props.items {
        let at = at.field("items");
        let steps = steps.clone().field("items");
        match described.items {
            Some(Items::Schema(items)) => {
                check_described(
                    schema,
                    &at,
                    Keywords::decode(items).ok().as_ref(),
                    &steps,
                    errors,
                );
            }
            Some(Items::Array(_)) => {}
            None => errors.push(missing(&steps, &at)),
        }
    }
    for_each_branch(&props, at, &mut |schema, at| {
        check_described(schema, at, Some(described), steps, errors);
    });
}
