//! Rules that forgive what the old object had, wherever their type stands.

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
    // The form of what is cut off stands in a text too.
    #[serde(rename = "' || oldSelf.hasValue() && '")]
    Odd,
}

macro_rules! element {
    ($name:ident $(, $way:tt)?) => {
        #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
        $(#[union $way])?
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

element!(Forgiving, (ratchet = "same_reason"));
element!(Plain);

#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Several", namespaced)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = add_unions::<SeveralSpec>)]
struct SeveralSpec {
    #[union(nested)]
    one: Forgiving,
    #[union(nested, list_map_keys("name"))]
    #[schemars(length(max = 100))]
    by_name: Vec<Forgiving>,
    #[union(nested)]
    #[schemars(extend("maxProperties" = 100))]
    named: BTreeMap<String, Forgiving>,
    #[union(nested)]
    #[schemars(length(max = 100))]
    in_order: Vec<Forgiving>,
    #[union(nested)]
    plain: Plain,
}

fn rules<'a>(crd: &'a Value, place: &str) -> &'a Value {
    let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
    let rules = crd.pointer(&format!("{spec}/{place}/x-kubernetes-validations"));
    rules.unwrap_or_else(|| panic!("{place}: {crd:#}"))
}

#[track_caller]
fn is_placed(crd: &Value) {
    let plain = rules(crd, "plain");
    for place in ["one", "byName/items", "named/additionalProperties"] {
        let rules = rules(crd, place).as_array().unwrap();
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
fn a_crd_of_ours_has_the_plain_rule_where_a_server_has_no_old_object() {
    let crd = Crd::from_type::<Several>().unwrap();
    is_placed(crd.for_cluster());
    assert_eq!(crd.lint().errors(), []);
}

#[test]
fn a_crd_of_kubes_own_is_refused_until_its_rules_are_placed() {
    let mut crd = serde_json::to_value(Several::crd()).unwrap();
    let refused = k8s_crd_validation::crd::Review::new().create(&crd);
    assert_eq!(refused.errors().len(), 2);
    for error in refused.errors() {
        let text = error.to_string();
        assert!(
            text.contains("oldSelf cannot be used on the uncorrelatable portion of the schema"),
            "{text}"
        );
    }
    assert_eq!(k8s_crd_validation::crd::place_rules(&mut crd).len(), 2);
    is_placed(&crd);
}
