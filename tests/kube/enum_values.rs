//! Tests of enum types in the CRD that are not discriminators.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::schema_for;

use crate::crd::Kind;
use crate::{BLOCK, property, spec, values};

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
    let spec = spec::<Fields>();
    for name in ["bare", "documented"] {
        let field = property(&spec, name);
        assert_eq!(field.type_.as_deref(), Some("string"));
        assert_eq!(values(&field), ["Alpha", "Beta", "None"]);
        assert!(field.any_of.is_none() && field.one_of.is_none());
    }
    assert_eq!(property(&spec, "bare").description.as_deref(), Some(BLOCK));
}

#[test]
fn the_elements_of_a_list_have_them_too() {
    let list = serde_json::to_value(property(&spec::<Fields>(), "list")).unwrap_or_default();
    assert_eq!(list["items"]["type"], "string");
    assert_eq!(list["items"]["enum"], json!(["Alpha", "Beta", "None"]));
}

/// Checks that an optional field has one schema, which kube's `OptionalEnum` merges from two
/// alternatives.
#[test]
fn an_optional_field_has_them_and_stays_nullable() {
    let optional = property(&spec::<Fields>(), "optional");
    assert_eq!(optional.type_.as_deref(), Some("string"));
    assert_eq!(optional.nullable, Some(true));
    assert!(optional.any_of.is_none());
    let mut values = values(&optional);
    values.retain(|value| !value.is_null());
    assert_eq!(values, ["Alpha", "Beta", "None"]);
}

/// Checks that kube's CRD only has the field's own description, and that `schema_for` adds the
/// descriptions of the values.
#[test]
fn a_fields_own_words_hide_the_values_docs_in_the_crd_only() {
    let documented = property(&spec::<Fields>(), "documented");
    assert_eq!(documented.description.as_deref(), Some("Own words."));
    let whole = schema_for::<Fields>().to_value();
    assert_eq!(
        whole["properties"]["spec"]["properties"]["documented"]["description"],
        format!("Own words.\n\n{BLOCK}")
    );
}
