//! Tests of objects with union enums in every kind of field: lists and watches of newer objects,
//! and validation.

use std::collections::BTreeMap;

use k8s_crd_validation::{ServerSettings, StructuralSchema, cost_report};
use kube::core::{ObjectList, WatchEvent};
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{RawUnion, RawUnionReason, Settings, Union, UnionEnum};

use crate::crd_file;

/// A change of requests and responses.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
enum Filter {
    /// A redirect of the client.
    RequestRedirect(Redirect),
    /// A rewrite of the path.
    URLRewrite(Rewrite),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
struct Redirect {
    hostname: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
struct Rewrite {
    path: String,
}

/// The strategy by which pods are replaced.
#[derive(UnionEnum, Clone, Debug, Default, PartialEq)]
#[union(discriminator = "type")]
enum Strategy {
    #[default]
    Recreate,
    RollingUpdate(Option<Rolling>),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Rolling {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_surge: Option<i32>,
}

/// A spec with a union enum in every kind of field, and with rules of the author beside them.
#[derive(Union, CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, Default)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "EnumRoute",
    plural = "enumroutes",
    namespaced,
    status = "EnumRouteStatus",
    derive = "Union",
    derive = "Default",
    attr = "union(nested(spec, status))"
)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<EnumRouteSpec>)]
struct EnumRouteSpec {
    #[union(nested)]
    #[x_kube(validation = ("self.type != 'None'", "there is one"))]
    strategy: Strategy,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<Filter>,
    #[union(nested)]
    #[serde(default)]
    #[schemars(length(max = 16))]
    filters: Vec<Filter>,
    #[union(nested)]
    #[serde(default)]
    #[schemars(extend("maxProperties" = 16))]
    by_name: BTreeMap<String, Filter>,
}

#[derive(Union, Serialize, Deserialize, Clone, Debug, Default, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<EnumRouteStatus>)]
struct EnumRouteStatus {
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    applied: Option<Filter>,
}

/// Returns the schema of the CRD, compiled as an API server compiles it.
fn compile_schema() -> StructuralSchema {
    let crd = serde_json::to_value(EnumRoute::crd()).expect("a CRD is JSON");
    StructuralSchema::compiler()
        .crd(&crd, None)
        .expect("the CRD is accepted")
}

fn route(spec: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "EnumRoute",
        "metadata": {"name": "one", "namespace": "default"},
        "spec": spec,
    })
}

/// Returns an object of a server that knows one more filter.
fn route_with_unknown_filter() -> Value {
    route(&json!({
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}},
        "filters": [
            {"type": "CORS", "cors": {"allowOrigins": ["*"], "maxAge": 5}},
            {"type": "URLRewrite", "urlRewrite": {"path": "/"}},
        ],
        "byName": {"cors": {"type": "CORS", "cors": {}}},
    }))
}

#[test]
fn rules_of_union_enums_have_costs() {
    let crd = serde_json::to_value(EnumRoute::crd()).expect("a CRD is JSON");
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    let report = cost_report(schema).expect("the costs can be estimated");
    let report_text = format!("{report:?}");
    assert!(
        report_text.contains("filters") && report_text.contains("strategy"),
        "{report_text}"
    );
}

#[test]
fn the_server_validates_like_the_types() {
    let schema = compile_schema();
    for (spec, is_valid) in [
        (json!({"strategy": {"type": "Recreate"}}), true),
        (json!({"strategy": {"type": "RollingUpdate"}}), true),
        (
            json!({"strategy": {"type": "Recreate", "rollingUpdate": {}}}),
            false,
        ),
        (json!({"strategy": {"type": "Paused"}}), false),
        (
            json!({"strategy": {"type": "Recreate"}, "filters": [{"type": "URLRewrite"}]}),
            false,
        ),
        (
            json!({"strategy": {"type": "Recreate"}, "fallback": {"type": "URLRewrite", "urlRewrite": {"path": "/"}}}),
            true,
        ),
        (
            json!({"strategy": {"type": "Recreate"}, "byName": {"a": {"type": "CORS"}}}),
            false,
        ),
    ] {
        let mut object = route(&spec);
        let report = schema.create(&mut object, &ServerSettings::default());
        assert_eq!(report.is_accepted(), is_valid, "{spec}: {report:?}");
        let typed: EnumRoute = serde_json::from_value(route(&spec)).expect("a readable value");
        assert_eq!(typed.validate_unions().is_accepted(), is_valid, "{spec}");
    }
}

#[test]
fn a_list_with_a_newer_object_is_readable_and_complete() {
    let list = json!({
        "apiVersion": "example.com/v1",
        "kind": "EnumRouteList",
        "metadata": {"resourceVersion": "7"},
        "items": [route(&json!({"strategy": {"type": "Recreate"}})), route_with_unknown_filter()],
    });
    let list: ObjectList<EnumRoute> = serde_json::from_value(list).expect("a readable value");
    let [older_route, newer_route] = &list.items[..] else {
        panic!("expected two filters")
    };
    assert_eq!(older_route.spec.strategy, Strategy::Recreate);
    let filters = &newer_route.spec.filters;
    let raw = filters[0].raw().expect("an unknown value");
    assert_eq!(raw.reason(), RawUnionReason::UnknownValue("CORS"));
    assert!(matches!(&filters[1], Filter::URLRewrite(rewrite) if rewrite.path == "/"));
    assert_eq!(
        serde_json::to_value(newer_route).expect("a serializable value"),
        route_with_unknown_filter()
    );
    // The paths of violations start at the object.
    let report = newer_route.validate_unions();
    let paths: Vec<&str> = report
        .errors()
        .iter()
        .map(|violation| violation.path().as_str())
        .collect();
    assert_eq!(paths, ["spec.filters[0].type", "spec.byName[cors].type"]);
    assert!(
        newer_route
            .validate_unions_update(newer_route, &Settings::default())
            .is_accepted()
    );
}

#[test]
fn a_watch_event_may_have_its_keys_in_any_order() {
    let object = route_with_unknown_filter();
    for event in [
        format!(r#"{{"type":"MODIFIED","object":{object}}}"#),
        format!(r#"{{"object":{object},"type":"MODIFIED"}}"#),
    ] {
        match serde_json::from_str::<WatchEvent<EnumRoute>>(&event) {
            Ok(WatchEvent::Modified(route)) => {
                let json = serde_json::to_value(route).expect("a serializable value");
                assert_eq!(json, object);
            }
            unexpected => panic!("{unexpected:?}"),
        }
    }
}

#[test]
fn unknown_values_of_the_old_object_are_tolerated_and_the_switched_enum_is_normalized() {
    let stored: EnumRoute =
        serde_json::from_value(route_with_unknown_filter()).expect("a readable value");
    let mut switched_route = route_with_unknown_filter();
    switched_route["spec"]["strategy"]["type"] = json!("Recreate");
    let mut new: EnumRoute = serde_json::from_value(switched_route).expect("a readable value");
    let report = new.admit_unions(Some(&stored), &Settings::default());
    assert!(report.is_accepted(), "the unknown value is not new");
    assert_eq!(
        report.changes().to_string(),
        "spec.strategy.rollingUpdate: cleared"
    );
    assert_eq!(new.spec.strategy, Strategy::Recreate);
}

#[test]
fn the_default_spec_is_valid() {
    let route = EnumRoute::new("one", EnumRouteSpec::default());
    assert!(route.validate_unions().is_accepted());
    crd_file::append(&EnumRoute::crd());
}
