//! What requests about valid objects take of memory: nothing, without CEL.

use allocation_counter::measure;
use k8s_crd_validation::{Policy, ServerSettings, StructuralSchema};
use serde_json::{Value, json};

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

fn objects() -> (Value, Value) {
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

/// The allocations of a creation and an update, when caches are warm.
fn allocations(schema: &StructuralSchema, settings: &ServerSettings) -> (u64, u64) {
    let (mut new, old) = objects();
    let mut both = || {
        let mut created = new.clone();
        assert_eq!(schema.create(&mut created, settings).errors, []);
        let create = measure(|| drop(schema.create(&mut created, settings)));
        assert_eq!(schema.update(&mut new, &old, settings).errors, []);
        let update = measure(|| drop(schema.update(&mut new, &old, settings)));
        (create.count_total, update.count_total)
    };
    both();
    both()
}

#[test]
fn valid_objects_take_no_memory() {
    let rules = json!([]);
    let with_status = StructuralSchema::compile_with_status(&schema(&rules)).unwrap();
    for schema in [
        StructuralSchema::compile(&schema(&rules)).unwrap(),
        with_status,
    ] {
        for policy in [Policy::ApiServer, Policy::Kep4008] {
            for ratchet in [true, false] {
                let settings = ServerSettings::default().policy(policy).ratchet(ratchet);
                assert_eq!(allocations(&schema, &settings), (0, 0), "{settings:?}");
            }
        }
    }
}

/// A list of more than eight elements takes a table, and no more however long it is.
#[test]
fn long_lists_take_one_piece_of_memory() {
    let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
        "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
    }}))
    .unwrap();
    for count in [9, 1000] {
        let names: Vec<String> = (0..count).map(|i| format!("name-{i}")).collect();
        let mut object = json!({"set": names});
        let settings = ServerSettings::default();
        let taken = measure(|| drop(schema.create(&mut object, &settings)));
        assert_eq!(taken.count_total, 1);
    }
}

/// Variables are kept in one piece of memory for all rules.
#[test]
fn simple_rules_take_little_memory() {
    let rules = json!([
        {"rule": "self.ports.all(port, port.port > 0) && size(self.names) < 5"},
        {"rule": "!has(oldSelf.free) || has(self.free)"},
    ]);
    let schema = StructuralSchema::compile(&schema(&rules)).unwrap();
    let (create, update) = allocations(&schema, &ServerSettings::default());
    assert!(create <= 4 && update <= 4, "{create} {update}");
}
