//! The conditions of a structural schema: every value has a type, and combinators only validate.

use serde_json::Value;

use super::errors::LintErrors;
use super::walk::{for_each_branch, for_each_child};
use crate::schema::crd_path::CrdPath;
use crate::schema::raw::keywords::{Items, Keywords};
use k8s_cel::{Feature, KubeVersion};
use union_runtime::{BadValue, ViolationKind};

/// The position of a schema in its parent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SchemaPosition {
    Root,
    Field,
    Items,
}

/// Checks that the whole schema is structural.
pub(super) fn check_root(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    version: KubeVersion,
    errors: &mut LintErrors,
) {
    if props.additional_properties.is_some() {
        let detail = "must not be used at the root";
        errors.push(path.field("additionalProperties").forbidden(detail));
    }
    check(props, path, SchemaPosition::Root, version, errors);
}

/// Checks a schema and the schemas inside it.
fn check(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    position: SchemaPosition,
    version: KubeVersion,
    errors: &mut LintErrors,
) {
    check_type(props, path, position, errors);
    check_embedded(props, path, errors);
    if props.int_or_string {
        let must_be_false_error = |keyword: &'static str| {
            let bad_value = BadValue::Formatted("true".to_owned());
            let detail = "must be false if x-kubernetes-int-or-string is true";
            path.field(keyword)
                .violation(ViolationKind::Invalid, bad_value, detail)
        };
        if props.preserve_unknown_fields == Some(true) {
            errors.push(must_be_false_error("x-kubernetes-preserve-unknown-fields"));
        }
        if props.embedded_resource {
            errors.push(must_be_false_error("x-kubernetes-embedded-resource"));
        }
    }
    if props.schema_type == "array" && matches!(props.items, None | Some(Items::Array([]))) {
        errors.push(path.field("items").required("must be specified"));
    }
    for (name, schema) in props.properties.into_iter().flatten() {
        check_child(
            schema,
            &path.key("properties", name),
            SchemaPosition::Field,
            version,
            errors,
        );
    }
    if let Some(Items::Schema(items)) = props.items {
        check_child(
            items,
            &path.field("items"),
            SchemaPosition::Items,
            version,
            errors,
        );
    }
    if let Some(schema) = props
        .additional_properties
        .filter(|schema| !schema.is_boolean())
    {
        check_child(
            schema,
            &path.field("additionalProperties"),
            SchemaPosition::Field,
            version,
            errors,
        );
    }
    check_branches(props, path, version, errors);
}

fn check_child(
    schema: &Value,
    path: &CrdPath<'_>,
    position: SchemaPosition,
    version: KubeVersion,
    errors: &mut LintErrors,
) {
    if let Ok(props) = Keywords::decode(schema) {
        check(&props, path, position, version, errors);
    }
}

fn check_type(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    position: SchemaPosition,
    errors: &mut LintErrors,
) {
    let path = path.field("type");
    match (props.schema_type, position) {
        ("", _) if props.int_or_string => {}
        ("", _) if props.preserve_unknown_fields == Some(true) || props.embedded_resource => {}
        ("", SchemaPosition::Root) => errors.push(path.required("must not be empty at the root")),
        ("", SchemaPosition::Field) => {
            errors.push(path.required("must not be empty for specified object fields"));
        }
        ("", SchemaPosition::Items) => {
            errors.push(path.required("must not be empty for specified array items"));
        }
        ("object", _) => {}
        (kind, SchemaPosition::Root) => {
            errors.push(path.invalid_or_required(kind, "must be object at the root"));
        }
        _ => {}
    }
}

fn check_embedded(props: &Keywords<'_>, path: &CrdPath<'_>, errors: &mut LintErrors) {
    if !props.embedded_resource {
        return;
    }
    if props.schema_type != "object" {
        let detail = "must be object if x-kubernetes-embedded-resource is true";
        errors.push(
            path.field("type")
                .invalid_or_required(props.schema_type, detail),
        );
    }
    let has_properties = props
        .properties
        .is_some_and(|properties| !properties.is_empty());
    if !has_properties && props.preserve_unknown_fields != Some(true) {
        let detail = "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
        errors.push(path.field("properties").required(detail));
    }
    if props.additional_properties.is_some() {
        let detail = "must not be used if x-kubernetes-embedded-resource is set";
        errors.push(path.field("additionalProperties").forbidden(detail));
    }
}

