//! The checks of the type and the metadata of the root and of embedded resources, and of the
//! properties that combinators at the root may have.

use serde_json::Value;

use super::errors::LintErrors;
use super::structural;
use super::walk::{for_each_branch, for_each_child};
use crate::schema::crd_path::CrdPath;
use crate::schema::raw::go_schema;
use crate::schema::raw::keywords::{Items, Keywords};
use k8s_cel::KubeVersion;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, ViolationKind};

/// Checks the types of `apiVersion`, `kind` and `metadata` of the root and of embedded resources,
/// and the restrictions of metadata.
pub(super) fn check_types(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    version: KubeVersion,
    errors: &mut LintErrors,
) {
    check_type_meta(props, path, Some(version), errors);
    check_embedded(props, path, errors);
}

/// Checks that the root is not nullable.
pub(super) fn check_nullable(props: &Keywords<'_>, path: &CrdPath<'_>, errors: &mut LintErrors) {
    if props.nullable {
        let detail = "nullable cannot be true at the root";
        errors.push(path.field("nullable").forbidden(detail));
    }
}

/// Checks `apiVersion`, `kind` and `metadata` of the root and of embedded resources: they must not
/// contain embedded resources, and their defaults are restricted ([`reject_defaults`]).
pub(super) fn check_meta(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    is_root: bool,
    errors: &mut LintErrors,
) {
    for name in ["apiVersion", "kind", "metadata"] {
        let schema = props.properties.and_then(|properties| properties.get(name));
        if let (true, Some(Ok(schema))) = (
            is_root || props.embedded_resource,
            schema.map(Keywords::decode),
        ) {
            let path = path.key("properties", name);
            reject_defaults(&schema, &path, is_root.then_some(name), false, errors);
            reject_embedded(&schema, &path, errors);
        }
    }
    for_each_child(props, path, &mut |schema, path| {
        if let Ok(props) = Keywords::decode(schema) {
            check_meta(&props, path, false, errors);
        }
    });
}

/// Checks the root of a CRD with a status subresource, where only a few keywords are allowed.
pub(super) fn check_status(
    schema: &Value,
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    errors: &mut LintErrors,
) {
    // A server checks `id`, `$schema` and `$ref` before `type`, and reports only the first error.
    // The error of these keywords is the last error of this function.
    let has_earlier_keyword =
        !props.id.is_empty() || !props.schema.is_empty() || props.reference.is_some();
    if !has_earlier_keyword && !["", "object"].contains(&props.schema_type) {
        let bad_value = BadValue::Quoted(props.schema_type.to_owned());
        let detail = "only \"object\" is allowed as the type at the root of the schema if the status subresource is enabled";
        errors.push(
            path.field("type")
                .violation(ViolationKind::Invalid, bad_value, detail),
        );
        return;
    }
    let disallowed_keywords = Keywords {
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
    // A server distinguishes empty from missing values of these keywords.
    let distinguished_keywords = [
        "allOf",
        "anyOf",
        "definitions",
        "dependencies",
        "oneOf",
        "patternProperties",
        "x-kubernetes-list-map-keys",
    ];
    if !disallowed_keywords.is_empty()
        || structural::has_any_keyword(schema, &distinguished_keywords)
    {
        let detail = "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled";
        let mut printed = String::new();
        go_schema::print_schema(Some(schema), &mut printed);
        let bad_value = BadValue::Formatted(printed);
        errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
    }
}

/// Checks that properties in combinators at the root are also described outside of combinators, and
/// that combinators do not contain metadata.
pub(super) fn check_combinators(props: &Keywords<'_>, path: &CrdPath<'_>, errors: &mut LintErrors) {
    for_each_branch(props, path, &mut |schema, path| {
        check_described(schema, path, Some(props), &FieldPath::root(), errors);
    });
    check_metadata(props, path, errors);
}

/// Checks embedded resources at any depth.
fn check_embedded(props: &Keywords<'_>, path: &CrdPath<'_>, errors: &mut LintErrors) {
    for_each_child(props, path, &mut |schema, path| {
        if let Ok(props) = Keywords::decode(schema) {
            if props.embedded_resource {
                check_type_meta(&props, path, None, errors);
            }
            check_embedded(&props, path, errors);
        }
    });
}

/// Checks the types of `apiVersion`, `kind` and `metadata` in one schema. With `root_version`, the
/// version of the server, also checks that the metadata of the root restricts only the names.
fn check_type_meta(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    root_version: Option<KubeVersion>,
    errors: &mut LintErrors,
) {
    for (name, kind) in [
        ("apiVersion", "string"),
        ("kind", "string"),
        ("metadata", "object"),
    ] {
        let schema = props.properties.and_then(|properties| properties.get(name));
        let Some(schema) = schema else { continue };
        let Ok(props) = Keywords::decode(schema) else {
            continue;
        };
        let path = path.key("properties", name);
        if props.schema_type != kind {
            let bad_value = BadValue::Quoted(props.schema_type.to_owned());
            let detail = format!("must be {kind}");
            errors.push(
                path.field("type")
                    .violation(ViolationKind::Invalid, bad_value, &detail),
            );
        }
        if let Some(version) = root_version
            && name == "metadata"
            && has_restrictions(schema, &props, version)
        {
            let detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
            errors.push(path.forbidden(detail));
        }
    }
}

/// Rejects defaults in `apiVersion`, `kind` or `metadata`. At the root, `top_level_field` is the
/// name of the field, and all defaults are rejected. In embedded resources, `top_level_field` is
/// `None`, and only defaults inside `additionalProperties` are rejected. `in_values` is true inside
/// `additionalProperties`.
fn reject_defaults(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    top_level_field: Option<&str>,
    in_values: bool,
    errors: &mut LintErrors,
) {
    let detail = match top_level_field {
        _ if in_values => {
            "must not be set inside additionalProperties applying to object metadata".to_owned()
        }
        Some(name) => format!("must not be set in top-level {name}"),
        None => String::new(),
    };
    if props.default.is_some() && !detail.is_empty() {
        errors.push(path.field("default").forbidden(&detail));
    }
    let mut check = |schema: &Value, path: &CrdPath<'_>, in_values| {
        if let Ok(props) = Keywords::decode(schema) {
            reject_defaults(&props, path, top_level_field, in_values, errors);
        }
    };
    let values = props.additional_properties;
    if let Some(values) = values.filter(|values| values.is_object()) {
        check(values, &path.field("additionalProperties"), true);
    }
    let other_keywords = Keywords {
        additional_properties: None,
        ..props.clone()
    };
    for_each_child(&other_keywords, path, &mut |schema, path| {
        check(schema, path, in_values);
    });
}

