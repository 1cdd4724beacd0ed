//! Tests of the CRDs for the cluster and for tools. The types contain everything that kube or
//! schemars drops or changes.

use k8s_crd_validation::crd::remove_unstored_fields;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_json::{ANNOTATION, SchemaSource as UnionSource, Unions};
use union_kube::{Crd, openapi, to_json_string};
use union_runtime::{EnumType, Settings, Union, add_enum, add_unions};

use crate::golden::Application;
use crate::types::{Kind, Required, VALUE_DOCS};

/// The extension keys, as the outputs name them.
const EXTENSION_KEYS: [&str; 3] = [
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

/// A type with everything that kube or schemars drops or changes.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Trap", namespaced)]
#[serde(rename_all = "camelCase")]
struct TrapSpec {
    // Flattened without a schema hook on `TrapSpec`: schemars keeps only the rules of the first
    // union.
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

/// A union with rules on its fields, for which `KubeSchema` generates hidden structs.
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

/// Returns the value without these keys, at any depth.
fn without_keys(value: &Value, keys: &[&str]) -> Value {
    match value {
        Value::Object(object) => object
            .iter()
            .filter(|(key, _)| !keys.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), without_keys(value, keys)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(values) => values
            .iter()
            .map(|value| without_keys(value, keys))
            .collect(),
        scalar => scalar.clone(),
    }
}

fn without_annotation(crd: &Value) -> Value {
    let mut crd = crd.clone();
    crd["metadata"] = without_keys(&crd["metadata"], &["annotations"]);
    crd
}

/// Returns the value with all numbers as floats, as in kube's type.
fn with_floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Object(object) => {
            let entries = object
                .iter()
                .map(|(key, value)| (key.clone(), with_floats(value)));
            entries.collect::<serde_json::Map<_, _>>().into()
        }
        Value::Array(values) => values.iter().map(with_floats).collect(),
        scalar => scalar.clone(),
    }
}

#[test]
fn the_full_crd_without_the_extension_is_the_crd_for_the_cluster() {
    for crd in [crd::<Trap>(), crd::<Application>(), crd::<Required>()] {
        let full = without_keys(crd.with_extensions(), &EXTENSION_KEYS);
        assert_eq!(full, without_annotation(crd.for_cluster()));
        assert_ne!(&full, crd.with_extensions());
    }
}

#[test]
fn a_crd_without_parts_that_kube_drops_equals_kubes_crd() {
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
        let serialized = serde_json::to_value(typed).unwrap_or_default();
        assert_eq!(with_floats(&serialized), with_floats(cluster));
        assert!(!cluster.to_string().contains("x-union"));
        assert!(!crd.with_extensions().to_string().contains("x-union"));
        assert_eq!(crd.lint().errors(), []);
    }
}

#[test]
fn the_extension_keys_are_in_the_full_crd() {
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
    // These keys are not extension keys, so they are lost as in kube's CRD.
    assert_eq!(spec["foreign"].get("x-kubernetes-group-version-kind"), None);
    assert_eq!(spec["foreign"].get("writeOnly"), None);
}

#[test]
fn the_docs_of_values_follow_the_docs_of_a_field() {
    let crd = crd::<Trap>();
    for form in [crd.for_cluster(), crd.with_extensions()] {
        assert_eq!(
            spec_of(form)["properties"]["documented"]["description"],
            format!("Own words.\n\n{VALUE_DOCS}")
        );
    }
}

#[test]
fn whole_numbers_stay_whole() {
    let kubes_crd = serde_json::to_value(Trap::crd()).unwrap_or_default();
    assert_eq!(
        spec_of(&kubes_crd)["properties"]["count"]["maximum"].to_string(),
        "10.0"
    );
    let crd = crd::<Trap>();
    let count = &spec_of(crd.for_cluster())["properties"]["count"];
    assert_eq!(count["maximum"].to_string(), "10");
    assert_eq!(count["minimum"].to_string(), "1");
}

#[test]
fn enforcement_that_flatten_dropped_is_restored() {
    let kubes_crd = serde_json::to_value(Trap::crd()).unwrap_or_default();
    let rules_of = |spec: &Value| {
        let rules = spec["x-kubernetes-validations"].as_array();
        let rules = rules.into_iter().flatten().map(|rule| rule["rule"].clone());
        rules.collect::<Vec<_>>()
    };
    let source = "has(self.from) && self.from == 'Alpha' ? has(self.file) : !has(self.file)";
    let crd = crd::<Trap>();
    let spec = spec_of(crd.for_cluster());
    assert_eq!(rules_of(spec), [source]);
    assert_eq!(rules_of(&spec["properties"]["many"]["items"]), [source]);
    let count_one_ofs = |spec: &Value| {
        let subschemas = spec["allOf"].as_array().into_iter().flatten();
        subschemas
            .filter(|subschema| subschema.get("oneOf").is_some())
            .count()
            + usize::from(spec.get("oneOf").is_some())
    };
    assert_eq!(count_one_ofs(spec), 2, "{spec:#}");
    // In kube's CRD: schemars keeps every `oneOf`, but only the rules of the first union.
    assert_eq!(count_one_ofs(spec_of(&kubes_crd)), 2);
}

