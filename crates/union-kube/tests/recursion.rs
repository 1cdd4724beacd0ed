//! Tests of types that contain themselves.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_kube::Crd;
use union_runtime::{Union, add_unions};

/// Declares a kind whose spec has the field `when` of a type.
macro_rules! kind {
    ($module:ident, $when:ty, { $($types:tt)* }) => {
        mod $module {
            use super::*;

            $($types)*

            #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[kube(group = "acre.example.com", version = "v1", kind = "Filter", namespaced)]
            pub(super) struct FilterSpec {
                when: $when,
            }
        }
    };
}

kind!(by_two_members, Test, {
    #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    #[schemars(transform = add_unions::<Test>)]
    pub(super) struct Test {
        #[union(member, group = test, nested)]
        #[serde(skip_serializing_if = "Option::is_none")]
        all: Option<Vec<Test>>,
        #[union(member, group = test, nested)]
        #[serde(skip_serializing_if = "Option::is_none")]
        not: Option<Box<Test>>,
        #[union(member, group = test)]
        #[serde(skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    }
});

kind!(by_a_map, BTreeMap<String, Tree>, {
    #[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
    pub(super) struct Tree {
        branches: BTreeMap<String, Vec<Tree>>,
    }
});

kind!(by_another_type, Vec<Outer>, {
    #[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
    pub(super) struct Outer {
        inner: Option<Inner>,
    }

    #[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
    pub(super) struct Inner {
        outer: Vec<Outer>,
        own: Box<Own>,
    }

    #[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
    pub(super) struct Own {
        next: Option<Box<Own>>,
    }
});

kind!(ended, Test, {
    #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    #[schemars(transform = add_unions::<Test>)]
    pub(super) struct Test {
        #[union(member, group = test, nested)]
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<serde_json::Value>", extend("x-kubernetes-preserve-unknown-fields" = true))]
        all: Option<Vec<Test>>,
        #[union(member, group = test, nested)]
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<serde_json::Value>", extend("x-kubernetes-preserve-unknown-fields" = true))]
        not: Option<Box<Test>>,
        #[union(member, group = test)]
        #[serde(skip_serializing_if = "Option::is_none")]
        label: Option<String>,
        tree: Option<Tree>,
    }

    #[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
    pub(super) struct Tree {
        #[schemars(with = "serde_json::Value", extend("x-kubernetes-preserve-unknown-fields" = true))]
        branches: BTreeMap<String, Vec<Tree>>,
    }
});

const REMEDY: &str = "a CRD cannot describe a recursive type; write `#[schemars(with = \
    \"serde_json::Value\", extend(\"x-kubernetes-preserve-unknown-fields\" = true))]` on each of \
    these fields (`Option<serde_json::Value>` if the field is an `Option`)";

#[test]
fn a_recursive_type_is_named_with_the_fields_that_close_the_circle() {
    let cases = [
        (
            Crd::from_type::<by_two_members::Filter>(),
            "spec.when.all: `Test` contains itself, by `spec.when.all` and by `spec.when.not`",
        ),
        (
            Crd::from_type::<by_a_map::Filter>(),
            "spec.when.branches: `Tree` contains itself, by `spec.when.branches`",
        ),
        (
            Crd::from_type::<by_another_type::Filter>(),
            "spec.when.inner.outer: `Outer` contains itself, by `spec.when.inner.outer`; `Own` \
             contains itself, by `spec.when.inner.own.next`",
        ),
    ];
    for (crd, expected) in cases {
        let message = crd.expect_err(expected).to_string();
        assert_eq!(
            message,
            format!("filters.acre.example.com.{expected}; {REMEDY}")
        );
    }
}

#[test]
fn the_attribute_ends_the_recursion() {
    let crd = Crd::from_type::<ended::Filter>().unwrap_or_else(|error| panic!("{error}"));
    assert!(crd.lint().is_accepted(), "{}", crd.lint());
    let schema = crd
        .for_cluster()
        .pointer("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
    let when = schema
        .and_then(|schema| schema.pointer("/properties/when"))
        .unwrap();
    for pointer in [
        "/properties/all",
        "/properties/not",
        "/properties/tree/properties/branches",
    ] {
        let field = when.pointer(pointer).unwrap();
        assert_eq!(
            field["x-kubernetes-preserve-unknown-fields"],
            Value::Bool(true),
            "{field}"
        );
    }
    assert!(when.get("required").is_none(), "{when}");
}