/// Checks the combinators, whose branches must only validate. Types are allowed in the two forms
/// that mean "integer or string": as `anyOf`, and as the `anyOf` of the first branch of `allOf`.
fn check_branches(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    version: KubeVersion,
    errors: &mut LintErrors,
) {
    let any_of_allows_types = is_int_or_string(props.any_of, version);
    let checked_keywords = Keywords {
        any_of: if any_of_allows_types {
            &[]
        } else {
            props.any_of
        },
        ..props.clone()
    };
    let first_any_of = props.all_of.first().and_then(|branch| branch.get("anyOf"));
    let first_any_of = first_any_of.and_then(Value::as_array);
    // The branches of `allOf` are visited first.
    let mut next_branch_allows_types =
        first_any_of.is_some_and(|branches| is_int_or_string(branches, version));
    for_each_branch(&checked_keywords, path, &mut |schema, path| {
        check_branch(
            schema,
            path,
            std::mem::take(&mut next_branch_allows_types),
            errors,
        );
    });
}

/// Returns true for `[{type: integer}, {type: string}]`, in this order and without other keywords.
fn is_int_or_string(branches: &[Value], version: KubeVersion) -> bool {
    match branches {
        [integer, string] => {
            is_only_type(integer, "integer", version) && is_only_type(string, "string", version)
        }
        _ => false,
    }
}

/// Returns true if a server decodes a schema as a type without other keywords.
fn is_only_type(schema: &Value, kind: &str, version: KubeVersion) -> bool {
    let Ok(props) = Keywords::decode(schema) else {
        return false;
    };
    let has_type = props.schema_type == kind;
    let other_keywords = Keywords {
        schema_type: "",
        additional_properties: props
            .additional_properties
            .filter(|schema| schema.as_bool() != Some(false)),
        ..props
    };
    let has_properties = other_keywords.properties.is_some();
    has_type && !has_properties && is_structurally_empty(schema, &other_keywords, version)
}

/// Returns true if the structural form of a schema does not have keywords. `props` are the relevant
/// keywords of the schema. A server drops some keywords, and distinguishes empty from missing
/// values of others.
pub(super) fn is_structurally_empty(
    schema: &Value,
    props: &Keywords<'_>,
    version: KubeVersion,
) -> bool {
    let distinguished_keywords = [
        "required",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-validations",
    ];
    let keeps_documentation = version.has(Feature::StructuralDocumentation);
    let kept_keywords = Keywords {
        reference: props.reference.filter(|name| !name.is_empty()),
        enum_values: props.enum_values.filter(|values| !values.is_empty()),
        items: props
            .items
            .filter(|items| !matches!(items, Items::Array([]))),
        external_docs: props.external_docs.filter(|_| keeps_documentation),
        example: props.example.filter(|_| keeps_documentation),
        ..props.clone()
    };
    !has_any_keyword(schema, &distinguished_keywords) && kept_keywords.is_empty()
}

/// Returns true if the JSON of a schema has one of the keywords, even with an empty value.
pub(super) fn has_any_keyword(schema: &Value, keywords: &[&str]) -> bool {
    let is_present = |keyword: &&str| schema.get(keyword).is_some_and(|value| !value.is_null());
    keywords.iter().any(is_present)
}

/// Checks a branch of `allOf`, `anyOf`, `oneOf` or `not`, and the schemas inside it.
/// `any_of_allows_types` is true if the branches of its `anyOf` mean "integer or string".
fn check_branch(
    schema: &Value,
    path: &CrdPath<'_>,
    any_of_allows_types: bool,
    errors: &mut LintErrors,
) {
    let Ok(props) = Keywords::decode(schema) else {
        return;
    };
    reject_structural_keywords(&props, path, errors);
    // The schemas inside forbidden keywords are not checked.
    let checked_keywords = Keywords {
        additional_properties: None,
        any_of: if any_of_allows_types {
            &[]
        } else {
            props.any_of
        },
        ..props
    };
    for_each_child(&checked_keywords, path, &mut |schema, path| {
        check_branch(schema, path, false, errors);
    });
}

/// Rejects the keywords that are not allowed in the branches of combinators.
fn reject_structural_keywords(props: &Keywords<'_>, path: &CrdPath<'_>, errors: &mut LintErrors) {
    let has_additional_properties = props
        .additional_properties
        .is_some_and(|schema| schema.as_bool() != Some(false));
    let preserves_unknown = props.preserve_unknown_fields == Some(true);
    let has_keys = !props.list_map_keys.is_empty();
    for (keyword, is_present, expected) in [
        ("type", !props.schema_type.is_empty(), "empty"),
        ("title", !props.title.is_empty(), "empty"),
        ("description", !props.description.is_empty(), "empty"),
        ("default", props.default.is_some(), "undefined"),
        ("nullable", props.nullable, "false"),
        (
            "additionalProperties",
            has_additional_properties,
            "undefined",
        ),
        (
            "x-kubernetes-preserve-unknown-fields",
            preserves_unknown,
            "false",
        ),
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
        if is_present {
            let detail = format!("must be {expected} to be structural");
            errors.push(path.field(keyword).forbidden(&detail));
        }
    }
}
