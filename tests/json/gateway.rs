//! Tests of filters of `HTTPRoute` (Gateway API), whose CRD declares its unions only by CEL rules.

use serde_json::{Value, json};
use union_json::{SchemaSource, Unions, union_spec};
use union_runtime::spec::UnionSpec;
use union_runtime::{ObjectRef, Settings, ViolationKind};

use crate::documents::crd_of;

const FILTER: UnionSpec<'static> = union_spec! {
    discriminator = "type",
    "RequestHeaderModifier" => "requestHeaderModifier",
    "ResponseHeaderModifier" => "responseHeaderModifier",
    "RequestMirror" => "requestMirror",
    "RequestRedirect" => "requestRedirect",
    "URLRewrite" => "urlRewrite",
    "ExtensionRef" => "extensionRef",
};

const PATH: UnionSpec<'static> = union_spec! {
    discriminator = "type",
    "ReplaceFullPath" => "replaceFullPath",
    "ReplacePrefixMatch" => "replacePrefixMatch",
};

const FILTERS: &str = "/properties/spec/properties/rules/items/properties/filters/items";

/// Returns the part of the CRD's schema that concerns filters. The list of rules has the key
/// `name`, and the lists of filters are atomic.
fn schema() -> Value {
    let header_modifier = json!({"type": "object", "properties": {
        "add": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "required": ["name", "value"], "properties": {"name": {"type": "string"}, "value": {"type": "string"}}}},
        "remove": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
    }});
    let path = json!({
        "type": "object", "required": ["type"],
        "properties": {
            "type": {"type": "string", "enum": ["ReplaceFullPath", "ReplacePrefixMatch"]},
            "replaceFullPath": {"type": "string", "maxLength": 1024},
            "replacePrefixMatch": {"type": "string", "maxLength": 1024},
        },
    });
    let filter = json!({
        "type": "object", "required": ["type"],
        "properties": {
            "type": {"type": "string", "enum": [
                "RequestHeaderModifier", "ResponseHeaderModifier", "RequestMirror", "RequestRedirect", "URLRewrite", "ExtensionRef",
            ]},
            "requestHeaderModifier": header_modifier,
            "responseHeaderModifier": header_modifier,
            "requestMirror": {"type": "object", "required": ["backendRef"], "properties": {"backendRef": {"type": "object"}}},
            "requestRedirect": {"type": "object", "properties": {"hostname": {"type": "string"}, "path": path, "statusCode": {"type": "integer"}}},
            "urlRewrite": {"type": "object", "properties": {"hostname": {"type": "string"}, "path": path}},
            "extensionRef": {"type": "object", "required": ["group", "kind", "name"]},
        },
        "x-kubernetes-validations": [{"rule": "!(has(self.requestMirror) && self.type != 'RequestMirror')"}],
    });
    json!({"type": "object", "properties": {
        "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
        "spec": {"type": "object", "properties": {
            "hostnames": {"type": "array", "items": {"type": "string"}},
            "rules": {"type": "array", "x-kubernetes-list-type": "atomic", "items": {"type": "object", "properties": {
                "name": {"type": "string"},
                "filters": {"type": "array", "x-kubernetes-list-type": "atomic", "items": filter},
                "matches": {"type": "array", "default": [{"path": {"type": "PathPrefix", "value": "/"}}]},
            }}},
        }},
    }})
}

/// Returns the unions of the filters, and of the paths in the filters.
fn unions() -> Unions {
    let compiler = Unions::compiler()
        .union_at(FILTERS, FILTER)
        .union_at(
            format!("{FILTERS}/properties/requestRedirect/properties/path"),
            PATH,
        )
        .union_at(
            format!("{FILTERS}/properties/urlRewrite/properties/path"),
            PATH,
        );
    let unions = compiler.compile(SchemaSource::Crd(&crd_of(&schema()), Some("v1")));
    unions.unwrap_or_else(|error| panic!("{error}"))
}

fn route(filters: &Value) -> Value {
    json!({
        "apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute",
        "metadata": {"name": "http-filter"},
        "spec": {"hostnames": ["my.filter.com"], "rules": [{"name": "first"}, {"filters": filters}]},
    })
}

/// Returns the path below the filters and the kind of each error of a route.
fn errors_of(filters: &Value) -> Vec<(String, ViolationKind)> {
    let report = unions().validate(&route(filters));
    let errors = report.errors().iter().map(|violation| {
        let path = violation.path().to_string();
        let path = path.trim_start_matches("spec.rules[1].filters");
        (path.to_owned(), violation.kind())
    });
    errors.collect()
}

