//! Tests of the CRDs for the cluster and for tools, with types in all forms that kube and schemars
//! convert in a way that loses something.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_json::{ANNOTATION, SchemaSource as UnionSource, Unions};
use union_kube::{Crd, openapi, to_json_string};
use union_runtime::{EnumType, Settings, Union, add_enum, add_unions};

use crate::golden::Application;
use crate::types::{BLOCK, Kind, Required};

/// Keys of ours, as the outputs name them.
const OURS: [&str; 3] = [
    "x-kubernetes-unions",
    "x-kubernetes-patch-strategy",
    "x-kubernetes-patch-merge-key",
];

pub(crate) fn crd<K: CustomResourceExt + JsonSchema>() -> Crd {
    Crd::from_type::<K>().unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn schema_of(crd: &Value) -> &Value {
    &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
}

fn spec_of(crd: &Value) -> &Value {
    &schema_of(crd)["properties"]["spec"]
}

#[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = add_unions::<Source>)]
struct Source {
    #[union(discriminator)]
    from: Kind,
    #[union(member = "Alpha")]
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

#[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[union(enforce = "one_of")]
#[schemars(transform = add_unions::<Target>)]
struct Target {
    #[union(member, group = to)]
    #[serde(skip_serializing_if = "Option::is_none")]
    disk: Option<String>,
    #[union(member, group = to)]
    #[serde(skip_serializing_if = "Option::is_none")]
    bucket: Option<String>,
}

/// Everything that gets lost or changed on the way, in one type.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Trap", namespaced)]
#[serde(rename_all = "camelCase")]
struct TrapSpec {
    // Flattened, without the hook: the rules of the first alone come through schemars.
    #[serde(flatten)]
    own: Strategy,
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    target: Target,
    /// Own words.
    documented: Kind,
    #[schemars(extend("x-kubernetes-patch-strategy" = "merge", "x-kubernetes-patch-merge-key" = "name"))]
    list: Vec<String>,
    #[schemars(range(min = 1, max = 10))]
    count: i32,
    #[schemars(extend("x-kubernetes-group-version-kind" = [1], "writeOnly" = true))]
    foreign: String,
    many: Vec<Source>,
}

/// `KubeSchema` makes hidden structs for the fields with rules.
#[derive(Union, Serialize, Deserialize, Clone, Debug, KubeSchema)]
#[union(enforce = "one_of")]
#[schemars(transform = add_unions::<Strategy>)]
struct Strategy {
    #[union(discriminator)]
    #[x_kube(validation = "self != 'None'")]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[x_kube(validation = "self > 0")]
    alpha: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
}

/// The value without these keys, wherever they are.
fn without(value: &Value, keys: &[&str]) -> Value {
    match value {
        Value::Object(object) => object
            .iter()
            .filter(|(key, _)| !keys.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), without(value, keys)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(values) => values.iter().map(|value| without(value, keys)).collect(),
        scalar => scalar.clone(),
    }
}

fn without_annotation(crd: &Value) -> Value {
    let mut crd = crd.clone();
    crd["metadata"] = without(&crd["metadata"], &["annotations"]);
    crd
}

/// Numbers as kube's type has them.
fn floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Object(object) => {
            let entries = object
                .iter()
                .map(|(key, value)| (key.clone(), floats(value)));
            entries.collect::<serde_json::Map<_, _>>().into()
        }
        Value::Array(values) => values.iter().map(floats).collect(),
        scalar => scalar.clone(),
    }
}

#[test]
fn the_full_one_without_our_keys_is_the_one_for_the_cluster() {
    for crd in [crd::<Trap>(), crd::<Application>(), crd::<Required>()] {
        let full = without(crd.with_extensions(), &OURS);
        assert_eq!(full, without_annotation(crd.for_cluster()));
        assert_ne!(&full, crd.with_extensions());
    }
}

#[test]
fn the_cluster_has_what_kube_says_where_nothing_was_lost() {
    let crd = without_annotation(crd::<Required>().for_cluster());
    assert_eq!(Some(crd), serde_json::to_value(Required::crd()).ok());
}

/// Strict field validation rejects keys that the type of the server does not have, and kube's type
/// has the same keys.
#[test]
fn the_cluster_has_no_key_that_a_server_does_not_know() {
    for crd in [crd::<Trap>(), crd::<Application>()] {
        let cluster = crd.for_cluster();
        let typed: CustomResourceDefinition =
            serde_json::from_value(cluster.clone()).unwrap_or_default();
        let back = serde_json::to_value(typed).unwrap_or_default();
        assert_eq!(floats(&back), floats(cluster));
        assert!(!cluster.to_string().contains("x-union"));
        assert!(!crd.with_extensions().to_string().contains("x-union"));
        assert_eq!(crd.lint().errors(), []);
    }
}

