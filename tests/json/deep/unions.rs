//! Tests of unions with a deep value in a member, and of patches that switch the member.

use k8s_strategic_merge_patch::PatchSchema;
use serde::Serialize;
use serde_json::{Value, json};
use union_json::{SchemaSource, Unions, annotation};
use union_runtime::{EnumType, Settings, Union};

use crate::deep::{lists, objects};
use crate::deep_value::{self, Deep};

fn schema() -> Value {
    json!({"type": "object", "properties": {
        "type": {"type": "string", "enum": ["A", "B"], "x-kubernetes-unions": {"fieldMembers": {
            "A": {"name": "a"}, "B": {"name": "b", "optional": true},
        }}},
        "a": {"x-kubernetes-preserve-unknown-fields": true},
        "b": {"x-kubernetes-preserve-unknown-fields": true},
    }})
}

#[test]
fn a_deep_member_is_cleared() {
    let unions = Unions::compile(SchemaSource::Schema(&schema())).expect("a schema");
    let old = json!({"type": "A", "a": 1});
    for deep in [lists(), objects()] {
        let mut new = deep.within(|deep| deep_value::object([("type", "B".into()), ("a", deep)]));
        let changes = unions.normalize(&mut new, Some(&old), &Settings::default());
        assert_eq!(changes.cleared().collect::<Vec<_>>(), ["a"]);
        assert_eq!(*new, json!({"type": "B"}));
    }
}

#[test]
fn a_deep_extension_has_no_annotation_and_does_not_compile() {
    for deep in [lists(), objects()] {
        let crd = deep.within(|deep| {
            let schema = deep_value::object([("x-kubernetes-unions", deep)]);
            let version = deep_value::object([
                ("name", "v1".into()),
                ("storage", true.into()),
                ("schema", deep_value::object([("openAPIV3Schema", schema)])),
            ]);
            let versions = deep_value::object([("versions", deep_value::list([version]))]);
            deep_value::object([("spec", versions)])
        });
        assert_eq!(annotation(&crd), None);
        assert!(Unions::compile(SchemaSource::Crd(&crd, None)).is_err());
    }
}

#[derive(EnumType, Serialize)]
enum Kind {
    A,
    B,
}

#[derive(Union, Serialize)]
#[union(schema = false)]
struct Choice {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u32>,
}

/// Checks a switch whose live list and live object come from a cluster.
#[test]
fn a_switch_reads_a_deep_live_object() {
    let [old, new] = [(Kind::A, Some(1), None), (Kind::B, None, Some(1))]
        .map(|(r#type, a, b)| Choice { r#type, a, b });
    let switch = || {
        let schema = PatchSchema::compile(&schema()).expect("a schema");
        schema.switch(&old, &new).expect("both values are objects")
    };
    for deep_container in [lists, objects] {
        let element = deep_container()
            .within(|deep| deep_value::object([("name", "n".into()), ("deep", deep)]));
        let list = element.within(|element| deep_value::list([element]));
        let refused = switch().element(&[("name", json!("n"))], &list);
        let refused = refused.expect_err("an error of the depth").to_string();
        assert!(refused.contains("exceeded max depth of 128"), "{refused}");

        let live = deep_container().within(|deep| deep_value::object([("apiVersion", deep)]));
        let _body = Deep::new(0, switch().apply_body(&live), |inner| inner);

        let fields = deep_container().within(|deep| deep_value::object([("f:a", deep)]));
        let entry = fields
            .within(|fields| deep_value::object([("manager", "m".into()), ("fieldsV1", fields)]));
        let live = entry.within(|entry| {
            let metadata = deep_value::object([("managedFields", deep_value::list([entry]))]);
            deep_value::object([("metadata", metadata)])
        });
        let owners = switch().field_owners(&live, "n");
        assert_eq!(owners.len(), 1);
        assert_eq!(switch().unowned_fields(&live, "m"), ["a"]);
    }
}
