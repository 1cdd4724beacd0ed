//! Tests of rules with `x_kube` beside the rules of unions: `KubeSchema` declares a hidden struct
//! for each field with a rule, and runs the schema hook there.

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Union, add_unions, schema_for};

use crate::{ALPHA_RULE, BETA_RULE, VALUES_DESCRIPTION, enum_values, property, rules, spec_schema};

#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
enum Kind {
    /// The first.
    Alpha,
    Beta,
    None,
}

/// Declares a resource with the given attributes on the struct, the discriminator and a member.
macro_rules! resource {
    ($module:ident, [$($on_struct:tt)*], [$($on_kind:tt)*], [$($on_alpha:tt)*]) => {
        mod $module {
            use super::*;

            #[derive(Union, CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
            #[kube(group = "example.com", version = "v1", kind = "Thing", namespaced)]
            #[schemars(transform = add_unions::<ThingSpec>)]
            $($on_struct)*
            pub(super) struct ThingSpec {
                #[union(discriminator)]
                $($on_kind)*
                r#type: Kind,
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                $($on_alpha)*
                alpha: Option<i32>,
                #[union(member, optional)]
                #[serde(skip_serializing_if = "Option::is_none")]
                beta: Option<Vec<String>>,
            }
        }
    };
}

const STRUCT_RULE: &str = "self.alpha > 0";

resource!(on_struct, [#[x_kube(validation = "self.alpha > 0")]], [], []);
resource!(on_member, [], [], [#[x_kube(validation = "self > 0")]]);
resource!(on_discriminator, [], [#[x_kube(validation = "self != 'None'")]], []);
resource!(
    everywhere,
    [
        #[x_kube(validation = ("self.alpha > 0", "positive"))]
        #[x_kube(validation = Rule::new("self == oldSelf").message("immutable"))]
    ],
    [#[x_kube(validation = "self != 'None'")]],
    [#[x_kube(validation = "self > 0")]]
);
resource!(
    by_extend,
    [#[schemars(extend("x-kubernetes-validations" = [{ "rule": "self.alpha > 0" }]))]],
    [#[x_kube(validation = "self != 'None'")]],
    []
);

/// Asserts that a discriminator has the type, the values and the description of the union.
fn assert_union(
    kind: &k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSONSchemaProps,
) {
    assert_eq!(kind.type_.as_deref(), Some("string"));
    assert_eq!(enum_values(kind), ["Alpha", "Beta", "None"]);
    assert_eq!(kind.description.as_deref(), Some(VALUES_DESCRIPTION));
}

fn union_extension<K: JsonSchema>() -> Value {
    let schema = schema_for::<K>().to_value();
    schema["properties"]["spec"]["properties"]["type"]["x-kubernetes-unions"].clone()
}

fn extension_of_alpha_and_beta() -> Value {
    json!({ "fieldMembers": {
        "Alpha": { "name": "alpha", "optional": false },
        "Beta": { "name": "beta", "optional": true },
        "None": null,
    } })
}

#[test]
fn a_rule_on_the_struct_follows_the_union_rules() {
    let spec = spec_schema::<on_struct::Thing>();
    assert_union(&property(&spec, "type"));
    assert_eq!(rules(&spec), [ALPHA_RULE, BETA_RULE, STRUCT_RULE]);
    assert_eq!(
        union_extension::<on_struct::Thing>(),
        extension_of_alpha_and_beta()
    );
}

#[test]
fn a_rule_on_a_member_stays_on_the_member() {
    let spec = spec_schema::<on_member::Thing>();
    assert_union(&property(&spec, "type"));
    assert_eq!(rules(&spec), [ALPHA_RULE, BETA_RULE]);
    assert_eq!(rules(&property(&spec, "alpha")), ["self > 0"]);
    assert_eq!(
        union_extension::<on_member::Thing>(),
        extension_of_alpha_and_beta()
    );
}

#[test]
fn a_rule_on_the_discriminator_stays_beside_the_union() {
    let spec = spec_schema::<on_discriminator::Thing>();
    let kind = property(&spec, "type");
    assert_union(&kind);
    assert_eq!(rules(&kind), ["self != 'None'"]);
    assert_eq!(rules(&spec), [ALPHA_RULE, BETA_RULE]);
    assert_eq!(
        union_extension::<on_discriminator::Thing>(),
        extension_of_alpha_and_beta()
    );
}

#[test]
fn rules_on_struct_discriminator_and_member_are_all_kept() {
    let spec = spec_schema::<everywhere::Thing>();
    let kind = property(&spec, "type");
    assert_union(&kind);
    assert_eq!(rules(&kind), ["self != 'None'"]);
    assert_eq!(rules(&property(&spec, "alpha")), ["self > 0"]);
    assert_eq!(
        rules(&spec),
        [ALPHA_RULE, BETA_RULE, STRUCT_RULE, "self == oldSelf"]
    );
    assert_eq!(
        union_extension::<everywhere::Thing>(),
        extension_of_alpha_and_beta()
    );
}

#[test]
fn rules_by_extend_precede_the_union_rules() {
    let spec = spec_schema::<by_extend::Thing>();
    assert_union(&property(&spec, "type"));
    assert_eq!(rules(&spec), [STRUCT_RULE, ALPHA_RULE, BETA_RULE]);
}

/// A resource whose discriminator is optional and renamed, with a merge strategy on a member.
#[derive(CustomResource, KubeSchema, Union, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Merged", namespaced)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = add_unions::<MergedSpec>)]
struct MergedSpec {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[x_kube(validation = "self != 'None'")]
    the_type: Option<Kind>,
    #[union(member = "Alpha")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[x_kube(merge_strategy = ListMerge::Set)]
    alpha_list: Option<Vec<String>>,
}

#[test]
fn the_rule_of_an_optional_renamed_discriminator_is_kept() {
    let spec = spec_schema::<Merged>();
    let kind = property(&spec, "theType");
    assert_union(&kind);
    assert_eq!(rules(&kind), ["self != 'None'"]);
    assert_eq!(
        rules(&spec),
        [
            "has(self.theType) && self.theType == 'Alpha' ? has(self.alphaList) : !has(self.alphaList)"
        ]
    );
    let list = property(&spec, "alphaList");
    assert_eq!(list.x_kubernetes_list_type.as_deref(), Some("set"));
}