#[test]
fn our_keys_are_in_the_full_one() {
    let crd = crd::<Trap>();
    let spec = &spec_of(crd.with_extensions())["properties"];
    let members = json!({"fieldMembers": {
        "Alpha": {"name": "file", "optional": false}, "Beta": null, "None": null,
    }});
    assert_eq!(spec["from"]["x-kubernetes-unions"], members);
    assert_eq!(
        spec["many"]["items"]["properties"]["from"]["x-kubernetes-unions"],
        members
    );
    assert_eq!(spec["list"]["x-kubernetes-patch-strategy"], "merge");
    assert_eq!(spec["list"]["x-kubernetes-patch-merge-key"], "name");
    assert_eq!(
        spec["type"]["x-kubernetes-unions"]["fieldMembers"]["Alpha"]["name"],
        "alpha"
    );
    // Not ours, and kube's type has lost them.
    assert_eq!(spec["foreign"].get("x-kubernetes-group-version-kind"), None);
    assert_eq!(spec["foreign"].get("writeOnly"), None);
}

#[test]
fn docs_of_values_stand_below_a_fields_own_words() {
    let crd = crd::<Trap>();
    for form in [crd.for_cluster(), crd.with_extensions()] {
        assert_eq!(
            spec_of(form)["properties"]["documented"]["description"],
            format!("Own words.\n\n{BLOCK}")
        );
    }
}

#[test]
fn whole_numbers_stay_whole() {
    let kube = serde_json::to_value(Trap::crd()).unwrap_or_default();
    assert_eq!(
        spec_of(&kube)["properties"]["count"]["maximum"].to_string(),
        "10.0"
    );
    let crd = crd::<Trap>();
    let count = &spec_of(crd.for_cluster())["properties"]["count"];
    assert_eq!(count["maximum"].to_string(), "10");
    assert_eq!(count["minimum"].to_string(), "1");
}

#[test]
fn enforcement_that_flatten_dropped_is_back() {
    let kube = serde_json::to_value(Trap::crd()).unwrap_or_default();
    let texts = |spec: &Value| {
        let rules = spec["x-kubernetes-validations"].as_array();
        let rules = rules.into_iter().flatten().map(|rule| rule["rule"].clone());
        rules.collect::<Vec<_>>()
    };
    let source = "has(self.from) && self.from == 'Alpha' ? has(self.file) : !has(self.file)";
    let crd = crd::<Trap>();
    let spec = spec_of(crd.for_cluster());
    assert_eq!(texts(spec), [source]);
    assert_eq!(texts(&spec["properties"]["many"]["items"]), [source]);
    let one_ofs = |spec: &Value| {
        let all = spec["allOf"].as_array().into_iter().flatten();
        all.filter(|one| one.get("oneOf").is_some()).count()
            + usize::from(spec.get("oneOf").is_some())
    };
    assert_eq!(one_ofs(spec), 2, "{spec:#}");
    // What kube has of it: schemars keeps every oneOf, and only the rules of the first.
    assert_eq!(one_ofs(spec_of(&kube)), 2);
}

/// kube moves properties out of the branches of a `oneOf`, or panics if they differ; the branches
/// of unions stay as they are.
#[test]
fn a_one_of_comes_through_kube_and_is_judged() {
    let crd = crd::<Trap>();
    let schema = k8s_crd_validation::StructuralSchema::compiler().crd(crd.for_cluster(), None);
    let schema = schema.unwrap_or_else(|errors| panic!("{errors}"));
    let base = json!({
        "type": "Alpha", "alpha": 1, "from": "Beta", "documented": "Beta", "list": [], "count": 1, "foreign": "",
        "many": [],
    });
    let judge = |changes: Value| {
        let mut spec = base.clone();
        for (key, value) in changes.as_object().into_iter().flatten() {
            spec[key] = value.clone();
        }
        let mut object = json!({
            "apiVersion": "example.com/v1", "kind": "Trap", "metadata": {"name": "a", "namespace": "b"}, "spec": spec,
        });
        schema
            .create(&mut object, &k8s_crd_validation::ServerSettings::default())
            .is_accepted()
    };
    assert!(judge(json!({})));
    assert!(judge(json!({"beta": null, "disk": "a", "bucket": null})));
    assert!(judge(json!({"alpha": null, "type": "Beta"})));
    for refused in [
        json!({"beta": 1}),
        json!({"alpha": null}),
        json!({"type": "Beta"}),
        json!({"disk": "a", "bucket": "b"}),
        json!({"type": "None", "alpha": null}),
        json!({"alpha": 0}),
        json!({"file": "f"}),
        json!({"many": [{"from": "Alpha"}]}),
    ] {
        assert!(!judge(refused.clone()), "{refused}");
    }
}

