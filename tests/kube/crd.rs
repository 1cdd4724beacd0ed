//! Tests that the typed CRD has everything that a cluster needs.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::{EnumType, Union, add_enum, add_unions, needed_when, only_when};

use crate::{ALPHA_RULE, BETA_RULE, VALUES_DESCRIPTION, enum_values, property, rules, spec_schema};

#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = add_enum::<Kind>)]
pub(crate) enum Kind {
    /// The first.
    Alpha,
    Beta,
    None,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Required", namespaced)]
#[schemars(transform = add_unions::<RequiredSpec>)]
pub(crate) struct RequiredSpec {
    /// Which one counts.
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
}

#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Optional", namespaced)]
#[schemars(transform = add_unions::<OptionalSpec>)]
struct OptionalSpec {
    /// Which one counts.
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
}

#[test]
fn the_discriminator_is_a_string_with_its_values() {
    let kind = property(&spec_schema::<Required>(), "type");
    assert_eq!(kind.type_.as_deref(), Some("string"));
    assert_eq!(enum_values(&kind), ["Alpha", "Beta", "None"]);
    assert_eq!(kind.nullable, None);
    assert!(kind.one_of.is_none() && kind.any_of.is_none());
}

#[test]
fn the_description_has_the_doc_comment_and_then_the_values() {
    let kind = property(&spec_schema::<Required>(), "type");
    assert_eq!(
        kind.description,
        Some(format!("Which one counts.\n\n{VALUES_DESCRIPTION}"))
    );
}

#[test]
fn rules_have_message_reason_and_field_path_in_the_crd() {
    let spec = spec_schema::<Required>();
    assert_eq!(rules(&spec), [ALPHA_RULE, BETA_RULE]);
    let rules = spec.x_kubernetes_validations.unwrap_or_default();
    let only_when_message = only_when("type", "Alpha").to_string();
    let needed_when_message = needed_when("type", "Alpha");
    assert_eq!(rules[0].message.as_ref(), Some(&only_when_message));
    assert_eq!(
        rules[0].message_expression,
        Some(format!(
            "has(self.alpha) ? '{only_when_message}' : '{needed_when_message}'"
        ))
    );
    assert_eq!(rules[1].message_expression, None);
    for (rule, path) in rules.iter().zip([".alpha", ".beta"]) {
        assert_eq!(rule.reason.as_deref(), Some("FieldValueInvalid"));
        assert_eq!(rule.field_path.as_deref(), Some(path));
        assert_eq!(rule.optional_old_self, None);
    }
}

#[test]
fn a_discriminator_that_is_not_an_option_is_required() {
    assert_eq!(
        spec_schema::<Required>().required,
        Some(vec!["type".to_owned()])
    );
}

/// Checks that an optional discriminator is absent or has a value: the enum would reject a null
/// that the CRD allows.
#[test]
fn an_optional_discriminator_is_neither_required_nor_nullable() {
    let spec = spec_schema::<Optional>();
    assert_eq!(spec.required, None);
    let kind = property(&spec, "type");
    assert_eq!(kind.type_.as_deref(), Some("string"));
    assert_eq!(enum_values(&kind), ["Alpha", "Beta", "None"]);
    assert_eq!(kind.nullable, None);
    assert_eq!(
        kind.description,
        Some(format!("Which one counts.\n\n{VALUES_DESCRIPTION}"))
    );
    assert_eq!(rules(&spec), [ALPHA_RULE, BETA_RULE]);
}

#[test]
fn members_are_nullable_and_not_required() {
    let spec = spec_schema::<Required>();
    for member in ["alpha", "beta"] {
        let member = property(&spec, member);
        assert_eq!(member.nullable, Some(true));
        assert_eq!(member.type_.as_deref(), Some("integer"));
    }
}

#[test]
fn an_optional_discriminator_is_never_written_as_null() {
    let spec: OptionalSpec = OptionalSpec {
        r#type: None,
        alpha: None,
        beta: None,
    };
    assert_eq!(serde_json::to_value(spec).ok(), Some(json!({})));
}
