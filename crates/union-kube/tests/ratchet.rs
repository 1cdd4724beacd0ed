//! Tests of rules that tolerate errors of the old object, at each position of their type in a CRD.

use std::collections::BTreeMap;

use kube::{CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_kube::Crd;
use union_runtime::{EnumType, Union, add_unions};

#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
enum Kind {
    Alpha,
    // `place_rules` removes the second half of a rule. A value with the same characters must stay.
    #[serde(rename = "' || oldSelf.hasValue() && '")]
    Odd,
}

macro_rules! element {
    ($name:ident $(, $attribute:tt)?) => {
        #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
        $(#[union $attribute])?
        #[schemars(transform = add_unions::<$name>)]
        struct $name {
            #[union(key)]
            name: String,
            #[union(discriminator)]
            r#type: Kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<i32>,
            #[union(member = "' || oldSelf.hasValue() && '", optional)]
            #[serde(skip_serializing_if = "Option::is_none")]
            beta: Option<i32>,
        }
    };
}

element!(Tolerant, (ratchet = "same_reason"));
element!(Plain);

#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Several", namespaced)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = add_unions::<SeveralSpec>)]
struct SeveralSpec {
    #[union(nested)]
    one: Tolerant,
    #[union(nested, list_map_keys("name"))]
    #[schemars(length(max = 100))]
    by_name: Vec<Tolerant>,
    #[union(nested)]
    #[schemars(extend("maxProperties" = 100))]
    named: BTreeMap<String, Tolerant>,
    #[union(nested)]
    #[schemars(length(max = 100))]
    in_order: Vec<Tolerant>,
    #[union(nested)]
    plain: Plain,
}

fn rules<'a>(crd: &'a Value, field: &str) -> &'a Value {
    let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
    let rules = crd.pointer(&format!("{spec}/{field}/x-kubernetes-validations"));
    rules.unwrap_or_else(|| panic!("{field}: {crd:#}"))
}

#[track_caller]
fn assert_placed(crd: &Value) {
    let plain = rules(crd, "plain");
    for field in ["one", "byName/items", "named/additionalProperties"] {
        let rules = rules(crd, field).as_array().unwrap();
        assert_eq!(rules.len(), 2);
        assert!(rules.iter().all(|rule| rule["optionalOldSelf"] == true));
    }
    assert_eq!(rules(crd, "inOrder/items"), plain);
    assert_eq!(
        k8s_crd_validation::crd::Review::new().create(crd).errors(),
        []
    );
}

#[test]
fn from_type_places_the_rules() {
    let crd = Crd::from_type::<Several>().unwrap();
    assert_placed(crd.for_cluster());
    assert_eq!(crd.lint().errors(), []);
}

#[test]
fn kubes_own_crd_is_rejected_until_its_rules_are_placed() {
    let mut crd = serde_json::to_value(Several::crd()).unwrap();
    let report = k8s_crd_validation::crd::Review::new().create(&crd);
    assert_eq!(report.errors().len(), 2);
    for error in report.errors() {
        let message = error.to_string();
        assert!(
            message.contains("oldSelf cannot be used on the uncorrelatable portion of the schema"),
            "{message}"
        );
    }
    assert_eq!(k8s_crd_validation::crd::place_rules(&mut crd).len(), 2);
    assert_placed(&crd);
}
