//! Tests of enum types in the CRD that are not discriminators.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::schema_for;

use crate::crd::Kind;
use crate::{VALUES_DESCRIPTION, enum_values, property, spec_schema};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Fields", namespaced)]
struct FieldsSpec {
    bare: Kind,
    /// Own words.
    documented: Kind,
    list: Vec<Kind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    optional: Option<Kind>,
}

#[test]
fn a_field_has_the_known_values_in_source_order() {
    let spec = spec_schema::<Fields>();
    for name in ["bare", "documented"] {
        let field = property(&spec, name);
        assert_eq!(field.type_.as_deref(), Some("string"));
        assert_eq!(enum_values(&field), ["Alpha", "Beta", "None"]);
        assert!(field.any_of.is_none() && field.one_of.is_none());
    }
    assert_eq!(
        property(&spec, "bare").description.as_deref(),
        Some(VALUES_DESCRIPTION)
    );
}

#[test]
fn the_elements_of_a_list_have_the_known_values() {
    let list = serde_json::to_value(property(&spec_schema::<Fields>(), "list")).unwrap_or_default();
    assert_eq!(list["items"]["type"], "string");
    assert_eq!(list["items"]["enum"], json!(["Alpha", "Beta", "None"]));
}

/// Checks that an optional field has one schema, which kube's `OptionalEnum` merges from two
/// alternatives.
#[test]
fn an_optional_field_has_the_known_values_and_is_nullable() {
    let optional = property(&spec_schema::<Fields>(), "optional");
    assert_eq!(optional.type_.as_deref(), Some("string"));
    assert_eq!(optional.nullable, Some(true));
    assert!(optional.any_of.is_none());
    let mut values = enum_values(&optional);
    values.retain(|value| !value.is_null());
    assert_eq!(values, ["Alpha", "Beta", "None"]);
}

/// Checks that kube's CRD only has the field's own description, and that `schema_for` adds the
/// descriptions of the values.
#[test]
fn a_doc_comment_of_the_field_hides_the_docs_of_the_values_in_the_crd_only() {
    let documented = property(&spec_schema::<Fields>(), "documented");
    assert_eq!(documented.description.as_deref(), Some("Own words."));
    let schema_with_docs = schema_for::<Fields>().to_value();
    assert_eq!(
        schema_with_docs["properties"]["spec"]["properties"]["documented"]["description"],
        format!("Own words.\n\n{VALUES_DESCRIPTION}")
    );
}