/// kube moves properties out of the branches of a `oneOf`, or panics if the branches differ. The
/// branches of unions must stay as they are.
#[test]
fn kube_keeps_a_one_of_and_a_server_evaluates_it() {
    let crd = crd::<Trap>();
    let schema = k8s_crd_validation::StructuralSchema::compiler().crd(crd.for_cluster(), None);
    let schema = schema.unwrap_or_else(|errors| panic!("{errors}"));
    let valid_spec = json!({
        "type": "Alpha", "alpha": 1, "from": "Beta", "documented": "Beta", "list": [], "count": 1, "foreign": "",
        "many": [],
    });
    let is_accepted = |changes: Value| {
        let mut spec = valid_spec.clone();
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
    assert!(is_accepted(json!({})));
    assert!(is_accepted(
        json!({"beta": null, "disk": "a", "bucket": null})
    ));
    assert!(is_accepted(json!({"alpha": null, "type": "Beta"})));
    for rejected in [
        json!({"beta": 1}),
        json!({"alpha": null}),
        json!({"type": "Beta"}),
        json!({"disk": "a", "bucket": "b"}),
        json!({"type": "None", "alpha": null}),
        json!({"alpha": 0}),
        json!({"file": "f"}),
        json!({"many": [{"from": "Alpha"}]}),
    ] {
        assert!(!is_accepted(rejected.clone()), "{rejected}");
    }
}

/// A webhook has only the CRD for the cluster, and returns the same results as with the full CRD.
#[test]
fn the_annotation_contains_the_unions() {
    let crd = crd::<Trap>();
    let annotation = crd.for_cluster()["metadata"]["annotations"][ANNOTATION].as_str();
    let annotation: Value =
        serde_json::from_str(annotation.unwrap_or_default()).unwrap_or_default();
    assert!(
        annotation["v1"]["/properties/spec/properties/from"].is_object(),
        "{annotation:#}"
    );
    let compile = |crd: &Value| {
        Unions::compile(UnionSource::Crd(crd, None)).unwrap_or_else(|error| panic!("{error}"))
    };
    let (cluster, full) = (compile(crd.for_cluster()), compile(crd.with_extensions()));
    let mut object = json!({"spec": {"type": "Beta", "alpha": 1, "from": "Alpha", "many": [{"from": "Beta", "file": "x"}]}});
    let results = [cluster, full].map(|unions| {
        let settings = Settings::default();
        let admitted = unions.admit(&mut object, None, &settings);
        (!admitted.is_accepted()).then(|| admitted.to_string())
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(
        results[0].as_ref().map(|report| report.lines().count()),
        Some(3),
        "{results:?}"
    );
}

#[test]
fn outputs_are_deterministic() {
    let print_both_crds = || {
        to_json_string(crd::<Trap>().for_cluster())
            + &to_json_string(crd::<Trap>().with_extensions())
    };
    assert_eq!(print_both_crds(), print_both_crds());
    assert!(print_both_crds().ends_with("}\n"));
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
fn the_document_has_schemas_of_objects_with_the_names_of_a_server() {
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

/// An enum for ordinary fields, which kube's transforms convert to several forms.
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

/// A unit struct. Serde writes the struct as null, so a member that is set would be read back as
/// unset.
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

/// A derive cannot see that a type is a unit struct, but the schema hook sees the schema.
#[test]
#[should_panic = "the member `marker` is always null in JSON, which means unset"]
fn a_member_that_can_only_be_null_is_rejected() {
    let _ = crd::<Marked>();
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Plain", namespaced)]
struct PlainSpec {
    #[schemars(extend("nullable" = false))]
    size: u8,
}

#[test]
fn crds_have_no_fields_that_a_server_does_not_store() {
    // kube writes no empty lists, but keeps keywords of schemas.
    let mut written_by_kube = serde_json::to_value(Plain::crd()).unwrap();
    let paths = remove_unstored_fields(&mut written_by_kube);
    assert_eq!(paths.len(), 1, "{paths:?}");
    for crd in [crd::<Plain>(), crd::<Application>()] {
        for form in [crd.for_cluster(), crd.with_extensions()] {
            assert!(remove_unstored_fields(&mut form.clone()).is_empty());
        }
    }
}
