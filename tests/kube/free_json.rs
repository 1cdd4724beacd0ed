//! Tests of members with free JSON: `crd()` works, the CRD is valid, and an API server keeps what
//! the member contains.

use std::collections::{BTreeMap, HashMap};

use k8s_crd_validation::crd::Review;
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSON;
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use union_runtime::{RawUnion, Union, UnionEnum};

/// A type of another crate without a schema.
#[derive(Serialize, Deserialize, Clone, Debug)]
struct Foreign(Value);

/// A type of another crate whose schema lists no fields.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(transparent)]
struct Extension(Value);

impl JsonSchema for Extension {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Extension".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
struct Template {
    name: String,
    values: Value,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

fn any_json(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "x-kubernetes-preserve-unknown-fields": true })
}

fn short_string(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "string", "maxLength": 3 })
}

#[derive(UnionEnum, Clone, Debug)]
#[union(discriminator = "type")]
enum Config {
    /// Any JSON.
    Raw(Value),
    Boxed(Box<Value>),
    Optional(Option<Value>),
    Table(BTreeMap<String, Value>),
    Hashed(HashMap<String, Value>),
    Object(Map<String, Value>),
    List(Vec<Value>),
    Lists(BTreeMap<String, Vec<Value>>),
    Tables(Vec<BTreeMap<String, Value>>),
    Template(Template),
    Extension(RawExtension),
    Extensions(Option<Vec<RawExtension>>),
    Named(BTreeMap<String, RawExtension>),
    Json(JSON),
    Jsons(Vec<JSON>),
    #[union(preserve_unknown_fields)]
    Opaque(Extension),
    #[union(preserve_unknown_fields)]
    OpaqueList(Vec<Extension>),
    #[union(schema_with = any_json)]
    Foreign(Foreign),
    #[union(schema_with = short_string)]
    Short(String),
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum, Clone, Debug)]
#[union(undiscriminated)]
enum Source {
    Raw(Value),
    Table(BTreeMap<String, Value>),
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum, Clone, Debug)]
#[union(discriminator = "type", enforce = "one_of")]
enum OneOf {
    Raw(Value),
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum, Clone, Debug)]
#[union(discriminator = "type", ratchet = "same_reason")]
enum Ratcheted {
    Raw(Value),
    List(Vec<Value>),
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

/// The struct form.
#[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Struct>)]
struct Struct {
    #[union(member, group = value)]
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<Value>,
    #[union(member, group = value)]
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<BTreeMap<String, Value>>,
}

#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, KubeSchema)]
#[kube(group = "example.com", version = "v1", kind = "Free", namespaced)]
#[kube(derive = "Union", attr = "union(nested(spec))")]
struct FreeSpec {
    #[union(nested)]
    config: Option<Config>,
    #[union(nested)]
    source: Option<Source>,
    #[union(nested)]
    one_of: Option<OneOf>,
    #[union(nested)]
    ratcheted: Option<Ratcheted>,
    #[union(nested)]
    fields: Option<Struct>,
}

fn crd() -> Value {
    serde_json::to_value(Free::crd()).expect("a CRD is JSON")
}

fn schema() -> Value {
    crd()["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone()
}

fn create(schema: &StructuralSchema, spec: &Value) -> (bool, Value, String) {
    let mut object = json!({
        "apiVersion": "example.com/v1", "kind": "Free", "metadata": {"name": "f"}, "spec": spec,
    });
    let report = schema.create(&mut object, &ServerSettings::default());
    (
        report.is_accepted(),
        object["spec"].clone(),
        report.to_string(),
    )
}

/// The keyword that keeps unknown fields.
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

#[test]
fn each_type_with_free_json_has_the_keyword_in_its_schema() {
    let free = || json!({ PRESERVE: true });
    let object = || json!({ "type": "object", PRESERVE: true });
    let list = |items: Value| json!({ "type": "array", "items": items });
    let map = |values: Value| json!({ "type": "object", "additionalProperties": values });
    let rows = [
        ("boxed", free()),
        ("optional", free()),
        ("table", map(free())),
        ("hashed", map(free())),
        ("object", map(free())),
        ("list", list(free())),
        ("lists", map(list(free()))),
        ("tables", list(map(free()))),
        ("extension", object()),
        ("extensions", list(object())),
        ("named", map(object())),
        ("json", free()),
        ("jsons", list(free())),
        ("opaque", object()),
        ("opaqueList", list(object())),
        ("foreign", free()),
        ("short", json!({"type": "string", "maxLength": 3})),
        ("text", json!({"type": "string"})),
    ];
    let schema = schema();
    let config = &schema["properties"]["spec"]["properties"]["config"];
    for (field, expected) in rows {
        let mut property = config["properties"][field].clone();
        remove_descriptions(&mut property);
        assert_eq!(property, expected, "{field}");
    }
    let raw = &config["properties"]["raw"];
    assert_eq!(*raw, json!({ "description": "Any JSON.", PRESERVE: true }));
    let template = &config["properties"]["template"];
    assert_eq!(template["properties"]["values"], free());
    assert_eq!(template[PRESERVE], true);
    assert_eq!(template.get("additionalProperties"), None);
    let fields = &schema["properties"]["spec"]["properties"]["fields"]["properties"];
    assert_eq!(fields["raw"][PRESERVE], true);
    assert_eq!(fields["table"]["additionalProperties"][PRESERVE], true);
    let finished = union_runtime::schema_for::<Config>();
    assert_eq!(finished.as_value()["properties"]["json"][PRESERVE], true);
}

fn remove_descriptions(schema: &mut Value) {
    if let Value::Object(keywords) = schema {
        keywords.remove("description");
        keywords.values_mut().for_each(remove_descriptions);
    }
}

#[test]
fn a_server_accepts_the_crd() {
    let report = Review::new().create(&crd());
    assert!(report.is_accepted(), "{report}");
    StructuralSchema::compile(&schema()).unwrap_or_else(|errors| panic!("{errors}"));
}

/// Checks that an API server keeps the content of each member, and that the rules still find a
/// member with the wrong discriminator, a missing member, and several members.
#[test]
fn a_server_keeps_free_json_and_checks_the_unions() {
    let server = StructuralSchema::compile(&schema()).unwrap_or_else(|errors| panic!("{errors}"));
    let content = || json!({"a": {"b": [1, {"c": "d"}]}});
    let rows = [
        ("Raw", "raw", content()),
        ("Raw", "raw", json!("text")),
        ("Raw", "raw", json!([1, {"a": 2}])),
        ("Raw", "raw", json!(false)),
        ("Boxed", "boxed", content()),
        ("Optional", "optional", content()),
        ("Table", "table", content()),
        ("Hashed", "hashed", content()),
        ("Object", "object", content()),
        ("List", "list", json!([content(), 1, "a"])),
        ("Lists", "lists", json!({"x": [content()]})),
        ("Tables", "tables", json!([content()])),
        (
            "Template",
            "template",
            json!({"name": "n", "values": content(), "more": content()}),
        ),
        ("Extension", "extension", content()),
        ("Extensions", "extensions", json!([content()])),
        ("Named", "named", json!({"x": content()})),
        ("Json", "json", json!([content()])),
        ("Jsons", "jsons", json!([content(), 1])),
        ("Opaque", "opaque", content()),
        ("OpaqueList", "opaqueList", json!([content()])),
        ("Foreign", "foreign", content()),
        ("Short", "short", json!("abc")),
    ];
    for (value, field, content) in rows {
        let valid = json!({"config": {"type": value, field: content}});
        let (is_accepted, stored, report) = create(&server, &valid);
        assert!(is_accepted, "{valid}: {report}");
        assert_eq!(stored, valid);
        let free: FreeSpec = serde_json::from_value(valid.clone()).expect("a readable object");
        assert!(
            free.config
                .as_ref()
                .is_some_and(|config| config.raw().is_none()),
            "{valid}"
        );
        assert_eq!(
            serde_json::to_value(&free.config).expect("JSON"),
            valid["config"]
        );
        let wrong_value = json!({"config": {"type": "Text", field: content, "text": "a"}});
        assert!(!create(&server, &wrong_value).0, "{wrong_value}");
        let is_optional = matches!(field, "optional" | "extensions");
        let unset = json!({"config": {"type": value}});
        assert_eq!(create(&server, &unset).0, is_optional, "{unset}");
        let union = json!({"config": {"type": value, field: content, "text": "a"}});
        assert!(!create(&server, &union).0, "{union}");
    }
    assert!(
        !create(
            &server,
            &json!({"config": {"type": "Short", "short": "long"}})
        )
        .0
    );
}

#[test]
fn the_other_kinds_of_rules_find_free_json_too() {
    let server = StructuralSchema::compile(&schema()).unwrap_or_else(|errors| panic!("{errors}"));
    for (spec, is_valid) in [
        (json!({"source": {"raw": 1}}), true),
        (json!({"source": {"table": {"a": 1}}}), true),
        (json!({"source": {"raw": 1, "table": {"a": 1}}}), false),
        (json!({"source": {"raw": 1, "text": "a"}}), false),
        (json!({"source": {}}), false),
        (json!({"one_of": {"type": "Raw", "raw": [1]}}), true),
        (json!({"one_of": {"type": "Raw"}}), false),
        (
            json!({"one_of": {"type": "Text", "raw": 1, "text": "a"}}),
            false,
        ),
        (json!({"ratcheted": {"type": "Raw", "raw": {"a": 1}}}), true),
        (json!({"ratcheted": {"type": "List", "list": [1]}}), true),
        (json!({"ratcheted": {"type": "Raw"}}), false),
        (
            json!({"ratcheted": {"type": "Text", "list": [1], "text": "a"}}),
            false,
        ),
        (json!({"fields": {"raw": {"a": 1}}}), true),
        (json!({"fields": {"raw": {"a": 1}, "table": {}}}), false),
    ] {
        let (is_accepted, stored, report) = create(&server, &spec);
        assert_eq!(is_accepted, is_valid, "{spec}: {report}");
        assert_eq!(stored, spec);
        let typed: FreeSpec = serde_json::from_value(spec.clone()).expect("a readable object");
        assert_eq!(typed.validate_unions().is_accepted(), is_valid, "{spec}");
    }
}

/// Checks that an update tolerates an old error, although CEL does not know the type of the member.
#[test]
fn a_rule_for_free_json_tolerates_old_errors() {
    let server = StructuralSchema::compile(&schema()).unwrap_or_else(|errors| panic!("{errors}"));
    let object = |raw: Value| {
        let union = json!({"type": "Text", "raw": raw, "text": "a"});
        json!({
            "apiVersion": "example.com/v1", "kind": "Free", "metadata": {"name": "f", "resourceVersion": "1"},
            "spec": {"ratcheted": union},
        })
    };
    let report = server.update(
        &mut object(json!(2)),
        &object(json!(1)),
        &ServerSettings::default(),
    );
    assert!(report.is_accepted(), "{report}");
}