/// A webhook has the cluster's CRD alone, and knows as much.
#[test]
fn the_annotation_carries_the_unions() {
    let crd = crd::<Trap>();
    let annotation = crd.for_cluster()["metadata"]["annotations"][ANNOTATION].as_str();
    let annotation: Value =
        serde_json::from_str(annotation.unwrap_or_default()).unwrap_or_default();
    assert!(
        annotation["v1"]["/properties/spec/properties/from"].is_object(),
        "{annotation:#}"
    );
    let read = |crd: &Value| {
        Unions::compile(UnionSource::Crd(crd, None)).unwrap_or_else(|error| panic!("{error}"))
    };
    let (cluster, full) = (read(crd.for_cluster()), read(crd.with_extensions()));
    let mut object = json!({"spec": {"type": "Beta", "alpha": 1, "from": "Alpha", "many": [{"from": "Beta", "file": "x"}]}});
    let answers = [cluster, full].map(|unions| {
        let settings = Settings::default();
        let admitted = unions.admit(&mut object, None, &settings);
        (!admitted.is_accepted()).then(|| admitted.to_string())
    });
    assert_eq!(answers[0], answers[1]);
    assert_eq!(
        answers[0].as_ref().map(|text| text.lines().count()),
        Some(3),
        "{answers:?}"
    );
}

#[test]
fn the_same_bytes_every_time() {
    let bytes = || {
        to_json_string(crd::<Trap>().for_cluster())
            + &to_json_string(crd::<Trap>().with_extensions())
    };
    assert_eq!(bytes(), bytes());
    assert!(bytes().ends_with("}\n"));
    let keys: Vec<String> = to_json_string(crd::<Trap>().for_cluster())
        .lines()
        .filter(|line| line.starts_with("  \""))
        .map(ToOwned::to_owned)
        .collect();
    let mut sorted = keys.clone();
    sorted.sort();
    assert_eq!(keys, sorted);
}

#[test]
fn the_document_has_whole_objects_by_the_servers_names() {
    let trap = crd::<Trap>();
    let application = crd::<Application>();
    let document = openapi("traps", "v1", [&trap, &application]);
    let schemas = &document["components"]["schemas"];
    let names: Vec<&String> = schemas
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["com.example.v1.Application", "com.example.v1.Trap"]);
    let schema = &schemas["com.example.v1.Trap"];
    assert_eq!(
        schema["x-kubernetes-group-version-kind"],
        json!([{"group": "example.com", "version": "v1", "kind": "Trap"}])
    );
    assert_eq!(schema["properties"]["kind"]["type"], "string");
    let unions =
        Unions::compile(UnionSource::Schema(schema)).unwrap_or_else(|error| panic!("{error}"));
    let mut object = json!({"spec": {"from": "Alpha"}});
    assert!(
        !unions
            .admit(&mut object, None, &Settings::default())
            .is_accepted()
    );
}

/// An enum for fields that are not discriminators, which kube's transforms convert to several
/// forms.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = add_enum::<Partly>)]
enum Partly {
    /// Documented, so that kube moves it to the front.
    #[serde(rename = "")]
    Empty,
    Gamma,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Enums", namespaced)]
struct EnumsSpec {
    plain: Partly,
    #[serde(skip_serializing_if = "Option::is_none")]
    optional: Option<Partly>,
    #[serde(default)]
    defaulted: Option<Partly>,
}

#[test]
fn enums_keep_their_values_and_their_order() {
    let crd = crd::<Enums>();
    let fields = &spec_of(crd.for_cluster())["properties"];
    for name in ["plain", "optional", "defaulted"] {
        let values = fields[name]["enum"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let values: Vec<&Value> = values.iter().filter(|value| !value.is_null()).collect();
        assert_eq!(values, ["", "Gamma"], "{name}: {:#}", fields[name]);
        assert_eq!(fields[name]["type"], "string");
        assert_eq!(fields[name].get("anyOf"), None);
    }
    assert_eq!(crd.lint().errors(), []);
}

/// Nothing, which serde writes as null: a set member would be unset when it is read again.
#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
struct Marker;

#[derive(CustomResource, Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Marked", namespaced)]
#[schemars(transform = add_unions::<MarkedSpec>)]
struct MarkedSpec {
    #[union(discriminator)]
    from: Kind,
    #[union(member = "Alpha")]
    #[serde(skip_serializing_if = "Option::is_none")]
    marker: Option<Marker>,
}

/// No macro sees that a type is a unit struct; a server sees that its property has no type.
#[test]
fn a_member_that_can_only_be_null_is_refused_before_it_is_applied() {
    let refused = crd::<Marked>().lint().to_string();
    assert!(
        refused.contains("properties[marker].type: Required value"),
        "{refused}"
    );
}
