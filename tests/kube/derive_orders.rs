//! Tests of the derives in every order.

use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Union, add_unions};

use crate::{ALPHA_RULE, BETA_RULE, VALUES_DESCRIPTION, enum_values, property, rules, spec_schema};

/// Declares a resource with the given derives, in the given order.
macro_rules! resource {
    ($module:ident, [$($derive:ident),*], [$($enum_derive:ident),*]) => {
        mod $module {
            use super::*;

            #[derive($($enum_derive,)* Clone, Debug)]
            pub(super) enum Kind {
                /// The first.
                Alpha,
                Beta,
                None,
            }

            #[derive($($derive,)* Clone, Debug)]
            #[kube(group = "example.com", version = "v1", kind = "Thing", namespaced)]
            #[serde(rename_all = "camelCase")]
            #[schemars(transform = add_unions::<ThingSpec>)]
            pub(super) struct ThingSpec {
                #[union(discriminator)]
                r#type: Kind,
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                alpha: Option<i32>,
                #[union(member, optional)]
                #[serde(skip_serializing_if = "Option::is_none")]
                beta: Option<String>,
            }

            #[test]
            fn has_the_union_in_the_crd() {
                let spec = spec_schema::<Thing>();
                let kind = property(&spec, "type");
                assert_eq!(kind.type_.as_deref(), Some("string"));
                assert_eq!(enum_values(&kind), ["Alpha", "Beta", "None"]);
                assert_eq!(kind.description.as_deref(), Some(VALUES_DESCRIPTION));
                assert_eq!(rules(&spec), [ALPHA_RULE, BETA_RULE]);
            }

            #[test]
            fn is_validated_in_a_resource() {
                let object: Value = json!({
                    "apiVersion": "example.com/v1",
                    "kind": "Thing",
                    "metadata": { "name": "thing" },
                    "spec": { "type": "Alpha", "beta": "set" },
                });
                let Ok(thing) = serde_json::from_value::<Thing>(object) else {
                    panic!("{} reads what its CRD describes", Thing::crd_name());
                };
                let report = thing.spec.validate_unions();
                assert_eq!(report.errors().len(), 2, "{report}");
            }
        }
    };
}

resource!(
    union_first,
    [Union, CustomResource, JsonSchema, Serialize, Deserialize],
    [EnumType, JsonSchema, Serialize, Deserialize]
);
resource!(
    union_second,
    [CustomResource, Union, JsonSchema, Serialize, Deserialize],
    [JsonSchema, EnumType, Serialize, Deserialize]
);
resource!(
    union_last,
    [CustomResource, JsonSchema, Serialize, Deserialize, Union],
    [JsonSchema, Serialize, Deserialize, EnumType]
);
resource!(
    resource_last,
    [Serialize, Deserialize, JsonSchema, Union, CustomResource],
    [Serialize, EnumType, Deserialize, JsonSchema]
);
resource!(
    kube_schema_after_union,
    [Union, KubeSchema, CustomResource, Serialize, Deserialize],
    [EnumType, JsonSchema, Serialize, Deserialize]
);
resource!(
    kube_schema_before_union,
    [KubeSchema, Union, Serialize, Deserialize, CustomResource],
    [JsonSchema, Serialize, Deserialize, EnumType]
);
resource!(
    kube_schema_first_union_last,
    [KubeSchema, CustomResource, Serialize, Deserialize, Union],
    [Serialize, Deserialize, EnumType, JsonSchema]
);
resource!(
    resource_between,
    [Serialize, Deserialize, Union, CustomResource, KubeSchema],
    [Serialize, Deserialize, JsonSchema, EnumType]
);