/// Rejects embedded resources inside `apiVersion`, `kind` or `metadata`.
fn reject_embedded(props: &Keywords<'_>, path: &CrdPath<'_>, errors: &mut LintErrors) {
    if props.embedded_resource {
        let path = path.field("x-kubernetes-embedded-resource");
        errors.push(path.forbidden("must not be used inside of resource meta"));
    }
    for_each_child(props, path, &mut |schema, path| {
        if let Ok(props) = Keywords::decode(schema) {
            reject_embedded(&props, path, errors);
        }
    });
}

/// Returns true if the schema of metadata has anything but a type, a default, and properties for
/// the names.
fn has_restrictions(schema: &Value, props: &Keywords<'_>, version: KubeVersion) -> bool {
    let properties = props.properties.into_iter().flatten();
    let mut other_properties =
        properties.filter(|(name, _)| !["name", "generateName"].contains(&name.as_str()));
    let other_keywords = Keywords {
        schema_type: "",
        properties: None,
        default: None,
        ..props.clone()
    };
    other_properties.next().is_some()
        || !structural::is_structurally_empty(schema, &other_keywords, version)
}

/// Checks that combinators at any depth do not contain metadata.
fn check_metadata(props: &Keywords<'_>, path: &CrdPath<'_>, errors: &mut LintErrors) {
    for_each_branch(props, path, &mut |schema, path| {
        check_branch(schema, path, errors);
    });
    let structural = Keywords {
        all_of: &[],
        any_of: &[],
        one_of: &[],
        not: None,
        ..props.clone()
    };
    for_each_child(&structural, path, &mut |schema, path| {
        if let Ok(props) = Keywords::decode(schema) {
            check_metadata(&props, path, errors);
        }
    });
}

/// Checks that a branch of `allOf`, `anyOf`, `oneOf` or `not` does not contain metadata at any
/// depth, except in `additionalProperties`, which a branch must not have.
fn check_branch(schema: &Value, path: &CrdPath<'_>, errors: &mut LintErrors) {
    let Ok(props) = Keywords::decode(schema) else {
        return;
    };
    if props
        .properties
        .is_some_and(|properties| properties.contains_key("metadata"))
    {
        let detail = "must not be specified in a nested context";
        errors.push(path.key("properties", "metadata").forbidden(detail));
    }
    let checked_keywords = Keywords {
        additional_properties: None,
        ..props
    };
    for_each_child(&checked_keywords, path, &mut |schema, path| {
        check_branch(schema, path, errors);
    });
}

/// Checks that properties in combinators are also described outside of combinators. `steps` is the
/// path from the root to `described_schema`.
fn check_described(
    schema: &Value,
    path: &CrdPath<'_>,
    described_schema: Option<&Keywords<'_>>,
    steps: &FieldPath,
    errors: &mut LintErrors,
) {
    let (Ok(props), Some(described_schema)) = (Keywords::decode(schema), described_schema) else {
        return;
    };
    let missing_property_error = |steps: &FieldPath, path: &CrdPath<'_>| {
        let missing_path = steps.under(&path.root_path());
        let detail = format!("because it is defined in {path}");
        CrdPath::root(&missing_path).required(&detail)
    };
    for (name, schema) in props.properties.into_iter().flatten() {
        let path = path.key("properties", name);
        let steps = steps.clone().field("properties").key(name);
        let property = described_schema
            .properties
            .and_then(|properties| properties.get(name));
        match property.map(Keywords::decode) {
            None => errors.push(missing_property_error(&steps, &path)),
            Some(property) => {
                check_described(schema, &path, property.ok().as_ref(), &steps, errors);
            }
        }
    }
    if let Some(Items::Schema(schema)) = props.items {
        let path = path.field("items");
        let steps = steps.clone().field("items");
        match described_schema.items {
            Some(Items::Schema(items)) => {
                check_described(
                    schema,
                    &path,
                    Keywords::decode(items).ok().as_ref(),
                    &steps,
                    errors,
                );
            }
            Some(Items::Array(_)) => {}
            None => errors.push(missing_property_error(&steps, &path)),
        }
    }
    for_each_branch(&props, path, &mut |schema, path| {
        check_described(schema, path, Some(described_schema), steps, errors);
    });
}
