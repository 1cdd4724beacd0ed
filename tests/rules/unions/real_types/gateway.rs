//! Unions of the Gateway API.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::unions::real_types::model::{Absence, Member, Model};
use crate::unions::real_types::states::Sample;

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub(crate) enum HTTPPathModifierType {
    /// The whole path is replaced.
    ReplaceFullPath,
    /// The part of the path that the rule matched is replaced.
    ReplacePrefixMatch,
}

/// A rewrite of a path.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<HTTPPathModifier>)]
pub(crate) struct HTTPPathModifier {
    #[union(discriminator)]
    r#type: HTTPPathModifierType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    replace_full_path: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    replace_prefix_match: Option<String>,
}

impl Sample for HTTPPathModifier {
    const MODEL: Model = Model {
        discriminator: "type",
        values: &["ReplaceFullPath", "ReplacePrefixMatch"],
        members: &[
            member("replaceFullPath", "ReplaceFullPath", r#""/new""#),
            member("replacePrefixMatch", "ReplacePrefixMatch", r#""/""#),
        ],
        absence: Absence::Unreadable,
        is_lenient: false,
    };
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<HTTPRouteFilterType>)]
pub(crate) enum HTTPRouteFilterType {
    RequestHeaderModifier,
    ResponseHeaderModifier,
    RequestMirror,
    RequestRedirect,
    URLRewrite,
    ExtensionRef,
    #[serde(rename = "CORS")]
    Cors,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A filter of a route. Two of its values, `URLRewrite` and `CORS`, are not the capitalized names
/// of the members.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<HTTPRouteFilter>)]
pub(crate) struct HTTPRouteFilter {
    #[union(discriminator)]
    r#type: HTTPRouteFilterType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    request_header_modifier: Option<HTTPHeaderFilter>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    response_header_modifier: Option<HTTPHeaderFilter>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    request_mirror: Option<HTTPRequestMirrorFilter>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    request_redirect: Option<HTTPRequestRedirectFilter>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    url_rewrite: Option<HTTPURLRewriteFilter>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    cors: Option<HTTPCORSFilter>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    extension_ref: Option<LocalObjectReference>,
}

/// Headers to set, to add and to remove.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub(crate) struct HTTPHeaderFilter {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    set: Vec<HTTPHeader>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    add: Vec<HTTPHeader>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remove: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub(crate) struct HTTPHeader {
    name: String,
    value: String,
}

/// The target of copied requests, and the share of requests that is copied.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HTTPRequestMirrorFilter {
    backend_ref: BackendObjectReference,
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<Fraction>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub(crate) struct Fraction {
    numerator: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    denominator: Option<i32>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub(crate) struct BackendObjectReference {
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<i32>,
}

/// A response that redirects the client.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HTTPRequestRedirectFilter {
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hostname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<HTTPPathModifier>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_code: Option<i32>,
}

/// The parts of a request's URL that are changed.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub(crate) struct HTTPURLRewriteFilter {
    #[serde(skip_serializing_if = "Option::is_none")]
    hostname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<HTTPPathModifier>,
}

/// The rights of pages of other origins.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HTTPCORSFilter {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    allow_origins: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allow_credentials: Option<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    allow_methods: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    allow_headers: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    expose_headers: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_age: Option<i32>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub(crate) struct LocalObjectReference {
    group: String,
    kind: String,
    name: String,
}

impl Sample for HTTPRouteFilter {
    const MODEL: Model = Model {
        discriminator: "type",
        values: &[
            "RequestHeaderModifier",
            "ResponseHeaderModifier",
            "RequestMirror",
            "RequestRedirect",
            "URLRewrite",
            "ExtensionRef",
            "CORS",
        ],
        members: &[
            member(
                "requestHeaderModifier",
                "RequestHeaderModifier",
                r#"{"set": [{"name": "x-from", "value": "gateway"}]}"#,
            ),
            member("responseHeaderModifier", "ResponseHeaderModifier", "{}"),
            member(
                "requestMirror",
                "RequestMirror",
                r#"{"backendRef": {"name": "shadow", "port": 80}, "percent": 5}"#,
            ),
            member(
                "requestRedirect",
                "RequestRedirect",
                r#"{"scheme": "https", "statusCode": 301}"#,
            ),
            member(
                "urlRewrite",
                "URLRewrite",
                r#"{"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}"#,
            ),
            member("cors", "CORS", r#"{"allowOrigins": ["*"], "maxAge": 5}"#),
            member(
                "extensionRef",
                "ExtensionRef",
                r#"{"group": "example.com", "kind": "Filter", "name": "mine"}"#,
            ),
        ],
        absence: Absence::Unreadable,
        is_lenient: true,
    };
}

const fn member(field: &'static str, value: &'static str, json: &'static str) -> Member {
    Member {
        field,
        value,
        optional: false,
        json,
    }
}