#[test]
fn routes_that_a_gateway_accepts_are_valid() {
    let rows = [
        json!([]),
        json!([{"type": "RequestHeaderModifier", "requestHeaderModifier": {"add": [{"name": "my-header", "value": "foo"}]}}]),
        json!([{"type": "RequestRedirect", "requestRedirect": {"hostname": "example.org", "statusCode": 302}}]),
        json!([
            {"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}},
            {"type": "RequestMirror", "requestMirror": {"backendRef": {"name": "shadow"}}},
            {"type": "ExtensionRef", "extensionRef": {"group": "g", "kind": "k", "name": "n"}},
        ]),
        json!([{"type": "RequestRedirect", "requestRedirect": {"path": {"type": "ReplaceFullPath", "replaceFullPath": ""}}}]),
        json!([{"type": "ResponseHeaderModifier", "responseHeaderModifier": {}, "requestMirror": null}]),
    ];
    for filters in rows {
        assert_eq!(errors_of(&filters), [], "{filters}");
    }
}

#[test]
fn routes_that_a_gateway_rejects_are_invalid() {
    let rows = [
        (
            json!([{"type": "RequestHeaderModifier"}]),
            vec![("[0].requestHeaderModifier", ViolationKind::Invalid)],
        ),
        (
            json!([{"type": "RequestHeaderModifier", "requestMirror": {"backendRef": {"name": "b"}}}]),
            vec![
                ("[0].requestHeaderModifier", ViolationKind::Invalid),
                ("[0].requestMirror", ViolationKind::Invalid),
            ],
        ),
        (
            json!([{"requestRedirect": {}}]),
            vec![("[0].type", ViolationKind::Required)],
        ),
        (
            json!([{"type": "RequestRedirect", "requestRedirect": {}}, {"type": "Redirect", "requestRedirect": {}}]),
            vec![("[1].type", ViolationKind::NotSupported)],
        ),
        (
            json!([{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplaceFullPath", "replacePrefixMatch": "/"}}}]),
            vec![
                (
                    "[0].urlRewrite.path.replaceFullPath",
                    ViolationKind::Invalid,
                ),
                (
                    "[0].urlRewrite.path.replacePrefixMatch",
                    ViolationKind::Invalid,
                ),
            ],
        ),
    ];
    for (filters, errors) in rows {
        let errors: Vec<_> = errors
            .into_iter()
            .map(|(path, kind): (&str, _)| (path.to_owned(), kind))
            .collect();
        assert_eq!(errors_of(&filters), errors, "{filters}");
    }
}

#[test]
fn errors_of_filters_are_new_if_their_list_changes() {
    let invalid_filter = json!({"type": "RequestMirror"});
    let old = route(&json!([invalid_filter]));
    let update = unions().validate_update(&old, &old, &Settings::default());
    assert!(update.is_accepted(), "the list is what it was");
    assert_eq!(update.tolerated().len(), 1);
    let new = route(&json!([invalid_filter, {"type": "RequestRedirect", "requestRedirect": {}}]));
    let update = unions().validate_update(&new, &old, &Settings::default());
    assert_eq!(
        update.errors().len(),
        1,
        "an atomic list has no elements that stay"
    );
    // Nothing is cleared either, because a filter in an atomic list has no correlated old filter.
    let old = route(&json!([{"type": "RequestRedirect", "requestRedirect": {}}]));
    let mut new = route(&json!([{"type": "URLRewrite", "urlRewrite": {}, "requestRedirect": {}}]));
    assert!(
        unions()
            .normalize(&mut new, Some(&old), &Settings::default())
            .is_empty()
    );
}

#[test]
fn the_status_has_the_causes_of_an_api_server() {
    let mut route = route(&json!([{"type": "RequestRedirect"}]));
    let report = unions().admit(&mut route, None, &Settings::default());
    let object = ObjectRef {
        group: "gateway.networking.k8s.io",
        kind: "HTTPRoute",
        name: "http-filter",
    };
    let status = report.status(&object).expect("the filter has no redirect");
    assert_eq!(status["code"], 422);
    let violation = &report.errors()[0];
    let message = format!("Invalid value: \"\": {}", violation.detail());
    assert_eq!(
        status["details"]["causes"],
        json!([{
            "field": "spec.rules[1].filters[0].requestRedirect",
            "message": message,
            "reason": "FieldValueInvalid",
        }])
    );
}

#[test]
fn unions_by_pointers_alone_have_the_same_results() {
    let without_schema = Unions::compiler()
        .union_at(FILTERS, FILTER)
        .compile(SchemaSource::WithoutSchema)
        .expect("a pointer to a schema");
    let with_schema = Unions::compiler()
        .union_at(FILTERS, FILTER)
        .compile(SchemaSource::Schema(&schema()))
        .expect("a well-formed schema or document");
    for filters in [
        json!([{"type": "RequestRedirect"}]),
        json!([{"type": "Redirect", "requestRedirect": {}}, {}]),
        json!([{"type": "URLRewrite", "urlRewrite": {}, "requestMirror": {}}]),
    ] {
        let route = route(&filters);
        assert_eq!(
            without_schema.validate(&route),
            with_schema.validate(&route)
        );
        assert!(!without_schema.validate(&route).is_accepted());
    }
}
