//! Tests of the memory that requests with valid objects need: a request allocates only for long
//! lists and for CEL rules.

use allocation_counter::measure;
use k8s_crd_validation::{RatchetingPolicy, ServerSettings, StatusHandling, StructuralSchema};
use serde_json::{Map, Value, json};

fn schema(rules: &Value) -> Value {
    let entry = json!({"type": "object", "required": ["port"], "properties": {
        "port": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 65_535},
        "protocol": {"type": "string", "default": "TCP", "enum": ["TCP", "UDP"]},
        "host": {"anyOf": [{"maxLength": 3}, {"format": "hostname"}], "type": "string", "pattern": "^[a-z.]*$"},
    }});
    json!({"type": "object", "properties": {
        "spec": {"type": "object", "x-kubernetes-validations": rules, "properties": {
            "ports": {"type": "array", "maxItems": 8, "items": entry,
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"]},
            "names": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
            "labels": {"type": "object", "additionalProperties": {"x-kubernetes-int-or-string": true}},
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        }},
        "status": {"type": "object", "default": {"ready": false}, "properties": {"ready": {"type": "boolean"}}},
    }})
}

fn new_and_old_object() -> (Value, Value) {
    let old = json!({
        "apiVersion": "a.b/v1", "kind": "K",
        "metadata": {
            "name": "a.b", "namespace": "c", "uid": "u", "resourceVersion": "7", "generation": 3,
            "creationTimestamp": "2020-02-29T23:30:00Z", "labels": {"a.b/c": "d"}, "annotations": {"e": "f"},
            "finalizers": ["a.b/c"],
            "managedFields": [{"manager": "m", "operation": "Update", "apiVersion": "a.b/v1",
                "time": "2020-02-29T23:30:00Z", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {}}}],
        },
        "spec": {
            "ports": [{"port": 1, "protocol": "TCP", "host": "example.org"}, {"port": 1, "protocol": "UDP"}],
            "names": ["a", "b"], "labels": {"a": 1, "b": "2"}, "free": {"a": [1.5, {"b": null}]},
        },
        "status": {"ready": true},
    });
    let mut new = old.clone();
    new["spec"]["ports"][0]["host"] = json!("example.com");
    new["spec"]["names"] = json!(["b", "c"]);
    new["metadata"]["labels"] = json!({"a.b/c": "e"});
    (new, old)
}

/// Returns the numbers of allocations of a create and of an update, after the same requests have
/// filled the caches.
fn allocations(schema: &StructuralSchema, settings: &ServerSettings) -> (u64, u64) {
    let (mut new, old) = new_and_old_object();
    let mut measure_both_requests = || {
        let mut created = new.clone();
        assert_eq!(schema.create(&mut created, settings).errors(), []);
        let create = measure(|| drop(schema.create(&mut created, settings)));
        assert_eq!(schema.update(&mut new, &old, settings).errors(), []);
        let update = measure(|| drop(schema.update(&mut new, &old, settings)));
        (create.count_total, update.count_total)
    };
    measure_both_requests();
    measure_both_requests()
}

#[test]
fn requests_with_valid_objects_allocate_nothing() {
    let rules = json!([]);
    let with_status = StructuralSchema::compiler()
        .status(StatusHandling::Subresource)
        .schema(&schema(&rules))
        .unwrap();
    for schema in [
        StructuralSchema::compile(&schema(&rules)).unwrap(),
        with_status,
    ] {
        for policy in [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008] {
            for ratchet in [true, false] {
                let settings = ServerSettings::default().policy(policy).ratchet(ratchet);
                assert_eq!(allocations(&schema, &settings), (0, 0), "{settings:?}");
            }
        }
    }
}

/// A list of more than eight elements needs one allocation, for the table that finds duplicates.
#[test]
fn a_long_list_takes_one_allocation() {
    let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
        "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
    }}))
    .unwrap();
    for count in [9, 1000] {
        let names: Vec<String> = (0..count).map(|i| format!("name-{i}")).collect();
        let mut object = json!({"set": names});
        let settings = ServerSettings::default();
        let allocations = measure(|| drop(schema.create(&mut object, &settings)));
        assert_eq!(allocations.count_total, 1);
    }
}

/// All rules share one allocation for their variables.
#[test]
fn simple_rules_take_at_most_four_allocations() {
    let rules = json!([
        {"rule": "self.ports.all(port, port.port > 0) && size(self.names) < 5"},
        {"rule": "!has(oldSelf.free) || has(self.free)"},
    ]);
    let schema = StructuralSchema::compile(&schema(&rules)).unwrap();
    let (create, update) = allocations(&schema, &ServerSettings::default());
    assert!(create <= 4 && update <= 4, "{create} {update}");
}

/// Returns a CRD of the size of `HTTPRoute`, with unions, rules, patterns and long descriptions.
fn large_crd() -> Value {
    let description =
        "What the field is for, which values have a meaning of their own, and who sets it. "
            .repeat(5);
    let union = |index: usize| {
        json!({
            "type": "object", "required": ["type"], "description": description,
            "properties": {
                "type": {"type": "string", "enum": ["A", "B"], "default": "A", "description": description},
                "a": {"type": "string", "maxLength": 64 + index % 4, "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$"},
                "b": {"type": "object", "properties": {"c": {"type": "integer", "maximum": index, "format": "int32"}}},
            },
            "x-kubernetes-validations": [
                {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)", "message": "a is for A"},
                {"rule": "self.type == 'B' ? has(self.b) : !has(self.b)", "message": "b is for B"},
            ],
        })
    };
    let fields = (0..70).map(|index| (format!("field{index}"), union(index)));
    let spec = json!({"type": "object", "properties": fields.collect::<Map<_, _>>()});
    json!({"spec": {
        "group": "example.com", "names": {"kind": "Large", "plural": "larges"}, "scope": "Namespaced",
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
            "type": "object", "properties": {"spec": spec},
        }}}],
    }})
}

/// A server of many CRDs keeps all compiled schemas in memory.
#[test]
fn a_compiled_crd_of_90_kb_takes_less_than_1_mb() {
    let crd = large_crd();
    assert!(crd.to_string().len() > 90_000, "{}", crd.to_string().len());
    let mut schema = None;
    let allocations =
        measure(|| schema = Some(StructuralSchema::compiler().crd(&crd, None).unwrap()));
    drop(schema);
    let live_bytes = allocations.bytes_current;
    assert!((1..1_000_000).contains(&live_bytes), "{live_bytes}");
}
